#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# gantt.sh IASIM: charts of replays, and of one or two schedules. Their marks are read back and counted against the
# results that are printed.
# shellcheck source=test/cli/begin.sh
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/begin.sh"
# shellcheck source=test/cli/four_tasks.sh
source "$here/four_tasks.sh"

cat >marks.py <<'PY'
"""The marks of a chart, by what their titles say; and that the picture is to scale."""
import re
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"


def read(path):
    """[(kind, name, start_s, finish_s, is_upper, x, y, width, height)]"""
    marks = []

    def walk(node, kind, upper):
        css = (node.get("class") or "").split()
        upper = upper or "upper" in css
        kind = css[0] if css and node.tag == SVG + "g" else kind
        for child in node:
            if child.tag == SVG + "rect" and child.find(SVG + "title") is not None:
                title = child.find(SVG + "title").text
                name, start, finish = re.fullmatch(r"(.*): (\S+) to (\S+) s", title, re.S).groups()
                box = [float(child.get(k)) for k in ("x", "y", "width", "height")]
                marks.append((kind, re.sub(", (send|receive|transfer|delay|stolen)$", "", name), float(start),
                              float(finish), upper, *box))
            walk(child, kind, upper)

    walk(ET.parse(path).getroot(), None, False)
    return marks


def texts(path):
    return [t.text for t in ET.parse(path).getroot().iter(SVG + "text")]


def check_scale(marks):
    first, last = min(marks, key=lambda m: m[2]), max(marks, key=lambda m: m[2])
    per_s = (last[5] - first[5]) / (last[2] - first[2])
    assert first[2] == 0
    for m in marks:
        assert abs(m[5] - first[5] - m[2] * per_s) < 0.05, m
        assert m[7] <= 2 or abs(m[7] - (m[3] - m[2]) * per_s) < 0.05, m


def check_labels(path):
    """No line of the picture goes through a name: looked at in steps along each line, of half a pixel."""
    root = ET.parse(path).getroot()
    boxes = []
    for group in root.iter(SVG + "g"):
        for t in group if group.get("class") == "labels" else ():
            x, y, font = (float(t.get(k)) for k in ("x", "y", "font-size"))
            half = 0.25 * font * len(t.text)
            boxes.append((x - half, x + half, y - 0.7 * font, y, t.text))
    n = 0
    for group in root.iter(SVG + "g"):
        for path in group if "ways" in (group.get("class") or "").split() else ():
            points = [tuple(map(float, p)) for p in re.findall(r"[ML](\S+) ([^ML]+)", path.get("d"))]
            for (ax, ay), (bx, by) in zip(points, points[1:]):
                steps = int(2 * max(abs(bx - ax), abs(by - ay))) + 1
                n += 1
                for i in range(steps + 1):
                    x, y = ax + (bx - ax) * i / steps, ay + (by - ay) * i / steps
                    hit = [b for b in boxes if b[0] < x < b[1] and b[2] < y < b[3]]
                    assert not hit, (hit, x, y)
    return len(boxes), n


def close(a, b, scale):
    return abs(a - b) <= 1e-5 * scale + 1e-9


def check_replay(svg, out):
    """Every mark of the replay is where the results say, and what is hatched, sent and received is what was stolen."""
    marks = read(svg)
    check_scale(marks)
    end = out["makespan_s"]
    below = [m for m in marks if not m[4]]
    tasks = {m[1]: m for m in below if m[0] == "task"}
    assert len(tasks) == len(out["tasks"]) == len([m for m in marks if m[0] == "task" and m[4]])
    host_at = {}
    for t in out["tasks"]:
        m = tasks[t["name"]]
        assert close(m[2], t["start_s"], end) and close(m[3], t["finish_s"], end), (m, t)
        host_at[m[6]] = t["host"]
    lanes = sorted((m[6], m[8], host_at[m[6]]) for m in tasks.values())
    taken = {h["host"]: 0 for h in out["hosts"]}
    for kind, key in (("send", "send"), ("receive", "recv")):
        want = {e["src"] + " \u2192 " + e["dst"]: e[key] for e in out["edges"] if not e["local"]}
        want = {n: x for n, x in want.items() if x["finish_s"] > x["start_s"]}
        found = {m[1]: m for m in below if m[0] == kind}
        assert set(want) == set(found), (kind, set(want) ^ set(found))
        for name, x in want.items():
            assert close(found[name][2], x["start_s"], end) and close(found[name][3], x["finish_s"], end), (name, x)
            taken[x["host"]] += max(0, min(x["finish_s"], end) - x["start_s"])
    for m in below:
        if m[0] == "stolen":
            y, height, host = next(l for l in lanes if l[0] - 0.1 <= m[6] <= l[0] + l[1] + 0.1)
            ratio = float(m[1].split(" %")[0]) / 100
            assert abs(m[8] - ratio * height) < 0.02 and abs(m[6] + m[8] - y - height) < 0.02, m
            taken[host] += ratio * (m[3] - m[2])
    for h in out["hosts"]:
        assert close(taken[h["host"]], h["stolen_s"], end), (h, taken)
    return marks
