#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# noise.sh IASIM: the option --noise and the parameter noise. (The draws: test_noise.c; whole replays: test_replay_noise.c.)
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

figure() { sed -n "s/^ \"$1\": \([-0-9.e+]*\),\?\$/\1/p" out; } # of --json
is() { # is WHAT GOT WANT
  awk -v a="$2" -v b="$3" 'BEGIN { d = a - b; exit !(b > 0 && d * d <= (1e-12 * b) ^ 2) }' || fault "$1: $2, expected $3"
}

# ---- by hand: A computes for 1 s on p0, 100 MB go to p1 in 1 s, B computes there for 1 s ----
# The draws of seed 1, from a program that shares nothing with this one: A and B under work=0.5, A -> B under size=1, p0 under rate=0.1.
a=1.0263178515314932 b=0.7253246357802435 ab=0.19527722982867443 p0=1.0645395571643097
platform=platforms/sinnen-star-full.xml
printf 'digraph g { A [size="1e9"]; B [size="1e9"]; A -> B [size="1e8"]; }\n' >ab.dot
of=(--platform "$platform" --graph ab.dot --costs costs.csv)
sed -n 's/.*<host id="\([^"]*\)".*/\1/p' "$IASIM_DATA/$platform" >hosts
awk 'NR > 2 { more = more "," $1; empty = empty "," } END { print "task,p0,p1" more; print "A,1," empty; print "B,,1" empty }' hosts >costs.csv
"$iasim" schedule "${of[@]}" --model contention --out ab.json >/dev/null
replay() { ends_with 0 replay "${of[@]}" --world none --json "$@" ab.json; }
for engine in events actors; do
  replay --engine $engine
  is "$engine, no noise" "$(figure makespan_s)" 3
  cp out plain
  replay --engine $engine --noise work=0.5,size=1
  is "$engine, work and size" "$(figure makespan_s)" "$(awk "BEGIN { printf \"%.17g\", $a + $ab + $b }")"
  replay --engine $engine --noise 'rate.p0=0.1;work=0.5' --seed 1
  is "$engine, rate" "$(figure makespan_s)" "$(awk "BEGIN { printf \"%.17g\", $a / $p0 + 1 + $b }")"
  replay --engine $engine --noise size.p0=1,work.p1=0.5
  is "$engine, of one host" "$(figure makespan_s)" "$(awk "BEGIN { printf \"%.17g\", 2 + $b }")"
  # Without spread only the two lines that name the noise are new.
  replay --engine $engine --noise work=0,size=0,rate=0 --seed 5
  diff <(grep -v '"noise"\|"seed"' out) plain >differs || fault "$engine, work=0: $(cat differs)"
  [[ $(grep -c '"noise": "work=0,size=0,rate=0",\|"seed": 5,' out) == 2 ]] || fault "$engine: $(head -n 20 out)"
done
ends_with 0 replay "${of[@]}" --world none --noise size=1 --seed 2 ab.json
out=$(<out)
expect text ', noise size=1 (seed 2)'

# ---- what is refused ----
refused() { # refused WORDS ARGUMENTS
  ends_with 2 replay "${of[@]}" --world none "${@:2}" ab.json
  said "iasim replay: $1"
}
kinds='is not one of work=CV,size=CV,rate=CV, or of these with a host (size.HOST=CV)'
refused "noise 'speed=1' $kinds" --noise speed=1
known='known: work=CV,size=CV,rate=CV, and these with a host (size.HOST=CV)'
ends_with 2 replay "${of[@]}" --world none --noise '' ab.json
grep -q '^iasim replay: --noise is empty$' err || fault "empty: $(cat err)"
refused "noise 'work=1,' ends with a comma; $known" --noise work=1,
refused "noise 'work=-1': a coefficient of variation is 0, or between 0.0001 and 3" --noise work=-1
refused "noise 'size=4': a coefficient of variation is 0, or between 0.0001 and 3" --noise size=4
refused "noise 'rate=much': 'much' is not a number" --noise rate=much
refused "noise 'work=2': work is given twice" --noise work=1,work=2
refused "noise 'size.px': $IASIM_DATA/$platform has no host 'px'" --noise size.px=1
refused '--seed is the seed of --noise, which is not given' --seed 2

# ---- in a scenario ----
cat >n.xml <<XML
<scenario name="n" experiment="replay" seed="3" replications="3">
  <param name="platform" value="$IASIM_DATA/$platform"/><param name="generator" value="layered[tasks=20]"/>
  <param name="world" value="none"/>
  <sweep name="instance"><value>1</value><value>2</value></sweep>
  <sweep name="scheduler"><value>list</value><value>heft</value><value>etf</value></sweep>
  <sweep name="model"><value>classic</value><value>involvement</value></sweep>
  <sweep name="noise"><value>work=0.5,size=1</value><value>work=0.5</value></sweep>
</scenario>
XML
"$iasim" run n.xml --out one.db --jobs 1 --quiet >/dev/null
"$iasim" run n.xml --out eight.db --jobs 8 --quiet >/dev/null
timeout 20 "$iasim" run n.xml --out resumed.db --jobs 1 --quiet --set instance=2 >/dev/null
"$iasim" export one.db >one.csv
cmp one.csv <("$iasim" export eight.db) || fault '--jobs 8 gives other results'
grep -vFf <(tail -n +2 one.csv) <("$iasim" export resumed.db | tail -n +2) >other && fault "a point alone: $(cat other)"
# On equal hosts all tasks together take what was drawn, whoever planned, and whatever the sizes: one value for each
# instance and replication.
python3 - <<'PY' >checked || fault "draws: $(cat checked)"
import csv, sys
busy = {}
for row in csv.DictReader(open("one.csv", encoding="utf-8")):
    assert row["error"] == "", row
    busy.setdefault((row["instance"], row["replication"]), []).append(float(row["busy_s"]))
