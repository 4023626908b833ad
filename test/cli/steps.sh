#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# steps.sh IASIM: overhead and involvement that depend on the size of a message: closed forms below, at and above a threshold, in
# schedule, check, replay by both engines, activities and codegen; what a link gives of its own; reductions, byte for byte; refusals;
# parameters of scenarios.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"
# shellcheck source=test/cli/bare_machine.sh
source "$IASIM_DATA/test/cli/bare_machine.sh"

o='0:0.25:0;1e7:0.5:1e-7' c='0:1;1e7:0.5'
platform "$(property overhead_send "$o" overhead_recv "$o" involvement_send "$c" involvement_recv "$c")" >p.xml
printf 'A a\nB b\n' >hosts
graph() { # graph BYTES: two tasks of 1 s; 10 MB take 1 s
  echo "digraph g { A [size=10]; B [size=10]; A -> B [size=\"$1\"]; }"
}

# Up to 10 MB: o = 0.25 s at each end. Above: o = 0.5 s + 1e-7 s a byte. Involvement is within the time on the link.
lasts() { # lasts BYTES MODEL SECONDS
  local command out
  graph "$1" >one.dot
  "$iasim" schedule -p p.xml -g one.dot --allocation hosts -m "$2" --out s.json >told 2>&1 || fault "schedule: $(cat told)"
  grep -q "one.dot on p.xml: $3 s" told || fault "$1 bytes, $2: not $3 s: $(head -1 told)"
  "$iasim" check -p p.xml -g one.dot s.json >told 2>&1 || fault "check $1 bytes, $2: $(cat told)"
  for command in events actors; do
    out=$("$iasim" replay -p p.xml -g one.dot --links exclusive --engine $command \
      --world "$([[ $2 == involvement ]] && echo involvement || echo none)" s.json 2>&1) || fault "replay: $out"
    expect "$1 bytes, $2, $command" "planned $3 s, simulated $3 s"
  done
}
for model in classic contention; do
  lasts 5e6 $model 2.5
  lasts 1e7 $model 3
  lasts 2e7 $model 4
done
lasts 0 involvement 2.5
lasts 5e6 involvement 3
lasts 1e7 involvement 3.5
lasts 2e7 involvement 9
grep -q '"send":{"host":"a","start_s":1,"finish_s":4.5}' s.json || fault "o_s + i_s is not 2.5 s + 1 s: $(cat s.json)"
"$iasim" codegen -p p.xml -g one.dot -o program s.json >told 2>&1 || fault "codegen: $(cat told)"
grep -q '20000000LL, 2.5, 1, 2.5, 1' program/program.c || fault "codegen: $(grep LL program/program.c)"
printf 'comm 0 a b 1e7\ncomm 10 a b 2e7\n' >script
out=$("$iasim" activities -p p.xml --world involvement script | tr -d ' \n')
expect activities '"start_s":0.0,"finish_s":1.5'
expect activities '"start_s":10.0,"finish_s":17.0'

# A file made with other steps is invalid here, and the other way round.
out=$("$iasim" check -p p.xml -g one.dot --overhead 0.5 s.json 2>&1) && fault 'valid with another overhead'
expect check "send of 'A' -> 'B' takes 3.5 s instead of 1.5 s"

# What a link gives wins over its hosts, also in the ranks: o is 1 s and 3 s wherever a message goes by l.
sed 's|latency="0"/>|latency="0"><prop id="overhead_send" value="1"/><prop id="overhead_recv" value="0:1:0;1e7:3:0"/></link>|' p.xml >link.xml
graph 2e7 >one.dot
"$iasim" schedule -p link.xml -g one.dot --allocation hosts -m involvement --out s.json >told 2>&1 || fault "schedule: $(cat told)"
grep -q ': 8 s' told || fault "the link's overheads: $(head -1 told)"
"$iasim" check -p link.xml -g one.dot s.json >told 2>&1 || fault "check: $(cat told)"

