#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# replay.sh IASIM: exit statuses, output and messages of `iasim replay`. Hosts do 1 flop/s, links carry 1 byte/s, a
# message costs its sender 1 s and half of its time on the link.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

cat >p.xml <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config><prop id="network/model" value="CM02"/><prop id="network/crosstraffic" value="0"/></config>
  <zone id="z" routing="Full">
    <host id="a" speed="1f"><prop id="overhead_send" value="1"/><prop id="involvement_send" value="0.5"/></host>
    <host id="b" speed="1f"/>
    <link id="l" bandwidth="1Bps" latency="0s"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>
</platform>
XML
sed 's/id="l" bandwidth/id="l" state_file="down" bandwidth/' p.xml >failing.xml
printf '4 0\n' >down
printf 'digraph g {\n A [size="2"]; B [size="3"]; C [size="1"];\n A -> B [size="4"]; A -> C [size="0"];\n}\n' >g.dot
# the data leave at 3 and are there at 7; C comes after the send
cat >s.json <<'JSON'
{"format":"iasim-schedule/1","graph":"g.dot","platform":"p.xml","model":"involvement","scheduler":"hand","length_s":10,
 "tasks":[
  {"name":"A","host":"a","start_s":0,"finish_s":2},
  {"name":"B","host":"b","start_s":7,"finish_s":10},
  {"name":"C","host":"a","start_s":5,"finish_s":6}],
 "edges":[
  {"src":"A","dst":"B","local":false,"send":{"host":"a","start_s":2,"finish_s":5},
   "links":[{"link":"l","direction":"none","start_s":3,"finish_s":7}],"recv":{"host":"b","start_s":7,"finish_s":7}},
  {"src":"A","dst":"C","local":true}]}
JSON

replay() { ends_with "$1" replay "${@:2}"; } # replay STATUS ARGUMENTS
has() { # has WORDS: a line of stdout; nothing on stderr
  grep -qF -- "$1" out && [[ ! -s err ]] || fault "expected '$1' in '$(cat out)' and nothing in '$(cat err)'"
}

for links in fluid exclusive; do
  replay 0 --platform p.xml --graph g.dot --world involvement --links $links s.json
  has "believed: involvement; world involvement, $links links"
  has 'planned 10 s, simulated 10 s: the plan was off by 0 %'
  grep -qE '^a +3 +3 +4 +30\.0$' out && grep -qE '^b +3 +0 +7 +30\.0$' out || fault "$links: hosts: $(cat out)"
done
replay 0 -p p.xml -g g.dot -w none s.json
has 'planned 10 s, simulated 9 s: the plan was off by 10 %'

replay 0 -p p.xml -g g.dot -f dot -w none -l exclusive --json s.json
python3 - <<'PY' || fault "json: $(cat out)"
import json
assert json.load(open("out")) == {
    "format": "iasim-replay/1", "graph": "g.dot", "platform": "p.xml", "model": "involvement", "world": "none",
    "links": "exclusive", "makespan_s": 9, "planned_s": 10, "estimation_error_ratio": 0.1,
    "tasks": [
        {"name": "A", "host": "a", "start_s": 0, "finish_s": 2, "planned_start_s": 0, "planned_finish_s": 2},
        {"name": "B", "host": "b", "start_s": 6, "finish_s": 9, "planned_start_s": 7, "planned_finish_s": 10},
        {"name": "C", "host": "a", "start_s": 2, "finish_s": 3, "planned_start_s": 5, "planned_finish_s": 6}],
    "edges": [
        {"src": "A", "dst": "B", "local": False, "send": {"host": "a", "start_s": 2, "finish_s": 2},
         "transfer": {"start_s": 2, "finish_s": 6}, "recv": {"host": "b", "start_s": 6, "finish_s": 6}},
        {"src": "A", "dst": "C", "local": True}],
    "hosts": [{"host": "a", "busy_s": 3, "stolen_s": 0, "idle_s": 6},
              {"host": "b", "busy_s": 3, "stolen_s": 0, "idle_s": 6}]}
PY

