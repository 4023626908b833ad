#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# python.sh IASIM: closed forms in Python (closed.py) under `iasim exec`, and the same bytes as without it where
# transfers cost nothing.
# shellcheck source=test/simgrid/begin.sh
source "$(dirname "$0")/begin.sh"
python=/usr/bin/python3 program=$here/closed.py
needs $python -c 'import simgrid' python3-simgrid

run charged "$iasim" exec -- $python "$program" charged
run free $python "$program" free
run none "$iasim" exec --world none -- $python "$program" free
for mode in zero tiny; do
  run $mode "$iasim" exec -- $python "$program" $mode
done
same free none zero tiny

echo "$faults faults"
((faults == 0))
