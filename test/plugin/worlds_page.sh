#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# worlds_page.sh BUILD CC CXX SANITIZERS: does what sim/plugin/worlds.md says, word by word, in an empty folder and with nothing but an
# installed iasim: its C file, its commands.
set -euo pipefail
build=$1 cc=$2 cxx=$3 sanitizers=${4-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../simgrid" && pwd)
page=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/sim/plugin/worlds.md
# shellcheck source=test/installed.sh
. "$(dirname "${BASH_SOURCE[0]}")/../installed.sh"
export PATH=$dir/prefix/bin:$PATH ASAN_OPTIONS=detect_leaks=0

blocks_of c >worlds.c
blocks_of sh >commands
n_lines=$(wc -l <worlds.c)
((n_lines > 30 && n_lines <= 45)) || fault "the C file has $n_lines lines"
[[ -s commands ]] || fault 'the page has no commands'
read -ra flags < <(pkg-config --cflags iasim)
"$cc" -std=c11 -Wall -Wextra -Wconversion -pedantic -Werror -fPIC -shared "${flags[@]}" worlds.c -o strict.so ||
  fault 'worlds.c or the headers have warnings'
if bash -euo pipefail commands >out 2>talk; then :; else cat out talk && fault 'the commands of the page fail'; fi
for name in memory postal; do grep -q "^  $name  " out || fault "iasim list does not name $name"; done
grep -q '^valid: s.json schedules' out || fault 'check does not accept the plan'
grep -q ': the plan was off by 0 %$' out || fault "planned is not simulated: $(grep planned out)"
grep -q '^100 tasks, policy ia_single, world memory\[need=2e7,capacity=3e7\]$' out || fault 'the farm did not run'
grep -q '^48 runs of sinnen-smoke in worlds.db; 0 failed$' out || fault "the sweep failed: $(tail -n 3 out)"

# exec, whose program is any SimGrid program: 1e9 flop while 1e7 bytes leave at 1e7 bytes/s. 2 copies of these and 8e7 of 9e7
# bytes/s: 7/8 of the speed for 1 s, then 1/8 of the work is left.
if pkg-config --exists simgrid && [[ -z $sanitizers ]]; then
  read -ra simgrid < <(pkg-config --cflags --libs iasim-simgrid simgrid)
  "$cc" "$here/world.c" "${simgrid[@]}" -o program
  iasim --plugin ./worlds.so exec --world 'memory[need=8e7,capacity=9e7]' -- ./program "load:$here/platform.xml" run \
    --log=root.thres:critical >out 2>&1 || true
  grep -qx 'computed until 1.125' out || fault "exec: $(cat out)"
fi

printf '#include <iasim/plugin.h>\nstatic double f(const world_model *, const host *, const world_flow *w, size_t n)\n{ return world_regime(w, n) == REGIME_DUPLEX ? .5 : 1; }\nstatic const world_model w = {"w", "s", nullptr, nullptr, f, nullptr, 0, nullptr, nullptr, nullptr};\nIASIM_PLUGIN(.schedulers = {}, .policies = {}, .actors = {}, .models = {}, .worlds = {&w})\n' >w.cpp
"$cxx" -std=c++20 -Wall -Wextra -pedantic -Werror -fsyntax-only "${flags[@]}" w.cpp || fault 'a world cannot be written in C++'

echo "$n_lines lines of C, $faults faults"
((faults == 0))
