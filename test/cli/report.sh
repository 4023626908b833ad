#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# report.sh IASIM: iasim report says what `run` said of the same results, as text and as JSON; what is unfinished says
# so; results are only read.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

refuse() { # refuse TEXT ARGUMENT...: status 2, nothing on stdout, one message with the text
  local status=0 out
  out=$("$iasim" report "${@:2}" 2>said) || status=$?
  [[ $status == 2 && -z $out ]] || fault "iasim report ${*:2}: status $status, stdout '$out'"
  grep -qF -- "$1" said || fault "iasim report ${*:2}: expected '$1' in: $(cat said)"
}

"$iasim" run smoke >run.txt
"$iasim" run smoke --json --out json.db >run.json
"$iasim" report smoke >report.txt
cmp run.txt report.txt || fault 'the report says something else than the run'
cp json.db json.before
"$iasim" report smoke json.db --json >report.json
cmp run.json report.json || fault 'the JSON of the report is not that of the run'
cmp json.db json.before || fault 'a report has changed the results'
[[ $(echo *.db*) == 'json.db smoke.db' ]] || fault "left beside the results: $(echo *.db*)"

# half of the results: how many there should be is said, and the means of what is missing are not made up
"$iasim" run smoke --shard 1/2 --out half.db >/dev/null
"$iasim" report smoke half.db >half.txt
grep -qx '8 of 16 runs of smoke in half.db; 0 failed' half.txt || fault "half: $(tail -1 half.txt)"
"$iasim" report smoke half.db --json | python3 -c '
import json, sys
s = json.load(sys.stdin)
assert s["runs"] == 16 and s["done"] == 8 and s["failed"] == 0, s
means = [c["mean"] for c in s["tables"][0]["cells"]]
assert len(means) == 16 and any(m is None for m in means), means
' || fault 'the JSON of half of the results'

# points that failed count as done, and their messages are there
"$iasim" run smoke --set platform="$IASIM_DATA/platforms/star-8.xml" --out failed.db >run.txt || true
"$iasim" report smoke --set platform="$IASIM_DATA/platforms/star-8.xml" failed.db >report.txt
cmp run.txt report.txt || fault 'failures are reported otherwise than by the run'

# the measurements beside the paper: the text and the JSON are of one kind
"$iasim" run kreaseck-interference --set peers=Lab1,Lab2 >/dev/null
COLUMNS=200 "$iasim" report kreaseck-interference --set peers=Lab1,Lab2 >report.txt # a claim to a line
"$iasim" report kreaseck-interference --set peers=Lab1,Lab2 --json >report.json
python3 - <<'PYTHON' || fault "json: $(cat report.json)"
import json
text = open("report.txt").read()
[section] = json.load(open("report.json"))["sections"]
assert section["title"] is None and len(section["paragraphs"]) == 4, section
receive, send = section["tables"]
for table in receive, send:
    assert table["title"].startswith("Table 2 of [K]"), table
    assert [row[0] for row in table["rows"]] == ["Lab1", "Lab2", "average"], table
    assert len(set(table["columns"])) == 9, table
    for row in table["rows"]:  # what is shown is what is meant, to four digits
        assert all(isinstance(cell, float) for cell in row[1:]), row
        shown = "  ".join("%6.4f" % cell for cell in row[1:]).split()
        assert shown in [line.split()[1:] for line in text.splitlines()], row
claims, words = section["claims"], " ".join(text.split())
assert sum(c["holds"] for c in claims) == sum(line.startswith("  yes  ") for line in text.splitlines()), claims
assert all(c["claim"] in words and c["rule"] in words and (c["paper"] or "") in words for c in claims), claims
tested = [c["holds"] for c in claims if c["kind"] == "tested"]
n_text = f"Of {len(tested)} tested claims {sum(tested)} hold here. Not counted:"
assert section["paragraphs"][-1].startswith(n_text), section
assert section["paragraphs"][-1] in " ".join(text.split()) and 0 < len(tested) < len(claims), section
PYTHON
"$iasim" report kreaseck-interference --set peers=Lab1,Lab2 >narrow.txt
! grep -E '^.{81}' narrow.txt || fault 'wider than 80 columns'

