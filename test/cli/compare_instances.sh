#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# compare_instances.sh IASIM: what iasim compare takes for a sample. Made-up results of the experiment `plan`, whose
# answers are computed here: an instance is a graph, and gives one pair however many settings it is planned in.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

refuse() { # refuse TEXT ARGUMENT...: of compare, status 2, nothing on stdout
  local status=0
  out=$("$iasim" compare "${@:2}" 2>&1 >said) || status=$?
  [[ $status -eq 2 && ! -s said ]] || fault "${*:2}: status $status, not 2; stdout '$(head -c 200 said)'"
  expect "${*:2}" "$1"
}

# make.py DATABASE: 10 instances x 5 settings (ccr) x 2 platforms x 3 schedulers; copies.db: the instances 1 to 4
# twice more, under other seeds, as a generator without randomness makes them.
cat >make.py <<'END'
import hashlib, random, sqlite3, sys

def make(path, rows):
    out = sqlite3.connect(path)
    out.execute("CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
    out.execute("CREATE TABLE results(key TEXT NOT NULL, replication INTEGER NOT NULL, platform TEXT NOT NULL, graph TEXT NOT"
                " NULL, generator TEXT NOT NULL, instance INTEGER NOT NULL, ccr REAL NOT NULL, scheduler TEXT NOT NULL,"
                " planned_s REAL, n_remote_edges REAL, error TEXT, PRIMARY KEY(key, replication)) WITHOUT ROWID")
    out.executemany("INSERT INTO meta VALUES(?, ?)",
                    [("format", "iasim-results/1"), ("scenario", "made"), ("digest", "d"),
                    ("experiment", "plan"), ("program", "0"),
                    ("command", "iasim run made --set 'generator=layered[tasks=9,width=3],chain' "
                                "--set instance=1:10,77 --set scheduler=a,b,c")])
    for row in rows:
        key = hashlib.sha256(repr(row).encode()).hexdigest()[:32]
        platform, generator, instance, ccr, scheduler, planned = row
        out.execute("INSERT INTO results VALUES(?, 1, ?, '', ?, ?, ?, ?, ?, ?, NULL)",
                    (key, platform, generator, instance, ccr, scheduler, planned, round(planned * 7)))
    out.commit()

draw = random.Random(4)
rows = []
for instance in range(1, 11):
    hard = draw.uniform(0.7, 1.2)
    for ccr in (0.1, 0.5, 1, 2, 10):
        for platform in ("star.xml", "bus.xml"):
            base = draw.uniform(5, 50)
            for scheduler, times in (("a", 1), ("b", hard * draw.uniform(0.9, 1.1)), ("c", 3 + 10 * (ccr == 10))):
                rows.append((platform, "layered[tasks=9,width=3]", instance, ccr, scheduler, base * times))
make("made.db", rows)
more = [(p, g, i + 10 * k, c, s, x) for (p, g, i, c, s, x) in rows if i <= 4 for k in (1, 2)]
make("copies.db", rows + more)
make("settings.db", [r for r in rows if r[3] == 1 and r[0] == "bus.xml"] + # one setting; and it five times over
     [(p, g, i, c + k, s, x) for (p, g, i, c, s, x) in rows if c == 1 and p == "bus.xml" for k in range(10, 14)])
make("graph.db", [r for r in rows if r[2] == 1])
END
python3 make.py

compare() { "$iasim" compare "$1" --by scheduler --metric planned_s "${@:2}"; }
compare made.db --json >made.json
compare made.db --pairs all --json >all.json
compare copies.db --json >copies.json
compare settings.db --json >settings.json
compare settings.db --where ccr=1 --json >one_setting.json
compare made.db --group-by platform,ccr --json >groups.json
compare made.db --instance platform,instance --json >named.json
"$iasim" compare made.db --by ccr,scheduler --metric planned_s --reference '10 a' --json >pairs_of_values.json
python3 - <<'END' || fault 'figures of instances'
import itertools, json, math, sqlite3, statistics
rows = list(sqlite3.connect("made.db").execute("SELECT platform, instance, ccr, scheduler, planned_s FROM results"))
at = {(p, i, c, s): x for p, i, c, s, x in rows}
read = lambda name: json.load(open(name + ".json"))
mean = lambda ratios: math.exp(sum(math.log(r) for r in ratios) / len(ratios))
def ratios(variant, keys):
    return [at[k + (variant,)] / at[k + ("a",)] for k in keys]
keys = sorted({k[:3] for k in at})
by_instance = {v: [mean(ratios(v, [k for k in keys if k[1] == i])) for i in range(1, 11)] for v in "bc"}

def p_value(r): # exact: of all signs of the ranks
    order = sorted(range(len(r)), key=lambda i: abs(math.log(r[i])))
    positive = sum(rank for rank, i in enumerate(order, 1) if r[i] > 1)
    sums = [sum(k for k, s in enumerate(signs, 1) if s) for signs in itertools.product((0, 1), repeat=len(r))]
    return min(1, 2 * min(sum(s <= positive for s in sums), sum(s >= positive for s in sums)) / len(sums))

made, every = read("made"), read("all")
assert [made[k] for k in ("a_pair_is", "instances", "settings", "cases",
                          "copies")] == ["instance", 10, 10, 100, 0], made
assert [every[k] for k in ("a_pair_is", "instances", "settings", "cases")] == ["case", 10, 10, 100], every
for p in made["pairs"]:
    r = by_instance[p["variant"]]
    assert p["pairs"] == 10 and abs(p["median_ratio"] / statistics.median(r) - 1) < 1e-11, p
    assert p["wins"] == sum(x < 1 for x in r) and p["losses"] == sum(x > 1 for x in r), p
    # both ends are among the 10 means or halfway between two of them: medians of resamples
    halfway = [(x + y) / 2 for x in r for y in r]
    assert all(min(abs(p[end] / h - 1) for h in halfway) < 1e-11 for end in ("low", "high")), p
    assert p["exact"] and (p["variant"] == "c" or abs(p["p"] / p_value(r) - 1) < 1e-9), (p, p_value(r))
for p in every["pairs"]:
    r = ratios(p["variant"], keys)
    assert p["pairs"] == 100 and abs(p["median_ratio"] / statistics.median(r) - 1) < 1e-14, p
wide, narrow = made["pairs"][0], every["pairs"][0]
assert narrow["high"] - narrow["low"] < wide["high"] - wide["low"] and narrow["p"] < wide["p"], (wide, narrow)

# variants of two parameters: each combination of their values
both = read("pairs_of_values")
assert (both["by"], both["reference"], both["cases"], len(both["pairs"])) == ("ccr,scheduler", "10 a", 20, 14), both
assert "0.1 b" in {p["variant"] for p in both["pairs"]}, both
for p in both["pairs"]:
    ccr, scheduler = p["variant"].split()
    of = lambda i: mean([at[q, i, float(ccr), scheduler] / at[q, i, 10.0, "a"] for q in ("bus.xml", "star.xml")])
    assert p["pairs"] == 10 and abs(p["median_ratio"] / statistics.median(of(i) for i in range(1, 11)) - 1) < 1e-11, p

# identical copies change nothing: of instances, of settings (10 copies of a database would make p as small as one
# likes)
copies = read("copies")
assert copies["instances"] == 10 and copies["copies"] == 8 and copies["cases"] == 180, copies
assert copies["pairs"] == made["pairs"], copies["pairs"]
same, one = read("settings"), read("one_setting")
assert (one["settings"], same["settings"], same["instances"]) == (1, 5, 10), same
for p, q in zip(same["pairs"], one["pairs"]):
    assert all(abs(p[k] / q[k] - 1) < 1e-11 for k in ("median_ratio", "low", "high", "p")), (p, q)

groups = read("groups")
assert len(groups["pairs"]) == 20, len(groups["pairs"])
assert [g["group"] for g in groups["pairs"][:4:2]] == [{"platform": "bus.xml", "ccr": "0.1"},
                                                       {"platform": "bus.xml", "ccr": "0.5"}]
for p in groups["pairs"]:
    r = ratios(p["variant"], [k for k in keys if k[0] == p["group"]["platform"] and k[2] == float(p["group"]["ccr"])])
    assert p["pairs"] == 10 and abs(p["median_ratio"] / statistics.median(r) - 1) < 1e-14, p
worst = sorted(groups["pairs"], key=lambda p: p["p"])[0]
assert abs(worst["p_holm"] - min(1, 20 * worst["p"])) < 1e-9, worst # corrected for the rows of all groups

named = read("named")
assert (named["instances"], named["settings"]) == (20, 5), named
r = [mean(ratios("b", [k for k in keys if k[:2] == (p, i)])) for p in ("bus.xml", "star.xml") for i in range(1, 11)]
assert abs(named["pairs"][0]["median_ratio"] / statistics.median(r) - 1) < 1e-11, named
END

refuse "made.db: has no parameter 'world'" made.db --by scheduler,world --metric planned_s
refuse '--among needs a single parameter in --by; --where chooses values of several' \
  made.db --by scheduler,ccr --among a --metric planned_s

# what people read
out=$(compare made.db)
expect counts '10 instances, 10 settings, 100 cases; each instance is a pair'
expect means "A pair: the geometric mean of an instance's ratios over its settings."
out=$(compare made.db --pairs all)
expect all '10 instances, 10 settings, 100 cases; each case is a pair'
expect all 'Settings of one instance are not independent: p is too small'
out=$(compare copies.db)
expect copies '8 more instances equal one of these in every figure of every run'
out=$(compare graph.db)
expect 'one instance' '1 instance, 10 settings, 10 cases'
expect 'one instance' 'One instance is not a sample: nothing follows for other instances.'
out=$(compare made.db --group-by ccr --csv groups.csv)
grep -qE '^ccr +scheduler +pairs ' <<<"$out" || fault "groups: $out"
[[ $(head -n 1 groups.csv) == ccr,metric,unit,better,variant,reference,pairs,* && $(wc -l <groups.csv) -eq 11 ]] ||
  fault "groups.csv: $(cat groups.csv)"

# lists and ranges, and --among: c is trivially the worst everywhere
counts() { compare made.db "$@" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["cases"])'; }
[[ $(counts --where ccr=0.1,10) == 40 && $(counts --where ccr=0.1 --where ccr=10) == 40 ]] ||
  fault '--where with a list'
[[ $(counts --where ccr=0.5:2) == 60 && $(counts --where ccr=:1,10) == 80 && $(counts --where ccr=2:) == 40 ]] ||
  fault '--where with ranges'
[[ $(counts --where instance=3:5,9 --where 'generator=layered[tasks=9,width=3]' --where platform=bus.xml) == 20 ]] ||
  fault '--where of several parameters'
out=$(compare made.db --worst 2)
[[ $(grep -c '^  c, ratio 13, at ' <<<"$out") -eq 2 ]] || fault "the worst: $out"
out=$(compare made.db --worst 2 --among a,b)
[[ $(grep -c '^  b, ratio ' <<<"$out") -eq 2 ]] || fault "the worst among a and b: $out"
! grep -q '^c ' <<<"$out" || fault "--among a,b: $out"
[[ $(compare made.db --among b,c --reference a --json) == "$(cat made.json)" ]] || fault '--among with the reference'

# commands carry what the case needs: of the lists that the run was given, its own values
line=$(compare made.db --worst 1 | grep -- --only | head -n 1)
[[ $line =~ ^\ *'iasim run made --set '\''generator=layered[tasks=9,width=3]'\'' --set instance='[0-9]+' --set scheduler=c --only '[0-9a-f]{12}'   # c: ' ]] ||
  fault "the command: $line"

# another column foretells the metric: n_remote_edges is planned_s times 7, rounded, so the orders are nearly the same
predicted=(--metric n_remote_edges --better lower --predicted-by planned_s --group-by ccr)
"$iasim" compare made.db --by scheduler "${predicted[@]}" --reference b --worst 0 --predictions predictions.csv \
  >predicted.txt
"$iasim" compare made.db --by scheduler "${predicted[@]}" --reference b --json >predicted.json
python3 - <<'END' || fault 'what --predicted-by says'
import csv, json
found = json.load(open("predicted.json"))["prediction"]
rows = list(csv.DictReader(open("predictions.csv")))
assert list(rows[0]) == ["ccr", "metric", "predictor", "variant", "figure", "pairs", "value", "low", "high",
                         "confidence"]
assert found["predictor"] == "planned_s" and len(found["ratios"]) == 15 and len(found["orders"]) == 5, found
said = {(r["ccr"], r["variant"], r["figure"]): r for r in rows}
assert len(said) == len(rows) == 2 * 15 + 15
for f in found["ratios"]:
    for kind, wanted in (("ratio", 7), ("over_reference", 1)):
        row, m = said[f["group"]["ccr"], f["variant"], kind], f[kind]
        assert m["pairs"] == int(row["pairs"]) == 10
        assert abs(m["median"] - wanted) < 0.5 and m["low"] <= m["median"] <= m["high"]
        assert [float(row[k]) for k in ("value", "low", "high")] == [m[k] for k in ("median", "low", "high")], row
        assert f["variant"] != "b" or kind == "ratio" or m["median"] == 1, f
    assert f["ratio"]["high"] <= f["largest"], f
for f in found["orders"]:
    assert f["cases"] == 20 and f["left_out"] == 0
    for kind, least in (("rank_correlation", 0.8), ("best_kept", 0.6), ("ratio_to_best", 1)):
        row, is_mean = said[f["group"]["ccr"], "", kind], f[kind]
        assert is_mean["pairs"] == int(row["pairs"]) == 10 and least <= is_mean["mean"] <= 1.05, f
        assert [float(row[k]) for k in ("value", "low", "high")] == [is_mean[k] for k in ("mean", "low", "high")], row
assert {"cases", "pairs", "profile"} <= set(json.load(open("predicted.json")))
END
out=$(cat predicted.txt)
expect predicted 'n_remote_edges / planned_s, over the same pairs'
expect predicted 'Does planned_s rank the values of scheduler as n_remote_edges does?'
[[ $(grep -c '^[0-9.]* *rank correlation  ' predicted.txt) -eq 5 ]] || fault "rank correlations: $out"
! grep -q prediction made.json || fault 'a prediction that was not asked for'

# pictures: one group, groups over numbers and over names; the same bytes again
if /usr/bin/python3 -c 'import matplotlib' 2>/dev/null; then
  draw() { # draw NAME ARGUMENT...
    out=$(compare "${@:2}" --picture "$1" 2>&1) || fault "picture $1: $out"
    for kind in .svg .png .csv -profile.csv; do [[ -s $1$kind ]] || fault "no $1$kind"; done
  }
  draw whole made.db
  draw again made.db
  cmp whole.svg again.svg && cmp whole.png again.png || fault 'the same results give another picture'
  grep -q 'planned_s (s) / a, median ratio; lower is better' whole.svg || grep -q '<!-- planned_s (s) / a' whole.svg ||
    fault 'the picture does not say what it draws'
  draw groups made.db --group-by ccr,platform
  draw names made.db --group-by platform
  sed '1s/^ccr/noise/; 2,$s/^[0-9.]*/work=&/' predictions.csv >noise.csv
  /usr/bin/python3 "$IASIM_DATA/analysis/noise.py" noise.csv --show c,a || fault 'a picture of noise'
  [[ -s noise.png ]] && grep -q 'noise: work' noise.svg || fault 'the picture of noise does not say what it shows'
  out=$(/usr/bin/python3 "$IASIM_DATA/analysis/noise.py" predictions.csv 2>&1) &&
    fault 'a picture of noise, without noise'
  [[ $out == 'predictions.csv: columns noise are missing' ]] || fault "noise.py: $out"
  sed 's/work=10,/work=1;rate=2,/' noise.csv >mixed.csv
  out=$(/usr/bin/python3 "$IASIM_DATA/analysis/noise.py" mixed.csv 2>&1) && fault 'a picture of mixed noise'
  [[ $out == "mixed.csv: the noise 'work=1;rate=2' is not of one size, as work=0.3;size=0.3 is" ]] ||
    fault "noise.py: $out"
else
  echo 'no python3-matplotlib: the pictures were not tried'
fi

refuse "--group-by 'scheduler': this parameter is already in --by or --ignore" made.db --by scheduler \
  --metric planned_s --group-by scheduler
refuse "has no parameter 'size'" made.db --by scheduler --metric planned_s --group-by ccr,size
refuse "--group-by names 'ccr' twice" made.db --by scheduler --metric planned_s --group-by ccr,ccr
refuse "has no parameter ''" made.db --by scheduler --metric planned_s --instance instance,
refuse "has no results with scheduler 'd'; known: a, b, c" made.db --by scheduler --metric planned_s --among a,d
refuse "'c' is not a value of scheduler; known: a, b" made.db --by scheduler --metric planned_s --where scheduler=a,b \
  --reference c
refuse "--among chooses among the values of --by" made.db copies.db --metric planned_s --among made.db
refuse "made.db: has no metric 'planed_s'; known: planned_s, n_remote_edges" made.db --by scheduler --metric planned_s \
  --predicted-by planed_s
refuse "--predictions writes the tables of --predicted-by, which is missing" made.db --by scheduler --metric planned_s \
  --predictions x.csv
refuse "two outputs cannot both be written to 'x.csv'" made.db --by scheduler --metric planned_s \
  --predicted-by n_remote_edges --predictions x.csv --profile x.csv
refuse "made.db" made.db --by scheduler --metric planned_s --predicted-by n_remote_edges --predictions made.db
refuse "--pairs 'reference'" made.db --by scheduler --metric planned_s --pairs reference
[[ $faults -eq 0 ]]
