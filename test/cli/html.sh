#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# html.sh IASIM: the data in the pages of `iasim replay --html` and `iasim farm --html` match --json, explain and
# farm --explain; sizes; refusals; --details of --json. What pages draw from it is tested in browsers (test/browser).
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"
cp "$IASIM_DATA/test/cli/html.py" page_data.py

# Hand-made: A on a sends 4 bytes to B on b and 6 to C on b; each flow takes 0.1 (sending) of a's processor per byte/s.
two_hosts '<prop id="ir_send" value="0.1e6"/>' '' >p.xml
printf 'digraph g {\n %s\n %s\n}\n' 'A [size="2"]; B [size="3"]; C [size="2"]; D [size="3"];' \
  'A -> B [size="4"]; A -> C [size="6"];' >g.dot
replay() { ends_with "$1" replay --platform p.xml --graph g.dot "${@:2}"; } # replay STATUS ARGUMENTS
cat >s.json <<'JSON'
{"format":"iasim-schedule/1","graph":"g.dot","platform":"p.xml","model":"classic","scheduler":"hand","length_s":11,
 "tasks":[
  {"name":"A","host":"a","start_s":0,"finish_s":2},
  {"name":"B","host":"b","start_s":6,"finish_s":9},
  {"name":"C","host":"b","start_s":9,"finish_s":11},
  {"name":"D","host":"a","start_s":2,"finish_s":5}],
 "edges":[{"src":"A","dst":"B","local":false},{"src":"A","dst":"C","local":false}]}
JSON

replay 0 --world interference --html f.html s.json
if grep -q 'built without d3' err; then
  echo "skipped: $(cat err)"
  [[ ${TESTS_REQUIRED-} != 1 ]] || exit 1
  exit 77
fi
cp f.html first.html
replay 0 --world interference --html f.html s.json
cmp f.html first.html || fault 'the same replay gives a different page'
replay 0 --world interference --json --details s.json
python3 - <<'PY' || fault "the hand-made replay: $(cat out)"
import json, page_data
d = page_data.read("f.html")
t = d["tick_s"]
assert d["tasks"] == {"name": ["A", "B", "C", "D"], "host": [0, 1, 1, 0]} and d["hosts"] == ["a", "b"]
plan, real = d["layers"]
near = lambda got, want: len(got) == len(want) and all(abs(g * t - w) <= t for g, w in zip(got, want))
assert near(plan["task_start"], [0, 6, 9, 2]) and near(plan["task_length"], [2, 3, 2, 3])
# The link is shared until 10, when 4 bytes are through; then C's last 2 bytes have it alone, until 12. While both flow
# a loses 0.1 of its processor, each flow half of that; D takes 3 / 0.9.
assert near(real["task_start"], [0, 10, 13, 2]) and near(real["task_length"], [2, 3, 2, 3 / .9]), real
assert near(real["transfer"]["length"], [8, 10])
assert near(d["stolen"][0]["start"], [2]) and near(d["stolen"][0]["length"], [10]) and d["stolen"][0]["percent"] == [10]
assert d["taken"]["n"] == [0, 0, 0, 2] and sorted(d["taken"]["edge"]) == [0, 1]
assert d["taken"]["hundredths_percent"] == [500, 500]
names = [page_data.chain(d, task) for task in range(4)]
assert names == [["A"], ["B", "A -> B", "A"], ["C", "B", "A -> B", "A"], ["D", "A"]], names
out = json.load(open("out"))
stolen = {x["edge"]: (x["direction"], x["s"]) for x in out["tasks"][3]["stolen"]}
assert stolen.keys() == {"A -> B", "A -> C"}, stolen
assert all(w == "send" and abs(s - .1 / .9 * 1.5) < 1e-9 for w, s in stolen.values()), stolen
assert out["tasks"][1]["before"] == {"edge": "A -> B", "part": "recv"} and out["tasks"][2]["before"] == {"task": "B"}
assert out["tasks"][0]["before"] is None and out["edges"][0]["recv"]["before"] == {"edge": "A -> B", "part": "transfer"}
(link,) = out["links"]
assert link["link"] == "l"
seen = sorted((c["edge"], round(c["from_s"], 9), round(c["to_s"], 9), round(c["bytes_per_s"], 9))
              for c in link["carries"])
assert seen == [("A -> B", 2, 10, .5), ("A -> C", 2, 10, .5), ("A -> C", 10, 12, 1)], seen
PY

# Random graphs in several worlds, with either kind of links, either waiting, and noise: as replay --json and explain
# --json.
platform=$IASIM_DATA/platforms/sinnen-star-full.xml
n=0
for world in interference involvement loggp; do
  for how in '--links fluid' '--links exclusive' '--waiting active --noise work=0.3,size=0.3 --seed 5'; do
    n=$((n + 1))
    "$iasim" graph generate "layered[tasks=$((6 + 2 * n)),width=5]" --seed $n --ccr 2 --platform "$platform" --out r.dot
    "$iasim" schedule --platform "$platform" --graph r.dot \
      --model "$([[ $((n % 2)) == 0 ]] && echo involvement || echo classic)" --out r.json >out
    # shellcheck disable=SC2206 # words of their own
    what=(--platform "$platform" --graph r.dot --world $world --ir-send 0.003 --ir-recv 0.004 $how r.json)
    ends_with 0 replay "${what[@]}" --json --details --html r.html --what-ifs 1
    mv out replayed
    ends_with 0 explain "${what[@]}" --json --what-ifs 1
    python3 page_data.py r.html replayed out 2>trouble || fault "$world $how: $(tail -3 trouble)"
  done
