#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# compare.sh IASIM: iasim compare on the shipped scenario `smoke` against statistics computed here another way, on a
# database whose answers were worked by hand, and what it refuses.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

refuse() { # refuse TEXT ARGUMENT...: of compare, status 2, nothing on stdout
  local status=0
  out=$("$iasim" compare "${@:2}" 2>&1 >said) || status=$?
  [[ $status -eq 2 && ! -s said ]] || fault "${*:2}: status $status, not 2; stdout '$(head -c 200 said)'"
  expect "${*:2}" "$1"
}

"$iasim" run smoke --jobs 2 >/dev/null
cp smoke.db before.db
"$iasim" export smoke.db --out smoke.csv

# --- a real run: every figure found another way, from the exported rows ---
"$iasim" compare smoke.db --by policy --metric makespan_s --against all --pairs all --reference root_computes \
  --json >found.json
python3 - <<'END' || fault 'the figures of smoke.db'
import csv, itertools, json, statistics
rows = list(csv.DictReader(open("smoke.csv")))
at = {(r["world"], r["compute_size"], r["policy"]): (float(r["makespan_s"]), r["key"]) for r in rows}
where = sorted({k[:2] for k in at})
found = json.load(open("found.json"))
assert (found["better"], found["reference"], found["a_pair_is"]) == ("lower", "root_computes", "case"), found
# one tree, in two worlds, of two sizes
assert [found[k] for k in ("instances", "settings", "cases")] == [1, 4, 4], found

def p_value(ratios): # all signs of the ranks of |log ratio|
    sizes = [max(r, 1 / r) for r in ratios if abs(r - 1) > 1e-9]
    rank = [sum(o < s * (1 - 1e-12) for o in sizes) + (sum(abs(o - s) <= 1e-12 * s for o in sizes) + 1) / 2
            for s in sizes]
    positive = sum(k for k, r in zip(rank, [r for r in ratios if abs(r - 1) > 1e-9]) if r > 1)
    sums = [sum(k for k, s in zip(rank, signs) if s) for signs in itertools.product((0, 1), repeat=len(rank))]
    return min(1, 2 * min(sum(s <= positive for s in sums), sum(s >= positive for s in sums)) / len(sums))

seen = set()
for p in found["pairs"]:
    seen.add(frozenset((p["variant"], p["reference"])))
    r = [at[w + (p["variant"],)][0] / at[w + (p["reference"],)][0] for w in where]
    assert abs(p["median_ratio"] - statistics.median(r)) < 1e-14, p
    assert min(r) <= p["low"] <= p["median_ratio"] <= p["high"] <= max(r), p
    assert p["wins"] == sum(x < 1 - 1e-9 for x in r) and p["losses"] == sum(x > 1 + 1e-9 for x in r), p
    assert p["pairs"] == 4 == p["wins"] + p["ties"] + p["losses"] and p["exact"], p
    assert abs(p["p"] - p_value(r)) < 1e-9, (p, p_value(r))
assert len(seen) == 6, seen
low_first = sorted(found["pairs"], key=lambda p: p["p"])
largest = 0
for i, p in enumerate(low_first):
    largest = max(largest, min(1, (6 - i) * p["p"]))
    assert abs(p["p_holm"] - largest) < 1e-12, p
for v in found["profile"]["variants"]:
    best = {w: min(at[w + (q,)][0] for q in ("bwc", "fcfs", "ia_multi", "root_computes")) for w in where}
    for factor, share in zip(found["profile"]["factors"], v["shares"]):
        assert share == sum(at[w + (v["variant"],)][0] <= factor * best[w] * (1 + 1e-9) for w in where) / 4, v
