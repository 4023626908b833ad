#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# demo.sh IASIM: the demo from end to end, with few graphs and programs, as JSON: tables, claims, results, and pictures
# that the same results give again. Then without MPI and pictures: its screen. With TESTS_NIGHT=1 the first one takes
# two of the seven platforms and all kinds of graphs, which is enough for the verdicts of doc/papers.md.
set -euo pipefail
iasim=$1
export IASIM_DATA=$PWD COLUMNS=200 # a claim to a line

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
dir=$scratch
# shellcheck source=test/codegen/need.sh
. "$IASIM_DATA/test/codegen/need.sh"
compile_once
cd "$scratch"
faults=0
fault() { echo "$*" && faults=$((faults + 1)); }

mkdir less
cp -r "$IASIM_DATA"/{scenarios,platforms,deployments,analysis} less
sed -i -e '/sinnen-[a-z-]*\.xml/ { /sinnen-bus/ !d }' -e '/^ *<value>[a-z_]*\[/ { /layered/ !d }' \
  less/scenarios/sinnen-accuracy/scenario.xml
sed -i -e '/sinnen-star-half/d' -e '/<value>\(layered\|fork_join\)/d' less/scenarios/sinnen-codegen/scenario.xml
n_kinds=2 n_platforms=1
data=$PWD/less
if [[ ${TESTS_NIGHT-} == 1 ]]; then
  n_kinds=14 n_platforms=2
  cp -r less more
  sed '/sinnen-[a-z-]*\.xml/ { /sinnen-\(hetero\|torus\)/ !d }' "$IASIM_DATA/scenarios/sinnen-accuracy/scenario.xml" \
    >more/scenarios/sinnen-accuracy/scenario.xml
  data=$PWD/more
fi
# Instances, CCRs, schedulers, worlds, ways of waiting, models.
n_points=$((n_kinds * n_platforms * 2 * 3 * 2 * 3 * 3 * 3))
IASIM_DATA=$data "$iasim" demo --out demo --json >out 2>said </dev/null || { cat out said && exit 1; }
cp out demo.json
! grep -rl "$scratch" demo || fault 'a file has the path of the temporary folder'
for text in 'Tasks of 10 MB' 'What the paper says' 'RootComputes is best at 10 MB and 1 unit' \
  'Estimation error' 'What the chapter claims' 'What ignoring contention costs' \
  'Price: makespan_s, relative to the best'; do
  grep -q "$text" demo/report.txt || fault "the report lacks: $text"
done
if command -v smpicc >/dev/null; then
  grep -q 'Task graphs as programs with MPI' demo/report.txt || fault 'no programs were run'
fi
[[ $(wc -l <demo/kreaseck-fork.csv) == 145 ]] ||
  fault "$(wc -l <demo/kreaseck-fork.csv) lines of results, not 144 and a head"
[[ $(wc -l <demo/sinnen-accuracy.csv) == $((n_points + 1)) ]] ||
  fault "$(wc -l <demo/sinnen-accuracy.csv) lines of results, not $n_points and a head"
! tail -n +2 demo/sinnen-accuracy.csv | grep -v ',$' || fault 'these points failed'
! tail -n +2 demo/kreaseck-fork.csv | grep -v ',$' || fault 'these points failed' # the last column is the error

if /usr/bin/python3 -c 'import matplotlib' 2>/dev/null; then
  for kind in svg png; do [[ -s demo/figure5.$kind ]] || fault "no figure5.$kind"; done
  /usr/bin/python3 "$IASIM_DATA/analysis/policies.py" demo/kreaseck-fork.csv --bound demo/kreaseck-fork-bound.csv \
    --out again
  /usr/bin/python3 "$IASIM_DATA/analysis/accuracy.py" demo/sinnen-accuracy.csv --out again_accuracy
  for kind in svg png; do cmp demo/accuracy.$kind again_accuracy.$kind ||
    fault "the same results give another $kind"; done
  for kind in svg png; do cmp demo/figure5.$kind again.$kind || fault "the same results give another $kind"; done
else
  echo 'no python3-matplotlib: the picture was not tried'
fi

