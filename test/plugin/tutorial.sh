#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# tutorial.sh BUILD CC CXX: does what sim/plugin/README.md says, word by word, in an empty folder and with nothing but an
# installed iasim: its C file, its commands, its CMakeLists.txt. Then what it promises: a worse scheduler fails the baseline.
set -euo pipefail
build=$1 cc=$2 cxx=$3
page=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/sim/plugin/README.md
# shellcheck source=test/installed.sh
. "$(dirname "${BASH_SOURCE[0]}")/../installed.sh"
export PATH=$dir/prefix/bin:$PATH ASAN_OPTIONS=detect_leaks=0

# --- the text ---
blocks_of c >mine.c
blocks_of sh >commands
n_lines=$(awk '/^```/ { inside = !inside; next } inside' "$page" | wc -l)
((n_lines < 60 && n_lines > 30)) || fault "the tutorial has $n_lines lines of code"
[[ -s mine.c && -s commands ]] || fault 'the tutorial has no C file or no commands'

# --- its commands, with pkg-config ---
read -ra flags < <(pkg-config --cflags iasim)
"$cc" -std=c11 -Wall -Wextra -Wconversion -pedantic -Werror -fPIC -shared "${flags[@]}" mine.c -o strict.so ||
  fault 'mine.c or the headers have warnings'
if bash -euo pipefail commands >out 2>talk; then :; else
  cat out talk && fault 'the commands of the tutorial fail'
fi
grep -q '^  mine .*(plugin ./mine.so)$' out || fault 'iasim list does not name it'
grep -q '^mine  *10  *0\.[0-9]' out || fault "compare does not say that mine is better than list: $(cat out)"
grep -q ' 72 runs against mine.txt: 72 the same$' out || fault 'baseline check does not say that all is the same'
grep -q '^100 tasks, policy swift, ' out || fault 'the policy did not run'

# --- on unrelated hosts, some of them forbidden, and as a part of a portfolio ---
platform=$(find "$dir/prefix" -name sinnen-hetero.xml)
hosts=$(sed -n 's/.*<host id="\([^"]*\)".*/\1/p' "$platform" | paste -sd,)
commas=$(tr -dc , <<<"$hosts")
printf 'digraph g { A [size=1]; B [size=1]; C [size=1]; A -> B [size=1000000]; A -> C [size=1000000]; }' >g.dot
printf '%s\n' "task,$hosts" "A,${commas}2" "B,3$commas" "C,4${commas//,/,4}" >costs.csv # A on the last, B on the first
for scheduler in mine 'portfolio[of=list+mine]'; do
  for model in classic contention involvement; do
    if iasim --plugin ./mine.so schedule -p "$platform" -g g.dot -m $model -s "$scheduler" --costs costs.csv -o s.json &&
      iasim check -p "$platform" -g g.dot --costs costs.csv s.json; then :; else echo "$scheduler, $model: not so"; fi
  done
done >out 2>&1
grep -q 'not so$' out && fault "unrelated hosts: $(cat out)"
[[ $(grep -c '^valid: ' out) == 6 ]] || fault "unrelated hosts: $(cat out)"

# --- with CMake, in an empty folder beside it ---
mkdir by_cmake
cp mine.c by_cmake
blocks_of cmake >by_cmake/CMakeLists.txt
if cmake -G Ninja -S by_cmake -B by_cmake/build -DCMAKE_PREFIX_PATH="$dir/prefix" -DCMAKE_C_COMPILER="$cc" >log 2>&1 &&
  cmake --build by_cmake/build >>log 2>&1; then :; else cat log && fault 'find_package(iasim) and iasim_plugin() fail'; fi
iasim --plugin by_cmake/build/mine.so list schedulers | grep -q '^  mine ' || fault 'mine.so made by CMake has no scheduler'

# --- beside a checkout that is built and not installed ---
read -ra flags < <(PKG_CONFIG_PATH=$build/package pkg-config --cflags iasim)
"$cc" -shared -fPIC "${flags[@]}" mine.c -o uninstalled.so
"$build/sim/cli/iasim" --plugin ./uninstalled.so list policies | grep -q '^  swift ' || fault 'the plugin of a build tree has no policy'

# --- a change for the worse: where it finishes last ---
sed 's/best = finish_s < best_s/best = finish_s > best_s/' mine.c >worse.c
cmp -s mine.c worse.c && fault 'the tutorial has changed: this test does not know how to make it worse'
read -ra flags < <(pkg-config --cflags iasim)
"$cc" -shared -fPIC "${flags[@]}" worse.c -o mine.so
status=0
iasim --plugin ./mine.so baseline check sinnen-smoke --baseline mine.txt >out 2>talk || status=$?
[[ $status == 1 ]] || fault "a worse scheduler against the baseline: status $status, $(cat out talk)"
grep -q 'iasim --plugin ./mine.so run sinnen-smoke .*--only ' out || fault "no command that reruns a point: $(head -n 20 out)"

# --- C++ ---
printf '#include <iasim/plugin.h>\nIASIM_PLUGIN(.schedulers = {}, .policies = {}, .actors = {}, .models = {}, .worlds = {})\n' >empty.cpp
"$cxx" -std=c++20 -Wall -Wextra -pedantic -Werror -fsyntax-only "${flags[@]}" empty.cpp || fault 'the headers are no C++'

echo "$n_lines lines of code, $faults faults"
((faults == 0))
