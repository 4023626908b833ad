# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: LGPL-2.1-or-later
# The program of the page on the library plans and simulates as iasim does, says what is wrong, and is built by CMake,
# too: with what is installed, and in the build tree.
number() { sed -n "s/^ *\"$1\": \([-0-9.e+]*\),\?$/\1/p" "$2" | head -n 1; }

after_page() {
  local on=(--platform platforms/sinnen-bus.xml --graph graph.dot) place flags status=0
  iasim schedule "${on[@]}" --model involvement --scheduler 'list[technique=insertion]' --out cli.json --json >planned
  cmp plan.json cli.json || fail 'the plan of the page is not that of the program'
  iasim replay "${on[@]}" --world involvement cli.json --json >simulated
  [[ $(tail -n 1 "$said") == "$(printf 'planned %.6g s, simulated %.6g s' \
    "$(number length_s planned)" "$(number makespan_s simulated)")" ]] ||
    fail "the page's program prints other figures than iasim"
  ./plan none.dot >out 2>err || status=$?
  [[ $status == 1 && $(cat err) == none.dot:* ]] || fail "the page's program without a graph: $status, $(cat err)"
  mkdir cmake
  cp plan.c CMakeLists.txt cmake
  for place in "$prefix" "$prefix/../../../package"; do
    cmake -G Ninja -S cmake -B cmake/build -DCMAKE_PREFIX_PATH="$place" >/dev/null &&
      cmake --build cmake/build >/dev/null
    IASIM_DATA=$root cmake/build/plan graph.dot >out || fail "the program that CMake made with $place fails"
    rm -r cmake/build
  done
  read -ra flags < <(PKG_CONFIG_PATH=$prefix/../../../package pkg-config --cflags --libs iasim)
  cc plan.c "${flags[@]}" -o uninstalled
  IASIM_DATA=$root LD_LIBRARY_PATH=$prefix/../../../sim/users/cli ./uninstalled graph.dot >out ||
    fail 'the program of the build tree fails'
}
