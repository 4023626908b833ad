#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# scenario_values.sh IASIM: ir_send, ir_recv, overhead, involvement and bandwidth as parameters of a scenario give the
# figures that the same properties written into the platform by hand give. Where a scenario does not name them, they
# leave no trace.
# shellcheck source=test/cli/begin.sh
source "$(dirname "$0")/begin.sh"
# shellcheck source=test/cli/bare_machine.sh
source "$IASIM_DATA/test/cli/bare_machine.sh"

for ir in 0.01 0.03; do platform "$(property ir_send $ir ir_recv 0.05)" >"ir-$ir.xml"; done
for o in 0.5 2; do
  platform "$(property overhead_send $o overhead_recv $o involvement_send 0.25 involvement_recv 0.25)" \
    >"occupied-$o.xml"
done
for rate in 0.5 1; do sed "s/10MBps/${rate}MBps/" bare.xml >"link-$rate.xml"; done

scenario() { # scenario NAME EXPERIMENT ELEMENTS
  printf '<scenario name="%s" experiment="%s">%s</scenario>\n' "$@" >"$1.xml"
}
param() { printf '<param name="%s" value="%s"/>' "$@"; }
farm=$(param platform bare.xml deployment tree.xml send_size 1 compute_size 5)
graph=$(param platform bare.xml graph g.dot model involvement)
scenario farm farm "$farm$(param policy ia_multi tasks 20)"
scenario occupied farm "$farm$(param policy ia_multi tasks 20 world involvement)"
scenario acted farm "$farm$(param policy ia_multi tasks 20 engine actors)"
scenario bound bound "$farm$(param ports single)"
scenario plan plan "$graph"
scenario replay replay "$graph"
scenario interfering replay "$graph$(param world interference)"

