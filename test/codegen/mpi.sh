#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# mpi.sh IASIM: on a real MPI every byte arrives, each rank keeps the schedule's order, no task ends before its time
# or begins before its data, and nothing is promised about figures.
set -euo pipefail
# shellcheck source=test/codegen/need.sh
. "$(dirname "${BASH_SOURCE[0]}")/need.sh"
# shellcheck source=test/cli/begin.sh
. "$(dirname "${BASH_SOURCE[0]}")/../cli/begin.sh"
need mpicc libopenmpi-dev
need mpirun openmpi-bin
compile_once

platform=$IASIM_DATA/platforms/sinnen-hetero.xml
"$iasim" graph generate 'series_parallel[tasks=20,work_flop=1e7]' --ccr 1 -p "$platform" --seed 5 --out g.dot
i=0
sed -nE 's/^ *"([A-Za-z0-9_]+)" \[.*/\1/p' g.dot |
  while read -r task; do echo "$task p$((i++ % 5))"; done >allocation.txt
"$iasim" schedule -p "$platform" -g g.dot --model involvement --allocation allocation.txt \
  --scheduler 'list[approach=alloc1]' --out s.json \
  >/dev/null
for options in "" "--blocking" "--seconds-per-s 0.5 --world none"; do
  rm -rf program
  # shellcheck disable=SC2086 # several words
  "$iasim" codegen -p "$platform" -g g.dot --out program --run mpi --json $options s.json >ran.json ||
    { fault "$options" && continue; }
  python3 - <<'PY' || fault "'$options': $(cat ran.json)"
import json
ran, trace, plan = (json.load(open(name)) for name in ("ran.json", "program/trace.json", "s.json"))
assert list(ran) == ["ranks", "bytes_checked", "planned_s", "replayed_s", "smpi_s", "mpi_s", "tasks"], list(ran)
assert ran["ranks"] == 5 and ran["smpi_s"] is None and ran["planned_s"] == plan["length_s"]
assert ran["mpi_s"] == trace["makespan_s"] == max(t["finish_s"] for t in ran["tasks"])
assert [sorted(t) for t in ran["tasks"]] == [["finish_s", "host", "name", "start_s"]] * 20
tasks = {t["name"]: t for t in trace["tasks"]}
slack = 1e-4 # two clocks, and the rounding of sizes
for planned in plan["tasks"]:
    t = tasks[planned["name"]]
    assert t["finish_s"] - t["start_s"] >= planned["finish_s"] - planned["start_s"] - 1e-9
for host in {t["host"] for t in plan["tasks"]}:
    here = [t["name"] for t in sorted(plan["tasks"], key=lambda t: t["start_s"]) if t["host"] == host]
    starts = [tasks[name]["start_s"] for name in here]
    assert starts == sorted(starts), here
for edge in trace["edges"]:
    if not edge["local"]:
        assert edge["send"]["start_s"] >= tasks[edge["src"]]["finish_s"]
        assert edge["recv"]["finish_s"] <= tasks[edge["dst"]]["start_s"]
        assert edge["transfer"]["finish_s"] >= edge["transfer"]["start_s"] - slack, edge
PY
done
rm -rf program
"$iasim" codegen -p "$platform" -g g.dot --out program --run mpi s.json >out || fault "in text"
grep -qE '^host +tasks +planned_s +replayed_s +mpi_s +difference_s$' out || fault "the table: $(cat out)"
grep -qE 'planned [0-9.]+ s, replayed [0-9.]+ s, mpi [0-9.]+ s; [0-9]+ bytes arrived intact' out ||
  fault "the sum: $(cat out)"

# two ranks on this computer by a file of hosts
echo 'localhost slots=8' >hosts
rm -rf program
"$iasim" codegen -p "$platform" -g g.dot --out program --run mpi --hostfile hosts s.json >out || fault "a file of hosts"

echo "$faults faults"
((faults == 0))
