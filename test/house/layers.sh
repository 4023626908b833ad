#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Checks the #include lines of sim/ and models/: each room may use only the rooms listed here, only
# sim/running/engine, sim/running/simgrid and sim/running/actors use SimGrid, and C++ is found only in
# sim/running/engine (bridge*), sim/running/simgrid and, as programs of users, in test/simgrid. `layers.sh DIR` checks
# another tree.
set -euo pipefail
shopt -s extglob
cd "${1:-.}"

rooms='
base:
stats:      base
dag:        base
workload:   base
machine:    base
fits:       base
models:     base dag machine
plan:       base dag machine models
schedulers: base dag machine models plan
runtime:    base dag machine models plan schedulers
farm:       base dag machine models
plugin:     base dag machine models plan schedulers farm
simgrid:    base machine models plugin
engine:     base dag machine models plan schedulers runtime farm simgrid
actors:     base dag machine models plan farm simgrid engine
codegen:    base dag machine models plan engine
explain:    base dag machine models plan farm engine
calibrate:  base stats machine fits
runs: base machine dag workload models fits plan schedulers runtime farm engine actors codegen explain
scenario:   base machine runs
store:      base runs scenario
sweep:      base runs scenario store
compare:    base stats runs scenario store
baseline:   base stats runs scenario store sweep
batch:      base scenario store
report:     base stats dag workload machine models fits plan schedulers runtime farm engine explain runs scenario store sweep compare baseline batch
html:       base stats dag workload machine models fits plan schedulers runtime farm engine explain runs scenario store sweep compare baseline batch report
cli:        base stats dag workload machine models fits plan schedulers runtime farm engine runs scenario store sweep compare baseline batch report html plugin simgrid actors codegen calibrate explain
library:    base dag machine models plan schedulers farm engine plugin simgrid actors runs report cli'

declare -A may_know
while IFS=: read -r room known; do may_know[${room:-none}]=" $known "; done <<<"$rooms"

groups='world|planning|running|results|users' # of rooms; an #include line leaves them out

room_of() { # sets `room` to that of a file, or of what an #include line names
  local path=${1#sim/}
  path=${path#@($groups)/}
  case $path in
    models/fits/*) room=fits ;;
    */*) room=${path%%/*} ;;
    *) room= ;;
  esac
}

faults=0
fault() { echo "$*" && faults=$((faults + 1)); }

n_includes=0
while IFS=: read -r file line include; do
  n_includes=$((n_includes + 1))
  room_of "$file"
  from=$room
  [[ -v may_know[$from] ]] || { fault "$file: room '$from' is not in the list of layers.sh" && continue; }
  named=${include#*\"} # of our room simgrid, or, where that has no such file, SimGrid's own
  [[ $include != *\"simgrid/* || -e sim/running/${named%%\"*} ]] || include="<${named%%\"*}>"
  case $include in
    *'<simgrid/'* | *'<xbt/'* | *'<simgrid.h>'*)
      [[ $from == @(engine|simgrid|actors) ]] ||
        fault \
          "$file:$line: only sim/running/engine, sim/running/simgrid and sim/running/actors may know SimGrid: $include"
      ;;
    *\"*)
      room_of "${named%%\"*}"
      [[ -z $room || $room == "$from" || ${may_know[$from]} == *" $room "* ]] ||
        fault "$file:$line: $from may not know $room (but:${may_know[$from]}): $include"
      ;;
  esac
done < <(find sim models \( -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.def' \) -print0 | sort -z |
  xargs -0 grep -nH '^ *# *include')

cpp=$(find . -path ./build -prune -o \( -name '*.cpp' -o -name '*.cc' -o -name '*.cxx' -o -name '*.hpp' \) -print)
for file in $cpp; do
  [[ $file == ./sim/running/engine/bridge* || $file == ./sim/running/simgrid/* || $file == ./test/simgrid/* ]] ||
    fault "$file: C++ only in sim/running/engine/bridge*, sim/running/simgrid and test/simgrid"
done
[[ -n $cpp ]] || fault "the C++ of sim/running/engine/bridge* was not found"
((n_includes > 20)) || fault "only $n_includes #include lines were found"

echo "$n_includes #include lines, $faults faults"
((faults == 0))
