# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: LGPL-2.1-or-later
# What the tutorial on plugins promises: of its commands, on unrelated hosts, with CMake, in a checkout, and of a
# worse scheduler.
after_page() {
  grep -q '^  mine .*(plugin ./mine.so)$' "$said" || fail 'iasim list does not name it'
  grep -q '^mine  *10  *0\.[0-9]' "$said" || fail 'compare does not say that mine is better than list'
  grep -q ' 72 runs against mine.txt: 72 the same$' "$said" || fail 'baseline check does not say that all is the same'
  grep -q '^100 tasks, policy swift, ' "$said" || fail 'the policy did not run'
  local flags
  read -ra flags < <(pkg-config --cflags iasim)
  cc -std=c11 -Wall -Wextra -Wconversion -pedantic -Werror -fPIC -shared "${flags[@]}" mine.c -o strict.so
  unrelated_hosts
  cmake -G Ninja -S . -B by_cmake >/dev/null && cmake --build by_cmake >/dev/null
  iasim --plugin by_cmake/mine.so list schedulers | grep '^  mine ' >/dev/null ||
    fail 'mine.so made by CMake has no scheduler'
  in_checkout
  gets_worse "${flags[@]}"
}

# Some of them forbidden; alone and as a part of a portfolio.
unrelated_hosts() {
  local platform hosts commas scheduler model
  platform=$root/platforms/sinnen-hetero.xml
  hosts=$(sed -n 's/.*<host id="\([^"]*\)".*/\1/p' "$platform" | paste -sd,)
  commas=$(tr -dc , <<<"$hosts")
  printf 'digraph g { A [size=1]; B [size=1]; C [size=1]; A -> B [size=1000000]; A -> C [size=1000000]; }' >g.dot
  # A on the last, B on the first.
  printf '%s\n' "task,$hosts" "A,${commas}2" "B,3$commas" "C,4${commas//,/,4}" >costs.csv
  for scheduler in mine 'portfolio[of=list+mine]'; do
    for model in classic contention involvement; do
      iasim --plugin ./mine.so schedule -p "$platform" -g g.dot -m $model -s "$scheduler" --costs costs.csv -o s.json \
        >/dev/null
      iasim check -p "$platform" -g g.dot --costs costs.csv s.json >/dev/null
    done
  done
}

# With the headers and the program of a build that is not installed.
in_checkout() {
  local flags
  ninja -C "$prefix/../../.." -t graph iasim | grep package/include/iasim/plugin.h >/dev/null ||
    fail 'the headers are not built with the program'
  read -ra flags < <(PKG_CONFIG_PATH=$prefix/../../../package pkg-config --cflags iasim)
  cc -shared -fPIC "${flags[@]}" mine.c -o uninstalled.so
  IASIM_DATA=$root "$prefix/../../../sim/users/cli/iasim" --plugin ./uninstalled.so list policies |
    grep '^  swift ' >/dev/null ||
    fail 'the plugin of a build tree has no policy'
}

gets_worse() { # where it finishes last
  local status=0
  sed 's/best = finish_s < best_s/best = finish_s > best_s/' mine.c >worse.c
  ! cmp -s mine.c worse.c || fail 'the tutorial has changed: this test does not know how to make it worse'
  cc -shared -fPIC "$@" worse.c -o mine.so
  iasim --plugin ./mine.so baseline check sinnen-smoke --baseline mine.txt >out 2>err || status=$?
  [[ $status == 1 ]] || fail "a worse scheduler against the baseline: status $status, $(cat err)"
  grep -q 'iasim --plugin ./mine.so run sinnen-smoke .*--only ' out ||
    fail "no command that reruns a point: $(head -n 20 out)"
}