done

# A port of a destination is taken while the bytes come in, (c - 1) G, and free with the last one, when the receive
# begins.
ends_with 0 replay --platform "$platform" --graph r.dot --world 'loggp[L=1,o=0,g=0,G=1e-3]' --html r.html r.json
python3 - <<'PY' || fault 'the ports of loggp'
import page_data
d = page_data.read("r.html")
port, tick = d["layers"][1]["ports"]["receive"], d["tick_s"]
assert len(port["start"]) == len(d["edges"]["bytes"]) > 5
for size, start, length in zip(d["edges"]["bytes"], port["start"], port["length"]):
    assert abs(length * tick - (size - 1) * 1e-3) <= 1.01 * tick and abs(start + length) <= 1, (size, start, length)
PY

# Without --details, --json is unchanged.
replay 0 --world interference --json s.json
! grep -qE 'before|stolen"|carries' out || fault "--json without --details has details: $(cat out)"
replay 2 --world interference --details s.json
said 'iasim replay: --details is for --json'

# Names that look like markup.
sed 's/A/"<\/script><img src=x onerror=alert(1)>"/g' g.dot >bad.dot
sed 's/"A"/"<\/script><img src=x onerror=alert(1)>"/g' s.json >bad.json
ends_with 0 replay --platform p.xml --graph bad.dot --world interference --html bad.html bad.json
! grep -q '<img' bad.html || fault 'a name became markup'
[[ $(grep -c '<script' bad.html) == $(grep -c '<script' f.html) ]] || fault 'a name ended a script'

# 10,000 tasks, more than 15,000 transfers.
cat >cluster.xml <<'XML'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><cluster id="c" prefix="node-" radical="0-63" suffix=".example.org" speed="1Gf"
  bw="125MBps" lat="50us"/></platform>
XML
"$iasim" graph generate 'layered[tasks=10000,width=100,density=0.0125]' --seed 1 --ccr 1 --platform cluster.xml \
  --out big.dot
"$iasim" schedule --platform cluster.xml --graph big.dot --model contention --out big.json >out
timeout 200 "$iasim" replay --platform cluster.xml --graph big.dot --world interference --ir-send 0.001 \
  --ir-recv 0.002 --what-ifs 0 \
  --html big.html big.json >out
python3 - <<'PY' || fault 'the page of 10,000 tasks'
import os, page_data
d = page_data.read("big.html")
assert len(d["tasks"]["name"]) == 10000 and len(d["edges"]["remote"]) > 15000, len(d["edges"]["remote"])
assert os.path.getsize("big.html") <= 2e6, os.path.getsize("big.html")
PY

# Farms.
farm=(--platform "$IASIM_DATA/platforms/kreaseck-fork.xml" --deployment "$IASIM_DATA/deployments/kreaseck-fork.xml" \
  --policy ia_multi --send-size 2 --compute-size 5)
ends_with 0 farm "${farm[@]}" --tasks 100 --json --explain --html farm.html
python3 - <<'PY' || fault "the farm: $(head -c 300 out)"
import json, page_data
d, out = page_data.read("farm.html"), json.load(open("out"))
assert json.dumps(d["losses"])[:60] == json.dumps(out["explain"])[:60] or d["losses"].keys() == out["explain"].keys()
for n, node in enumerate(out["nodes"]):
    x = d["doings"][n]
    assert d["hosts"][n] == node["host"] and x["kind"].count(0) == node["tasks_computed"], node
    assert sum(x["length"]) == d["end"], "what a node does tiles 0 to the makespan"
    busy = sum(l for l, k in zip(x["length"], x["kind"]) if k == 0) * d["tick_s"]
    assert abs(busy - node["busy_s"]) < 1e-4 * d["makespan_s"], (busy, node)
    stolen = sum(l * v / 1e4 for l, k, v in zip(x["length"], x["kind"], x["value"]) if k == 0) * d["tick_s"]
    assert abs(stolen - node["stolen_s"]) < 1e-3 * d["makespan_s"], (stolen, node)
PY
ends_with 0 farm "${farm[@]}" --tasks 40000 --html farm.html
python3 -c 'import os, page_data
assert len(page_data.read("farm.html")["shares"]) == 7 and os.path.getsize("farm.html") < 1e6' ||
  fault 'the page of a farm with 40,000 tasks'

# Refusals.
replay 2 --world none --html s.json s.json
replay 2 --world none --html f.txt s.json
said "iasim replay: a page for browsers is HTML: the name 'f.txt' should end in .html"
replay 2 --world none --html no/f.html s.json
replay 2 --world none --html x.html --trace x.html s.json
replay 2 --world none --html x.html --trace ./x.html s.json
said "iasim replay: two outputs cannot both be written to 'x.html'"
replay 2 --world none --html x.html --engine actors s.json
said 'iasim replay: a page needs --engine events, which records the rates of transfers'
replay 2 --world none --what-ifs 3 s.json
said 'iasim replay: --what-ifs is for --html; `iasim explain` prints them'
ends_with 2 farm "${farm[@]}" --engine actors --html x.html
[[ ! -e x.html && ! -e f.txt ]] || fault 'a refused page was written anyway'
((faults == 0))