added='ir_send|ir_recv|overhead|involvement|bandwidth'
run() { # run OUT SCENARIO SETS...: the rows, without the columns that differ by intent
  local out=$1 sets=()
  for set in "${@:3}"; do sets+=(--set "$set"); done
  "$iasim" run "$2.xml" "${sets[@]}" --quiet --jobs 1 --out "$out.db" >said 2>&1 || fault "run ${*:2}: $(cat said)"
  "$iasim" export "$out.db" | awk -F, -v added="^(key|platform|$added)$" '
    NR == 1 { for (i = 1; i <= NF; i++) n[i] = $i }
    { line = ""; for (i = 1; i <= NF; i++)
        if (n[i] !~ added) line = line "," $i; print line }' |
    sort >"$out.rows"
}
# same SCENARIO OVERRIDES -- PLATFORMS...: a sweep over overrides of the bare platform has the rows of the platforms
same() {
  local scenario=$1 sets=() platforms
  shift
  while [[ $1 != -- ]]; do sets+=("$1") && shift; done
  platforms=$(IFS=, && echo "${*:2}")
  rm -f ./*.db
  run swept "$scenario" "${sets[@]}"
  run edited "$scenario" "platform=$platforms"
  run bare "$scenario"
  cmp -s swept.rows edited.rows || fault "$scenario ${sets[*]}: $(diff swept.rows edited.rows | head -6)"
  [[ $(wc -l <swept.rows) -eq 3 && $(sort -u <swept.rows | wc -l) -eq 3 ]] ||
    fault "$scenario: the values change nothing"
  "$iasim" export bare.db | head -1 | tr , '\n' | grep -xE "$added" &&
    fault "$scenario: a parameter that is not given has a column"
  return 0
}
same farm ir_send=0.01,0.03 ir_recv=0.05 -- ir-0.01.xml ir-0.03.xml
same farm bandwidth=l=0.5,l=1 -- link-0.5.xml link-1.xml
same acted 'bandwidth=l=0.5,l=0.5;l=1' -- link-0.5.xml link-1.xml
same bound bandwidth=l=0.5,l=1 -- link-0.5.xml link-1.xml
same bound ir_send=0.01,0.03 ir_recv=0.05 -- ir-0.01.xml ir-0.03.xml
same interfering ir_send=0.01:0.03:0.02 ir_recv=0.05 -- ir-0.01.xml ir-0.03.xml
same occupied overhead=0.5,2 involvement=0.25 -- occupied-0.5.xml occupied-2.xml
same plan overhead=0.5,2 involvement=0.25 -- occupied-0.5.xml occupied-2.xml
same replay overhead=0.5,2 involvement=0.25 -- occupied-0.5.xml occupied-2.xml

# A measurement has a result column ir_send. It draws its load: the value that the platform has already changes
# nothing at all, not even the draws.
measure=$(param host a peers b mode send duration 20 alone 4)
scenario given interference "$measure$(param platform ir-0.03.xml)"
added=platform_ir_send
run given given
run again given platform_ir_send=0.03
cmp -s given.rows again.rows || fault "interference: $(diff given.rows again.rows)"
run other given platform_ir_send=0.01
cmp -s given.rows other.rows && fault 'interference: platform_ir_send changes nothing'

added='ir_send|ir_recv|overhead|involvement|bandwidth'
# A generated farm takes them, too: a host that sending would stop altogether has less throughput.
scenario drawn farm "$(param generator 'star[hosts=4]' send_size 1 compute_size 5 policy ia_multi tasks 20)"
run drawn drawn ir_send=0,5
[[ $(sort -u drawn.rows | wc -l) -eq 3 ]] || fault "a generated farm: $(cat drawn.rows)"

# Every key is of what is given alone: the value that a run had is found again, with another value beside it.
rm -f ./*.db
"$iasim" run farm.xml --set ir_send=0.01 --quiet --out one.db >said
"$iasim" run farm.xml --set ir_send=0.01,0.03 --quiet --out two.db >said
key=$("$iasim" export one.db | sed -n '2s/,.*//p')
[[ $("$iasim" export two.db) == *$'\n'"$key,"* ]] || fault 'another value of ir_send changes the key of a point'
out=$("$iasim" run farm.xml --set ir_send=0.01,0.03 --resume --out one.db)
expect 'a wider sweep' '2 runs of farm in one.db, 1 of them done before; 0 failed'
cmp -s <("$iasim" export one.db) <("$iasim" export two.db) || fault 'grown and made at once differ'
for i in 1 2; do "$iasim" run farm.xml --set ir_send=0.01,0.03 --shard $i/2 --quiet --out part$i.db >said; done
"$iasim" merge --complete --out merged.db part1.db part2.db >said 2>&1 || fault "merge: $(cat said)"
cmp -s <("$iasim" export merged.db) <("$iasim" export two.db) || fault 'merged and made at once differ'
out=$("$iasim" compare two.db --metric makespan_s --by ir_send 2>&1) || fault "compare --by ir_send: $out"
out=$("$iasim" run farm.xml --set ir_send=0.01 --only "${key:0:12}")
grep -q '^ir_send *0.01 *per MB/s' <<<"$out" || fault "--only shows: $out"
grep -q '^overhead' <<<"$out" && fault "--only shows what is not given: $out"

# Tables, and baselines with the parameter and without it
scenario table farm "$farm$(param policy ia_multi)<sweep name=\"ir_send\"><value>0.01</value><value>0.03</value></sweep>
<table rows=\"tasks\" columns=\"ir_send\" metric=\"makespan_s\"/>"
out=$("$iasim" run table.xml --set tasks=20 --quiet --out table.db)
expect 'a table over ir_send' '0.03'
for name in farm table; do
  mkdir $name && cp bare.xml tree.xml $name && mv $name.xml $name/scenario.xml
  "$iasim" baseline save $name --set tasks=20 >said 2>&1 || fault "baseline save $name: $(cat said)"
  "$iasim" baseline check $name >said 2>&1 || fault "baseline check $name: $(cat said)"
done
grep -qE 'ir_|overhead|involvement' farm/baseline.txt && fault "an unnamed parameter in: $(cat farm/baseline.txt)"
grep -q '^ir_send=0.01 key=' table/baseline.txt || fault "no ir_send in: $(cat table/baseline.txt)"
sed -i 's|</scenario>|<param name="ir_send" value="0.03"/>&|' farm/scenario.xml
status=0
out=$("$iasim" baseline check farm 2>&1) || status=$?
[[ $status -eq 1 ]] || fault "baseline check with a new parameter: status $status"
expect 'a baseline without ir_send' 'ir_send is (not given) in the baseline and 0.03 now'

refuse() { # refuse TEXT ARGUMENTS...: one line, status 2
  local status=0
  out=$("$iasim" run "${@:2}" --out refused.db 2>&1 >said) || status=$?
  [[ $status == 2 && $(wc -l <<<"$out") == 1 && ! -e refused.db ]] || fault "${*:2}: status $status: $out"
  expect "${*:2}" "$1"
}
refuse 'parameter ir_send is -1' occupied.xml --set ir_send=-1
refuse 'parameter involvement is 1.5' occupied.xml --set involvement=1.5
refuse "parameter overhead is 'x'" occupied.xml --set overhead=x
refuse "bandwidth: 'l='; expected LINK=MB/s" occupied.xml --set bandwidth=l
refuse "bandwidth: 'l=0'; expected LINK=MB/s" occupied.xml --set bandwidth=l=0
refuse "experiment plan has no parameter 'ir_send'" plan.xml --set ir_send=1
refuse "experiment bound has no parameter 'overhead'" bound.xml --set overhead=1
refuse 'table/scenario.xml:2: a table shows the parameter ir_send, which is not given' table --set ir_send= \
  --set tasks=20
cp two.db refused.db
out=$("$iasim" run farm/scenario.xml --set ir_send= --set tasks=20 --resume --out refused.db 2>&1) &&
  fault 'a column too many'
expect 'a column too many' \
  'was made with the parameter ir_send, scenario farm now does not give it; --out writes elsewhere'
rm refused.db
"$iasim" run farm --set ir_send= --set tasks=20 --quiet --out refused.db >said
out=$("$iasim" run farm --set tasks=20 --resume --out refused.db 2>&1) && fault 'a column too few'
expect 'a column too few' 'was made without the parameter ir_send, scenario farm now gives it; --out writes elsewhere'

out=$("$iasim" list experiments)
expect 'iasim list experiments' 'ir_send (per MB/s)'
echo "$faults faults"
((faults == 0))
