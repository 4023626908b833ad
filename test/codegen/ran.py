# SPDX-License-Identifier: LGPL-2.1-or-later
"""What must be so of a program that has run a schedule."""
import re


def remote_bytes(graph, plan):
    """What the edges between hosts carry; `graph` is the text of a .dot file of whole bytes."""
    size = {(src, dst): round(float(n)) for src, dst, n in
            re.findall(r'"([^"]*)" -> "([^"]*)" \[size="([^"]*)"', graph)}
    return sum(size[e["src"], e["dst"]] for e in plan["edges"] if not e["local"])


def check_dates(plan, trace, rounding_s):
    """No task is shorter than planned, no data leave before they are there, and no task begins before its data."""
    tasks = {t["name"]: t for t in trace["tasks"]}
    assert len(tasks) == len(plan["tasks"])
    for planned in plan["tasks"]:
        t = tasks[planned["name"]]
        assert t["finish_s"] - t["start_s"] >= planned["finish_s"] - planned["start_s"] - rounding_s, (t, planned)
    for edge in trace["edges"]:
        if not edge["local"]:
            assert edge["send"]["start_s"] >= tasks[edge["src"]]["finish_s"], edge
            assert edge["transfer"]["start_s"] >= tasks[edge["src"]]["finish_s"], edge
            assert edge["recv"]["finish_s"] <= tasks[edge["dst"]]["start_s"], edge
            # two clocks, and the rounding of sizes
            assert edge["transfer"]["finish_s"] >= edge["transfer"]["start_s"] - 1e-4, edge
    return True


def check_order(plan, trace):
    """Each host computes in the order of the schedule."""
    starts = {t["name"]: t["start_s"] for t in trace["tasks"]}
    for host in {t["host"] for t in plan["tasks"]}:
        here = [starts[t["name"]] for t in sorted(plan["tasks"], key=lambda t: t["start_s"]) if t["host"] == host]
        assert here == sorted(here), (host, here)
    return True
