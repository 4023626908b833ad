#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# mpi_progress.sh IASIM: programs whose tasks sleep, with receives posted or not, over shared memory and TCP: every byte
# arrives, no task is shorter than its time, and a scenario puts predictions beside what was measured. Nothing is
# promised about how near they are.
set -euo pipefail
# shellcheck source=test/codegen/need.sh
. "$(dirname "${BASH_SOURCE[0]}")/need.sh"
# shellcheck source=test/cli/begin.sh
. "$(dirname "${BASH_SOURCE[0]}")/../cli/begin.sh"
need mpicc libopenmpi-dev
need mpirun openmpi-bin

platform=$IASIM_DATA/platforms/sinnen-star-full.xml
"$iasim" graph generate 'layered[tasks=12,width=4,work_flop=1e8]' --ccr 1 -p "$platform" --seed 3 --out g.dot
"$iasim" schedule -p "$platform" -g g.dot --model contention --out s.json >/dev/null
codegen=("$iasim" codegen -p "$platform" -g g.dot --world none --out program)
for options in "" "--waiting rendezvous --mca btl=self,tcp;btl_tcp_if_include=lo" "--blocking --match-bandwidth"; do
  rm -rf program
  # shellcheck disable=SC2086 # several words
  "${codegen[@]}" --run mpi --tasks sleep --json $options s.json >ran.json || { fault "$options" && continue; }
  python3 - "$options" <<'PY' || fault "'$options': $(cat ran.json)"
import json, sys
ran, trace, plan = (json.load(open(name)) for name in ("ran.json", "program/trace.json", "s.json"))
assert ("seconds_per_s" in trace) == ("match" in sys.argv[1]) and trace.get("seconds_per_s", 1) > 0
waiting = {"--waiting": "rendezvous", "--blocking": "active"}.get(sys.argv[1].split(" ")[0], "passive")
assert trace["waiting"] == waiting, trace["waiting"]
assert ran["bytes_checked"] > 1e6 and ran["mpi_s"] == trace["makespan_s"]
tasks = {t["name"]: t for t in trace["tasks"]}
for planned in plan["tasks"]:
    t = tasks[planned["name"]]
    assert t["finish_s"] - t["start_s"] >= planned["finish_s"] - planned["start_s"] - 1e-6, t
for edge in trace["edges"]:
    if not edge["local"]:
        assert edge["transfer"]["start_s"] >= tasks[edge["src"]]["finish_s"], edge
        assert edge["recv"]["finish_s"] <= tasks[edge["dst"]]["start_s"], edge
PY
done

refuses() { # STATUS WORDS OPTIONS...
  local status=0 wanted=$1 words=$2
  rm -rf program
  "${codegen[@]}" "${@:3}" s.json >told 2>&1 || status=$?
  [[ $status == "$wanted" ]] && grep -qF -e "$words" told || fault "${*:3}: status $status: $(cat told)"
}
refuses 2 '--tasks sleep is for a real MPI' --run smpi --tasks sleep
refuses 2 '--tasks sleep goes without functions of your own' --run mpi --tasks sleep --tasks own.c
refuses 2 '--mca are for --run mpi' --mca btl=self
refuses 2 "MCA parameters are NAME=VALUE;NAME=VALUE..; found 'tcp'" --run mpi --mca 'btl=self;tcp'
refuses 2 'both say how long' --run mpi --match-bandwidth --seconds-per-s 2
refuses 2 'the program failed' --run mpi --tasks sleep --mca 'btl=nothing-of-this-name'
# a file of that name is a file
echo '#include "none.h"' >sleep
refuses 2 'none.h' --run mpi --tasks ./sleep

few=(mpi-progress --set instance=1:2 --set ccr=1 --set repeats=1 --set transport=tcp
  --set 'generator=layered[tasks=8,width=4,work_flop=5e7]')
"$iasim" run "${few[@]}" --out r.db --jobs 1 --quiet >/dev/null
"$iasim" export r.db --out r.csv
python3 - <<'PY' || fault "the figures: $(cat r.csv)"
import csv
rows = list(csv.DictReader(open("r.csv")))
assert len(rows) == 4 and not any(r["error"] for r in rows), rows
machines = ("passive", "active", "hardware", "calls", "polls")
of_graph = {}
for r in rows:
    x = {k: float(v) for k, v in r.items() if k.endswith(("_s", "_bytes")) or k == "n_ranks"}
    assert x["fastest_s"] <= x["makespan_s"] <= x["slowest_s"], x
    assert x["seconds_per_s"] > 0 and x["n_ranks"] > 1 and x["sent_bytes"] > 0, x
    # tasks that sleep are never shorter than planned, and their data come first
    for name in ["makespan_s"] + [m + end for m in machines for end in ("_s", "_world_s")]:
        assert x[name] >= x["critical_path_s"] - 1e-6, (name, x)
    # no transport and no way of receiving changes the schedule, what is sent, or what is predicted
    names = [m + end for m in machines for end in ("_s", "_world_s")]
    same = tuple(x[n] for n in ["planned_s", "sent_bytes"] + names)
    assert of_graph.setdefault(r["instance"], same) == same, rows
assert len(of_graph) == 2
PY
"$iasim" report mpi-progress r.db "${few[@]:1}" --report progress >told || fault "the report: $(cat told)"
grep -q 'Of 4 tested claims' told || fault "the report: $(cat told)"
"$iasim" report mpi-progress r.db "${few[@]:1}" --report progress --json | python3 -m json.tool >/dev/null ||
  fault 'the report as JSON'

mkdir nothing
status=0
out=$(PATH=$PWD/nothing "$iasim" run "${few[@]}" --out no.db 2>&1) || status=$?
[[ $status != 0 && ! -e no.db ]] || fault "without MPI: status $status"
expect 'without MPI' 'is not installed; on Debian it is in the package'

echo "$faults faults"
((faults == 0))
