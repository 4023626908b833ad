#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# smpi.sh IASIM [N [FIRST [all|one|passive]]]: programs of random schedules on SMPI have the dates of replay, to 1e-9,
# and lose no byte; N cases (default 12), from case number FIRST (default 0) on. Each prints what it was made of, and
# the largest relative difference of two dates.
#
#   worlds that charge nothing, interference (by `iasim exec`), or overheads alone: on any links
#   involvement: on links that nobody shares (fat pipes)
#   --blocking: as replay --waiting active, any world, on any links
#   a rendezvous by hardware, some of its messages eager: any world, on any links
#
# one: each case in one of these ways, in turn (`smpi.sh IASIM 200 0 one` is the campaign). passive: involvement on
# shared links without --blocking, where nothing is promised: differences are printed and are no faults.
set -euo pipefail
# shellcheck source=test/codegen/need.sh
. "$(dirname "${BASH_SOURCE[0]}")/need.sh"
# shellcheck source=test/cli/begin.sh
. "$(dirname "${BASH_SOURCE[0]}")/../cli/begin.sh"
n_cases=${2-12} first=${3-0} ways=${4-all}
need smpicc libsimgrid-dev
compile_once

# The platforms: those of [S] 8.4.3 that come with iasim, and a star of fat pipes with latency, where costs depend on
# the size.
platforms=(sinnen-star-full sinnen-star-half sinnen-bus sinnen-cluster sinnen-hetero fat)
{
  echo "<?xml version='1.0'?><!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'><platform version='4.1'>"
  echo "<config><prop id='network/model' value='CM02'/><prop id='network/crosstraffic' value='0'/></config>"
  echo "<zone id='z' routing='Full'>"
  for h in 0 1 2 3 4; do
    echo "<host id='h$h' speed='$((h + 1))e8f'><prop id='overhead_send' value='0:1e-4:0;5e4:2e-4:1e-10'/>"
    echo "<prop id='overhead_recv' value='2e-4'/>"
    echo "<prop id='involvement_send' value='0:0.7;5e4:0.3'/><prop id='involvement_recv' value='0:0.4;8e4:0'/></host>"
  done
  for from in 0 1 2 3 4; do
    for to in 0 1 2 3 4; do
      ((from != to)) || continue
      echo "<link id='l$from$to' bandwidth='1$from${to}MBps' latency='${to}e-4' sharing_policy='FATPIPE'/>"
    done
  done
  for from in 0 1 2 3 4; do
    for to in 0 1 2 3 4; do
      ((from == to)) || echo "<route src='h$from' dst='h$to' symmetrical='NO'><link_ctn id='l$from$to'/></route>"
    done
  done
  echo "</zone></platform>"
} >fat.xml

graphs=('layered[work_flop=1e5,tasks=24,heterogeneity=0.9]' 'series_parallel[work_flop=1e5,tasks=25]'
  'fork_join[work_flop=1e5,branches=6,stages=2]' 'gauss[work_flop=1e5,size=5]' 'stencil[work_flop=1e5,width=4,steps=4]')
beliefs=(involvement classic contention)
approaches=(alloc1 alloc2 alloc3)
ccrs=(0.1 1 10)

make_case() { # make_case NUMBER: g.dot, s.json, the names in $what, and the world in `world`
  local i=$1
  platform=${platforms[i % 6]}.xml
  [[ -e $platform ]] || platform=platforms/$platform
  belief=${beliefs[i % 3]} graph=${graphs[i / 3 % 5]} ccr=${ccrs[i / 2 % 3]} approach=${approaches[i / 5 % 3]}
  "$iasim" graph generate "$graph" --seed "$i" --ccr "$ccr" --platform "$platform" --out drawn.dot 2>/dev/null
  # whole bytes, at least 16
  sed -E '/->/ s/size="([0-9]*)(\.[0-9]*)?(e[^"]*)?"/size="1\1"/' drawn.dot >g.dot
  # a task goes anywhere, so there are many messages
  hosts=(p0 p1 p2 p3 p4 p5 p6 p7)
  [[ $platform != fat.xml ]] || hosts=(h0 h1 h2 h3 h4)
  [[ $platform != *cluster.xml ]] || hosts=(c0p0 c0p1 c0p2 c1p0 c1p1 c1p2)
  RANDOM=$i
  sed -nE 's/^ *("?[A-Za-z0-9_]+"?) \[.*/\1/p' drawn.dot | tr -d '"' | while read -r task; do
    echo "$task ${hosts[RANDOM % ${#hosts[@]}]}"
  done >allocation.txt
  "$iasim" schedule --platform "$platform" --graph g.dot --model "$belief" --allocation allocation.txt \
    --scheduler "list[approach=$approach]" --out s.json >/dev/null
  what="case $i ($platform, $graph, CCR $ccr, $belief, $approach)"
}

worlds() { # worlds CASE: the ways in which its program must agree with replay, a line of options each
  local number=$1
  if [[ $ways == passive ]]; then
    echo '--world involvement'
    return
  fi
  echo '--world none'
  [[ $platform == fat.xml ]] || echo '--world interference'
  echo '--world involvement --overhead 3e-3 --involvement 0'
  [[ $platform != fat.xml ]] || echo '--world involvement'
  echo '--world none --waiting rendezvous[progress=hardware]'
  echo '--world involvement --waiting rendezvous[progress=hardware,eager=100000]'
  echo '--world none --blocking'
  echo '--world involvement --blocking'
  ((number % 3)) || echo '--world involvement --overhead 3e-3 --involvement 0.6 --blocking'
}

agree() { # the tasks of replayed.json and ran.json; prints the largest relative difference of two dates
  python3 - <<'PY'
import json, sys
ran, replayed, plan = (json.load(open(name)) for name in ("ran.json", "replayed.json", "s.json"))
size = {}
for line in open("g.dot"):
    words = line.split('"')
    if "->" in line:
        size[words[1], words[3]] = int(words[5])
sent = sum(size[edge["src"], edge["dst"]] for edge in plan["edges"] if not edge["local"])
assert len(ran["tasks"]) == len(replayed["tasks"]) > 0
worst = abs(ran["replayed_s"] - replayed["makespan_s"])
for a, b in zip(ran["tasks"], replayed["tasks"]):
    assert (a["name"], a["host"]) == (b["name"], b["host"])
    worst = max([worst] + [abs(a[key] - b[key]) / max(b[key], 1e-9) for key in ("start_s", "finish_s")])
print(f"{worst:.2g}, {sent} bytes")
sys.exit(worst > 1e-9 or ran["bytes_checked"] != sent)
PY
}

for ((i = first; i < first + n_cases; i++)); do
  make_case "$i"
  while read -r options; do
    read -ra words <<<"$options"
    rm -rf program
    "$iasim" codegen --platform "$platform" --graph g.dot --out program --run smpi --json "${words[@]}" s.json \
      >ran.json ||
      { fault "$what: $options" && continue; }
    # shellcheck disable=SC2086 # several words; what codegen calls --blocking, replay calls --waiting active
    "$iasim" replay --platform "$platform" --graph g.dot --json ${options//--blocking/--waiting active} s.json \
      >replayed.json
    result=$(agree) || [[ $ways == passive ]] || fault "$what: $options: differs"
    echo "$what: $options: $result"
  done < <(worlds "$i" | if [[ $ways == one ]]; then sed -n "$((i % 7 + 1))p"; else cat; fi)
done

echo "$faults faults"
((faults == 0))