replay 0 -p p.xml -g g.dot -w involvement --trace t.csv s.json
diff - t.csv <<'CSV' || fault "trace"
time_s,host,event,task,peer
0,a,compute_start,A,
2,a,compute_end,A,
2,a,send_start,A -> B,b
3,a,transfer_start,A -> B,b
5,a,send_end,A -> B,b
5,a,compute_start,C,
6,a,compute_end,C,
7,a,transfer_end,A -> B,b
7,b,receive_start,A -> B,a
7,b,receive_end,A -> B,a
7,b,compute_start,B,
10,b,compute_end,B,
CSV
replay 0 -p p.xml -g g.dot -w involvement --trace t.json s.json
python3 - <<'PY' || fault "trace: $(cat t.json)"
import json
events = json.load(open("t.json"))["traceEvents"]
assert [e["args"]["name"] for e in events if e.get("name") == "process_name"] == ["a", "b", "links"]
# the transfer has a thread of its own; the flow goes from the send at 2 over the transfer at 3 to B, which begins at 7
assert [(e.get("name"), e.get("cat"), e["pid"], e["tid"], e["ts"]) for e in events if e["ph"] == "B"] == [
    ("A", "compute", 1, 1, 0), ("A -> B", "send", 1, 1, 2e6), ("A -> B", "transfer", 1, 2, 3e6),
    ("C", "compute", 1, 1, 5e6), ("B", "compute", 2, 1, 7e6)]
assert [(e["pid"], e["tid"], e["ts"]) for e in events if e["ph"] == "E"] == [
    (1, 1, 2e6), (1, 1, 5e6), (1, 1, 6e6), (1, 2, 7e6), (2, 1, 10e6)]
assert [(e["ph"], e["id"], e["pid"], e["tid"], e["ts"]) for e in events if e["ph"] in "stf"] == [
    ("s", "0", 1, 1, 2e6), ("t", "0", 1, 2, 3e6), ("f", "0", 2, 1, 7e6)]
assert [(e["name"], e["ts"], e["args"]["bytes_per_s"]) for e in events if e["ph"] == "C" and e["pid"] == 3] == [
    ("rate of l", 3e6, 1), ("rate of l", 7e6, 0)]
PY

# active waiting: the send holds a, and the receive b, until the data are there at 7; C comes after that
replay 0 --platform p.xml --graph g.dot --world involvement s.json --json
[[ $(<out) != *waiting* ]] || fault "waiting is named where nobody asked for it"
replay 0 --platform p.xml --graph g.dot --world involvement --waiting passive s.json --json
[[ $(<out) != *waiting* ]] || fault "waiting is named where it is passive"
for links in fluid exclusive; do
  replay 0 --platform p.xml --graph g.dot --world involvement --links $links --waiting active s.json
  has "world involvement, $links links, active waiting"
  grep -qE '^a +3 +5 +2 +30\.0$' out && grep -qE '^b +3 +7 +0 +30\.0$' out || fault "$links: hosts: $(cat out)"
done
replay 0 --platform p.xml --graph g.dot --world involvement --waiting active s.json --json
python3 - out <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))
assert r["waiting"] == "active" and r["makespan_s"] == 10
assert [(t["start_s"], t["finish_s"]) for t in r["tasks"]] == [(0, 2), (7, 10), (7, 8)]
assert r["edges"][0]["send"]["finish_s"] == 7 and r["edges"][0]["recv"] == {"host": "b", "start_s": 0, "finish_s": 7}
PY
# a rendezvous: the send is over at 3, b waits from 0 on, and a computes C from 3 to 4: then its list ends, which is a call
meets() { # WAITING TRANSFER_START B_START
  replay 0 --platform p.xml --graph g.dot --world involvement --waiting "$1" s.json --json
  python3 - out "$@" <<'PY' || fault "$1: $(cat out)"
import json, sys
r, edge = (lambda r: (r, r["edges"][0]))(json.load(open(sys.argv[1])))
assert r["waiting"] == sys.argv[2]
assert [edge["transfer"]["start_s"], r["tasks"][1]["start_s"]] == [float(x) for x in sys.argv[3:]]
PY
}
meets 'rendezvous' 4 8
meets 'rendezvous[progress=calls,eager=3]' 4 8
meets 'rendezvous[progress=polls]' 4 8
meets 'rendezvous[progress=hardware]' 3 7
meets 'rendezvous[eager=4]' 3 7
replay 0 --platform p.xml --graph g.dot --world involvement --waiting 'rendezvous[eager=4]' s.json
has 'world involvement, fluid links, rendezvous[eager=4] waiting'

refused() { # MESSAGE OPTION...
  local message=$1
  shift
  replay 2 -p p.xml -g g.dot "$@" s.json
  [[ $(cat err) == "iasim replay: $message" ]] || fault "$*: $(cat err)"
}
refused "unknown waiting 'busy'; known: passive, active, rendezvous" -w none --waiting busy
refused "waiting rendezvous: unknown progress 'poll'; known: calls|hardware|polls; did you mean 'polls'?" \
  -w none --waiting 'rendezvous[progress=poll]'
