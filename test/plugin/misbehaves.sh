#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# misbehaves.sh IASIM MODULES: what cannot be loaded is refused with one message and status 2; a plugin that crashes,
# never ends, leaves the process, or returns an invalid schedule loses only its own points, with a message; other points
# are the same bytes as without it.
set -euo pipefail
iasim=$1 modules=$2
IASIM_DATA=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# A sanitizer must not take the signals of which a plugin dies.
export IASIM_DATA ASAN_OPTIONS=handle_segv=0:handle_abort=0:handle_sigfpe=0:detect_leaks=0
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
cd "$dir"
cp "$modules"/*.so .

faults=0
fault() { echo "$*" && faults=$((faults + 1)); }
fails() { # fails STATUS WORDS ARGUMENT...: with this status and a message that has WORDS, and nothing on stdout
  local want=$1 words=$2 status=0
  shift 2
  timeout 60 "$iasim" "$@" >out 2>talk </dev/null || status=$?
  [[ $status == "$want" && ! -s out ]] || fault "iasim $*: status $status (expected $want), $(head -c 300 out)"
  grep -qF -- "$words" talk || fault "iasim $*: expected '$words' in: $(cat talk)"
}
no_crash_words() { ! grep -qE 'Segmentation|core dumped|terminate called' talk || fault "$1: $(cat talk)"; }

# --- what is refused when it is loaded: one line, status 2, nothing run ---
echo 'no shared object' >text.so
mkdir folder.so
mkfifo pipe.so
cp one.so two.so
while IFS='|' read -r files words; do
  read -ra files <<<"$files"
  fails 2 "$words" "${files[@]/#/--plugin=}" run smoke --out refused.db
  [[ ! -e refused.db && $(grep -c . talk) == 1 ]] || fault "${files[*]}: it ran, or said more: $(cat talk)"
done <<'END_OF_LIST'
none.so|iasim: none.so: the plugin cannot be read: No such file or directory
folder.so|iasim: folder.so: a plugin is a shared object or a file in Python; this is a folder
pipe.so|iasim: pipe.so: a plugin is a shared object or a file in Python; this is not a regular file
text.so|iasim: text.so: the plugin cannot be loaded: 
anonymous.so|iasim: anonymous.so: not a plugin of iasim: the shared object has no symbol iasim_plugin
undefined.so|iasim: undefined.so: the plugin cannot be loaded: undefined symbol: no_such_function
old.so|iasim: old.so: the plugin was built for version 
taken.so|iasim: taken.so: there is already a policy 'fcfs', which comes with iasim
one.so one.so|iasim: one.so: there is already a policy 'one', which comes from plugin one.so
./one.so two.so|iasim: two.so: there is already a policy 'one', which comes from plugin ./one.so
crashing.so|iasim: crashing.so: the plugin cannot be loaded: its constructor crashed with SIGABRT (Aborted)
exiting.so|iasim: exiting.so: the plugin cannot be loaded: its constructor ended with status 0
killed.so|iasim: killed.so: the plugin cannot be loaded: its constructor crashed with SIGKILL (Killed)
hanging.so|iasim: in plugin hanging.so: constructor of the shared object: not done within the time limit of 10 s
forking.so|iasim: forking.so: the plugin cannot be loaded: its constructor left a process behind
END_OF_LIST
for _ in 1 2 3 4 5; do # its copy, which returns from loading as well, must never be the one that is believed
  fails 2 'iasim: doubling.so: the plugin cannot be loaded: its constructor left a process behind' \
    --plugin doubling.so list
done
fails 2 '--plugin needs the file of a plugin' --plugin
fails 2 'Usage: iasim' --plugin one.so
fails 2 "unknown command '--plugins'" --plugins one.so list

# --- what is loaded is listed, and known in messages ---
"$iasim" --plugin ./one.so --plugin=misbehaving.so list >out
grep -q '^  one  *the child that was deployed last  (plugin ./one.so)$' out || fault "list: $(cat out)"
grep -q '^  misbehaving  *does something wrong  (plugin misbehaving.so)$' out || fault "list: $(cat out)"
"$iasim" --plugin ./one.so list policies --json | grep '^ *"plugin": "./one.so"$' >/dev/null ||
  fault 'list --json does not name the plugin'
[[ $("$iasim" --plugin ./one.so list schedulers) == "$("$iasim" list schedulers)" ]] ||
  fault 'one.so changes the schedulers'
fails 2 "did you mean 'misbehaving'?" --plugin ./misbehaving.so run sinnen-smoke --set scheduler=misbehavin
fails 2 "misbehaving has no parameter 'x'; known: fault" --plugin ./misbehaving.so run sinnen-smoke \
  --set 'scheduler=misbehaving[x=1]'
fails 2 "unknown scheduler 'misbehaving'; \`iasim list schedulers\` shows all" run sinnen-smoke \
  --set scheduler=misbehaving

# --- single commands ---
platform=platforms/sinnen-hetero.xml
"$iasim" graph generate 'layered[tasks=12,width=4]' --seed 3 --ccr 1 --platform $platform --out g.dot
sed -n 's/^ *"\?\([a-z0-9_]*\)"\? \[.*/\1 p0/p' g.dot >hosts
plans() { # plans STATUS WORDS FAULT OPTION...
  fails "$1" "$2" --plugin ./misbehaving.so schedule --platform $platform --graph g.dot --model involvement \
    --scheduler "misbehaving[fault=$3]" --out s.json "${@:4}"
  [[ ! -e s.json ]] || { fault "$3: s.json is there" && rm s.json; }
}
whose='in plugin ./misbehaving.so: plan of scheduler misbehaving'
plans 2 "$whose: crashed by signal 11" crash
plans 2 "$whose: crashed by signal 11" recurse
plans 2 "$whose: crashed by signal 6" abort
plans 2 "$whose: crashed by signal 8" chatter
plans 2 "$whose: has ended the process with status 0" exit
plans 2 "$whose: has ended the process with status 0" vanish
plans 2 "$whose: crashed by signal 11" silent
plans 2 "$whose: crashed by signal 9" kill
for name in twice child daemon; do
  plans 2 'scheduler misbehaving of plugin ./misbehaving.so has left a process behind' $name
