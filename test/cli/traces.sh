#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# traces.sh IASIM: every format of --trace is read back by the rules of the format (traces.py), and all have the same
# facts. pj_dump of the package pajeng must accept Paje traces; without it that part is left out, unless
# TESTS_REQUIRED=1.
# shellcheck source=test/cli/begin.sh
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/begin.sh"

pj_dump=pj_dump
if ! command -v pj_dump >/dev/null; then
  [[ ${TESTS_REQUIRED-} != 1 ]] || fault 'this test needs the package pajeng'
  echo 'skipped: pj_dump, which the package pajeng has, is not installed'
  pj_dump=''
fi

# Hosts do 1e9 flop/s; links carry 1e8 bytes/s; names are hostile.
cat >p.xml <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config><prop id="network/model" value="CM02"/><prop id="network/crosstraffic" value="0"/>
    <prop id="network/TCP-gamma" value="0"/></config>
  <zone id="z" routing="Full">
    <host id="a" speed="1Gf"><prop id="ir_send" value="0.003"/><prop id="ir_recv" value="0.002"/>
      <prop id="overhead_send" value="0.01"/><prop id="overhead_recv" value="0.02"/>
      <prop id="involvement_send" value="0.5"/></host>
    <host id="b &lt;é&gt;" speed="1Gf"><prop id="ir_send" value="0.001"/><prop id="ir_recv" value="0.004"/>
      <prop id="overhead_send" value="0.01"/><prop id="overhead_recv" value="0.02"/>
      <prop id="involvement_recv" value="0.25"/></host>
    <host id="c&quot;,\n" speed="1Gf"><prop id="ir_send" value="0.002"/><prop id="ir_recv" value="0.002"/></host>
    <link id="la" bandwidth="100MBps" latency="0.001s"/>
    <link id="lb&quot;" bandwidth="100MBps" latency="0s" sharing_policy="FATPIPE"/>
    <route src="a" dst="b &lt;é&gt;"><link_ctn id="la"/><link_ctn id="lb&quot;"/></route>
    <route src="a" dst="c&quot;,\n"><link_ctn id="la"/></route>
    <route src="b &lt;é&gt;" dst="c&quot;,\n"><link_ctn id="lb&quot;"/></route>
  </zone>
</platform>
XML

python3 - <<'PY' # graphs: names in JSON may be anything; sizes are whole numbers of bytes, as the schema wants them
import json
import random

def write(path, names, n_edges, seed):
    random.seed(seed)
    n = len(names)
    pairs = sorted(random.sample([(i, j) for i in range(n) for j in range(i + 1, n)], n_edges))
    size = {p: random.choice([0, random.randrange(1, 10 ** 8)]) for p in pairs}
    tasks = [{"name": x, "id": x, "parents": [names[i] for i, j in pairs if names[j] == x],
              "children": [names[j] for i, j in pairs if names[i] == x],
              "inputFiles": ["f%d_%d" % p for p in pairs if names[p[1]] == x],
              "outputFiles": ["f%d_%d" % p for p in pairs if names[p[0]] == x]} for x in names]
    json.dump({"name": "g", "schemaVersion": "1.5", "workflow": {
        "specification": {"tasks": tasks, "files": [{"id": "f%d_%d" % p, "sizeInBytes": size[p]} for p in pairs]},
        "execution": {"makespanInSeconds": 1, "executedAt": "1970-01-01T00:00:00Z", "tasks": [
            {"id": x, "runtimeInSeconds": random.choice([0, random.randrange(1, 1000) / 512])} for x in names]}}},
        open(path, "w"))

write("hostile.json", ['a"b', "c\nd", "<script>&amp;", "é€𝄞", "%d 7 8", "\\", "e,f", "'", "% EventDef", "-> g"], 20, 1)
write("plain.json", ["t%d" % i for i in range(30)], 70, 2)
PY

traces() { # traces GRAPH SCHEDULE OPTIONS: all formats of a replay, compared
  local x formats='csv json paje wfcommons.json'
  for x in $formats; do
    ends_with 0 replay -p p.xml -g "$1" "${@:3}" --json --trace "t.$x" "$2"
  done
  python3 "$here/traces.py" replay "$1" p.xml "$pj_dump" "${*:3}" || fault "replay $*"
}
for graph in hostile plain; do
  for model in classic involvement; do
    ends_with 0 schedule -p p.xml -g $graph.json -m $model --out "$graph-$model.json"
  done
  traces $graph.json $graph-classic.json -w none
  traces $graph.json $graph-classic.json -w interference
  traces $graph.json $graph-involvement.json -w involvement
  traces $graph.json $graph-classic.json -w involvement --links exclusive
