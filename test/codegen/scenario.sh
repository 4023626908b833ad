#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# scenario.sh IASIM: schedules as programs in a sweep. Programs that block take as long as replay with active waiting,
# but for messages rounded to whole bytes; nothing is left in the folder for temporary files, by points that fail
# neither; without SMPI nothing is begun.
# shellcheck source=test/codegen/need.sh
source "$(dirname "${BASH_SOURCE[0]}")/need.sh"
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/begin.sh"
need smpicc libsimgrid-dev
need smpirun libsimgrid-dev
compile_once

mkdir temporary
export TMPDIR=$PWD/temporary
few=(sinnen-codegen --set 'generator=layered[tasks=20,width=5,work_flop=1e6]' --set platform=sinnen-star-half \
  --set ccr=10)

"$iasim" run "${few[@]}" --out r.db --quiet >/dev/null
"$iasim" export r.db --out r.csv
python3 - <<'END' || fault 'the figures do not fit together'
import csv
figures = ("_s", "_ratio", "speedup", "_bytes")
rows = [{k: float(v or "nan") if k.endswith(figures) else v for k, v in r.items()}
        for r in csv.DictReader(open("r.csv"))]
assert len(rows) == 6
for r in rows:
    near = lambda a, b: abs(a - b) <= 1e-12 * abs(b)
    assert near(r["estimation_error_ratio"], abs(r["makespan_s"] - r["planned_s"]) / r["planned_s"]), r
    assert near(r["replay_error_ratio"], abs(r["replayed_s"] - r["planned_s"]) / r["planned_s"]), r
    assert near(r["speedup"], r["sequential_s"] / r["makespan_s"]), r
    # 1e8 bytes/s and messages of thousands of bytes: a byte each is less than 1e-4 of the makespan
    assert r["waiting"] == "passive" or abs(r["makespan_s"] - r["replayed_s"]) < 1e-4 * r["replayed_s"], r
    assert r["sent_bytes"] > 0
END
"$iasim" run "${few[@]}" --set waiting=active --out again.db --jobs 1 --quiet >/dev/null
[[ -z $("$iasim" export again.db | grep -vFxf r.csv) ]] || fault 'one worker gives other bytes'
out=$("$iasim" report sinnen-codegen r.db "${few[@]:1}" --report programs) || fault "the report: $out"
expect 'the report' 'Under involvement the error of programs is below 20 % on average (8.4.3).'

# In the worlds where messages take nothing of the processors by themselves, programs take as long as replay.
"$iasim" run "${few[@]}" --set world=none,interference --set model=contention --set ccr=1 --out fluid.db --quiet \
  >/dev/null
"$iasim" export fluid.db --out fluid.csv
python3 - <<'END' || fault 'programs differ from replay'
import csv
rows = list(csv.DictReader(open("fluid.csv")))
assert len(rows) == 4 and not any(r["error"] for r in rows), rows
for r in rows:
    assert abs(float(r["difference_ratio"])) < 1e-4, r
of = {(r["model"], r["waiting"], r["world"]): float(r["makespan_s"]) for r in rows}
for (model, waiting, world), makespan_s in of.items():
    assert world == "none" or makespan_s > of[model, waiting, "none"], (model, waiting)
END
[[ -z $(ls -A temporary) ]] || fault "left: $(ls temporary)"

mkdir nothing
status=0
out=$(PATH=$PWD/nothing "$iasim" run "${few[@]}" --out no.db 2>&1) || status=$?
[[ $status != 0 && ! -e no.db ]] || fault "without SMPI: status $status"
expect 'without SMPI' 'is not installed; on Debian it is in the package'

((faults == 0))
