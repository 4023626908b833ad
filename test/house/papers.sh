#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# papers.sh IASIM: doc/papers.md has all claims, and the verdicts that the scenarios of [K] give; house_demo looks at
# those of [S].
set -euo pipefail
iasim=$1
export IASIM_DATA=$PWD
python3 test/house/papers.py

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
report() { # report SCENARIO OPTION...
  "$iasim" report "$1" "$scratch/$1.db" "${@:2}" --json >"$scratch/$1.json"
}
run() { "$iasim" run "$1" "${@:2}" --quiet --out "$scratch/$1.db" >/dev/null; }
settings='bandwidth=uplink=10.7;stream=10.7,uplink=11;stream=10.45'
run kreaseck-interference && report kreaseck-interference
run kreaseck-interference-c && report kreaseck-interference-c
run kreaseck-fork-limit --set "$settings" && report kreaseck-fork-limit --set "$settings"
run kreaseck-fork && run kreaseck-fork-bound
root=$PWD
(cd "$scratch" && "$iasim" report kreaseck-fork --report kreaseck --json >kreaseck-fork.json)
cd "$root"
python3 test/house/papers.py "$scratch"/*.json
