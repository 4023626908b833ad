#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# bound.sh IASIM: what `iasim bound` prints for a small fork, solved by hand. Tasks of 1 MB and 1 unit: C = 10; a and b
# can do 2 and 3 (a believes 2), b(a) = 0.1, b(b) = 0.2, c costs 10 * 0.1 = 1 and is pruned.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"
cat >p.xml <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="z" routing="Full">
    <host id="root" speed="10f">
      <prop id="ir_send.a" value="0.01"/><prop id="ir_send.b" value="0.02"/><prop id="ir_send.c" value="0.125"/>
    </host>
    <host id="a" speed="7f"/> <host id="b" speed="3f"/> <host id="c" speed="9f"/>
    <link id="up" bandwidth="4MBps" latency="0s"/>
    <route src="root" dst="a"><link_ctn id="up"/></route>
    <route src="root" dst="b"><link_ctn id="up"/></route>
    <route src="root" dst="c"><link_ctn id="up"/></route>
  </zone>
</platform>
XML
cat >d.xml <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <actor host="root" function="farm_node"/>
  <actor host="a" function="farm_node"><argument value="root"/><prop id="compute_rate" value="2"/></actor>
  <actor host="b" function="farm_node"><argument value="root"/></actor>
  <actor host="c" function="farm_node"><argument value="root"/></actor>
</platform>
XML

bound() { "$iasim" bound -p p.xml -d d.xml --send-size 1 --compute-size 1 "$@"; }
expect() { # expect WHAT TEXT: in the output `out`, blanks not minded
  grep -qF -- "$2" <<<"$(tr -s ' \n' ' ' <<<"$out")" || fault "$1: expected '$2' in: $out"
}

out=$(bound --ports multi) # 10 + 2 * 0.9 + 3 * 0.8
expect table 'At most 14.2 tasks/s (multi-port, physical)'
expect table 'root 14.2 9.2 none c'
expect table 'b 3 3 none'
expect table 'a root 2 4 0.01 0 -'
expect table 'Warning: root has no send_limit, but 2 of its children share link up of 4 MB/s and are given 5 MB/s'
said=$(bound --ports multi 2>&1 >/dev/null)
[[ $said == 'd.xml: a belief differs from the platform by more than a factor of 2: compute_rate of host a is 2 flop/s (its speed: 7)' ]] ||
  fault "of a, which believes 2 of 7: $said"
for method in greedy lp physical; do # a in half of the time, b in the other: 2 of its 3
  out=$(bound --ports single --method $method)
  expect $method "At most 13.4 tasks/s (single-port, $method)"
  out=$(bound --ports single --method $method --json)
  expect $method '{ "ports": "single", "method": "'$method'", "throughput_tasks_per_s": 13.'
  expect $method '"warning": null, "nodes": [ { "host": "root", "total_tasks_per_s": 13.'
  expect $method '"stopped_by": "send_limit", "pruned": [ "c" ] }'
  expect $method '{ "host": "a", "total_tasks_per_s": 2.0, "computed_tasks_per_s": 2.0, "stopped_by": "none", "pruned": [] }'
done
# A leaf whose transfer asks for twice the root's processor: 2 tasks/s in 0.2 of the time, and the root computes in 0.8.
cat >p.xml <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="z" routing="Full">
    <host id="root" speed="1f"><prop id="ir_send" value="0.2"/></host> <host id="a" speed="2f"/>
    <link id="l" bandwidth="10MBps" latency="0s"/>
    <route src="root" dst="a"><link_ctn id="l"/></route>
  </zone>
</platform>
XML
sed -i '/host="[bc]"/d; s/<prop.*\/>//' d.xml
for ports in multi single; do
  out=$(bound --ports $ports --json)
  expect leaf '"method": "physical", "throughput_tasks_per_s": 2.79999999'
  expect leaf '"warning": null'
  for method in greedy lp; do
    out=$(bound --ports $ports --method $method --json)
    expect leaf '"throughput_tasks_per_s": 2.6'
    expect leaf '"warning": "a run may exceed this bound: it can reach 2.8 tasks/s (--method physical)"'
  done
done
sed -i 's/<argument value="root"\/>/&<prop id="receive_drop" value="0.5"\/>/' d.xml
out=$(bound --ports multi)
expect drop 'receive_' # headings are broken at 80 columns
sed -i 's/"0.5"/"-0.5"/' d.xml
out=$(bound --ports multi 2>&1) && fault "a negative receive_drop passed"
expect drop 'property receive_drop is -0.5; it must not be negative'
out=$(bound --ports multi --method best 2>&1) && fault "an unknown method passed"
expect method "--method 'best' is unknown; known: greedy, lp, physical"
echo "$faults faults"
((faults == 0))
