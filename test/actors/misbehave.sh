#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# misbehave.sh IASIM PLUGIN: actors of a plugin that lose tasks, end early, wait for ever, crash or never return are
# named in one message, and lose only their own points.
set -euo pipefail
iasim=$1 plugin=$2
IASIM_DATA=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# A sanitizer must not take the signals of which an actor dies.
export IASIM_DATA ASAN_OPTIONS=handle_segv=0:handle_abort=0:detect_leaks=0
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
cd "$dir"
cp "$plugin" bad.so
faults=0
fault() { echo "$*" && faults=$((faults + 1)); }

farm=(farm --platform platforms/kreaseck-fork.xml --deployment deployments/kreaseck-fork.xml --policy ia_single \
  --tasks 10
  --send-size 1 --compute-size 5)
fails() { # fails WORDS OPTION...: with status 2 and one message that has WORDS
  local words=$1 status=0
  shift
  timeout 60 "$iasim" --plugin ./bad.so "${farm[@]}" "$@" >out 2>words </dev/null || status=$?
  [[ $status == 2 && ! -s out && $(wc -l <words) == 1 ]] || fault "$*: status $status, $(head -c 300 out) $(cat words)"
  grep -qF -- "$words" words || fault "$*: expected '$words' in: $(cat words)"
}

# --- what does not go together ---
fails 'actor fine is a SimGrid actor: it needs the engine actors' --actor fine
fails \
  'world involvement occupies processors; the engine actors has worlds that only change their speed, such as interference' \
  --engine actors --world involvement
fails "unknown actor 'fin'; did you mean 'fine'?" --engine actors --actor fin

fails "noise 'work=1,size=1': sizes are those of farm_node; actor fine of a plugin decides itself what it sends" \
  --engine actors \
  --actor fine --noise work=1,size=1

# --- single commands ---
who='actor ACTOR of plugin ./bad.so'
wrong() { fails "${2/ACTOR/$1}" --engine actors --actor "$1"; } # wrong ACTOR WORDS
wrong loses "$who: all its actors have ended by"
grep -qF 'but only 9 of 10 tasks were computed' words || fault "loses: $(cat words)"
wrong leaves "$who: all its actors have ended by 0 s, but only 0 of 10 tasks were computed"
wrong too_many "$who: at "
grep -qF 'computes more tasks than the 10 that exist' words || fault "too_many: $(cat words)"
wrong twice "$who: at 0 s host 'Lab0' begins a task while it computes another one"
wrong waits "$who: deadlock: its actors wait for each other; 5 of 10 tasks have been computed"
wrong crashes 'in plugin ./bad.so: run of actor ACTOR: crashed by signal'
wrong leaves_process 'in plugin ./bad.so: run of actor ACTOR: has ended the process with status 0'
wrong forks "$who has left a process behind"
wrong no_route 'in plugin ./bad.so: run of actor ACTOR: crashed by signal'
"$iasim" --plugin ./bad.so "${farm[@]}" --engine actors --actor fine >out 2>words || fault "fine: $(cat words)"
"$iasim" "${farm[@]/ia_single/root_computes}" >alone
grep '^Lab0' out | cmp -s - <(grep '^Lab0' alone) || fault "fine is not as root_computes: $(cat out)"
noise=(--noise "work=1;rate=0.2" --seed 4)
"$iasim" --plugin ./bad.so "${farm[@]}" --engine actors --actor fine "${noise[@]}" >out
"$iasim" "${farm[@]/ia_single/root_computes}" "${noise[@]}" >alone
grep '^Lab0' out | cmp -s - <(grep '^Lab0' alone) || fault "fine, with noise, is not as root_computes: $(cat out)"
"$iasim" --plugin ./bad.so "${farm[@]}" --engine actors --actor fine --json >out
[[ $(grep -E '"(engine|actor)"' out | tr -d ' \n') == '"engine":"actors","actor":"fine",' ]] ||
  fault "JSON by fine: $(head out)"
"$iasim" "${farm[@]}" --engine actors --json >out
[[ $(grep -E '"(engine|actor)"' out | tr -d ' \n') == '"engine":"actors",' ]] || fault "JSON by actors: $(head out)"
"$iasim" "${farm[@]}" --json >alone
[[ $(grep -cE '"(engine|actor)"' alone) == 0 ]] || fault "JSON by events: $(head alone)"
"$iasim" --plugin ./bad.so list actors | grep '^  loses  *-  (plugin ./bad.so)$' >/dev/null ||
  fault 'list actors'

# --- sweeps: farm_node's points are the same bytes beside them ---
run() { # run DB ACTORS OPTION...
  local status=0
  timeout 100 "$iasim" --plugin ./bad.so run smoke --set world=interference --set policy=ia_single --set engine=actors \
    --set "actor=$2" --out "$1" --quiet "${@:3}" >out 2>words </dev/null || status=$?
  [[ $status == 0 || $status == 1 ]] || fault "$1: status $status, $(cat words)"
  "$iasim" export "$1" >"$1.csv"
}
says() { # says ACTOR WORDS: all its rows do
  local n_rows n_say
  n_rows=$(grep -c ",$1," mixed.db.csv) || true
  n_say=$(grep ",$1," mixed.db.csv | grep -cF -- "${2/ACTOR/$1}") || true
  [[ $n_rows == 2 && $n_say == 2 ]] ||
    fault "expected '${2/ACTOR/$1}' of $1: $(grep ",$1," mixed.db.csv | cut -c 1-400)"
}
run good.db farm_node
run mixed.db farm_node,fine,loses,too_many,waits,crashes,leaves_process,loops,sleeps,forks --time-limit 1.5 --jobs 2
grep -E '^key|,farm_node,' mixed.db.csv | cmp - good.db.csv ||
  fault 'the points of farm_node are others beside the bad ones'
says loses "$who: all its actors have ended by"
says too_many "$who: at "
says waits "$who: deadlock"
says crashes 'in plugin ./bad.so: run of actor ACTOR'
says leaves_process 'in plugin ./bad.so: run of actor ACTOR'
says loops 'not done within the time limit of 1.5 s'
says sleeps 'not done within the time limit of 1.5 s'
says forks "$who has left a process behind"
[[ $(grep ',fine,' mixed.db.csv | grep -c plugin) == 0 ]] || fault "fine: $(grep ',fine,' mixed.db.csv)"

echo "$faults faults"
((faults == 0))
