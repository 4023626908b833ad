# SPDX-License-Identifier: LGPL-2.1-or-later
"""The marks of charts, by what their titles say, against the results that are printed."""
import collections
import re
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
KINDS = ("task", "send", "receive", "transfer", "delay", "starved", "done", "stolen")
TITLE = re.compile(rf"(.*?)(?:, ({'|'.join(KINDS[1:])}))?: (\S+) to (\S+) s", re.S)
SHARE = re.compile(r"(.*?)(?:, [^,]*)?: (\w+), (\S+) s in (\d+) bars?, (\S+) % of the time", re.S)
Mark = collections.namedtuple("Mark", "kind name start finish upper x y width height")


def read(path):
    """All marks; those of a plan are above (upper) what happened."""
    marks = []

    def walk(node, kind, upper):
        css = (node.get("class") or "").split()
        upper = upper or "upper" in css
        kind = css[0] if css and node.tag == SVG + "g" else kind
        for child in node:
            if child.tag == SVG + "rect" and child.find(SVG + "title") is not None:
                name, said, start, finish = TITLE.fullmatch(child.find(SVG + "title").text).groups()
                assert (said or "task") == kind, (said, kind)
                box = [float(child.get(k)) for k in ("x", "y", "width", "height")]
                marks.append(Mark(kind, name, float(start), float(finish), upper, *box))
            walk(child, kind, upper)

    walk(ET.parse(path).getroot(), None, False)
    return marks


def seen(marks):
    return sorted(m[:5] for m in marks)


def shares(path):
    """What is drawn as shares of time: [(lane, kind, seconds, number of bars, percent, path)]"""
    found = []
    for node in ET.parse(path).getroot().iter():
        title = node.find(SVG + "title")
        share = title is not None and SHARE.fullmatch(title.text)
        if share:
            name, kind, seconds, n, percent = share.groups()
            assert kind in KINDS, kind
            found.append((name, kind, float(seconds), int(n), float(percent), node.get("d")))
    return found


def area(path):
    boxes = re.findall(r"M(\S+) (\S+)V([^HVz]+)H([^V]+)V([^z]+)z", path)
    return sum((float(right) - float(left)) * (float(bottom) - float(top)) for left, bottom, top, right, _ in boxes)


def lane_area(path):
    lane = next(g for g in ET.parse(path).getroot().iter(SVG + "g") if g.get("class") == "lane")[0]
    return float(lane.get("width")) * float(lane.get("height"))


def texts(path):
    return [t.text for t in ET.parse(path).getroot().iter(SVG + "text")]


def check_scale(marks):
    first, last = min(marks, key=lambda m: m.start), max(marks, key=lambda m: m.start)
    per_s = (last.x - first.x) / (last.start - first.start)
    assert first.start == 0
    for m in marks:
        assert abs(m.x - first.x - m.start * per_s) < 0.05, m
        assert m.width <= 2 or abs(m.width - (m.finish - m.start) * per_s) < 0.05, m


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


def stolen_ratio(mark, y, height):
    """Of a processor: it is as high as its part of the lane, and stands on its ground."""
    ratio = float(mark.name.split(" %")[0]) / 100 if mark.kind == "stolen" else 1
    assert abs(mark.height - ratio * height) < 0.02 and abs(mark.y + mark.height - y - height) < 0.02, mark
    return ratio


def check_replay(path, out):
    """Every mark of the replay is where the results say, and what is hatched, sent and received is what was stolen."""
    marks = read(path)
    check_scale(marks)
    end = out["makespan_s"]
    near = lambda a, b: abs(a - b) <= 1e-5 * end + 1e-9
    below = [m for m in marks if not m.upper]
    tasks = {m.name: m for m in below if m.kind == "task"}
    assert len(tasks) == len(out["tasks"]) == len([m for m in marks if m.kind == "task" and m.upper])
    host_at = {}
    for t in out["tasks"]:
        m = tasks[t["name"]]
        assert near(m.start, t["start_s"]) and near(m.finish, t["finish_s"]), (m, t)
        host_at[m.y] = t["host"]
    lanes = sorted((m.y, m.height, host_at[m.y]) for m in tasks.values())
    taken = {h["host"]: 0 for h in out["hosts"]}
    for kind, key in (("send", "send"), ("receive", "recv")):
        want = {e["src"] + " \u2192 " + e["dst"]: e[key] for e in out["edges"] if not e["local"]}
        want = {n: x for n, x in want.items() if x["finish_s"] > x["start_s"]}
        found = {m.name: m for m in below if m.kind == kind}
        assert set(want) == set(found), (kind, set(want) ^ set(found))
        for name, x in want.items():
            assert near(found[name].start, x["start_s"]) and near(found[name].finish, x["finish_s"]), (name, x)
            taken[x["host"]] += max(0, min(x["finish_s"], end) - x["start_s"])
    for m in below:
        if m.kind == "stolen":
            y, height, host = next(l for l in lanes if l[0] - 0.1 <= m.y <= l[0] + l[1] + 0.1)
            taken[host] += stolen_ratio(m, y, height) * (m.finish - m.start)
    for h in out["hosts"]:
        assert near(taken[h["host"]], h["stolen_s"]), (h, taken)
    return marks


