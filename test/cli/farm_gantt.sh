#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# farm_gantt.sh IASIM: charts of farms. Their marks are read back and counted against the events of --trace and the
# times of --explain.
# shellcheck source=test/cli/begin.sh
source "$(dirname "${BASH_SOURCE[0]}")/begin.sh"

cat >marks.py <<'PY'
"""chart.svg against t.csv and what `farm --explain --json` printed into `out`."""
import collections
import csv
import json
import re
import sys
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
KINDS = ["task", "send", "receive", "transfer", "starved", "done", "stolen"]
TITLE = re.compile(r"(.*?)(?:, (send|receive|transfer|starved|done|stolen))?: (\S+) to (\S+) s", re.S)
SHARE = re.compile(r"(.*): (\w+), (\S+) s in (\d+) bars?, (\S+) % of the time", re.S)
root = ET.parse("chart.svg").getroot()
out = json.load(open("out"))
end, nodes = out["makespan_s"], {n["host"]: n for n in out["nodes"]}
explained = {n["host"]: n for n in out["explain"]["nodes"]}
texts = [t.text for t in root.iter(SVG + "text")]
idle = [n for n, x in nodes.items() if x["tasks_computed"] + x["tasks_forwarded"] + x["received_bytes"] == 0]
assert any(f"Not shown: {len(idle)} host" in t for t in texts) == bool(idle), texts[-1]
assert not set(idle) & set(texts) and set(nodes) - set(idle) <= set(texts)


def close(a, b):
    return abs(a - b) <= 1e-5 * end


def events():
    """[(host, task, start, end)], [(from, to, task, start, end)]"""
    computed, sent, since = [], [], {}
    for row in csv.DictReader(open("t.csv", newline="")):
        key, date = (row["host"], row["task"], row["peer"]), float(row["time_s"])
        if row["event"] in ("compute_start", "send_start", "send_resume"):
            since[key] = date
        elif row["event"] == "compute_end":
            computed.append((row["host"], row["task"], since.pop(key), date))
        elif row["event"] in ("send_pause", "send_end"):
            sent.append((row["host"], row["peer"], row["task"], since.pop(key), date))
    return computed, sent


def same(what, found, want):
    """Lists of (name, start, end): each of one is near one of the other."""
    assert len(found) == len(want), (what, len(found), len(want))
    for x, y in zip(sorted(found, key=lambda x: (x[0], x[1])), sorted(want, key=lambda x: (x[0], x[1]))):
        assert x[0] == y[0] and close(x[1], y[1]) and close(x[2], y[2]), (what, x, y)


def read_bars():
    """{kind: [(name, start, end, x, y, width, height)]}"""
    bars = collections.defaultdict(list)
    for group in root.iter(SVG + "g"):
        for rect in group.findall(SVG + "rect"):
            if rect.find(SVG + "title") is not None:
                name, kind, start, finish = TITLE.fullmatch(rect.find(SVG + "title").text).groups()
                assert (kind or "task") == group.get("class"), (kind, group.get("class"))
                box = [float(rect.get(k)) for k in ("x", "y", "width", "height")]
                bars[kind or "task"].append((name, float(start), float(finish), *box))
    return bars


def check_scale(bars):
    some = [b for list_ in bars.values() for b in list_]
    zero, last = min(some, key=lambda b: b[1]), max(some, key=lambda b: b[1])
    per_s = (last[3] - zero[3]) / (last[1] - zero[1])
    for b in some:
        assert abs(b[3] - zero[3] - (b[1] - zero[1]) * per_s) < 0.1, b
        assert b[5] <= 1 or abs(b[5] - (b[2] - b[1]) * per_s) < 0.1, b