assert len(busy) == 6 and all(len(x) == 12 for x in busy.values()), busy
for x in busy.values():
    assert max(x) - min(x) <= 1e-9 * max(x), x
firsts = sorted(x[0] for x in busy.values())
assert all(b > 1.0001 * a for a, b in zip(firsts, firsts[1:])), firsts
PY
"$iasim" run n.xml --out resumed.db --jobs 2 --quiet --resume >/dev/null
cmp one.csv <("$iasim" export resumed.db) || fault '--resume gives other results'
"$iasim" run n.xml --out other.db --jobs 1 --quiet --set seed=4 >/dev/null
[[ -z $(comm -12 <("$iasim" export one.db | tail -n +2 | sort) <("$iasim" export other.db | tail -n +2 | sort)) ]] || fault 'another seed gives the same points'
ends_with 0 compare one.db --by scheduler --metric makespan_s --json
{ grep -q "^ \"instances\": 6,$" out && grep -q "^ \"cases\": 24,$" out; } || fault "replications are samples: $(head -n 12 out)"
# Where the parameter is not given, nothing is random, and keys are as ever.
ends_with 2 run n.xml --out no.db --set noise=
said 'iasim run: n.xml: experiment replay has no randomness without noise: 3 replications would all be the same'
ends_with 0 run n.xml --out plain.db --quiet --set noise= --set replications=1 --set instance=1
ends_with 0 run n.xml --out seed.db --quiet --set noise= --set replications=1 --set instance=1 --set seed=9
cmp <("$iasim" export plain.db) <("$iasim" export seed.db) || fault 'without noise the seed enters keys'
ends_with 2 run n.xml --out no.db --set noise=work=9
said "iasim run: --set noise=work=9: noise 'work=9': a coefficient of variation is 0, or between 0.0001 and 3"
ends_with 0 run n.xml --out semicolon.db --quiet --set 'noise=work=0.5;size=1'
[[ $("$iasim" export semicolon.db | wc -l) == 37 ]] || fault 'a semicolon separates values'

# ---- farms ----
# (Whole farms against a second implementation: test_farm_run.c.)
farm=(farm --platform platforms/kreaseck-fork.xml --deployment deployments/kreaseck-fork.xml --tasks 50 --send-size 2 --compute-size 5 --json)
for policy in root_computes 'ia_multi[chunk=0.3]' fcfs bwc; do
  ends_with 0 "${farm[@]}" --policy "$policy"
  plain=$(figure makespan_s)
  cp out plain
  for engine in events actors; do
    ends_with 0 "${farm[@]}" --policy "$policy" --engine $engine --noise work=1,size.Lab3=0.7,rate=0.1 --seed 3
    is "$policy, $engine: as the other engine" "$(figure makespan_s)" "${by_events:=$(figure makespan_s)}"
    [[ $(figure makespan_s) != "$plain" ]] || fault "$policy, $engine: the noise is lost"
  done
  unset by_events
  ends_with 0 "${farm[@]}" --policy "$policy" --noise work=0,size=0
  diff <(grep -v '"noise"\|"seed"' out) plain >differs || fault "$policy, work=0: $(cat differs)"
done
ends_with 2 "${farm[@]}" --policy fcfs --noise size.Lab9=1
said "iasim farm: noise 'size.Lab9=1': the farm has no node on a host 'Lab9'"
ends_with 2 "${farm[@]}" --policy fcfs --seed 1
said 'iasim farm: --seed is the seed of --noise, which is not given'
cat >f.xml <<'XML'
<scenario name="f" experiment="farm" replications="4">
  <param name="platform" value="platforms/kreaseck-fork.xml"/><param name="deployment" value="deployments/kreaseck-fork.xml"/>
  <param name="send_size" value="2"/><param name="compute_size" value="9"/><param name="tasks" value="100"/>
  <param name="noise" value="rate=0.3"/><param name="world" value="none"/>
  <sweep name="policy"><value>root_computes</value><value>fcfs</value></sweep>
</scenario>
XML
ends_with 0 run f.xml --out f.db --quiet
"$iasim" export f.db >f.csv
# The root alone needs 100 tasks x 9 units / (its speed x its draw), once for each replication.
python3 - "$IASIM_DATA/platforms/kreaseck-fork.xml" <<'PY' >checked || fault "farm: $(cat checked)"
import csv, re, sys
speed = float(re.search(r'<host id="Lab0" speed="([0-9.]+)f"', open(sys.argv[1], encoding="utf-8").read()).group(1))
rows = [row for row in csv.DictReader(open("f.csv", encoding="utf-8"))]
assert len(rows) == 8 and all(row["error"] == "" for row in rows), rows
draws = sorted(900 / speed / float(row["makespan_s"]) for row in rows if row["policy"] == "root_computes")
assert all(b - a > 1e-3 and 0.2 < a < 2.5 for a, b in zip(draws, draws[1:])), draws
PY

echo "$faults faults"
((faults == 0))
