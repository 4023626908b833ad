#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# shipped_platforms.sh IASIM: on every shipped platform of [S] a graph is planned under involvement, the plans are
# valid, and on exclusive links in the world `involvement` they take as long as planned.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

# carry_out PLATFORM SCHEDULER: g.dot, under involvement
carry_out() {
  ends_with 0 schedule --platform "$1" --graph g.dot --model involvement --scheduler "$2" --out s.json
  ends_with 0 check --platform "$1" --graph g.dot s.json
  ends_with 0 replay --platform "$1" --graph g.dot --world involvement --links exclusive s.json --json
  awk '$1 == "\"planned_s\":" && $2 > 0 { planned = 1 }
       $1 == "\"estimation_error_ratio\":" && $2 + 0 <= 1e-9 { exact = 1 }
       END { exit !(planned && exact) }' out || fault "$*: $(head -12 out)"
}

n=0
graph='layered[tasks=40,width=8,work_flop=3e5,size_bytes=6e4,heterogeneity=0.9]'
for platform in "$IASIM_DATA"/platforms/sinnen-*.xml; do
  # messages of 6 kB to 114 kB: on both sides of a threshold of 64 kB
  ends_with 0 graph generate "$graph" --seed 3 --out g.dot
  carry_out "$platform" list
  carry_out "$platform" heft
  n=$((n + 1))
done
((n >= 13)) || fault "$n platforms"
echo "$n platforms, $faults faults"
((faults == 0))