done
plans 2 'scheduler misbehaving of plugin ./misbehaving.so: graphs with 12 tasks are not for me' refuse
plans 2 'scheduler misbehaving of plugin ./misbehaving.so: ' mute
plans 2 'scheduler misbehaving of plugin ./misbehaving.so returns 99' code
plans 1 'has no host' nowhere
plans 1 'is on host number 1000' far
plans 1 ' to nan' nan
plans 1 'from inf to' infinite
plans 1 'has no spans on its 2 links' no_spans
plans 1 'is local, but its tasks are on' lost_edge
plans 1 "' was prescribed" deaf --allocation hosts
# All that is violated is listed: by hand, the last task begins at 0, before its data, and on a host that is not free
# then.
plans 1 'made an invalid schedule: the 2 violations are above' early
[[ $(grep -cE '^(precedence|processor): ' talk) == 2 && $(wc -l <talk) == 3 ]] || fault "early: $(cat talk)"
plans 1 'duration: task' quick
plans 1 'made an invalid schedule' overlap
"$iasim" --plugin ./misbehaving.so schedule --platform $platform --graph g.dot --model involvement \
  --scheduler misbehaving \
  >s.json 2>talk || fault "a good plan: $(cat talk)"
"$iasim" check --platform $platform --graph g.dot s.json >out || fault "a good plan: $(cat out)"

farms() { # farms STATUS WORDS POLICY OPTION...
  fails "$1" "$2" --plugin ./misbehaving.so farm --platform platforms/kreaseck-fork.xml \
    --deployment deployments/kreaseck-fork.xml --tasks 20 --send-size 1 --compute-size 5 --policy "${@:3}"
}
farms 2 "policy nan_policy of plugin ./misbehaving.so gives the child 'Lab3' the priority nan" nan_policy
farms 2 'the priority infinity; it must be a finite number' infinite_policy
farms 2 'in plugin ./misbehaving.so: priority of policy crashing_policy: crashed by signal 11' crashing_policy
farms 2 "it chooses Lab0 for 'Lab0', a child that cannot be served now" stray_chooser
farms 2 'choose of policy crashing_chooser: crashed by signal 11' crashing_chooser
farms 2 "it limits a send from 'Lab0' to 'Lab" limitless_chooser
farms 2 'to 0 bytes/s; it must be above 0' limitless_chooser
farms 2 'to nan bytes/s; it must be above 0' nan_limit_chooser
farms 2 'to -1 bytes/s; it must be above 0' negative_limit_chooser
farms 2 "it chooses node -2 for 'Lab0'; it must be one of its children, or -1" nobody_chooser
while read -r piece policy; do
  for engine in events actors; do
    farms 2 "at 0 s it cuts a send from 'Lab0' to 'Lab4' after $piece bytes; it must be 0 or a whole number" \
      "$policy" --engine $engine
  done
