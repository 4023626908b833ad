#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# farm_explain.sh IASIM: what `iasim farm --explain` prints. Hosts do 1 flop/s, the link carries a task in 1 s, and sending takes
# half of r.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

cat >p.xml <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config><prop id="network/model" value="CM02"/><prop id="network/crosstraffic" value="0"/></config>
  <zone id="z" routing="Full">
    <host id="r" speed="1f"><prop id="ir_send" value="0.5"/></host>
    <host id="a" speed="1f"/>
    <link id="l" bandwidth="1MBps" latency="0s"/>
    <route src="r" dst="a"><link_ctn id="l"/></route>
  </zone>
</platform>
XML
cat >d.xml <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <actor host="r" function="farm_node"/>
  <actor host="a" function="farm_node"><argument value="r"/></actor>
</platform>
XML

farm() { ends_with 0 farm --platform p.xml --deployment d.xml --policy bwc --tasks 3 --send-size 1 --compute-size 1 "$@"; }

# r sends from 0 to 2 and computes one task meanwhile; a computes from 1 to 3. The bound is 1 + 1/2.
farm --json >/dev/null && mv out plain
farm --explain --json
python3 - <<'PY' || fault "json: $(cat out)"
import json
plain, x = json.load(open("plain")), json.load(open("out"))
e = x.pop("explain")
assert x == plain
none = {"start_up": 0, "starved": 0, "stolen": 0, "slower": 0, "wind_down": 0, "shifted": 0}
def near(a, b):
    if isinstance(b, dict): return a.keys() == b.keys() and all(near(a[k], b[k]) for k in b)
    if isinstance(b, list): return len(a) == len(b) and all(map(near, a, b))
    return abs(a - b) < 1e-12 if isinstance(b, (int, float)) else a == b
assert near(e, {"bound_tasks_per_s": 1.5, "tasks_per_s": 1, "loss_by_cause": {**none, "start_up": 1/3, "wind_down": 1/6},
    "warning": None, "nodes": [
    {"host": "r", "computing_s": 1, "stolen_s": 1, "stolen_send_s": 1, "stolen_recv_s": 0, "starved_s": 0, "start_up_s": 0,
     "done_s": 1, "held_by": "none", "bound_tasks_per_s": 0.5, "tasks_per_s": 1/3, "loss_by_cause": {**none, "wind_down": 1/6}},
    {"host": "a", "computing_s": 2, "stolen_s": 0, "stolen_send_s": 0, "stolen_recv_s": 0, "starved_s": 1, "start_up_s": 1,
     "done_s": 0, "held_by": "none", "bound_tasks_per_s": 1, "tasks_per_s": 2/3, "loss_by_cause": {**none, "start_up": 1/3}}]}), e
PY

farm --explain
out=$(tr -s ' \n' ' ' <out)
expect story 'The farm reaches 66.67 % of the bound: 1 of 1.5 tasks/s. Most is lost by start-up (nodes wait for their first task): 22.2 % of the bound, above all at a (22.2 %).'
expect causes 'wind-down (nodes have computed their last task) 0.166667 11.1 shifted (nodes compute more than their share) 0 0 in all 0.5 33.3'
expect times 'r 33.3 33.3 33.3 0.0 0.0 33.3 none a 66.7 0.0 0.0 0.0 33.3 0.0 none'
expect losses 'r 0.5 0.3333 0 0 0 0 0.167 0 a 1 0.6667 0.333 0 0 0 0 0'

# Actors do not know which transfers steal; in the world none the bound is 2.
farm --explain --engine actors --json
python3 -c '
import json
r = json.load(open("out"))["explain"]["nodes"][0]
assert abs(r["stolen_s"] - 1) < 1e-9 and r["stolen_send_s"] is r["stolen_recv_s"] is None, r' || fault "actors: $(cat out)"
farm --explain --world none
out=$(tr -s ' \n' ' ' <out)
expect none 'The farm reaches 75 % of the bound: 1.5 of 2 tasks/s.'
expect none 'In this world transfers cost nothing, and in the bound they cost nothing either.'
farm --explain --world 'involvement'
out=$(tr -s ' \n' ' ' <out)
expect involvement '1.5 of 1.5 tasks/s. The bound is of the world interference; in this one a farm may exceed it.'

# Beliefs that are not true: both are faster than believed, and the bound is 0.1 + (1 - 0.5 0.1) 0.5.
sed -i 's,function="farm_node"/>,function="farm_node"><prop id="compute_rate" value="0.5"/></actor>,
  s,<argument value="r"/>,&<prop id="compute_rate" value="0.1"/>,' d.xml
farm --explain
out=$(tr -s ' \n' ' ' <out)
expect beliefs 'The farm reaches 173.9 % of the bound: 1 of 0.575 tasks/s. It exceeds the bound, so the scheduler'
((faults == 0))