def check_bars(bars):
    computed, sent = events()
    check_scale(bars)
    same("tasks", [b[:3] for b in bars["task"]], [("task " + t, s, f) for _, t, s, f in computed])
    same("sends", [b[:3] for b in bars["send"]], [(f"task {t} \u2192 {to}", s, f) for _, to, t, s, f in sent])
    same("receives", [b[:3] for b in bars["receive"]], [(f"{a} \u2192 task {t}", s, f) for a, _, t, s, f in sent])
    host_of = {t: h for h, t, _, _ in computed}
    lanes = {b[4]: (b[6], host_of[b[0][5:]]) for b in bars["task"]}
    sums, pieces = collections.defaultdict(float), collections.defaultdict(list)
    for kind in ("task", "starved", "done", "stolen"):
        for b in bars[kind]:
            on = [(h, y, height) for y, (height, h) in lanes.items() if y - 0.1 <= b[4] <= y + height + 0.1]
            if not on:  # of a node that only passes tasks on
                continue
            host, y, height = on[0]
            ratio = float(b[0].split(" %")[0]) / 100 if kind == "stolen" else 1
            assert abs(b[6] - ratio * height) < 0.02 and abs(b[4] + b[6] - y - height) < 0.02, b
            sums[host, kind] += ratio * (b[2] - b[1])
            if kind != "stolen":
                pieces[host].append(b[1:3])
    for host, list_ in pieces.items():  # they tile the time
        list_.sort()
        assert list_[0][0] == 0 and close(list_[-1][1], end), host
        assert all(close(a[1], b[0]) for a, b in zip(list_, list_[1:])), host
    check_sums(sums, {h for h, _, _, _ in computed})


def check_shares():
    sums, counts = collections.defaultdict(float), collections.Counter()
    for title in root.iter(SVG + "title"):
        found = SHARE.fullmatch(title.text)
        if found:
            name, kind, seconds, n, percent = found.groups()
            assert kind in KINDS and abs(float(percent) - 100 * float(seconds) / end) < 0.1, title.text
            sums[name, kind] += float(seconds)
            counts[kind] += int(n)
    computed, sent = events()
    assert counts["task"] == len(computed) and counts["send"] == counts["receive"] == len(sent), counts
    assert any("bars are too many to be drawn one by one" in t for t in texts)
    check_sums(sums, {h for h, _, _, _ in computed})


def check_sums(sums, hosts):
    for host in hosts:
        x = explained[host]
        for kind, want in (("task", x["computing_s"] + x["stolen_s"]), ("stolen", x["stolen_s"]),
                           ("starved", x["starved_s"]), ("done", x["done_s"])):
            assert abs(sums[host, kind] - want) <= 1e-4 * end, (host, kind, sums[host, kind], want)


if __name__ == "__main__":
    bars = read_bars()
    assert bool(bars) == (sys.argv[1] == "bars")
    check_bars(bars) if bars else check_shares()
PY

chart() { # chart bars|shares OPTIONS: draws a farm, and checks the marks of the picture
  ends_with 0 farm "${@:2}" --json --explain --gantt chart.svg --trace t.csv
  python3 marks.py "$1" || fault "${*:2}"
}

# by hand: as in farm_explain.case, and a node that gets nothing. r sends from 0 to 2 and computes one task meanwhile; a
# computes from 1 to 3.
cat >p.xml <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config><prop id="network/model" value="CM02"/><prop id="network/crosstraffic" value="0"/></config>
  <zone id="z" routing="Full">
    <host id="r" speed="1f"><prop id="ir_send" value="0.5"/></host>
    <host id="a" speed="1f"/>
    <host id="&lt;z" speed="1f"/>
    <link id="l" bandwidth="1MBps" latency="0s"/>
    <route src="r" dst="a"><link_ctn id="l"/></route>
    <route src="r" dst="&lt;z"><link_ctn id="l"/></route>
  </zone>
</platform>
XML
cat >d.xml <<'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <actor host="r" function="farm_node"/>
  <actor host="a" function="farm_node"><argument value="r"/></actor>
  <actor host="&lt;z" function="farm_node"><argument value="r"/><prop id="max_transfer_rate" value="0.5"/></actor>