PY

# a third host, without tasks
sed -i -e 's|^ *<link|    <host id="idle" speed="1f"/>\n&|' \
  -e 's|^ *<route src="a" dst="b">\(.*\)|&<route src="a" dst="idle">\1<route src="b" dst="idle">\1|' p.xml
replay() { ends_with "$1" replay --platform p.xml --graph g.dot "${@:2}"; } # replay STATUS ARGUMENTS

replay 0 --world interference --gantt f.svg --json s.json
python3 - <<'PY' || fault "by hand: $(cat f.svg)"
import json, marks
found = marks.check_replay("f.svg", json.load(open("out")))
seen = sorted((m[0], m[1], m[2], m[3], m[4]) for m in found)
AB, AC = "A \u2192 B", "A \u2192 C"
assert seen == sorted([
    ("task", "A", 0, 2, True), ("task", "B", 4, 7, True), ("task", "C", 9, 11, True), ("task", "D", 2, 5, True),
    ("delay", AB, 2, 4, True), ("delay", AC, 2, 6, True),
    ("task", "A", 0, 2, False), ("task", "B", 6, 9, False), ("task", "C", 9, 11, False), ("task", "D", 2, 6, False),
    ("transfer", AB, 2, 6, False), ("transfer", AC, 2, 8, False),
    ("stolen", "25 % of the processor", 2, 8, False)]), seen
words = marks.texts("f.svg")
assert words[0] == "g.dot on p.xml: planned 11 s, simulated 11 s", words[0]
assert words.count("a") == words.count("b") == words.count("l") == 1 and "idle" not in words
assert any("Not shown: 1 host without tasks" in w for w in words)
PY
mv f.svg first.svg
replay 0 --world interference --gantt f.svg s.json
cmp f.svg first.svg || fault 'the same replay, another picture'
COLUMNS=51 replay 0 --world interference --text s.json # 47 columns
for words in 'a |[A######][D#########]..........................|' \
  '  |[A######][D%%%%%%%%%%%%%%].....................|' \
  'each lane twice: above planned, below simulated'; do
  grep -qF -- "$words" out || fault "text, '$words': $(cat out)"
done
COLUMNS=51 replay 0 --world interference --text --json s.json
grep -q 'each lane twice' err || fault 'text beside JSON'
python3 -m json.tool out >json || fault 'not JSON beside text'

# draw: one schedule, from what it names; two, one above the other.
draw() { ends_with "$1" draw "${@:2}"; } # draw STATUS ARGUMENTS
draw 0 s.json t.json --out st.svg
python3 - <<'PY' || fault "two schedules: $(cat st.svg)"
import marks
found = marks.read("st.svg")
marks.check_scale(found)
seen = sorted(m[:5] for m in found)
AB, AC = "A \u2192 B", "A \u2192 C"
assert seen == sorted([
    ("task", "A", 0, 2, True), ("task", "B", 4, 7, True), ("task", "C", 9, 11, True), ("task", "D", 2, 5, True),
    ("delay", AB, 2, 4, True), ("delay", AC, 2, 6, True),
    ("task", "A", 0, 2, False), ("task", "B", 2, 5, False), ("task", "C", 5, 7, False),
    ("task", "D", 7, 10, False)]), seen
words = marks.texts("st.svg")
assert words[0] == "g.dot on p.xml: s.json 11 s, t.json 10 s", words[0]
assert any("above, paler, s.json; below t.json" in w for w in words)
upper = next(m for m in found if m[1] == "A" and m[4])
lower = next(m for m in found if m[1] == "A" and not m[4])
assert upper[6] + upper[8] <= lower[6] and upper[5] == lower[5]
PY
[[ -s out ]] && fault "draw --out: $(cat out)"
COLUMNS=51 draw 0 t.json
grep -qF 'a |[A######][B############][C######][D###########]|' out || fault "draw t.json: $(cat out)"
grep -qF 'Not shown: 2 hosts without tasks' out || fault "idle hosts: $(cat out)"
sed 's/p.xml/gone.xml/' t.json >gone.json
draw 2 gone.json
said "iasim draw: gone.json: the platform that it was planned for, 'gone.xml', is not there; give it with --platform"
draw 0 gone.json --platform p.xml
draw 2 t.json gone.json
said \
  "iasim draw: gone.json: planned for the platform 'gone.xml', but t.json for 'p.xml'; if they are the same, give it with --platform"
draw 0 t.json gone.json --platform p.xml
draw 2 t.json --out t.json
draw 2 g.dot
draw 2 nothing.json
said 'iasim draw: nothing.json: cannot open: No such file or directory'
printf '{"format":"iasim-schedule/1","graph":3}' >bad.json
draw 2 bad.json
said "iasim draw: bad.json: 'graph' is missing, or is not a string; every schedule of iasim has it"

