#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# report_html.sh IASIM: `report` finds the scenario of a database by itself; the page of a database holds all that
# `iasim export` writes, and the report's text and tables. What the page draws from it is tested in browsers
# (test/browser).
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

"$iasim" run smoke --quiet >/dev/null

# ---- a database alone ----
"$iasim" report smoke >named.txt
"$iasim" report smoke.db >alone.txt
cmp named.txt alone.txt || fault 'report differs when only the database is given'
ends_with 2 report smoke.db --set tasks=60
said "iasim report: --set needs a scenario before the database smoke.db"
cp smoke.db orphan.db
python3 -c "import sqlite3
d = sqlite3.connect('orphan.db')
d.execute(\"UPDATE meta SET value = 'iasim run not-here' WHERE name = 'command'\")
d.commit()"
ends_with 2 report orphan.db
grep -q \
  "orphan.db: a report needs the scenario of these results; name it: iasim report SCENARIO orphan.db ('not-here' is neither" \
  err || fault "orphan: $(cat err)"
ends_with 2 report smoke.db --html page.svg
: >empty.db
ends_with 2 report empty.db
said "iasim report: empty.db: holds no results yet"
head -c 5000 smoke.db >cut.db
ends_with 2 report cut.db
said "iasim report: cut.db: the database is damaged: database disk image is malformed"
echo '<scenario' >text.db
ends_with 2 report text.db
grep -q '^iasim report: text.db: .*not a database' err || fault "not SQLite: $(cat err)"

"$iasim" report smoke.db --html page.html >out 2>err || true
if grep -q 'built without d3' err; then
  echo "skipped: $(cat err); $faults faults"
  ((faults == 0)) && [[ ${TESTS_REQUIRED-} != 1 ]] && exit 77
  exit 1
fi

# ---- pages ----
cmp out named.txt || fault '--html changes the report in the terminal'
"$iasim" report smoke smoke.db --html again.html >/dev/null
cmp again.html page.html || fault 'the same results give a different page'
ends_with 0 report orphan.db --html orphan.html
grep -q 'the page has no report, because the scenario of orphan.db cannot be read' err || fault "orphan: $(cat err)"
ends_with 2 report smoke.db --html smoke.db
ln -s /dev/full full.html
ends_with 3 report smoke.db --html full.html
grep -qx "iasim report: full.html: cannot write: No space left on device" err || fault "full disk: $(cat err)"
[[ ! -e page.svg ]] || fault 'a refused page was written anyway'

"$iasim" run smoke --shard 1/2 --out half.db --quiet >/dev/null
"$iasim" report half.db --html half.html >/dev/null
star=(--set platform="$IASIM_DATA/platforms/star-8.xml")
"$iasim" run smoke "${star[@]}" --out failed.db --quiet >/dev/null || true
"$iasim" report failed.db --html failed.html >/dev/null
"$iasim" run smoke --set compute_size=5 --set policy=bwc --set world=none --out one.db --quiet >/dev/null
"$iasim" report one.db --html one.html >/dev/null
python3 -c "import sqlite3; d = sqlite3.connect('one.db'); d.execute('DELETE FROM results'); d.commit()"
"$iasim" report one.db --html none.html >/dev/null || fault 'no page for a database without runs'
"$iasim" run kreaseck-interference --set peers=Lab1,Lab2 --quiet >/dev/null
"$iasim" report kreaseck-interference.db --html document.html >/dev/null
"$iasim" report kreaseck-interference.db --json >document.json
"$iasim" export smoke.db >smoke.csv

python3 - <<'PYTHON' || fault 'the data in the pages'
import base64, csv, json, re, zlib

def sections(path):
    found = re.findall(r'<script type="application/json"( class="deflated")?>([^<]*)</script>', open(path).read())
    return [json.loads(zlib.decompress(base64.b64decode(text)) if packed else text) for packed, text in found]

def column(text, n):
    return text.split(",") if n else []

# every parameter and figure of every run, to the last digit
[results, tables] = sections("page.html")
data = results["data"]
by_key = {key: i for i, key in enumerate(column(data["keys"], data["n"]))}
runs = list(csv.DictReader(open("smoke.csv")))
assert len(runs) == data["n"] == data["runs"] == len(by_key) == 16 and not data["errors"]
for run in runs:
    i = by_key[run["key"][:12]]
    for p in data["params"]:
        value = p["values"][int(column(p["rows"], 16)[i]) if "rows" in p else 0]
        assert value == run[p["name"]] or float(value) == float(run[p["name"]]), (p["name"], value, run)
    for m in data["metrics"]:
        text = column(m["rows"], 16)[i]
        assert text == run[m["name"]] == "" or float(text) == float(run[m["name"]]), (m["name"], text, run)
names = {p["name"] for p in data["params"]} | {m["name"] for m in data["metrics"]} | {"key", "error"}
assert names == set(runs[0]), data["params"]
assert data["views"][0]["columns"] == "policy" and data["views"][0]["relative_to"] == "root_computes", data["views"]
# the scenario's order
assert [p["values"] for p in data["params"] if p["name"] == "policy"] == [["root_computes", "ia_multi", "bwc", "fcfs"]]
assert tables["kind"] == "document" and tables["data"]["sections"][0]["blocks"][0]["table"]["rows"], tables

[orphan] = sections("orphan.html")
assert orphan["data"]["n"] == 16 and not orphan["data"]["views"], orphan
half = sections("half.html")[0]["data"]
assert half["n"] == 8 and half["runs"] == 16 and half["running"] is False, half
failed = sections("failed.html")[0]["data"]
assert sum(len(e["rows"]) for e in failed["errors"]) == failed["n"] > 0, failed["errors"]
assert all(e["text"] for e in failed["errors"]), failed["errors"]
assert sections("one.html")[0]["data"]["n"] == 1 and sections("none.html")[0]["data"]["n"] == 0
document = sections("document.html")[-1]["data"]
[said] = json.load(open("document.json"))["sections"]
blocks = document["sections"][0]["blocks"]
assert said["claims"] == [c for b in blocks for c in b.get("claims", [])] and len(said["claims"]) > 3, blocks
assert said["paragraphs"] == [b["paragraph"] for b in blocks if "paragraph" in b], blocks
assert [t["columns"] for t in said["tables"]] == [b["table"]["columns"] for b in blocks if "table" in b], blocks
PYTHON

echo "$faults faults"
((faults == 0))