# every report of the list can be asked for, by name; the demo says the same of the same results
"$iasim" list reports >list.txt
for name in interference kreaseck accuracy; do
  grep -q "^  $name " list.txt || fault "iasim list reports has no $name"
done
"$iasim" report kreaseck-interference --set peers=Lab1,Lab2 --report interference | cmp - narrow.txt ||
  fault 'interference by name'
farms=(kreaseck-fork farms.db --set tasks=200 --report kreaseck)
"$iasim" run kreaseck-fork --set tasks=200 --quiet --out farms.db >/dev/null
refuse 'kreaseck-fork-bound.db: there are no results; `iasim run kreaseck-fork-bound` makes them' \
  "${farms[@]}"
"$iasim" run kreaseck-fork-bound --quiet >/dev/null
"$iasim" report "${farms[@]}" >kreaseck.txt || fault 'report kreaseck'
"$iasim" report "${farms[@]}" --json |
  python3 -c 'import json, sys
[s] = json.load(sys.stdin)["sections"]
assert len(s["claims"]) >= 7 and s["tables"], s' ||
  fault 'report kreaseck as JSON'
grep -q 'What the paper says, and the simulated results' kreaseck.txt || fault "report kreaseck: $(cat kreaseck.txt)"
refuse "unknown report 'x'; known: interference, kreaseck, accuracy" smoke smoke.db --report x
refuse 'report accuracy needs experiment replay; scenario smoke has experiment farm' smoke smoke.db --report accuracy
refuse 'scenario smoke belongs to experiment farm, not to bound' "${farms[@]}" --bounds smoke


