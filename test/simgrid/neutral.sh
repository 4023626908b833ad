#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# neutral.sh IASIM PROGRAM: the programs of neutral.cpp print the same bytes under `iasim exec` as without it if
# transfers cost nothing, and others if they cost something. (closed.sh, python.sh and smpi.sh compare their programs
# likewise.)
# shellcheck source=test/simgrid/begin.sh
source "$(dirname "$0")/begin.sh"
program=$2

for cfg in "" --cfg=network/optim:Full; do
  words=(${cfg:+"$cfg"})
  run free "$program" free "${words[@]}"
  run none "$iasim" exec --world none -- "$program" free "${words[@]}"
  for mode in zero tiny; do
    run $mode "$iasim" exec -- "$program" $mode "${words[@]}"
  done
  same free none zero tiny
  run charged "$iasim" exec -- "$program" free "${words[@]}"
  ! cmp -s free charged || fault "interference changes nothing"
done

echo "$(grep -c '^end' free) programs, $faults faults"
((faults == 0))