done
traces plain.json plain-classic.json -w interference --links exclusive
traces plain.json plain-classic.json -w involvement --waiting active
traces plain.json plain-classic.json -w interference --engine actors
traces plain.json plain-classic.json -w interference --noise work=0.3,size=0.3 --seed 7

# the same bytes again
for x in csv json paje wfcommons.json; do
  cp "t.$x" again && ends_with 0 replay -p p.xml -g plain.json -w interference --noise work=0.3,size=0.3 --seed 7 \
    plain-classic.json --trace "t.$x"
  cmp "t.$x" again || fault "t.$x: other bytes"
done
cp t.paje t.trace && ends_with 0 replay -p p.xml -g plain.json -w interference --noise work=0.3,size=0.3 --seed 7 \
  plain-classic.json --trace t.trace
cmp t.paje t.trace || fault '.trace is not Paje'

# what a run of a graph leaves is a graph
ends_with 0 replay -p p.xml -g plain.json -w none plain-classic.json --trace t.wfcommons.json
"$iasim" graph convert plain.json was.dot && "$iasim" graph convert t.wfcommons.json is.dot
python3 - <<'PY' || fault "another graph: $(diff was.dot is.dot)"
import re # without interference a second is 1e9 flop, but dates round
was, now = (re.split(r'(?<=size=")([^"]*)(?=")', open(p).read()) for p in ("was.dot", "is.dot"))
assert was[::2] == now[::2]
assert all(abs(float(x) - float(y)) <= 1e-9 * max(1, float(x)) for x, y in zip(was[1::2], now[1::2]))
PY

# farms: sends that pause, several at once, tasks that are passed on
farm_traces() { # farm_traces PLATFORM MB UNITS OPTIONS: all formats of a farm, compared
  local x
  for x in csv json paje; do
    ends_with 0 farm -p "$1" --send-size "$2" --compute-size "$3" "${@:4}" --trace "t.$x"
  done
  python3 "$here/traces.py" farm "${2}e6 $3" "$1" "$pj_dump" "${*:4} interference" || fault "farm $*"
}
cat >d.xml <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <actor host="b &lt;é&gt;" function="farm_node"><argument value="a"/></actor>
  <actor host="a" function="farm_node"/>
  <actor host="c&quot;,\n" function="farm_node"><argument value="b &lt;é&gt;"/></actor>
</platform>
XML
sites=("$IASIM_DATA/platforms/kreaseck-sites.xml" 2 5 -d "$IASIM_DATA/deployments/kreaseck-sites.xml" --tasks 40)
for policy in 'ia_multi[chunk=0.5]' ia_single fcfs; do
  for engine in events actors; do
    farm_traces "${sites[@]}" --policy "$policy" --engine $engine
  done
  farm_traces p.xml 3 5e7 -d d.xml --tasks 30 --policy "$policy"
done
farm_traces p.xml 3 5e7 -d d.xml --tasks 30 --policy fcfs --world none
farm=(farm -p p.xml -d d.xml --tasks 5 --send-size 2 --compute-size 5 --policy fcfs)
ends_with 2 "${farm[@]}" --trace no.wfcommons.json
said \
  'iasim farm: no.wfcommons.json: WfCommons describes runs of task graphs, not of farms; known here: .csv, .json, .paje, .trace'
[[ ! -e no.wfcommons.json ]] || fault 'a trace of nothing'
# a task that begins after the year 9999
printf 'digraph g {\n A [size="1e21"]; B [size="1"];\n A -> B [size="0"];\n}\n' >late.dot
ends_with 0 schedule -p p.xml -g late.dot -m classic --out late.json
ends_with 2 replay -p p.xml -g late.dot -w none late.json --trace late.wfcommons.json
grep -q "task 'B' starts at .* s; WfCommons has no dates after the year 9999" err || fault "late: $(cat err)"
echo "$faults faults"
((faults == 0))