done <<'END_OF_LIST'
0.5 half_piece_chooser
1000.5 fraction_piece_chooser
-1 negative_piece_chooser
nan nan_piece_chooser
inf infinite_piece_chooser
END_OF_LIST

# A policy that looks at the state does what the same policy as a priority does, under both engines.
for engine in events actors; do
  for policy in bwc fine_chooser whole_piece_chooser; do
    "$iasim" --plugin ./misbehaving.so farm --platform platforms/kreaseck-fork.xml \
      --deployment deployments/kreaseck-fork.xml --policy $policy --tasks 50 --send-size 1 --compute-size 5 \
      --engine $engine | grep -v policy >$policy.$engine || fault "$policy under $engine"
  done
  cmp -s bwc.$engine fine_chooser.$engine || fault "fine_chooser is not bwc under $engine"
done
cmp -s whole_piece_chooser.events whole_piece_chooser.actors || fault 'pieces are not the same under both engines'
! cmp -s bwc.events whole_piece_chooser.events || fault 'pieces change nothing'

# --- sweeps ---
cat >plan.xml <<END_OF_SCENARIO
<scenario name="plans" experiment="plan">
  <param name="platform" value="$IASIM_DATA/$platform"/>
  <param name="generator" value="cholesky[tiles=4]"/>
  <param name="ccr" value="1"/>
  <param name="model" value="involvement"/>
</scenario>
END_OF_SCENARIO
sed 's/experiment="plan"/experiment="replay"/' plan.xml >replay.xml
run() { # run DB SCENARIO OPTION...: the rows go to DB.csv; a plugin is given by the caller's `plugin`
  local status=0
  timeout 100 "$iasim" "${plugin[@]}" run "$2" --out "$1" --quiet "${@:3}" >out 2>talk </dev/null || status=$?
  [[ $status == 1 || $status == 0 ]] || fault "$*: status $status, $(cat talk)"
  "$iasim" export "$1" >"$1.csv"
}
says() { # says CSV VALUE WORDS: all rows of the value do
  local n_rows n_say
  n_rows=$(grep -cF -- "$2" "$1") || true
  n_say=$(grep -F -- "$2" "$1" | grep -cF -- "$3") || true
  [[ $n_rows -gt 0 && $n_rows == "$n_say" ]] || fault "$1: expected '$3' of $2: $(grep -F -- "$2" "$1" | cut -c 1-400)"
}
bad='crash recurse abort chatter loop exit vanish silent kill twice child daemon refuse code nowhere far nan infinite overlap early quick no_spans lost_edge'
schedulers='list[technique=insertion],sequential'
mixed=$schedulers
for name in $bad scribble state float none; do mixed+=",misbehaving[fault=$name]"; done
for scenario in plan replay; do
  plugin=()
  run good-$scenario.db $scenario.xml --set "scheduler=$schedulers"
  plugin=(--plugin ./misbehaving.so)
  run mixed-$scenario.db $scenario.xml --set "scheduler=$mixed" --time-limit 1.5 --jobs 2
  csv=mixed-$scenario.db.csv
  grep -v misbehaving $csv | cmp - good-$scenario.db.csv ||
    fault "$scenario: the good ones are others beside the bad ones"
  says $csv fault=crash "crashed with SIGSEGV (Segmentation fault): $whose"
  says $csv fault=recurse "crashed with SIGSEGV (Segmentation fault): $whose"
  says $csv fault=abort "crashed with SIGABRT (Aborted): $whose"
  says $csv fault=chatter "crashed with SIGFPE (Floating point exception): $whose: first words"
  says $csv fault=loop 'not done within the time limit of 1.5 s'
  says $csv fault=exit "ended with status 0 before it returned a result: $whose"
  says $csv fault=vanish "ended with status 0 before it returned a result: $whose"
  says $csv fault=silent "crashed with SIGSEGV (Segmentation fault): $whose"
  says $csv fault=kill "crashed with SIGKILL (Killed): $whose"
  for name in twice child daemon; do says $csv fault=$name \
    "scheduler misbehaving of plugin ./misbehaving.so has left a process behind"; done
  ! pgrep -f "mixed-$scenario.db" || fault "$scenario: processes are left"
  says $csv fault=refuse 'scheduler misbehaving of plugin ./misbehaving.so: graphs with 20 tasks are not for me'
  says $csv fault=nowhere 'invalid schedule: task: task '
  says $csv fault=far 'invalid schedule: host: task '
  says $csv fault=nan 'invalid schedule: time: task '
  says $csv fault=infinite 'invalid schedule: time: the send of edge '
  says $csv fault=overlap 'invalid schedule: precedence: task '
  says $csv fault=quick 'invalid schedule: duration: task '
  says $csv fault=no_spans 'invalid schedule: parts: edge '
  says $csv fault=lost_edge 'invalid schedule: local: edge '
  for name in scribble state float none; do # every call is the first one in its process, with no file open
    says $csv "fault=$name" ,misbehaving
    [[ $(grep -F "fault=$name" $csv) != *plugin* ]] || fault "$scenario: $(grep -F "fault=$name" $csv)"
  done
  for name in $bad; do says $csv "fault=$name]" ' '; done
