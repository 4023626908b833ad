#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# check.sh IASIM: exit statuses, output and messages of `iasim check`. Hosts do 1 flop/s, the link between them carries
# 1 byte/s in each direction, a message costs its sender 1 s and half of its time on the link.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

cat >p.xml <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config><prop id="network/model" value="CM02"/><prop id="network/crosstraffic" value="0"/></config>
  <zone id="z" routing="Full">
    <host id="a" speed="1f"><prop id="overhead_send" value="1"/><prop id="involvement_send" value="0.5"/></host>
    <host id="b" speed="1f"/> <host id="c" speed="1f"/>
    <link id="l" bandwidth="1Bps" latency="0s" sharing_policy="SPLITDUPLEX"/>
    <link id="m" bandwidth="1Bps" latency="0s"/>
    <route src="a" dst="b"><link_ctn id="l" direction="UP"/><link_ctn id="m"/></route>
    <route src="a" dst="c"><link_ctn id="m"/></route> <route src="b" dst="c"><link_ctn id="m"/></route>
  </zone>
</platform>
XML
printf 'digraph g {\n A [size="2"]; B [size="3"];\n A -> B [size="4"];\n}\n' >g.dot
# the data leave at 3 and are there at 7
cat >s.json <<'JSON'
{"format":"iasim-schedule/1","graph":"g.dot","platform":"p.xml","model":"involvement","scheduler":"hand","length_s":10,
 "tasks":[
  {"name":"A","host":"a","start_s":0,"finish_s":2},
  {"name":"B","host":"b","start_s":7,"finish_s":10}],
 "edges":[
  {"src":"A","dst":"B","local":false,"send":{"host":"a","start_s":2,"finish_s":5},
   "links":[{"link":"l","direction":"up","start_s":3,"finish_s":7},
            {"link":"m","direction":"none","start_s":3,"finish_s":7}],"recv":{"host":"b","start_s":7,"finish_s":7}}]}
JSON

check() { ends_with "$1" check "${@:2}"; } # check STATUS ARGUMENTS
printed() { # printed WORDS: all of stdout, and nothing on stderr
  [[ $(cat out) == "$1" && ! -s err ]] || fault "expected '$1', got '$(cat out)' and '$(cat err)'"
}

check 0 --platform p.xml --graph g.dot s.json
printed 'valid: s.json schedules the 2 tasks and 1 edges of g.dot on the 3 hosts of p.xml'
check 0 -p p.xml -g g.dot --format dot --json s.json
python3 -c 'import json; assert json.load(open("out")) == {"valid": True, "violations": []}' || fault "json: $(cat out)"

sed 's/"start_s":7,"finish_s":10/"start_s":6,"finish_s":9/' s.json >early.json
check 1 -p p.xml -g g.dot early.json
printed "early.json:1: length: length_s is 10, but the last task finishes at 9, 1 s earlier
early.json:4: precedence: task 'B' starts at 6, 1 s before the data of 'A' are there at 7
2 violations"
check 1 -p p.xml -g g.dot --json early.json
python3 -c '
import json
r = json.load(open("out"))
assert not r["valid"] and [(v["condition"], v["line"]) for v in r["violations"]] == [("length", 1), ("precedence", 4)], r
assert all(list(v) == ["condition", "line", "text"] for v in r["violations"]), r
' || fault "json: $(cat out)"
sed 's/"direction":"up"/"direction":"down"/' s.json >down.json
check 1 -p p.xml -g g.dot down.json
printed "down.json:7: route: edge 'A' -> 'B' passes l down, m; the route from a to b is l up, m
1 violation"

# what cannot be judged
head -c 300 s.json >cut.json
check 2 -p p.xml -g g.dot cut.json
[[ ! -s out && $(cat err) == 'iasim check: cut.json:6: this is not JSON: '* && $(wc -l <err) == 1 ]] || fault "cut: $(cat err out)"
check 2 -p p.xml -g g.dot nothing.json
said 'iasim check: nothing.json: cannot open: No such file or directory'
echo '{}' >none.json
check 2 -p p.xml -g g.dot none.json
said "iasim check: none.json: this is not a schedule: it has no 'format'"
check 2 -p nothing.xml -g g.dot s.json
[[ ! -s out && $(cat err) == 'iasim check: nothing.xml'* ]] || fault "no platform: $(cat err)"
check 2 -p p.xml -g nothing.dot s.json
[[ ! -s out && $(cat err) == 'iasim check: nothing.dot'* ]] || fault "no graph: $(cat err)"
check 2 -p p.xml -g g.dot --format dott s.json
[[ ! -s out && $(cat err) == *"'dott'"*dot* ]] || fault "no format: $(cat err)"
for wrong in '' 's.json' '-p p.xml s.json' '-g g.dot s.json' '-p p.xml -g g.dot' '-p p.xml -g g.dot s.json s.json'; do
  # shellcheck disable=SC2086 # several words
  check 2 $wrong
  [[ -s err && ! -s out ]] || fault "'$wrong': no word of what is wrong"
done
check 0 --help
grep -q 'iasim check --platform' out || fault 'no example in --help'
grep -q '^ *a task starts no earlier than the data of all' out || fault 'the conditions are not explained in --help'
echo "$faults faults"
((faults == 0))
