#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# face.sh BUILD CC CXX SANITIZERS: installs into an empty folder and uses the library from outside: face.c, which
# calls every function, in C and C++, with and without a locale whose decimal point is a comma. Its figures are those
# of the program.
set -euo pipefail
build=$1 cc=$2 cxx=$3 sanitizers=${4-}
tutorial=$PWD/sim/planning/plugin/README.md face=$PWD/test/library/face.c checkout=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
faults=0
fault() { echo "$*" && faults=$((faults + 1)); }
cmake --install "$build" --prefix "$dir/prefix" >"$dir/log" || { cat "$dir/log" && exit 1; }
mkdir "$dir/work"
cd "$dir/work"
unset IASIM_DATA
PKG_CONFIG_PATH=$(dirname "$(find "$dir/prefix" -name iasim.pc)")
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH LD_LIBRARY_PATH PATH=$dir/prefix/bin:$PATH ASAN_OPTIONS=detect_leaks=0
sanitize=()
[[ -z $sanitizers ]] || sanitize=("-fsanitize=$sanitizers")
number() { sed -n "s/^ *\"$1\": \([-0-9.e+]*\),\?$/\1/p" | head -n 1; }

# --- every function ---
iasim graph generate 'layered[tasks=20]' --seed 1 --out graph.dot
printf '<platform version="4.1">\n<zone id="z" routing="Full">\n</platform>\n' >broken.xml
cat >aborts.xml <<END
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Vivaldi"><zone id="x" routing="Full"><host id="a" speed="1f"/></zone>
<zone id="y" routing="Full"><host id="b" speed="1f"/></zone></zone></platform>
END
awk '/^```/ { inside = /^```c / ; next } inside' "$tutorial" >mine.c
read -ra flags < <(pkg-config --cflags --libs iasim)
"$cc" -shared -fPIC "${flags[0]}" mine.c -o mine.so
iasim schedule --platform platforms/star-8.xml --graph graph.dot --model contention \
  --scheduler 'list[technique=insertion]' --out cli.json --json >summary
iasim --plugin ./mine.so schedule --platform platforms/star-8.xml --graph graph.dot --model contention \
  --scheduler mine \
  --out cli_plugin.json >/dev/null
sed 's/"start_s":[0-9.e+-]*/"start_s":0/' cli.json >invalid.json
# Seconds of tasks on unrelated hosts: 1, 2, 3, 4, 5, 1 ... on all hosts but leaf2.
{
  sed -n 's/.*<host id="\([^"]*\)".*/\1/p' "$checkout/platforms/star-8.xml" | paste -sd, | sed 's/^/task,/'
  sed -n 's/^ *"\?\([a-z0-9_]*\)"\? \[.*/\1/p' graph.dot | awk -v hosts=9 '{
    line = $1
    for (h = 1; h <= hosts; h++) line = line "," (h == 3 ? "" : (NR - 1) % 5 + 1)
    print line
  }'
} >costs.csv
iasim schedule --platform platforms/star-8.xml --graph graph.dot --model contention --scheduler heft --costs costs.csv \
  --out unrelated_cli.json --json >unrelated

figures() {
  echo "length_s $(number length_s <summary)"
  iasim replay --platform platforms/star-8.xml --graph graph.dot --world interference cli.json --json >json
  echo "makespan_s $(number makespan_s <json)"
  echo "unrelated_s $(number length_s <unrelated)"
  iasim farm --platform platforms/star-8.xml --deployment deployments/star-8.xml --policy ia_multi --tasks 200 \
    --send-size 2 \
    --compute-size 50 --json >json
  echo "farm_makespan_s $(number makespan_s <json)"
  echo "farm_steady_tasks_per_s $(number steady_tasks_per_s <json)"
  iasim bound --platform platforms/star-8.xml --deployment deployments/star-8.xml --send-size 2 --compute-size 50 \
    --ports multi \
    --json >json
  echo "bound_tasks_per_s $(number throughput_tasks_per_s <json)"
  echo "version $(iasim --version)"
}
figures >expected
runs() { # runs PROGRAM [VARIABLE=VALUE]...: as it should
  rm -f face.json plugin.json
  env "${@:2}" "$1" graph.dot ./mine.so >out 2>talk || fault "$1: $(cat talk)"
  tr ',' '.' <out | cmp - expected || fault "$1: other figures than the program: $(diff out expected)"
  cmp face.json cli.json && cmp plugin.json cli_plugin.json || fault "$1: other schedules than the program"
  [[ $("$1") == "$(iasim --version)" ]] || fault "$1: iasim_main does not print the version"
}
strict=(-Wall -Wextra -Wshadow -Wconversion -pedantic -Werror "${sanitize[@]}")
"$cc" -std=c11 "${strict[@]}" "$face" "${flags[@]}" -lm -o by_c || fault 'face.c is not C11 without warnings'
runs ./by_c
./by_c --survive aborts.xml graph.dot 2>talk || fault "SimGrid aborts: $(cat talk)"
cp "$face" face.cpp
"$cxx" -std=c++17 "${strict[@]}" face.cpp "${flags[@]}" -o by_cxx || fault 'face.c is not C++17 without warnings'
runs ./by_cxx

# Where the decimal point is a comma.
if localedef -i de_DE -f UTF-8 "$dir/de_DE.UTF-8" >/dev/null 2>&1; then
  runs ./by_c "LOCPATH=$dir" LC_ALL=de_DE.UTF-8
  grep -q '^decimal point ,' talk || fault "the locale was not taken: $(cat talk)"
else
  echo 'no localedef or no locale data: not tried with a comma'
fi

# --- plugins in C++ ---
cat >plugin.cpp <<END
#include <iasim/plugin.h>
static double f(const world_model *, const host *, const world_flow *w, size_t n)
{ return world_regime(w, n) == REGIME_DUPLEX ? .5 : 1; }
static const world_model w = {"w", "s", nullptr, nullptr, f, nullptr, 0, nullptr, nullptr, nullptr};
IASIM_PLUGIN(.schedulers = {}, .policies = {}, .actors = {}, .models = {}, .worlds = {&w})
END
"$cxx" -std=c++20 -Wall -Wextra -pedantic -Werror -fsyntax-only "${flags[@]}" plugin.cpp ||
  fault 'a plugin cannot be written in C++'

echo "$faults faults"
((faults == 0))