</platform>
XML
by_hand=(--platform p.xml --deployment d.xml --policy bwc --tasks 3 --send-size 1 --compute-size 1)
chart bars "${by_hand[@]}"
python3 - <<'PY' || fault "by hand: $(cat chart.svg)"
import marks
seen = sorted((kind, *b[:3]) for kind, list_ in marks.read_bars().items() for b in list_)
to_a = "\u2192 a"
assert seen == sorted([
    ("task", "task 1", 0, 2), ("stolen", "50 % of the processor", 0, 2),
    ("done", "has computed its last task", 2, 3),
    ("send", "task 2 " + to_a, 0, 1), ("send", "task 3 " + to_a, 1, 2),
    ("starved", "waits for a task", 0, 1), ("task", "task 2", 1, 2), ("task", "task 3", 2, 3),
    ("receive", "r \u2192 task 2", 0, 1), ("receive", "r \u2192 task 3", 1, 2),
    ("transfer", "task 2 " + to_a, 0, 1), ("transfer", "task 3 " + to_a, 1, 2)]), seen
assert marks.texts[0] == "farm of d.xml on p.xml: 3 s" and "steady" not in marks.texts, marks.texts
PY
mv chart.svg first.svg
chart bars "${by_hand[@]}"
cmp chart.svg first.svg || fault 'the same farm, another picture'
ends_with 0 farm "${by_hand[@]}" && mv out plain
ends_with 0 farm "${by_hand[@]}" --gantt chart.svg
cmp out plain || fault 'a chart changes what is printed'
COLUMNS=46 ends_with 0 farm "${by_hand[@]}" --text # 42 columns
for line in 'r |[1%%%%%%%%%%%%%%%%%%%%%%%%%]              |' '  |>>>>>>>>>>>>>>>>>>>>>>>>>>>>..............|' \
  'a |______________[2###########][3###########]|' '  |<<<<<<<<<<<<<<<<<<<<<<<<<<<<..............|' \
  'l |============================..............|' 'Not shown: 1 host without tasks'; do
  grep -qxF -- "$line" out || fault "expected the line '$line' in: $(cat out)"
done
ends_with 0 farm "${by_hand[@]}" --text --json
python3 -m json.tool out >/dev/null || fault 'text within JSON'
grep -q '^r |' err || fault "no chart beside JSON: $(cat err)"

# the shipped platforms; nodes that pass tasks on, chunks, several sends at once; few tasks, and many
sites=(-p "$IASIM_DATA/platforms/kreaseck-sites.xml" -d "$IASIM_DATA/deployments/kreaseck-sites.xml" --send-size 2)
for world in interference none; do
  chart bars "${sites[@]}" --compute-size 5 --tasks 60 --policy ia_multi --world $world
done
chart bars "${sites[@]}" --compute-size 40 --tasks 60 --policy 'fcfs[chunk=0.5]' --request-size 0.1
chart bars -p "$IASIM_DATA/platforms/kreaseck-fork.xml" -d "$IASIM_DATA/deployments/kreaseck-fork.xml" --send-size 2 \
  --compute-size 5 --tasks 100 --policy ia_single --noise work=0.5,size=0.5 --seed 3
chart bars -p "$IASIM_DATA/platforms/star-8.xml" -d "$IASIM_DATA/deployments/star-8.xml" --send-size 2 \
  --compute-size 50 \
  --tasks 50 --policy comp_rate --world involvement
chart shares "${sites[@]}" --compute-size 5 --tasks 3000 --policy ia_multi
ends_with 0 platform generate tree --hosts 320 --seed 7 --out many
chart shares -p many.platform.xml -d many.deployment.xml --policy ia_multi --send-size 0.02 --compute-size 40 \
  --tasks 2000

# what is refused
ends_with 2 farm "${by_hand[@]}" --engine actors --gantt a.svg
said 'iasim farm: charts need --engine events, which records the rates of transfers'
ends_with 2 farm "${by_hand[@]}" --gantt a.png
said "iasim farm: charts are written as SVG: the name 'a.png' should end in .svg"
ends_with 2 farm "${by_hand[@]}" --gantt d.xml
grep -q "the output 'd.xml' would overwrite the input" err || fault "overwrites: $(cat err)"
ends_with 2 farm "${by_hand[@]}" --gantt f.svg --trace f.svg
said "iasim farm: two outputs cannot both be written to 'f.svg'"
[[ ! -e a.svg && ! -e f.svg ]] || fault 'a picture of nothing'
echo "$faults faults"
((faults == 0))