# One step from 0 is the number, for messages of all sizes.
sed 's/size="1e7"/size="0"/' g.dot >zero.dot
printf 'A a\nB b\nC c\n' >all
for graph in g.dot zero.dot; do
  for model in classic contention involvement; do
    for scheduler in 'list' 'list[approach=entering]' heft 'list[approach=alloc1]'; do
      allocation=()
      [[ $scheduler == *alloc* ]] && allocation=(--allocation all)
      for values in '0.125 0.5' '0:0.125:0 0:0.5'; do
        # shellcheck disable=SC2086
        set -- $values
        "$iasim" schedule -p bare.xml -g $graph -m $model -s "$scheduler" "${allocation[@]}" --overhead "$1" --involvement "$2" \
          --out "s${#1}.json" >told 2>&1 || fault "schedule: $(cat told)"
      done
      cmp s5.json s9.json || fault "$graph, $model, $scheduler: a step from 0 is not its number"
    done
  done
done

refused() { # refused LINE WORDS: wrong.xml
  ends_with 1 platform check wrong.xml
  out=$(cat err out)
  [[ $(wc -l <<<"$out") == 1 ]] || fault "more than a line: $out"
  expect 'a wrong property' "wrong.xml:$1: $2"
}
platform "$(property overhead_send '0:1:0;5:1:0;5:1:0')" >wrong.xml
refused 7 "host 'a': property overhead_send: step 3, '5:1:0', does not begin above the 5 bytes of the previous step; sort"
sed 's|latency="0"/>|latency="0"><prop id="involvement_recv" value="0:1;5:1.5"/></link>|' bare.xml >wrong.xml
refused 9 "link 'l': property involvement_recv: step 2, '5:1.5': 1.5 is too large; it must be between 0 and 1"
ends_with 2 schedule -p bare.xml -g g.dot -m involvement --overhead 0:1
said "iasim schedule: --overhead: step 1, '0:1', has 2 numbers; a step is MIN_BYTES:CONSTANT:PER_BYTE
Try \`iasim schedule --help' or \`iasim schedule --usage' for more information."

# In a scenario: as written into the platform by hand. Steps are one value, numbers and ranges what they were.
cat >s.xml <<'XML'
<scenario name="s" experiment="replay"><param name="platform" value="bare.xml"/><param name="graph" value="g.dot"/>
<param name="model" value="involvement"/></scenario>
XML
figures() { "$iasim" run s.xml --quiet "$@" --out f.db >told 2>&1 || fault "run $*: $(cat told)"; }
rows() { # rows COLUMNS: of f.db
  "$iasim" export f.db | python3 -c 'import csv, sys
for row in csv.DictReader(sys.stdin): print(*(row.get(name, "-") for name in sys.argv[1].split(",")), sep="|")' "$1"
}
figures --set platform=p.xml
by_hand=$(rows planned_s,makespan_s) && rm f.db
figures --set "overhead=$o" --set "involvement=$c"
[[ $(rows planned_s,makespan_s) == "$by_hand" ]] || fault "as parameters: $(rows planned_s,makespan_s), by hand $by_hand"
[[ $(rows overhead,involvement) == "$o|$c" ]] || fault "values: $(rows overhead,involvement)"
"$iasim" run s.xml --quiet --resume --set "overhead=$o,2" --set "involvement=$c" --out f.db >told 2>&1 || fault "resume: $(cat told)"
[[ $(rows overhead | sort) == "$(printf '%s\n' "$o" 2 | sort)" ]] || fault "resumed: $(rows overhead)"
"$iasim" report s.xml f.db --set "overhead=$o,2" --set "involvement=$c" >told 2>&1 || fault "report: $(cat told)"
rm f.db
figures --set overhead=0:1:0.5
[[ $(rows overhead | wc -l) == 3 ]] || fault "no range any more: $(rows overhead)"
rm f.db
figures --set 'overhead=0:1:0.5;'
[[ $(rows overhead | wc -l) == 1 ]] || fault "one step is no range: $(rows overhead)"
rm f.db
mkdir kept && cp bare.xml g.dot kept && sed "s|</scenario>|<sweep name='overhead'><value>$o</value><value>1</value><value>0:1:0</value></sweep>&|" s.xml >kept/scenario.xml
"$iasim" baseline save kept >told 2>&1 || fault "baseline save: $(cat told)"
"$iasim" baseline check kept >told 2>&1 || fault "baseline check: $(cat told)"
ends_with 2 run s.xml --set involvement='0:2;' --out f.db
said "iasim run: --set involvement=0:2;: experiment replay: parameter involvement: step 1, '0:2': 2 is too large; it must be between 0 and 1"

echo "$faults faults"
((faults == 0))
