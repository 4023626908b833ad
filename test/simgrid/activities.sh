#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# activities.sh IASIM SCRIPT [FIRST LAST]: random activity scripts, one for each seed from FIRST to LAST (1 to 20),
# have the same dates to 1e-9 whether `iasim activities` carries them out or SimGrid actors under `iasim exec`
# (script.c). So do they where transfers cost nothing; and at least half of the scripts have dates that depend on the
# world. SimGrid's lazy updates never end a transfer whose latency a profile changes, so SimGrid's actors have full
# ones.
# shellcheck source=test/simgrid/begin.sh
source "$(dirname "$0")/begin.sh"
script=$2 first=${3:-1} last=${4:-20}

same() { # same A B: two files of numbers
  paste "$1" "$2" | awk '
    function differ(a, b) { d = a - b; if (d < 0) d = -d; m = a > b ? a : b; return d > 1e-9 * (m > 1 ? m : 1) }
    NF != 4 || differ($1, $3) || differ($2, $4) { print "line " NR ": " $0; wrong = 1 }
    END { exit wrong || NR == 0 }'
}
differing=0
for ((seed = first; seed <= last; seed++)); do
  "$script" make "$seed"
  updates=()
  ! grep -q latency_file platform.xml || updates=(--cfg=network/optim:Full)
  for world in interference none; do
    "$iasim" activities -p platform.xml --world $world script.txt >json 2>log || fault "seed $seed: $(cat log)"
    grep -oP '"(start|finish)_s": \K[^,} ]*' json | paste - - >events.$world
    "$iasim" exec --world $world -- "$script" run platform.xml script.txt "${updates[@]}" >actors.$world 2>log ||
      fault "seed $seed: $(cat log)"
    same events.$world actors.$world || fault "seed $seed, world $world: dates differ (activities, actors)"
  done
  cmp -s actors.interference actors.none || differing=$((differing + 1))
done
echo "$((last - first + 1)) scripts, $differing of them slowed by transfers, $faults faults"
((faults == 0 && 2 * differing > last - first))
