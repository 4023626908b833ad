# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: LGPL-2.1-or-later
# What the tutorial on worlds promises of its commands, and of any SimGrid program.
cp "$root/test/simgrid/world.c" my_program.c
read -ra flags < <(pkg-config --cflags --libs iasim-simgrid simgrid)
cc my_program.c "${flags[@]}" -o my_program

after_page() {
  local name
  for name in memory postal; do grep -q "^  $name  " "$said" || fail "iasim list does not name $name"; done
  grep -q '^valid: s.json schedules' "$said" || fail 'check does not accept the plan'
  grep -q ': the plan was off by 0 %$' "$said" || fail "planned is not simulated"
  grep -q '^100 tasks, policy ia_single, world memory\[need=2e7,capacity=3e7\]$' "$said" || fail 'the farm did not run'
  grep -q '^48 runs of sinnen-smoke in worlds.db; 0 failed$' "$said" || fail "the sweep failed"
  read -ra flags < <(pkg-config --cflags iasim)
  cc -std=c11 -Wall -Wextra -Wconversion -pedantic -Werror -fPIC -shared "${flags[@]}" worlds.c -o strict.so
  # 1e9 flop while 1e7 bytes leave at 1e7 bytes/s. 2 copies of these and 8e7 of 9e7 bytes/s: 7/8 of the speed for 1 s,
  # then 1/8 of the work is left.
  iasim --plugin ./worlds.so exec --world 'memory[need=8e7,capacity=9e7]' -- ./my_program \
    "load:$root/test/simgrid/platform.xml" run \
    --log=root.thres:critical >out 2>&1 || true
  grep -qx 'computed until 1.125' out || fail "exec: $(cat out)"
}
