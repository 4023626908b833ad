#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# closed.sh IASIM PROGRAM: a program of closed forms (closed.h) finds the world interference under `iasim exec`,
# whichever way SimGrid updates its actions, and nothing of it otherwise: in world none, and with rates of 0 or next
# to it, all that it prints is the same bytes as without iasim.
# shellcheck source=test/simgrid/begin.sh
source "$(dirname "$0")/begin.sh"
program=$2

full=(--cfg=network/optim:Full --cfg=cpu/optim:Full)
run charged "$iasim" exec -- "$program" charged
run charged_full "$iasim" exec -- "$program" charged "${full[@]}"
run free "$program" free
for mode in zero tiny; do
  run $mode "$iasim" exec -- "$program" $mode
done
run none "$iasim" exec --world none -- "$program" free
same free zero tiny none
run free_full "$program" free "${full[@]}"
run tiny_full "$iasim" exec -- "$program" tiny "${full[@]}"
same free_full tiny_full

echo "$(grep -c '^[a-z_0-9]*$' charged) cases, $faults faults"
((faults == 0))