python3 - $((2 * n_kinds)) <<'PYTHON' || fault 'the JSON is not the report'
import json
import sys
text = open("demo/report.txt").read()
words = " ".join(text.split())
opening, measured, farms, graphs, prices, *programs = json.load(open("out"))["sections"]
for section in measured, farms, graphs, prices, *programs:
    assert section["title"] in text and section["tables"] and (section["claims"] or section is prices), section["title"]
    for said in section["paragraphs"] + [w for c in section["claims"] for w in [c["claim"], c["rule"], *c["details"]]]:
        assert " ".join(said.split()) in words, said
    for table in section["tables"]:
        assert table["title"] in text, table["title"]
        assert all(len(row) == len(table["columns"]) for row in table["rows"]), table
        assert len(set(table["columns"])) == len(table["columns"]), table
[table] = prices["tables"] # nothing is shorter than the proven optimum, and a wrong belief costs something somewhere
involvement = table["columns"].index("involvement")
assert len(table["rows"]) == 5 and all(row[involvement] == 1 for row in table["rows"]), table
assert all(cell >= 1 - 1e-9 for row in table["rows"]
           for cell in row[1:]) and any(row[1] > 1.05 for row in table["rows"]), table
n_held = sum(c["holds"] for s in (measured, farms, graphs, *programs) for c in s["claims"])
n_yes = sum(line.startswith("  yes  ") for line in text.splitlines())
assert n_held == n_yes, (n_held, n_yes)
def holds(section, kind): return [c["holds"] for c in section["claims"] if c["kind"] == kind]
counts = [[s["title"], sum(holds(s, "tested")), *(len(holds(s, kind)) for kind in ("tested", "construction", "input"))]
          for s in (measured, farms, graphs, *programs)]
assert opening["tables"][0]["rows"] == counts, (opening, counts)
_, n_hold, n_tested, n_constructed, n_inputs = map(sum, zip(*([0, *row[1:]] for row in counts)))
said = opening["paragraphs"][-1]
assert said.startswith(f"Of {n_tested} tested claims {n_hold} hold here. ") and said in words, said
assert n_held == n_hold + n_constructed + n_inputs, "a claim fails that follows from the model, or restates an input"
# each headline is the mean of its table
[short, *long] = farms["tables"]
for row, table in zip(short["rows"], long):
    named, head = dict(zip(short["columns"], row)), table["columns"]
    for policy in "ia_multi", "fcfs":
        mean = sum(r[head.index(policy)] for r in table["rows"]) / len(table["rows"])
        assert abs(named[policy] - mean) < 1e-9, (policy, named, mean)
[short, *long] = graphs["tables"]
means = {}
for r in (dict(zip(long[0]["columns"], row)) for row in long[0]["rows"]):
    if r["world"] == "involvement":
        means[r["CCR"], r["belief"]] = r["mean, %"]
    if r["belief"] == "involvement":
        means[r["CCR"], "in " + r["world"]] = r["mean, %"]
for row in short["rows"]:
    for belief, cell in zip(short["columns"][1:], row[1:]):
        assert abs(cell - means[row[0], belief.split(",")[0]]) < 1e-9, (row, belief)
farms["tables"].pop(0)
graphs["tables"].pop(0)
for table in farms["tables"][:3]:
    of_root = table["columns"].index("root_computes")
    assert all(isinstance(cell, float) for row in table["rows"] for cell in row), table
    assert all(row[of_root] == 1 for row in table["rows"]), table
for table in graphs["tables"]:
    named = [dict(zip(table["columns"], row)) for row in table["rows"]]
    assert len({(row["world"], row["CCR"], row["belief"]) for row in named}) == len(named) == 27, table
    unit = ", %" if "mean, %" in table["columns"] else ""
    for row in named:
        assert row["mean, low end of 95 %" + unit] <= row["mean" + unit] <= row["mean, high end of 95 %" + unit], row
        if "change" in row: # the last tables: active waiting and rendezvous
            assert row["change, low end of 95 %"] <= row["change"] <= row["change, high end of 95 %"], row
        else:
            assert row["median" + unit] <= row["maximum" + unit] and row["graphs"] == int(sys.argv[1]), row
PYTHON

