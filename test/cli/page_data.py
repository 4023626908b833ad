# SPDX-License-Identifier: LGPL-2.1-or-later
"""The data in pages, and whether those of a run are those of `replay --json --details` and `explain --json`."""
import base64
import json
import re
import zlib


def sections(path):
    """All that a page was given: objects with `kind` and `data`."""
    with open(path, encoding="utf-8") as page:
        found = re.findall(r'<script type="application/json"( class="deflated")?>([^<]*)</script>', page.read())
    return [json.loads(zlib.decompress(base64.b64decode(text)) if packed else text) for packed, text in found]


def read(path):
    return sections(path)[0]["data"]


def sums(column):
    total, out = 0, []
    for x in column:
        out.append(total := total + x)
    return out


def edge_name(data, e):
    names, src = data["tasks"]["name"], data["edges"]["src"][e]
    return f"{names[src]} -> {names[src + data['edges']['dst'][e]]}"


def chain(data, task):
    """Names of the items of the chain that ends with a task, backwards; parts of an edge are one."""
    n_tasks, n_edges, remote = len(data["tasks"]["name"]), data["n_edges"], sums(data["edges"]["remote"])
    n_hops = data["before"]["n_hops"] or [1] * len(remote)
    of_hop = [e for e, n in zip(remote, n_hops) for _ in range(n)]
    at, names = 2 * task, []
    while True:
        step = at // 2
        if step < n_tasks:
            name = data["tasks"]["name"][step]
        elif step < n_tasks + 2 * n_edges:
            name = edge_name(data, (step - n_tasks) % n_edges)
        else:
            name = edge_name(data, of_hop[step - n_tasks - 2 * n_edges])
        if not names or names[-1] != name:
            names.append(name)
        if data["before"]["steps"][at] == 0:
            return names
        at -= data["before"]["steps"][at]


def compare(data, replayed, explained):
    tick, real = data["tick_s"], data["layers"][1]
    near = lambda got, want: abs(got * tick - want) <= 1.01 * tick
    assert data["makespan_s"] == float(f"{replayed['makespan_s']:.9g}")
    for t, task in enumerate(replayed["tasks"]):
        assert data["tasks"]["name"][t] == task["name"] and data["hosts"][data["tasks"]["host"][t]] == task["host"]
        for layer, prefix in zip(data["layers"], ("planned_", "")):
            assert near(layer["task_start"][t], task[prefix + "start_s"])
            assert near(layer["task_start"][t] + layer["task_length"][t], task[prefix + "finish_s"])
    remote = sums(data["edges"]["remote"])
    assert remote == [e for e, edge in enumerate(replayed["edges"]) if not edge["local"]]
    finish = [s + l for s, l in zip(real["task_start"], real["task_length"])]
    for i, e in enumerate(remote):
        edge, at = replayed["edges"][e], finish[data["edges"]["src"][e]]
        assert edge_name(data, e) == f"{edge['src']} -> {edge['dst']}"
        sent = at + real["send"]["start"][i]
        moved = sent + real["transfer"]["start"][i]
        arrived = moved + real["transfer"]["length"][i]
        received = arrived + real["receive"]["start"][i]
        for part, start, length in (("send", sent, real["send"]["length"][i]),
                                    ("transfer", moved, real["transfer"]["length"][i]),
                                    ("recv", received, real["receive"]["length"][i])):
            assert near(start, edge[part]["start_s"]) and near(start + length, edge[part]["finish_s"]), (part, edge)
    # Which flows slowed a task down.
    at = 0
    for t, n in enumerate(data["taken"]["n"]):
        task = replayed["tasks"][t]
        flows = zip(data["taken"]["edge"][at:at + n], data["taken"]["hundredths_percent"][at:at + n])
        length = task["finish_s"] - task["start_s"]
        got = sorted((edge_name(data, ~e if e < 0 else e), "receive" if e < 0 else "send", p) for e, p in flows)
        want = sorted((x["edge"], x["direction"], 1e4 * x["s"] / length) for x in task["stolen"])
        assert [g[:2] for g in got] == [w[:2] for w in want], (got, want)
        assert all(abs(g[2] - w[2]) <= 0.51 for g, w in zip(got, want)), (got, want)
        at += n
    # The chain of the makespan is that of the last task, and its segments are those of explain.
    segments, s = explained["segments"], data["segments"]
    assert [float(f"{x['from_s']:.9g}") for x in segments] == s["from_s"][:-1] and len(s["cause"]) == len(segments)
    last = max(range(len(finish)), key=lambda t: replayed["tasks"][t]["finish_s"])
    names = iter(chain(data, last))
    doers = [x["with"][0] if x["cause"] in ("waiting", "port") else x["task"] or x["edge"] for x in segments]
    for doer in [d for d, after in zip(doers, doers[1:] + [None]) if d != after][::-1]:
        assert doer in names, f"{doer} is not on the chain, or not in this order"
    # Every chain goes on as --details says.
    for t, task in enumerate(replayed["tasks"]):
        before, names = task["before"], chain(data, t)
        assert (names[1:2] or [None])[0] == (before and (before.get("task") or before.get("edge"))), (names, before)
    # What links carry is what was sent.
    carried = {}
    for link in replayed["links"]:
        for c in link["carries"]:
            key = (link["link"], c["edge"])
            carried[key] = carried.get(key, 0) + c["bytes_per_s"] * (c["to_s"] - c["from_s"])
    sizes = {edge_name(data, e): data["edges"]["bytes"][i] for i, e in enumerate(remote)}
    for (link, edge), n_bytes in carried.items():
        assert abs(n_bytes - sizes[edge]) <= 1e-6 * sizes[edge], (link, edge, n_bytes)
    assert len(data["what_ifs"]) == len(explained["what_if"])
