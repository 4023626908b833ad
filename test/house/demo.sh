#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# demo.sh IASIM: the main job from end to end: tables, claims, results, and a picture that the same results give again.
set -euo pipefail
iasim=$1
export IASIM_DATA=$PWD

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
faults=0
fault() { echo "$*" && faults=$((faults + 1)); }

"$iasim" demo --out demo >out 2>said </dev/null || { cat out said && exit 1; }
for text in 'Tasks of 10 MB' 'What the paper says' 'RootComputes is best at 10 MB and 1 unit' \
  'Estimation error' 'What the chapter claims' 'What ignoring contention costs'; do
  grep -q "$text" out || fault "the demo does not say: $text"
done
[[ $(wc -l <demo/kreaseck-fork.csv) == 145 ]] || fault "$(wc -l <demo/kreaseck-fork.csv) lines of results, not 144 and a head"
[[ $(wc -l <demo/sinnen-accuracy.csv) == 3781 ]] || fault "$(wc -l <demo/sinnen-accuracy.csv) lines of results, not 3780 and a head"
! tail -n +2 demo/sinnen-accuracy.csv | grep -v ',$' || fault 'these points failed'
! tail -n +2 demo/kreaseck-fork.csv | grep -v ',$' || fault 'these points failed' # the last column is the error

if /usr/bin/python3 -c 'import matplotlib' 2>/dev/null; then
  for kind in svg png; do [[ -s demo/figure5.$kind ]] || fault "no figure5.$kind"; done
  /usr/bin/python3 "$IASIM_DATA/analysis/policies.py" demo/kreaseck-fork.csv --bound demo/kreaseck-fork-bound.csv --out again
  /usr/bin/python3 "$IASIM_DATA/analysis/accuracy.py" demo/sinnen-accuracy.csv --out again_accuracy
  for kind in svg png; do cmp demo/accuracy.$kind again_accuracy.$kind || fault "the same results give another $kind"; done
  for kind in svg png; do cmp demo/figure5.$kind again.$kind || fault "the same results give another $kind"; done
else
  echo 'no python3-matplotlib: the picture was not tried'
  grep -q 'no figure was drawn' said || fault 'the demo does not say that it drew nothing'
fi

echo "$faults faults"
((faults == 0))
