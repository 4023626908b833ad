#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# no_links.sh IASIM: routes without links take their latency and nothing else, in every command. Hosts of a Vivaldi zone
# are as many ms apart as their coordinates say: a and b 5, a and c 0. Peers have links of their own besides.
# shellcheck source=test/cli/begin.sh
source "$(dirname "$0")/begin.sh"

platform() { # platform FILE OPTIM ELEMENTS: of a Vivaldi zone
  cat >"$1" <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config><prop id="network/model" value="CM02"/><prop id="network/crosstraffic" value="0"/>
    <prop id="network/TCP-gamma" value="0"/><prop id="network/optim" value="$2"/></config>
  <zone id="world" routing="Vivaldi">$3</zone>
</platform>
XML
}
costs='<prop id="ir_send" value="0.5"/><prop id="ir_recv" value="0.5"/><prop id="involvement_send" value="1"/>
  <prop id="involvement_recv" value="1"/>'
hosts="<host id='a' speed='1000f' coordinates='1 2 0'>$costs</host><host id='b' speed='1000f' coordinates='4 6 0'>$costs</host>
  <host id='c' speed='1000f' coordinates='1 2 0'>$costs</host>"
peers="<peer id='a' speed='1000f' coordinates='1 2 0' bw_in='2MBps' bw_out='1MBps'/>
  <peer id='b' speed='1000f' coordinates='4 6 0' bw_in='2MBps' bw_out='1MBps'/>
  <peer id='c' speed='1000f' coordinates='1 2 0' bw_in='2MBps' bw_out='1MBps'/>"
cloud="<zone id='dc1' routing='Vivaldi'><host id='a0' speed='1000f' coordinates='1 2 0'/>
    <host id='a1' speed='1000f' coordinates='4 6 0'/></zone>
  <zone id='dc2' routing='Vivaldi'><host id='b0' speed='1000f' coordinates='1 2 0'/>
    <host id='b1' speed='1000f' coordinates='1 2 0'/></zone>
  <link id='trunk' bandwidth='1MBps' latency='0s'/>
  <zoneRoute src='dc1' dst='dc2' gw_src='a0' gw_dst='b0'><link_ctn id='trunk'/></zoneRoute>"

finishes() { # finishes PLATFORM WORLD SCRIPT DATES: to nine digits
  local got
  got=$(printf '%b' "$3" >s.txt && timeout 20 "$iasim" activities --platform "$1" --world "$2" s.txt |
    sed -n 's/.*"finish_s": \([^,]*\),*/\1/p' | awk '{printf "%s%.9g", NR == 1 ? "" : " ", $1}')
  [[ $got == "$4" ]] || fault "$1, $2: finishes at '$got', expected '$4'"
}

# What ends meanwhile (line 2) makes SimGrid look at the network again.
script='comm 0 a b 1000000\nexec 0 a 2\nexec 0.003 b 1\ncomm 0.004 b a 0\ncomm 2 a c 7000000\nexec 3 a 1000\n'
for optim in Lazy Full; do
  platform plain.xml $optim "$hosts"
  platform peers.xml $optim "$peers"
  for world in none interference involvement; do
    finishes plain.xml $world "$script" '0.005 0.002 0.004 0.009 2 4'
    # to itself
    finishes plain.xml $world 'comm 0 a a 0\ncomm 0.1 b b 498000000\nexec 0 b 500\n' '0 0.1 0.5'
    finishes peers.xml $world "$script" '1.005 0.002 0.004 0.009 9 4'
  done
done
platform plain.xml Lazy "$hosts"
platform cloud.xml Lazy "$cloud"
sed -i 's/id="world" routing="Vivaldi"/id="world" routing="Full"/' cloud.xml
finishes cloud.xml interference 'comm 0 a1 b1 1000000\ncomm 0 b0 b1 9\ncomm 0 a0 a1 9\nexec 0 a1 2\nexec 0 b1 500\n' \
  '1.005 0 0.005 0.002 0.5'

# A farm whose only leaf is 5 ms away, or nowhere else: 1 s a task on each of two hosts, two
# buffers. The leaf never waits for a task; with what it has fetched ahead it computes six of ten.
farm() { # farm LEAF MAKESPAN
  cat >d.xml <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <actor host="a" function="farm_node"/>
  <actor host="$1" function="farm_node"><argument value="a"/><prop id="max_transfer_rate" value="1"/></actor>
</platform>
XML
  for world in none interference involvement; do
    out=$(timeout 20 "$iasim" farm --platform plain.xml --deployment d.xml --policy bwc --tasks 10 --send-size 1 \
      --compute-size 1000 --world $world --json 2>&1) || fault "farm $1, $world: $out"
    out=$(sed -n 's/.*"makespan_s": \([^,]*\),/\1/p' <<<"$out" | awk '{printf "%.9g", $1}')
    [[ $out == "$2" ]] || fault "farm $1, $world: makespan $out, expected $2"
  done
}
farm b 6.005
farm c 6

# Schedules: A on one host, B and C wherever they are done first.
printf 'digraph g {\n A [size="1000"]; B [size="1000"]; C [size="1000"];\n A -> B [size="1e6"]; A -> C [size="1e6"];\n}\n' >g.dot
for model in classic contention involvement; do
  "$iasim" schedule --platform plain.xml --graph g.dot --scheduler list --model $model --out s.json >out 2>&1 ||
    fault "schedule $model: $(cat out)"
  "$iasim" check --platform plain.xml --graph g.dot s.json >out 2>&1 || fault "check $model: $(cat out)"
  for links in fluid exclusive; do
    for world in none interference involvement; do
      out=$(timeout 20 "$iasim" replay --platform plain.xml --graph g.dot --world $world --links $links s.json 2>&1) ||
        fault "replay $model $world $links: $out"
      expect "replay $model $world $links" 'planned 2 s, simulated 2 s'
    done
  done
done

# On links that take turns there is nothing to take turns for: the latency alone, as on shared ones.
printf 'A a\nB b\nC c\n' >allocation
"$iasim" schedule --platform plain.xml --graph g.dot --scheduler 'list[approach=alloc1]' --model classic --allocation allocation --out s.json >out 2>&1 ||
  fault "schedule on three hosts: $(cat out)"
for world in none interference; do
  "$iasim" replay --platform plain.xml --graph g.dot --world $world --links fluid s.json --json >fluid
  "$iasim" replay --platform plain.xml --graph g.dot --world $world --links exclusive s.json --json >exclusive
  python3 -c '
import json, sys
fluid, exclusive = (json.load(open(f)) for f in ("fluid", "exclusive"))
starts = [[t["start_s"] for t in r["tasks"]] for r in (fluid, exclusive)]
assert starts[0][1] > fluid["tasks"][0]["finish_s"], starts
sys.exit(max(abs(a - b) for a, b in zip(*starts)) > 1e-12)' || fault "links that take turns, $world: other dates"
done

# A route that is missing is still one.
platform missing.xml Lazy "$hosts"
sed -i 's/Vivaldi/Full/; s/coordinates=.[0-9 ]*.//' missing.xml
printf 'comm 0 a b 1\n' >s.txt
out=$("$iasim" activities --platform missing.xml s.txt 2>&1) && fault "a missing route: $out"
expect 'a missing route' "there is no route from host 'a' to host 'b'"

echo "$faults faults"
((faults == 0))