# Random graphs in several worlds, with either kind of links, either waiting, and noise.
platform=$IASIM_DATA/platforms/sinnen-star-full.xml
n=0
for world in interference involvement loggp none; do
  for how in '--links fluid' '--links exclusive' '--waiting active' \
    '--links exclusive --noise work=0.3,size=0.3,rate=0.2 --seed 5'; do
    n=$((n + 1))
    "$iasim" graph generate "layered[tasks=$((6 + n)),width=5]" --seed $n --ccr 2 --platform "$platform" --out r.dot
    model=$([[ $((n % 2)) == 0 ]] && echo involvement || echo classic)
    "$iasim" schedule --platform "$platform" --graph r.dot --model "$model" --out r.json >out
    # shellcheck disable=SC2086 # words of their own
    ends_with 0 replay --platform "$platform" --graph r.dot --world "$world" --ir-send 0.003 --ir-recv 0.004 $how \
      --gantt "$n.svg" --json r.json
    mv out "$n.json"
  done
done
python3 - $n 2>trouble <<'PY' || fault "random graphs: $(tail -1 trouble | head -c 500)"
import json, marks, sys
labels = []
for n in range(1, int(sys.argv[1]) + 1):
    out = json.load(open(f"{n}.json"))
    try:
        marks.check_replay(f"{n}.svg", out)
        labels.append(marks.check_labels(f"{n}.svg"))
    except Exception as e:
        sys.exit(f"{n}.svg, {out['world']}, {out['links']}: {type(e).__name__}: {e}")
assert sum(names > 10 and lines > 10 for names, lines in labels) > 3, f"few names beside few lines: {labels}"
PY

# Too many bars: shares of time, whose area is that of the bars.
"$iasim" graph generate 'layered[tasks=2000,width=8]' --seed 3 --ccr 1 --platform "$platform" --out m.dot
"$iasim" schedule --platform "$platform" --graph m.dot --model contention --out m.json >out
ends_with 0 replay --platform "$platform" --graph m.dot --world interference --links exclusive --ir-send 0.003 \
  --ir-recv 0.004 \
  --gantt m.svg --json m.json
python3 - <<'PY' 2>trouble || fault "many: $(tail -3 trouble)"
import json, marks, re
import xml.etree.ElementTree as ET
out = json.load(open("out"))
root = ET.parse("m.svg").getroot()
assert not marks.read("m.svg")
paths = [(p, p.find(marks.SVG + "title").text) for p in root.iter(marks.SVG + "path")
         if p.find(marks.SVG + "title") is not None]
lane = next(g for g in root.iter(marks.SVG + "g") if g.get("class") == "lane")[0]
width, height = float(lane.get("width")), float(lane.get("height"))
n_tasks = 0
computing = {}
for path, title in paths:
    name, kind, seconds, n = re.match(r"(\S+), \w+: (\w+), (\S+) s in (\d+) bar", title).groups()
    boxes = re.findall(r"M(\S+) (\S+)V([^HVz]+)H([^V]+)V([^z]+)z", path.get("d"))
    area = sum((float(right) - float(left)) * (float(bottom) - float(top)) for left, bottom, top, right, _ in boxes)
    want = float(seconds) / max(out["makespan_s"], out["planned_s"]) * width * height
    assert abs(area - want) < 0.002 * want + 5 or kind == "transfer", (title, area, want)
    if kind == "task":
        n_tasks += int(n)
        computing[name] = computing.get(name, 0) + float(seconds)
assert n_tasks == 2 * 2000, n_tasks
for h in out["hosts"]:
    want = sum(t["finish_s"] - t["start_s"] + t["planned_finish_s"] - t["planned_start_s"] for t in out["tasks"]
               if t["host"] == h["host"])
    assert abs(computing[h["host"]] - want) < 1e-5 * want, (h, want)
assert any("too many to be drawn one by one" in t for t in marks.texts("m.svg"))
PY
[[ $(stat -c %s m.svg) -lt 2000000 ]] || fault 'a picture of 2,000 tasks is larger than 2 MB'

# Names that would be markup.
sed 's/A/"<script>\&amp;]]>"/g' g.dot >hostile.dot
sed 's/"A"/"<script>\&amp;]]>"/g' s.json >hostile.json
ends_with 0 replay --platform p.xml --graph hostile.dot --world interference --gantt h.svg hostile.json
python3 - <<'PY' || fault 'hostile names'
import marks
assert [m for m in marks.read("h.svg") if m[0] == "task" and m[1] == "<script>&amp;]]>"]
PY

replay 2 --world none --gantt s.json s.json
grep -q "'s.json'" err || fault "over an input: $(cat err)"
replay 2 --world none --gantt f.png s.json
grep -qF "charts are written as SVG: the name 'f.png' should end in .svg" err || fault "ending: $(cat err)"
replay 2 --world none --gantt f.svg --trace f.svg s.json
replay 2 --world none --gantt f.svg --engine actors s.json
said 'iasim replay: charts need --engine events, which records the rates of transfers'
replay 2 --world none --gantt no/f.svg s.json
((faults == 0))