refused "waiting rendezvous has no parameter 'egaer'; known: progress, eager; did you mean 'eager'?" \
  -w none --waiting 'rendezvous[egaer=1]'
refused "waiting 'rendezvous' is not for links 'exclusive': transfers share links (fluid)" \
  -w none --links exclusive --waiting rendezvous
refused "waiting 'rendezvous' is not for world 'loggp', which has a time under way of its own: its messages cannot wait on their way" \
  -w 'loggp[L=1,o=1,g=1]' --waiting rendezvous

# an engine that is not the usual one is named
for links in fluid exclusive; do
  replay 0 -p p.xml -g g.dot -w involvement --links $links --json s.json
  cp out events
  replay 0 -p p.xml -g g.dot -w involvement --links $links --json --engine actors s.json
  [[ $(diff events out) == *'> '*'"engine": "actors",' && $(wc -l <events) == $(($(wc -l <out) - 1)) ]] ||
    fault "by actors: $(diff events out)"
done

# a scenario may ask for it; one that does not has no such column
"$iasim" run sinnen-smoke --set waiting=passive,active --set links=fluid --out waiting.db >out 2>err || fault "$(cat err)"
"$iasim" export waiting.db >waiting.csv
python3 - waiting.csv <<'PY'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
both = [{tuple(r[k] for k in ("graph", "generator", "instance", "ccr", "model", "world", "links")): float(r["makespan_s"])
         for r in rows if r["waiting"] == w} for w in ("passive", "active")]
assert both[0].keys() == both[1].keys() and both[0] != both[1]
PY
"$iasim" run sinnen-smoke --set links=fluid --out plain.db >out 2>err && "$iasim" export plain.db >plain.csv
[[ $(head -n 1 plain.csv) != *waiting* ]] || fault "a column that nobody asked for"

# an error is reported in one line, and leaves no trace
replay 2 -p p.xml -g g.dot -w all s.json
[[ $(cat err) == "iasim replay: unknown world model 'all'; known: none, interference"* ]] || fault "$(cat err)"
replay 2 -p p.xml -g g.dot -w none --links free s.json
said "iasim replay: --links 'free' is unknown; known: fluid, exclusive
Try \`iasim replay --help' or \`iasim replay --usage' for more information."
sed 's/"start_s":5,"finish_s":6/"start_s":0,"finish_s":1/; s/"start_s":0,"finish_s":2/"start_s":1,"finish_s":2/' s.json >circle.json
replay 2 -p p.xml -g g.dot -w none --trace none.csv circle.json
said "iasim replay: circle.json: the schedule cannot be carried out because its order has a cycle: C needs the data of A; host 'a' waits to compute C before it computes A"
replay 2 -p failing.xml -g g.dot -w none --trace none.csv s.json
said "s.json: planned for the platform 'p.xml', not for 'failing.xml'
iasim replay: failing.xml: at 4 s the transfer A -> B failed: host 'a', host 'b' or a link between them was down"
[[ ! -e none.csv ]] || fault "a trace of nothing"
printf 'task,a,b\nA,2,2\nB,3,\nC,1,1\n' >costs.csv
for engine in events actors; do
  replay 2 -p p.xml -g g.dot -w none --costs costs.csv --engine $engine s.json
  said "iasim replay: s.json: task 'B' is on host 'b', where it may not run (costs.csv)"
done
sed 's/"C"/"D"/' s.json >other.json
for engine in events actors; do # a sanitizer's words on what is left would be a second line
  replay 2 -p p.xml -g g.dot -w none --engine $engine other.json
  [[ $(cat err) =~ ^'iasim replay: other.json:5: ' && $(wc -l <err) == 1 ]] || fault "another graph's: $(cat err)"
done
replay 2 -p p.xml -g g.dot -w none --trace s.json s.json
grep -q 's.json' err && [[ $(wc -l <err) == 1 ]] || fault "the schedule is overwritten: $(cat err)"
for wrong in "" "s.json" "-p p.xml -g g.dot s.json" "-p p.xml -g g.dot -w none" \
  "-p p.xml -g g.dot -w none s.json s.json" "-p p.xml -g g.dot -w none nowhere.json"; do
  # shellcheck disable=SC2086 # several words
  replay 2 $wrong
  [[ -s err && ! -s out ]] || fault "'$wrong': no word of what is wrong"
done
replay 0 --help
grep -q 'Example' out || fault "no example in --help"
echo "$faults faults"
((faults == 0))
