#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# command_line.sh IASIM: what a newcomer types. Help is where it is looked for, names are enough, and a message says
# what was probably meant and which file was taken for which.
# shellcheck source=test/cli/begin.sh
source "$(dirname "$0")/begin.sh"
usage() { # usage PATTERN ARGUMENTS...: refused with this message and the reference to the help
  ends_with 2 "${@:2}"
  [[ $(head -n 1 err) == "iasim $2: "$1 && ! -s out ]] || fault "${*:2}: expected '$1', got '$(cat err out)'"
}
refused() { # refused WORDS ARGUMENTS...: the words are in the one message
  ends_with 2 "${@:2}"
  [[ $(wc -l <err) == 1 && ! -s out ]] && grep -qF -- "$1" err || fault "${*:2}: expected '$1', got '$(cat err out)'"
}

# ---- help ----

ends_with 0 farm --help
mv out help
for words in 'farm -h' 'farm -?' 'help farm'; do
  # shellcheck disable=SC2086 # two words
  ends_with 0 $words
  cmp -s out help || fault "'$words' is not 'farm --help'"
done
ends_with 2 help nosuch
for command in $("$iasim" list commands | awk 'NR > 1 && /^  [a-z]/ { print $1 }'); do
  "$iasim" "$command" -h >help || fault "$command -h fails"
  if grep -q -- '--json' help && ! grep -q -- '-j, --json' help; then fault "-j of $command is not --json"; fi
done
POSIXLY_CORRECT=1 "$iasim" list policies --json >out || fault 'POSIXLY_CORRECT: options after arguments fail'
grep -q '"ia_multi"' out || fault 'POSIXLY_CORRECT: no policies'

# ---- what is there, and what was meant ----

for folder in scenarios platforms deployments; do
  "$iasim" list $folder --json >out
  for path in "$IASIM_DATA/$folder"/*; do
    [[ $path != *README.md ]] || continue
    name=$(basename "$path" .xml)
    grep -qF "\"name\": \"$name\"" out || fault "list $folder lacks $name"
  done
  ! grep -q '"summary": ""' out || fault "list $folder: one says nothing of itself"
  ! grep -q '&[a-z]*;' out || fault "list $folder: an entity"
done
"$iasim" list worlds >out
grep -q '^  interference' out && ! grep -q '^  contention' out || fault 'list worlds'
refused "did you mean 'worlds'?" list wolds
refused '`iasim list scenarios` shows all' run smok
refused "did you mean 'smoke'?" run smok
refused "did you mean 'policy'?" run smoke --set polcy=bwc
refused "did you mean 'ia_multi'?" run smoke --set policy=ia_mutli
refused "the unit is MB: write 5" run smoke --set send_size=5MB
usage "--send-size '5MB' is not a finite number; the unit is MB: write 5" farm --send-size 5MB
refused "unknown option '--polcy'; did you mean '--policy'?" farm --polcy bwc
refused "unknown command 'fram'; did you mean 'farm'?" fram

# ---- what --set replaces, and --quiet ----

sed 's/>fcfs</>nosuch</' "$IASIM_DATA/scenarios/smoke/scenario.xml" | sed "s|../../|$IASIM_DATA/|" >old.xml
refused "unknown policy 'nosuch'" run old.xml --quiet
ends_with 0 run old.xml --quiet --set policy=bwc --set tasks=9 --out old.db
ends_with 0 baseline save old.xml --quiet --set policy=bwc --set tasks=9
[[ ! -s out && ! -s err ]] || fault "baseline save --quiet: $(cat out err)"
ends_with 0 baseline check old.xml --quiet
[[ ! -s out && ! -s err ]] || fault "baseline check --quiet: $(cat out err)"

# ---- graph convert ----

"$iasim" graph generate 'chain[tasks=2]' --seed 1 --out g.dot
ends_with 0 graph convert g.dot --out a.json
ends_with 0 graph convert g.dot b.json
cmp -s a.json b.json || fault 'graph convert --out writes another graph'
refused "unexpected 'b.json': --out names the file" graph convert g.dot b.json --out a.json
refused 'the file to write is missing' graph convert g.dot

"$iasim" graph convert g.dot w.json
ends_with 0 graph info w.json
[[ $(cat err) == "w.json: run times are taken as work at 1e+09 flop/s; --flop-per-s sets another speed" ]] ||
  fault "run times: $(cat err)"
ends_with 0 graph info --flop-per-s 2e9 w.json
[[ ! -s err ]] || fault "a given speed: $(cat err)"

# ---- names of files, and files of another kind ----

farm=(farm --policy bwc --send-size 1 --compute-size 5 --tasks 9)
ends_with 0 "${farm[@]}" -p star-8 -d star-8
mv out by_name
ends_with 0 "${farm[@]}" -p platforms/star-8.xml -d deployments/star-8.xml
cmp -s out by_name || fault 'a platform by its name is another one'
refused "did you mean 'star-8'?" "${farm[@]}" -p satr-8 -d star-8
refused 'star-8.xml: this is a SimGrid platform, not a deployment' "${farm[@]}" -p star-8 -d platforms/star-8.xml
refused 'star-8.xml: this is a deployment, not a SimGrid platform' "${farm[@]}" -p deployments/star-8.xml -d star-8
refused 'sinnen-bus.xml: this is a SimGrid platform, not a task graph' graph info platforms/sinnen-bus.xml
refused 'star-8.xml: this is a SimGrid platform, not a scenario' run "$IASIM_DATA/platforms/star-8.xml"
ends_with 1 platform check star-8 deployments/star-8.xml
ends_with 2 platform check star-8 no/such.xml
grep -q '^iasim platform: no/such.xml: cannot open' err && grep -q 'in order' out ||
  fault "platform check: $(cat err out)"
"$iasim" run smoke --quiet --out x.db >out
refused 'x.db: this is a database, not a scenario; `iasim report` shows what it holds' run x.db
usage 'missing: --send-size MB, --compute-size UNITS, --policy *' farm -p star-8 -d star-8
usage 'option --policy is missing; *policies*' farm -p star-8 -d star-8 --send-size 1 --compute-size 5

# ---- what a schedule was planned for ----

"$iasim" graph generate 'chain[tasks=3]' --seed 2 --out other.dot
"$iasim" schedule -p star-8 -g g.dot -m classic --out s.json >out
cp g.dot same.dot
for words in check 'replay -w none' 'explain -w none' draw; do
  # shellcheck disable=SC2086 # several words
  ends_with 0 $words s.json
  [[ ! -s err ]] || fault "$words: $(cat err)"
done
ends_with 0 check -p star-8 -g same.dot s.json
[[ ! -s err ]] || fault "the same graph under another name: $(cat err)"
ends_with 1 check -g other.dot s.json
[[ $(cat err) == "s.json: planned for the graph 'g.dot', not for 'other.dot'" ]] || fault "another graph: $(cat err)"
rm g.dot
refused "s.json: the graph that it was planned for, 'g.dot', is not there; give it with --graph" replay -w none s.json

echo "$faults faults"
((faults == 0))
