#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# logp.sh IASIM: the LogP family on the command line. Hosts do 1 flop/s, L = 6, o = 2, g = 4; the link would take a second
# for each byte, and carries nothing.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

logp='<prop id="logp_L" value="6"/><prop id="logp_o" value="2"/><prop id="logp_g" value="4"/>'
two_hosts "$logp" "$logp" >p.xml
two_hosts '' '' >bare.xml
printf 'digraph g {\n A [size="1"]; B [size="1"]; C [size="1"];\n A -> B [size="60"]; A -> C [size="60"];\n}\n' >g.dot
printf 'task,a,b\nA,1,\nB,,1\nC,,1\n' >costs.csv # A on a, the others on b
on=(--platform p.xml --graph g.dot --costs costs.csv)
has() { # has WORDS: a line of stdout; nothing on stderr
  grep -qF -- "$1" out && [[ ! -s err ]] || fault "expected '$1' in '$(cat out)' and nothing in '$(cat err)'"
}

refuses() { # refuses MODEL WORDS: as the model of a plan
  ends_with 2 schedule "${on[@]}" --model "$1" --scheduler list
  said "iasim schedule: model $2"
}

# ---- plans, and what is made of them ----

for model in logp loggp glogp 'logp[L=6,o=2,g=4]' 'logp[L=6,o=2,g=4,M=60]' 'glogp[L=6,o=0:2:0,g=4]'; do
  ends_with 0 schedule "${on[@]}" --model "$model" --scheduler list --out s.json
  [[ ! -s err ]] || fault "$model: $(cat err)"
  grep -q '"model":"'"${model%%[*}" s.json && ! grep -q '"links"' s.json || fault "$model: $(cat s.json)"
  ends_with 0 check --platform p.xml --graph g.dot --costs costs.csv s.json
  for world in "$model" logp; do
    for how in '--links fluid --engine actors' '--links exclusive'; do
      # shellcheck disable=SC2086 # words of their own
      ends_with 0 replay "${on[@]}" --world "$world" $how s.json
      has 'planned 16 s, simulated 16 s: the plan was off by 0 %'
    done
  done
done
for engine in events actors; do
  ends_with 0 replay "${on[@]}" --world logp --waiting active --engine $engine s.json --json
  grep -q '"makespan_s": 20' out || fault "active waiting: $(cat out)"
done
ends_with 0 schedule "${on[@]}" --model logp --scheduler list --gantt gantt.svg
grep -q '<svg' gantt.svg || fault 'no picture'
sed 's/"start_s":5,"finish_s":7/"start_s":4,"finish_s":6/' s.json >early.json
ends_with 1 check --platform p.xml --graph g.dot --costs costs.csv early.json
grep -q 'port' out || fault "a port that is taken: $(cat out err)"
ends_with 0 schedule "${on[@]}" --model involvement --scheduler list --out i.json
ends_with 0 replay "${on[@]}" --world loggp i.json

# ---- what is missing, and what makes no sense ----

ends_with 0 schedule --platform bare.xml --graph g.dot --model logp --scheduler list
grep -q 'bare.xml: no host or link has a property that model logp reads (logp_L, logp_o, logp_g)' err || fault "$(cat err)"
ends_with 0 replay "${on[@]/p.xml/bare.xml}" --world 'glogp[L=1]' s.json
[[ ! -s err ]] || fault "parameters are given: $(cat err)"
two_hosts '<prop id="logp_L" value="-3"/>' '' >negative.xml
ends_with 2 schedule --platform negative.xml --graph g.dot --model logp --scheduler list
said "iasim schedule: negative.xml: host 'a': logp_L is -3; model logp takes 0 or more, only glogp takes a negative latency"
ends_with 2 replay --platform negative.xml --graph g.dot --costs costs.csv --world logp s.json
said "iasim replay: negative.xml: host 'a': logp_L is -3; model logp takes 0 or more, only glogp takes a negative latency"
refuses 'logp[o=0:2:0]' "logp: parameter o is '0:2:0', which is not a finite number"
refuses 'logp[G=1]' "logp has no parameter 'G'; known: L, o, g, M"
refuses 'logp[M=0]' "logp: parameter M is 0; it must be between 1e-09 and 1e+18 bytes"
refuses 'glogp[L=-9]' "glogp: L is -9 for 60 bytes, but logp_o of host 'a' is only 2; L must not be below -o, because data would arrive before they are sent"
# the end of a process with actors frees nothing
ASAN_OPTIONS=detect_leaks=0 ends_with 2 replay "${on[@]}" --world 'glogp[L=-9,o=3]' --engine actors s.json
said "iasim replay: model glogp: L is -9 for 60 bytes, but o is only 3; L must not be below -o, because data would arrive before they are sent"
refuses 'glogp[o=-1]' "glogp: parameter o is -1; it must be between 0 and 1e+12 s"
refuses 'glogp[g=0:-1:0]' "glogp: parameter g: step 1, '0:-1:0': -1 is negative; sizes and costs are at least 0"
refuses 'glogp[L=-1:0:0]' "glogp: parameter L: step 1, '-1:0:0': -1 is negative; sizes are at least 0"
refuses 'glogp[L=0:-2e12:0]' "glogp: parameter L: step 1, '0:-2e12:0': -2e12 is too low; it must be between -1e+12 and 1e+12"
sed 's/"model":"[^"]*"/"model":"glogp[L=-9]"/' s.json >wrong.json
ends_with 1 check --platform p.xml --graph g.dot --costs costs.csv wrong.json
grep -q "model glogp: L is -9 for 60 bytes, but logp_o of host 'a' is only 2" out || fault "$(cat out err)"