# the sample of the accuracy report's intervals is the graphs: the runs of a graph give one mean, and graphs that give
# the same figures, because nothing was drawn, count once; each other noise and waiting is compared with the first,
# graph by graph
graphs=(--set 'platform=sinnen-star-full,sinnen-hetero' --set instance=1:3 --set world=involvement)
compare_graphs() { # compare_graphs N HOLDS SET..: N graphs are different, and the claim about blocking holds or not
  local sets=("${graphs[@]}" "${@:3}")
  rm -f graphs.db
  "$iasim" run sinnen-accuracy "${sets[@]}" --quiet --out graphs.db >/dev/null
  "$iasim" report sinnen-accuracy graphs.db "${sets[@]}" --report accuracy --json >accuracy.json
  "$iasim" export graphs.db >graphs.csv
  python3 - "$1" "$2" <<'PYTHON' || fault "report accuracy: $(cat accuracy.json)"
import csv, json, sys
n_graphs = int(sys.argv[1])
runs = [r for r in csv.DictReader(open("graphs.csv")) if r["generator"] != "fork[branches=5]" or r["instance"] == "1"]
for r in runs:
    r["setting"] = (f"noise {r['noise']}, " if "noise" in r else "") + f"waiting {r['waiting']}"
kinds = ["passive", "active", "rendezvous"]
settings = sorted({r["setting"] for r in runs},
                  key=lambda s: (s.split(",")[0] if "noise" in s else "", kinds.index(s.split()[-1])))
def means_of_graphs(row, setting):
    mine = [r for r in runs if (r["model"], float(r["ccr"]), r["setting"]) == (row["belief"], row["CCR"], setting)]
    means = {}
    for r in mine:
        means.setdefault((r["generator"], r["instance"]), []).append(100 * float(r["estimation_error_ratio"]))
    assert len(means) == n_graphs and all(len(m) == 4 for m in means.values()), means
    return {g: sum(m) / 4 for g, m in means.items()}
def check(row, name, unit, values):
    mean = sum(values) / n_graphs
    assert abs(row[name + unit] - mean) < 1e-6, (row, mean)
    low, high = row[name + ", low end of 95 %" + unit], row[name + ", high end of 95 %" + unit]
    assert min(values) - 1e-6 <= low <= high <= max(values) + 1e-6, row
def rows_of(table):
    return [dict(zip(table["columns"], r)) for r in table["rows"]]
[section] = json.load(open("accuracy.json"))["sections"]
tables, claims = section["tables"][1:], section["claims"]
assert all(t["title"].endswith("; " + settings[0]) for t in tables[:3]), tables
for row in rows_of(tables[0]):
    check(row, "mean", ", %", list(means_of_graphs(row, settings[0]).values()))
    assert row["graphs"] == n_graphs, row
raised = []
assert len(tables[3:]) == len(settings[1:]) > 0, tables
for table, setting in zip(tables[3:], settings[1:]):
    assert f"; {setting}, and the change from {settings[0]} in" in table["title"], table
    for row in rows_of(table):
        here, first = means_of_graphs(row, setting), means_of_graphs(row, settings[0])
        check(row, "mean", ", %", list(here.values()))
        check(row, "change", "", [here[g] - first[g] for g in here])
        if row["belief"] == "involvement" and table is tables[3]: # active instead of passive waiting
            raised.append((row["change"], row["change, low end of 95 %"]))
[blocking] = [c for c in claims if c["claim"].startswith("Blocking")]
assert blocking["holds"] == (raised[0][1] > 0
                             and raised[0][0] == max(raised)[0]) == (sys.argv[2] == "holds"), (blocking, raised)
[lowest] = [c for c in claims if c["claim"].startswith("Under involvement plans err most")]
means = [row["mean, %"] for row in rows_of(tables[0]) if row["belief"] == "involvement"]
assert lowest["holds"] == (means[0] == max(means)), (lowest, means)
# contention's real time over its plan at CCR 10: the mean of each platform, of which the largest decides
ratios = {}
for r in runs:
    if (r["model"], r["setting"], float(r["ccr"])) == ("contention", settings[0], 10):
        graph = ratios.setdefault(r["platform"], {}).setdefault((r["generator"], r["instance"]), [])
        graph.append(1 + float(r["estimation_error_ratio"]))
by_platform = [sum(sum(m) / len(m) for m in graphs.values()) / len(graphs) for graphs in ratios.values()]
[contention] = [c for c in claims if c["claim"].startswith("Under contention")]
assert contention["holds"] == (max(by_platform) >= 2), (contention, by_platform)
assert all("%.2f" % x in contention["here"] for x in by_platform), (contention, by_platform)
tested = [c["holds"] for c in claims if c["kind"] == "tested"]
assert section["paragraphs"][-1].startswith(f"Of {len(tested)} tested claims {sum(tested)} hold here."), section
PYTHON
}
compare_graphs 4 holds --set 'generator=fork[branches=5],layered[tasks=9,width=3]'
compare_graphs 3 fails --set 'generator=join[branches=12,heterogeneity=0.5]'
compare_graphs 3 fails --set 'generator=in_tree[tasks=9,heterogeneity=0.5]' --set noise=work=0,work=0.3
# one waiting is named and not compared; none is not named
one=("${graphs[@]}" --set 'generator=fork[branches=5]' --set waiting=active)
"$iasim" run sinnen-accuracy "${one[@]}" --quiet --out one.db >/dev/null
"$iasim" report sinnen-accuracy one.db "${one[@]}" --report accuracy >one.txt
grep -q '^Estimation error, .*; waiting active$' one.txt || fault "the waiting is not named: $(cat one.txt)"
! grep -E 'waiting passive|change from|Blocking' one.txt || fault 'one waiting is compared'
"$iasim" run sinnen-smoke --quiet >/dev/null
"$iasim" report sinnen-smoke --report accuracy >none.txt
! grep -i 'waiting' none.txt || fault 'the report names a waiting that the scenario does not'

refuse 'there are no results; `iasim run kreaseck-fork` makes them' kreaseck-fork
refuse \
  'was made for other parameters or files than scenario smoke has now; read it with what it was made with (--set)' \
  smoke smoke.db --set tasks=5
refuse "was made for scenario 'smoke', not 'kreaseck-fork'" kreaseck-fork smoke.db
: >empty.db
refuse 'empty.db: holds no results yet' smoke empty.db
refuse 'not a database, or a damaged one' smoke run.txt
refuse 'a scenario, or a database of results is missing'

echo "$faults faults"
((faults == 0))
