#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# link_properties.sh IASIM: properties of split-duplex links hold for both directions, in schedule, check and replay; wrong ones
# are refused wherever they stand; a shared link that is called like a direction is a link of its own.
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

platform() { # platform PROPERTIES_OF_LINK PROPERTIES_OF_HOST PROPERTIES_OF_CLUSTER
  cat <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config><prop id="network/model" value="CM02"/><prop id="network/crosstraffic" value="0"/></config>
  <zone id="root" routing="Full">
    <zone id="inner" routing="Full">
      <host id="a" speed="1f">$2</host> <host id="b" speed="1f"/>
      <link id="x" bandwidth="1Bps" latency="0s" sharing_policy="SPLITDUPLEX">
        $1
      </link>
      <link id="y_UP" bandwidth="2Bps" latency="0s"/>
      <route src="a" dst="b" symmetrical="NO"><link_ctn id="x" direction="UP"/><link_ctn id="y_UP"/></route>
      <route src="b" dst="a" symmetrical="NO"><link_ctn id="y_UP"/><link_ctn id="x" direction="DOWN"/></route>
    </zone>
    $3
  </zone>
</platform>
XML
}

# A sends 4 bytes to B on b, B sends 4 bytes to C on a. On x: 4 s, the sender is involved for half, the receiver for a quarter
# of it. At y_UP nobody is.
platform '<prop id="involvement_send" value="0.5"/><prop id="involvement_recv" value="0.25"/>' '' '' >p.xml
printf 'digraph g {\n A [size="1"]; B [size="1"]; C [size="1"];\n A -> B [size="4"]; B -> C [size="4"];\n}\n' >g.dot
printf 'A a\nB b\nC a\n' >hosts
"$iasim" schedule -p p.xml -g g.dot -m involvement --allocation hosts >s.json 2>talk || fault "schedule: $(cat talk)"
out=$(cat s.json)
expect 'sending by x' '"send":{"host":"a","start_s":1,"finish_s":3},"links":[{"link":"x","direction":"up","start_s":1,"finish_s":5},{"link":"y_UP","direction":"none","start_s":3,"finish_s":5}],"recv":{"host":"b","start_s":5,"finish_s":5}'
expect 'receiving by x' '"send":{"host":"b","start_s":6,"finish_s":6},"links":[{"link":"y_UP","direction":"none","start_s":6,"finish_s":8},{"link":"x","direction":"down","start_s":6,"finish_s":10}],"recv":{"host":"a","start_s":9,"finish_s":10}'
"$iasim" check -p p.xml -g g.dot s.json >talk 2>&1 || fault "check: $(cat talk)"
out=$("$iasim" replay -p p.xml -g g.dot --world involvement --links exclusive s.json 2>&1) || fault "replay: $out"
expect replay 'planned 11 s, simulated 11 s'
sed 's/"start_s":1,"finish_s":3/"start_s":1,"finish_s":1/' s.json >short.json
out=$("$iasim" check -p p.xml -g g.dot short.json 2>&1) && fault 'a send without its involvement is valid'
expect 'a short send' "send of 'A' -> 'B' takes 0 s instead of 2 s"
sed 's/"y_UP","direction":"none"/"y","direction":"up"/' s.json >wrong.json
for command in check 'replay --world none'; do
  # shellcheck disable=SC2086
  out=$("$iasim" $command -p p.xml -g g.dot wrong.json 2>&1) && fault "$command: y_UP passes as y, up"
  expect "$command" "'y'"
done

refused() { # refused LINE WORDS: p.xml
  out=$("$iasim" platform check p.xml 2>&1) && fault "accepted, without: $2"
  expect 'a wrong property' "p.xml:$1: $2"
}
platform '<prop id="involvement_snd" value="0.5"/>' '' '' >p.xml
refused 9 "link 'x': unknown property 'involvement_snd' of a link; known: overhead_send, overhead_recv, involvement_send, involvement_recv; did you mean 'involvement_send'?"
platform '<prop id="involvement_recv" value="-1"/>' '' '' >p.xml
refused 9 "link 'x': property involvement_recv is -1; it must not be negative"
platform '<prop id="involvement_recv" value="2"/>' '' '' >p.xml
refused 9 "link 'x': property involvement_recv is 2; it must be between 0 and 1"
platform '' '<prop id="ir_send.nobody" value="1"/>' '' >p.xml
refused 7 "host 'a': property ir_send.nobody: there is no host 'nobody'"
cluster='<cluster id="c" prefix="c" suffix="" radical="0-2" speed="1f" bw="1Bps" lat="0s" sharing_policy="SPLITDUPLEX"><prop id="PROP" value="VALUE"/></cluster>'
with() { sed "s/PROP/$1/; s/VALUE/$2/" <<<"$cluster"; }
platform '' '' "$(with ir_snd 1)" >p.xml
refused 15 "host 'c0': unknown property 'ir_snd'"
platform '' '' "$(with ir_send 1x)" >p.xml
refused 15 "host 'c0': property ir_send is '1x', which is not a finite number"
platform '' '' "$(with ir_send.c1 1)" >p.xml
"$iasim" platform check p.xml >talk || fault "a property of a cluster: $(cat talk)"

echo "$faults faults"
exit $((faults > 0))