# refused PROPERTY VALUE WORDS
refused() {
  two_hosts "<prop id=\"$1\" value=\"$2\"/>" '' >bad.xml
  ends_with 1 platform check bad.xml
  grep -qF -- "bad.xml:6: host 'a': $3" out && [[ $(wc -l <out) == 1 ]] || fault "$1=$2: $(cat out err)"
}
refused logp_M 0 'property logp_M is 0; it must be above 0'
refused logp_M 1kB "property logp_M is '1kB', which is not a finite number"
refused logp_g -4 'property logp_g is -4; it must not be negative'
refused logp_o 2e12 'property logp_o is 2e12; it must be between 0 and 1e+12 s'
refused logp_G 0:1:0 "property logp_G is '0:1:0', which is not a finite number"
refused logp_G -1e-9 'property logp_G is -1e-9; it must not be negative'
refused logp_L -2e12 'property logp_L is -2e12; it must be between -1e+12 and 1e+12 s'
refused logp_L 0:-5e-6 "property logp_L: step 1, '0:-5e-6', has 2 numbers; a step is MIN_BYTES:CONSTANT:PER_BYTE"
refused logp_L nan "property logp_L is 'nan', which is not a finite number"
refused logp_l 6 "unknown property 'logp_l' of a host; did you mean 'logp_L'?"
refused logp_o_send 6 "unknown property 'logp_o_send' of a host; known: "

# ---- what only a replay can be carried out in ----

only='has ports, or its own times for data under way, and uses no links; only a replay can be carried out in it'
echo 'comm 0 a b 10' >script
ends_with 2 activities --platform p.xml --world logp script
said "iasim activities: world 'logp' $only"
ends_with 2 farm --platform "$IASIM_DATA/platforms/star-8.xml" --deployment "$IASIM_DATA/deployments/star-8.xml" \
  --policy fcfs --tasks 5 --send-size 1 --compute-size 1 --world 'loggp[G=1]'
said "iasim farm: world 'loggp[G=1]' $only"
ends_with 2 measure --platform p.xml --host a --send-to b --world glogp
said "iasim measure: world 'glogp' $only"
ends_with 2 exec --world logp -- true
grep -q "world 'logp' occupies processors; a SimGrid program can be given one that only changes the speed of hosts" err ||
  fault "exec: $(cat err)"
ends_with 2 codegen "${on[@]}" s.json --out program
grep -q "a program cannot have the world 'glogp" err || fault "codegen: $(cat err)"

# ---- the scenario: a message of 1500 bytes takes as long in all worlds; plans are exact in their own ----

shared=(--quiet --set platform=sinnen-two-sided --set size_bytes=1500)
for world in involvement 'logp[L=0,o=5.75e-6,g=1.5e-6,M=1500]' 'loggp[L=0,o=5e-6,g=5e-6,G=1e-9]' \
  'glogp[L=0,o=0:5e-6:5e-10,g=0:0:1e-9]'; do
  rm -f message.db
  "$iasim" run sinnen-types "${shared[@]}" --set world="$world" --set model="$world" --out message.db >out 2>err || fault "$(cat err)"
  "$iasim" export message.db >"message-${world%%[*}.csv"
  grep -qF "<value>$world</value>" "$IASIM_DATA/scenarios/logp/scenario.xml" || fault "the scenario has no $world"
done
"$iasim" run logp --quiet --set instance=1 --set ccr=1 --set 'generator=fork_join[branches=10,stages=5,work_flop=1e6]' >out 2>err ||
  fault "run: $(cat err)"
"$iasim" export logp.db >logp.csv
python3 - <<'PYTHON' || fault 'the figures, see above'
import csv
for name, want in ("involvement", 11.5e-6), ("logp", 11.5e-6), ("loggp", 11.499e-6), ("glogp", 11.5e-6):
    (row,) = csv.DictReader(open(f"message-{name}.csv"))
    assert abs(float(row["message_s"]) - want) <= 1e-9 * want, (name, row)
n = 0
for row in csv.DictReader(open("logp.csv")):
    assert not row["error"], row
    if row["model"] == row["world"] != "involvement":
        assert float(row["estimation_error_ratio"]) <= 1e-9, row
        n += 1
assert n == 9, n
PYTHON
if /usr/bin/python3 -c 'import matplotlib' 2>/dev/null; then
  for name in first second; do /usr/bin/python3 "$IASIM_DATA/analysis/logp.py" logp.csv --out $name; done
  cmp first.svg second.svg && cmp first.png second.png || fault 'another picture from the same CSV'
else
  echo 'no python3-matplotlib: the picture was not tried'
fi

echo "$faults faults"
((faults == 0))
