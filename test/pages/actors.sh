# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: LGPL-2.1-or-later
# What the page on actors claims of its commands, of another platform, and of CMake.
after_page() {
  local n_tasks n_sent busy flags
  grep -q '^  stealing  *idle nodes ask their neighbours  (plugin ./stealing.so)$' "$said" ||
    fail 'iasim list does not name it'
  grep -q '^1000 tasks, policy ia_single, ' "$said" || fail 'the farm did not run'
  read -r n_tasks n_sent busy < <(awk '/^leaf/ { tasks += $2; sent += $3; busy += $4; n++ }
    END { print tasks, sent, busy / n }' "$said")
  awk -v s="$n_sent" -v n="$n_tasks" 'BEGIN { exit !(s > 0.4 * n && s < 0.6 * n) }' ||
    fail "the leaves sent on $n_sent tasks and computed $n_tasks: not half"
  awk -v b="$busy" 'BEGIN { exit !(b > 80 && b < 84) }' || fail "the leaves are busy $busy %"
  grep -qE '^stealing  *10  *1\.[0-9]' "$said" || fail 'compare does not say that stealing is slower'
  iasim --plugin ./stealing.so farm --platform platforms/kreaseck-fork.xml --deployment deployments/kreaseck-fork.xml \
    --policy ia_single --tasks 100 --send-size 1 --compute-size 5 --engine actors --actor stealing >on_fork
  [[ $(awk 'NR > 4 && NF == 7 { sum += $2 } END { print sum }' on_fork) == 100 ]] ||
    fail "tasks are lost: $(cat on_fork)"
  read -ra flags < <(pkg-config --cflags iasim simgrid)
  cc -std=c11 -Wall -Wextra -Wconversion -pedantic -Werror -fPIC -shared "${flags[@]}" stealing.c -o strict.so
  cmake -G Ninja -S . -B by_cmake >/dev/null && cmake --build by_cmake >/dev/null
  iasim --plugin by_cmake/stealing.so list actors | grep '^  stealing ' >/dev/null ||
    fail 'stealing.so made by CMake has no actor'
}