# Again, for its screen, where there is no MPI and no program that draws.
mkdir nothing
rm -r "$data/analysis"
export COLUMNS=83 # a usual screen
IASIM_DATA=$data PATH=$PWD/nothing "$iasim" demo --out few >out 2>said </dev/null ||
  { cat out said && exit 1; }
grep -q "schedules are not run as programs with MPI: the program 'smpicc' is not installed" said ||
  fault 'the demo does not say why it ran no programs'
for results in few/*.csv; do
  cmp "$results" "demo/${results#few/}" || fault "the same demo gives other results: $results"
done
# the screen: what was compared, what came out, which claims fail, where the rest is
(($(wc -l <out) <= 40)) || fault "$(wc -l <out) lines are more than a screen"
! grep -E '^.{84}' out || fault 'a line is wider than 83 columns'
grep -qE '^The comparisons of two sources, recomputed: [0-9]+ simulated runs in [0-9]+ s\.$' out ||
  fault "the screen: $(head -n 1 out)"
grep -qE '^Of [0-9]+ tested claims [0-9]+ hold here' out || fault 'the screen does not count the claims'
grep -q '^As text: few/report.txt' out || fault 'the screen does not name the report'
grep -q 'no figure was drawn' said || fault 'the demo does not report that it drew nothing'
python3 - <<'PYTHON' || fault 'the screen does not list what fails'
import json
import re
screen = " ".join(open("out").read().split())
n_more = sum(int(n) for n in re.findall(r" And (\d+) more\.", screen))
for section in json.load(open("demo.json"))["sections"]:
    if "programs with MPI" in (section["title"] or ""):
        continue
    # Without where the source has it.
    failed = [c["claim"].rsplit(" (", 1)[0] + "." for c in section["claims"] if not c["holds"]]
    listed = [claim for claim in failed if f" {claim}" in screen]
    assert listed == failed[:len(listed)] and bool(listed) == bool(failed), (failed, listed)
    n_more -= len(failed) - len(listed)
assert n_more == 0, n_more
PYTHON

# doc/papers.md has the verdicts, also of what it shows of [S]
if [[ ${TESTS_NIGHT-} == 1 ]]; then
  (cd "$IASIM_DATA" && python3 test/house/papers.py "$scratch/demo.json") ||
    fault 'the verdicts are not those of doc/papers.md'
fi

# The page: what the report says, a run, and every result.
if grep -q 'no page for browsers was written: this iasim was built without d3' said; then
  [[ ${TESTS_REQUIRED-} != 1 && ! -e demo/report.html ]] || fault 'there is no d3 here'
else
  grep -q '^In a browser, with the reasons: few/report.html$' out || fault 'the demo does not name its page'
  python3 - <<'PYTHON' || fault 'the page is not the demo'
import base64, json, re, zlib
found = re.findall(r'<script type="application/json"( class="deflated")?>([^<]*)</script>',
                   open("demo/report.html").read())
report, *results, run = [json.loads(zlib.decompress(base64.b64decode(text)) if packed else text)
                         for packed, text in found]
said = json.load(open("demo.json"))["sections"]
assert report["kind"] == "document" and run["kind"] == "run" and {r["kind"] for r in results} == {"results"}
assert [s["title"] for s in report["data"]["sections"]] == [s["title"] for s in said]
for section, of_text in zip(report["data"]["sections"], said):
    blocks = section["blocks"]
    assert [b["paragraph"] for b in blocks if "paragraph" in b] == of_text["paragraphs"], section["title"]
    assert [c for b in blocks for c in b.get("claims", [])] == of_text["claims"], section["title"]
    n_rows = [len(b["table"]["rows"]) for b in blocks if "table" in b]
    assert n_rows == [len(t["rows"]) for t in of_text["tables"]], section["title"]
for r in results:
    name = r["data"]["scenario"]
    assert r["data"]["n"] == r["data"]["runs"] == sum(1 for _ in open(f"demo/{name}.csv")) - 1, name
assert len(results) >= 5
PYTHON
  (($(stat -c %s demo/report.html) < 4000000)) || fault "the page has $(stat -c %s demo/report.html) bytes"
fi

echo "$faults faults"
((faults == 0))