worst = max((at[w + (q,)][0] / at[w + ("root_computes",)][0], w, q) for w in where for q in ("bwc", "fcfs", "ia_multi"))
first = found["worst"][0]
assert abs(first["ratio"] - worst[0]) < 1e-12 and first["variant"] == worst[2] == "fcfs", first
keys = [at[k][1] for k in at]
assert first["variant_rerun"].startswith("iasim run smoke --only "), first
assert first["variant_rerun"].split()[-1] in [k[:12] for k in keys], first
assert all(a["ratio"] >= b["ratio"] > 1 for a, b in zip(found["worst"], found["worst"][1:])), found["worst"]
END

# the command that is printed makes the figure again
{ read -r command && read -r figure; } < <(python3 -c '
import json
w = json.load(open("found.json"))["worst"][0]
print(w["variant_rerun"], "%.6g" % w["variant_figure"], sep="\n")')
read -ra words <<<"$command"
out=$("$iasim" "${words[@]:1}" --json)
python3 -c '
import json, sys
def figures(x):
    if isinstance(x, dict):
        return [f for v in x.values() for f in figures(v)]
    return [f for v in x for f in figures(v)] if isinstance(x, list) else [x]
assert any(isinstance(f, float) and "%.6g" % f == sys.argv[1] for f in figures(json.load(sys.stdin))), sys.argv[1]
' "$figure" <<<"$out" || fault "rerun: $out"

# higher is better: tasks over makespan says the same of everybody, the other way round
"$iasim" compare smoke.db --by policy --metric throughput_tasks_per_s --against all --pairs all \
  --reference root_computes \
  --json >higher.json
python3 - <<'END' || fault 'throughput against makespan'
import json
low, high = json.load(open("found.json")), json.load(open("higher.json"))
assert high["better"] == "higher"
for a, b in zip(low["pairs"], high["pairs"]):
    assert [a[k] for k in ("wins", "ties", "losses", "p")] == [b[k] for k in ("wins", "ties", "losses", "p")], (a, b)
    assert a["w_plus"] == b["w_minus"], (a, b)
assert low["profile"] == high["profile"]
END

# --- the same bytes: again, for the parts of a sharded run united, and the database is only read ---
compare_all() { # compare_all DATABASE NAME
  "$iasim" compare "$1" --by policy --metric makespan_s --against all --pairs all --csv "$2.csv" \
    --profile "$2-profile.csv" >"$2.txt"
}
compare_all smoke.db first
compare_all smoke.db second
for i in 2 1 3; do "$iasim" run smoke --shard $i/3 --out part$i.db >/dev/null; done
"$iasim" merge --out all.db part2.db part3.db part1.db 2>/dev/null
compare_all all.db merged
for name in second merged; do
  for end in .csv -profile.csv .txt; do cmp "first$end" "$name$end" || fault "$name$end"; done
done
grep -qx 'root_computes,1,0' first-profile.csv || fault "who is never best starts at 0: $(cat first-profile.csv)"
cmp smoke.db before.db || fault 'the database was written to'
[[ ! -e smoke.db-wal && ! -e smoke.db-journal ]] || fault 'a log is left'
[[ $("$iasim" compare smoke.db --by policy --metric makespan_s --pairs all --seed 2 | md5sum) != \
   $("$iasim" compare smoke.db --by policy --metric makespan_s --pairs all --seed 1 | md5sum) ]] ||
     fault '--seed changes nothing'

if /usr/bin/python3 -c 'import matplotlib' 2>/dev/null; then
  /usr/bin/python3 "$IASIM_DATA/analysis/compare.py" first.csv first-profile.csv --out first
  for kind in svg png; do [[ -s first.$kind ]] || fault "no first.$kind"; done
else
  echo 'no python3-matplotlib: the picture was not tried'
fi

# --- by hand: made.py DATABASE ROW...; a row is variant:x:figure, `failed` or `none` for a figure that is not there ---
cat >made.py <<'END'
import hashlib, sqlite3, sys
out = sqlite3.connect(sys.argv[1])
out.execute("CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
out.execute("CREATE TABLE results(key TEXT NOT NULL, replication INTEGER NOT NULL, variant TEXT NOT NULL, x REAL NOT NULL,"
            ' "figure" REAL, "other" REAL, error TEXT, PRIMARY KEY(key, replication)) WITHOUT ROWID')
out.executemany("INSERT INTO meta VALUES(?, ?)",
                [("format", "iasim-results/1"), ("scenario", "my scenario"), ("digest", "d"),
                ("experiment", "hand"), ("program", "0")])
for i, row in enumerate(sys.argv[2:]):
    variant, x, figure = row.split(":")
    key = hashlib.sha256(b"%d" % i if "=" not in variant else variant.encode()).hexdigest()[:32]
    error = "it did" if figure == "failed" else None
    out.execute("INSERT INTO results VALUES(?, 1, ?, ?, ?, 7, ?)",
                (key, variant, float(x), None if figure in ("failed", "none") else float(figure), error))
out.commit()
END
# x    old  new  ratio                       rank of |log|
# 1     10    5   0.5   win                  3.5, as x = 5 (twice)
# 2     10   10   1     tie
# 3     10   16   1.6   loss                 2
# 4     10   11   1.1   loss                 1
# 5     10   20   2     loss                 3.5
# 6     10    -   new failed
# 7     10        new is missing
# 8           3   old is missing
# 9    none   4   old has no such figure
# W+ = 6.5, W- = 3.5; of the 16 sums of {1, 2, 3.5, 3.5} 6 are at most 3.5: p = 12/16. A resample of five has 0.5 for
# its median with chance 0.058, and 2: both are in the interval.
python3 made.py hand.db new:2:10 old:1:10 old:2:10 old:3:10 new:1:5 new:3:16 old:4:10 new:4:11 new:5:20 old:5:10 \
  old:6:10 \
  new:6:failed old:7:10 new:8:3 old:9:none new:9:4
out=$("$iasim" compare hand.db --by variant --metric figure --better lower --reference old --csv hand.csv \
  --profile hand-profile.csv)
row='^new +5 +2 +2 +1.1 +0.5 .. 2 +1 +1 +3 +0.75$'
grep -qE "$row" <<<"$out" || fault "by hand: $out"
# five values are all on one side of the median once in 16 times, six once in 32: only these leave less than 5 %
expect 'few pairs' 'Intervals of fewer than 6 pairs are less certain than stated'
expect 'instances' '9 instances, 1 setting, 9 cases; each instance is a pair'
# profiled: x = 1 to 6 and 9; new is best on 1, 2 and 9 (old has none), old on 2 to 6; new is never there on 6
flat=$(tr '\n' ' ' <<<"$out")
[[ $flat == \
  *'Share of 7 cases in which a variant is within a factor of the best one (2 others lack some variant)'* ]] ||
  fault "profile: $out"
grep -qE '^new 0.429 0.429 0.429 0.571 0.571 0.571 0.857 0.857 0.857$' <(tr -s ' ' <<<"$out") ||
  fault "new's profile: $out"
grep -qE '^old 0.714 0.714 0.714 0.714 0.714 0.714 0.857 0.857 0.857$' <(tr -s ' ' <<<"$out") ||
  fault "old's profile: $out"
want='variant,factor,share
new,1,0.428571
new,1.10000,0.571428
new,1.60000,0.714285
new,2,0.857142
old,1,0.714285
old,2,0.857142'
[[ $(sed -E 's/(\.[0-9]{6})[0-9]*/\1/g; s/(,1\.[0-9]{5})[0-9]*/\1/' hand-profile.csv) == "$want" ]] ||
  fault "hand-profile.csv: $(cat hand-profile.csv)"
expect worst 'new, ratio 2, at x=5'
expect 'a command where none is kept' "iasim run 'my scenario' --only "
expect 'second worst' 'new, ratio 1.6, at x=3'
[[ $(grep -c 'ratio .* at ' <<<"$out") -eq 3 ]] || fault "not the three losses: $out"
out=$("$iasim" compare hand.db --by variant --metric figure --better higher --reference old --worst 1)
grep -qE '^new +5 +2 +2 +1.1 +0.5 .. 2 +3 +1 +1 +0.75$' <<<"$out" || fault "higher is better: $out"
expect 'worst when higher is better' 'new, ratio 0.5, at x=1'
out=$("$iasim" compare hand.db --by variant --metric figure --better lower) # new comes first
grep -qE '^old +5 +2 +2 +0.9091 ' <<<"$out" || fault "the first in order is the reference: $out"
out=$("$iasim" compare hand.db --by variant --metric figure --better lower --tolerance 0.11 --reference old)
grep -qE '^new .* 1 +2 +2 +1$' <<<"$out" || fault "--tolerance 0.11: $out" # the 1.1 is a tie
out=$("$iasim" compare hand.db --by variant --metric figure --better lower --reference old --where x=1 --where x=3.0 \
  --where x=4e0)
grep -qE '^new +3 +1.1 ' <<<"$out" || fault "--where by value: $out"
out=$("$iasim" compare hand.db --by variant --metric figure --better lower --reference old --floor 15 --where x=4 \
  --where x=5)
grep -qE '^new +2 +1.167 .* 0 +1 +1 +1$' <<<"$out" || fault "--floor 15: $out" # 15/15 and 20/15

# --- databases against each other: paired by every parameter, numbers by value ---
python3 made.py a.db p:0.1:4 p:0.2:4 q:0.1:4 q:3:0
python3 made.py b.db q:3:0 q:0.1:2 p:0.2:4 p:0.1:8 p:77:1
out=$("$iasim" compare a.db b.db --metric figure --better lower)
grep -qE '^b.db +4 +0 +1 +1 +' <<<"$out" || fault "two databases: $out"
grep -qE ' 1 +2 +1 +1$' <<<"$out" || fault "two databases, wins, ties (0 against 0 is one), losses: $out"
python3 made.py late.db r:0.1:4 r:0.2:2
out=$("$iasim" compare a.db late.db --metric figure --better lower --ignore variant --where variant=p --where variant=r)
grep -qE '^late.db +2 +0.75 ' <<<"$out" || fault "--ignore: $out"
out=$("$iasim" compare smoke.db before.db all.db --metric makespan_s --pairs all)
grep -qE '^before.db +16 +1 +1 .. 1 +0 +16 +0 +1$' <<<"$out" || fault "a database against its copy: $out"
expect 'none worse' 'No variant is worse than smoke.db in any case.'
! grep -qF 'less certain than stated' <<<"$out" || fault "16 pairs are not few: $out"

# What the figure does not depend on (a bound, on the world and the policy) makes copies, which are reported; ties are
# none.
out=$("$iasim" compare smoke.db --by compute_size --metric bound_multi_tasks_per_s --better higher --pairs all)
expect 'copies' '7 of the 8 cases have exactly the figures of another one'
out=$("$iasim" compare smoke.db --by compute_size --metric bound_multi_tasks_per_s --better higher --pairs all \
  --where world=none --where policy=bwc)
grep -q 'exactly the figures' <<<"$out" && fault "no copies: $out"
out=$("$iasim" compare smoke.db --by policy --metric bound_multi_tasks_per_s --better higher --pairs all)
grep -q 'exactly the figures' <<<"$out" && fault "ties are no copies: $out"

# --- refused ---
hand=(hand.db --by variant --metric figure --better lower)
refuse "hand.db: has no parameter 'policy'; known: variant, x" hand.db --by policy --metric figure
refuse "hand.db: has no metric 'length'; known: figure, other" hand.db --by variant --metric length
refuse "--better lower or --better higher" hand.db --by variant --metric figure
refuse "for the metric sent_bytes neither direction is better" smoke.db --by policy --metric sent_bytes
refuse "--better 'less' is unknown; known: lower, higher" hand.db --by variant --metric figure --better less
refuse '--better was given twice' "${hand[@]}" --better lower
refuse "'newer' is not a value of variant; known: new, old" "${hand[@]}" --reference newer
refuse "has no parameter 'y'; known: variant, x" "${hand[@]}" --where y=1
refuse "has no parameter 'y'; known: variant, x" "${hand[@]}" --ignore y
refuse "hand.db: has no results with x '10'; known: 1, 2, 3, 4, 5, 6, 7, 8, 9" "${hand[@]}" --where x=10
refuse "a.db: has no results with x '7'; known: 0.1, 0.2, 3" a.db --by variant --metric figure --better lower \
  --where x=7
refuse "'many' is neither a number nor a range low:high" "${hand[@]}" --where x=many
refuse "--where 'x' is not of the form name=value" "${hand[@]}" --where x
refuse "has only one value of 'variant', old, among the results that meet --where" "${hand[@]}" --where variant=old
refuse "has only one value of 'x', 7" hand.db --by x --metric figure --better lower --where x=7
refuse 'has no results that meet --where' "${hand[@]}" --where x=7 --where variant=new
refuse 'no case has figure for two variants' "${hand[@]}" --where x=6 --where x=9
refuse 'have only one of the two runs' a.db late.db --metric figure --better lower
refuse 'they differ only in parameters of --ignore' "${hand[@]}" --ignore x
refuse 'smoke.db and hand.db are of different experiments' smoke.db hand.db --metric makespan_s
refuse 'nothing.db: cannot open: No such file or directory' nothing.db --by policy --metric makespan_s
refuse 'smoke.db is given twice' smoke.db smoke.db --metric makespan_s
refuse "--where x=9:1: '9:1' is neither a number nor a range" "${hand[@]}" --where x=9:1
refuse '--by compares within one database' smoke.db before.db --by policy --metric makespan_s
refuse 'option --by is missing' smoke.db --metric makespan_s
refuse 'option --metric is missing' smoke.db --by policy
refuse 'a database is missing' --by policy --metric makespan_s
refuse 'nothing.db: ' nothing.db --by policy --metric makespan_s
refuse 'not a database, or a damaged one' smoke.csv --by policy --metric makespan_s
refuse '--bootstrap 38 is too few for --confidence 0.95: at least 39' "${hand[@]}" --bootstrap 38
refuse 'is out of range' "${hand[@]}" --confidence 1
refuse "two outputs cannot both be written to 'x.csv'" "${hand[@]}" --csv x.csv --profile x.csv
refuse 'hand.db' "${hand[@]}" --csv hand.db
refuse 'cannot' "${hand[@]}" --csv nowhere/x.csv
python3 made.py negative.db new:1:-1 old:1:2
refuse 'figure is -1 for key' negative.db --by variant --metric figure --better lower
python3 made.py other.db new:1:1 old:1:2
python3 -c '
import sqlite3
for name, change in (("other.db", "UPDATE meta SET value = \"iasim-results/9\" WHERE name = \"format\""),):
    d = sqlite3.connect(name)
    d.execute(change.replace("\"", chr(39)))
    d.commit()'
refuse "has the format 'iasim-results/9'" other.db --by variant --metric figure --better lower
python3 made.py wider.db p:0.1:4
python3 -c '
import sqlite3
d = sqlite3.connect("wider.db")
d.execute("ALTER TABLE results ADD COLUMN speed REAL NOT NULL DEFAULT 1")
d.commit()'
refuse "wider.db has the parameter 'speed' and a.db does not" a.db wider.db --metric figure --better lower
refuse "wider.db has the parameter 'speed' and a.db does not" wider.db a.db --metric figure --better lower
out=$("$iasim" compare --help)
expect help 'iasim compare random-trees.db --by policy'
[[ $faults -eq 0 ]]