def events(rows):
    """Of a trace: [(host, task, start, end)], [(from, to, task, start, end)]"""
    computed, sent, since = [], [], {}
    for row in rows:
        key, date = (row["host"], row["task"], row["peer"]), float(row["time_s"])
        if row["event"] in ("compute_start", "send_start", "send_resume"):
            since[key] = date
        elif row["event"] == "compute_end":
            computed.append((row["host"], row["task"], since.pop(key), date))
        elif row["event"] in ("send_pause", "send_end"):
            sent.append((row["host"], row["peer"], row["task"], since.pop(key), date))
    return computed, sent


def check_farm(path, out, trace):
    """The marks are those of the trace's rows, or the sums of their times; what a node does is what explain says."""
    words, end, marks = texts(path), out["makespan_s"], read(path)
    idle = {x["host"] for x in out["nodes"] if x["tasks_computed"] + x["tasks_forwarded"] + x["received_bytes"] == 0}
    assert any(f"Not shown: {len(idle)} host" in t for t in words) == bool(idle), words[-1]
    assert not idle & set(words) and {x["host"] for x in out["nodes"]} - idle <= set(words)
    computed, sent = events(trace)
    sums = collections.defaultdict(float)
    if marks:
        check_scale(marks)
        check_same(marks, "task", [("task " + t, s, f) for _, t, s, f in computed], end)
        check_same(marks, "send", [(f"task {t} \u2192 {to}", s, f) for _, to, t, s, f in sent], end)
        check_same(marks, "receive", [(f"{a} \u2192 task {t}", s, f) for a, _, t, s, f in sent], end)
        add_lanes(marks, {"task " + t: h for h, t, _, _ in computed}, end, sums)
    else:
        counts = collections.Counter()
        for name, kind, seconds, n, percent, _ in shares(path):
            assert abs(percent - 100 * seconds / end) < 0.1, (name, kind)
            sums[name, kind] += seconds
            counts[kind] += n
        assert counts["task"] == len(computed) and counts["send"] == counts["receive"] == len(sent), counts
        assert any("bars are too many to be drawn one by one" in t for t in words)
    computes = {h for h, _, _, _ in computed}
    for x in out["explain"]["nodes"]:
        for kind, want in (("task", x["computing_s"] + x["stolen_s"]), ("stolen", x["stolen_s"]),
                           ("starved", x["starved_s"]), ("done", x["done_s"])):
            assert x["host"] not in computes or abs(sums[x["host"], kind] - want) <= 1e-4 * end, (x, kind, sums)
    return marks


def check_same(marks, kind, want, end):
    """Each mark is near one of (name, start, end)."""
    found = [m[1:4] for m in marks if m.kind == kind]
    assert len(found) == len(want), (kind, len(found), len(want))
    for x, y in zip(sorted(found), sorted(want)):
        assert x[0] == y[0] and abs(x[1] - y[1]) + abs(x[2] - y[2]) <= 2e-5 * end, (kind, x, y)


def add_lanes(marks, host_of, end, sums):
    """Adds up what each node does, which tiles the time; but for a node that only passes tasks on."""
    lanes = {m.y: (m.height, host_of[m.name]) for m in marks if m.kind == "task"}
    pieces = collections.defaultdict(list)
    for m in marks:
        on = [(h, y, height) for y, (height, h) in lanes.items() if y - 0.1 <= m.y <= y + height + 0.1]
        if m.kind in ("task", "starved", "done", "stolen") and on:
            host, y, height = on[0]
            sums[host, m.kind] += stolen_ratio(m, y, height) * (m.finish - m.start)
            if m.kind != "stolen":
                pieces[host].append((m.start, m.finish))
    for host, found in pieces.items():
        found.sort()
        assert found[0][0] == 0 and abs(found[-1][1] - end) <= 1e-5 * end, host
        assert all(abs(a[1] - b[0]) <= 1e-5 * end for a, b in zip(found, found[1:])), host