done

plugin=()
run good-farm.db smoke --set world=interference --set policy=ia_single,fcfs
plugin=(--plugin misbehaving.so)
run mixed-farm.db smoke --set world=interference \
  --set policy=ia_single,nan_policy,crashing_policy,fcfs,looping_policy,fine_policy --time-limit 1.5
grep -v _policy, mixed-farm.db.csv | cmp - good-farm.db.csv ||
  fault 'farms: the good ones are others beside the bad ones'
says mixed-farm.db.csv nan_policy 'policy nan_policy of plugin misbehaving.so gives the child'
says mixed-farm.db.csv crashing_policy 'in plugin misbehaving.so: priority of policy crashing_policy'
says mixed-farm.db.csv looping_policy 'not done within the time limit of 1.5 s'
# fine_policy decides as ia_single does: the same figures behind other words.
figures() { grep ",$1," mixed-farm.db.csv | sed "s/^[^,]*,//; s/,$1,/,/" | sort; }
[[ -n $(figures fine_policy) && $(figures fine_policy) == "$(figures ia_single)" ]] ||
  fault 'fine_policy is not as ia_single'

# --- keys: those of iasim's own are what they are without a plugin (above); those of a plugin know its bytes ---
keys() { cut -d, -f1,8 "$1" | grep "$2" | sort; }
plugin=(--plugin ./misbehaving.so)
run before.db plan.xml --set scheduler=list,misbehaving
cp misbehaving.so "other name.so"
plugin=(--plugin "./other name.so")
run moved.db plan.xml --set scheduler=list,misbehaving
echo >>misbehaving.so # a byte that means nothing to the loader
plugin=(--plugin ./misbehaving.so)
run after.db plan.xml --set scheduler=list,misbehaving
cmp before.db.csv moved.db.csv || fault 'keys know where a plugin is'
[[ $(keys before.db.csv ,list) == "$(keys after.db.csv ,list)" ]] || fault "keys of list know of a plugin"
[[ -z $(comm -12 <(keys before.db.csv ,mis) <(keys after.db.csv ,mis)) ]] ||
  fault 'keys do not know what a plugin holds'
[[ $(cut -d, -f2- before.db.csv | sort) == "$(cut -d, -f2- after.db.csv | sort)" ]] || fault 'the byte meant something'

# --- a point is run again by the command that a report names ---
key=$(keys after.db.csv ,mis | head -n 1 | cut -d, -f1)
"$iasim" --plugin ./misbehaving.so run plan.xml --set scheduler=list,misbehaving --only "$key" >out 2>talk ||
  fault "--only: $(cat talk)"
no_crash_words 'the end'

echo "$faults faults"
((faults == 0))
