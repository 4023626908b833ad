#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# tutorial.sh BUILD CC SANITIZERS: does what doc/actors.md says, word by word, in an empty folder and with nothing but an installed
# iasim: its C file, its commands, its CMakeLists.txt.
set -euo pipefail
build=$1 cc=$2 sanitizers=${3-}
page=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/doc/actors.md
# shellcheck source=test/installed.sh
. "$(dirname "${BASH_SOURCE[0]}")/../installed.sh"
export PATH=$dir/prefix/bin:$PATH ASAN_OPTIONS=detect_leaks=0

# --- the text ---
blocks_of c >stealing.c
blocks_of sh >commands
n_lines=$(wc -l <stealing.c)
((n_lines >= 60 && n_lines <= 100)) || fault "the actor has $n_lines lines"
[[ -s commands ]] || fault 'the page has no commands'

# --- its commands ---
read -ra flags < <(pkg-config --cflags iasim simgrid)
"$cc" -std=c11 -Wall -Wextra -Wconversion -pedantic -Werror -fPIC -shared "${flags[@]}" stealing.c -o strict.so ||
  fault 'stealing.c or the headers have warnings'
# Sanitizers make runs slow: two trees are enough there.
[[ -z $sanitizers ]] || sed -i 's/instance=1,2,3,4,5,6,7,8,9,10/instance=1,2/' commands
if bash -euo pipefail commands >out 2>words; then :; else cat out words && fault 'the commands of the page fail'; fi
grep -q '^  stealing  *idle nodes ask their neighbours  (plugin ./stealing.so)$' out || fault 'iasim list does not name it'
grep -q '^1000 tasks, policy ia_single, ' out || fault 'the farm did not run'

# --- what it claims ---
read -r n_tasks n_sent busy < <(awk '/^leaf/ { tasks += $2; sent += $3; busy += $4; n++ } END { print tasks, sent, busy / n }' out)
awk -v s="$n_sent" -v n="$n_tasks" 'BEGIN { exit !(s > 0.4 * n && s < 0.6 * n) }' ||
  fault "the leaves sent on $n_sent tasks and computed $n_tasks: not half"
awk -v b="$busy" 'BEGIN { exit !(b > 80 && b < 84) }' || fault "the leaves are busy $busy %"
[[ -n $sanitizers ]] || grep -qE '^stealing  *10  *1\.[0-9]' out || fault "compare does not say that stealing is slower: $(cat out)"
fork=(farm --platform platforms/kreaseck-fork.xml --deployment deployments/kreaseck-fork.xml --policy ia_single --tasks 100
  --send-size 1 --compute-size 5 --engine actors)
iasim --plugin ./stealing.so "${fork[@]}" --actor stealing >on_fork || fault 'stealing does not run on kreaseck-fork'
[[ $(awk 'NR > 4 && NF == 7 { sum += $2 } END { print sum }' on_fork) == 100 ]] || fault "tasks are lost: $(cat on_fork)"

# --- with CMake, in an empty folder beside it ---
mkdir by_cmake
cp stealing.c by_cmake
blocks_of cmake >by_cmake/CMakeLists.txt
if cmake -G Ninja -S by_cmake -B by_cmake/build -DCMAKE_PREFIX_PATH="$dir/prefix" -DCMAKE_C_COMPILER="$cc" >log 2>&1 &&
  cmake --build by_cmake/build >>log 2>&1; then :; else cat log && fault 'the CMakeLists.txt of the page fails'; fi
iasim --plugin by_cmake/build/stealing.so list actors | grep -q '^  stealing ' || fault 'stealing.so made by CMake has no actor'

echo "$n_lines lines of code, $faults faults"
((faults == 0))
