# SPDX-License-Identifier: LGPL-2.1-or-later
"""Farm policies in Python, given as `--plugin FILE.py`."""
import csv
import json
import math
import os
import re
import subprocess
from pathlib import Path

import iasim
import pytest

FORK = ["--platform", "platforms/kreaseck-fork.xml", "--deployment", "deployments/kreaseck-fork.xml", "--send-size", 1,
        "--compute-size", 5]

COPIES = '''
import math
import iasim

@iasim.policy
def my_bwc(view, child):
    """bwc"""
    return view.nodes[child].max_transfer_bytes_per_s

@iasim.policy
def my_bwc_state(view, state):
    """bwc, which looks"""
    able = [child.node for child in state.children if child.can_be_served]
    return max(able, key=lambda node: view.nodes[node].max_transfer_bytes_per_s)

@iasim.policy(oldest_first=True)
def my_fcfs(view, child):
    """fcfs"""
    return 0

@iasim.policy(multi_port=True)
def my_ia_multi(view, child):
    """ia_multi"""
    return -view.nodes[child].ir_send_s_per_byte

@iasim.policy(prunes_by_default=True)
def my_opt_single(view, child):
    """opt_single"""
    c = view.nodes[child]
    parent = view.nodes[c.parent]
    gain = 1 - c.ir_send_s_per_byte * view.task_bytes * (parent.compute_rate_flop_per_s / view.task_flop)
    assert view.is_pruned(child) == (gain <= 0)
    return min(c.max_transfer_bytes_per_s, parent.send_limit_bytes_per_s) / view.task_bytes * gain

@iasim.policy(multi_port=True, plans=True)
def my_steady(view, state):
    """steady[ports=multi]"""
    nodes, planned = view.nodes, view.planned_tasks_per_s
    limit = nodes[state.node].send_limit_bytes_per_s
    used = sum(nodes[c.node].max_transfer_bytes_per_s for c in state.children if c.is_sent_to)
    is_full = math.isfinite(limit) and used >= limit * (1 - 1e-6)
    first, first_s = None, math.inf
    for c in state.children:
        if not c.can_be_served or planned[c.node] <= 0:
            continue
        if is_full and planned[c.node] * view.task_bytes / nodes[c.node].max_transfer_bytes_per_s < 0.5:
            continue
        free = c.n_requests + (c.remaining_ratio > 0)
        due_s = (math.floor(c.given_tasks) + 1 - 3 * free) / planned[c.node]
        if first is None or due_s < first_s:
            first, first_s = c.node, due_s
    return first

@iasim.policy(multi_port=True, measures=True)
def my_pressure(view, state):
    """pressure"""
    def gain(c):
        return max(0.01, 1 - c.cost_s_per_byte * view.task_bytes / state.task_s) if state.task_s > 0 else 1
    def pressure(c):
        missing = c.n_requests + (c.is_sent_to or c.remaining_ratio > 0)
        hunger = max(1e-3, 1 - c.sated_ratio)
        return math.sqrt(math.sqrt(hunger * math.sqrt(math.sqrt(missing))))
    def add(sends, c):
        return sends[0] + c.rate_bytes_per_s, sends[1] + c.rate_bytes_per_s * gain(c) * pressure(c)
    def worth(sends):
        most = state.limit_bytes_per_s
        return sends[1] * most / sends[0] if sends[0] > most else sends[1]
    sends = 0, 0
    for c in state.children:
        if c.is_sent_to and c.rate_bytes_per_s <= 0:
            return None
        if c.is_sent_to:
            sends = add(sends, c)
    for c in state.children:
        if c.can_be_served and c.rate_bytes_per_s <= 0:
            return None if any(x.is_sent_to for x in state.children) else c.node
    first, most = None, 1e-6 * worth(sends)
    for c in state.children:
        if not c.can_be_served:
            continue
        more = worth(add(sends, c)) - worth(sends)
        if more > most:
            first, most = c.node, more * (1 + 1e-6)
    return first

@iasim.policy(multi_port=True)
def my_shares(view, state, share=0.25, *, cut=0):
    """Limits and pieces."""
    able = [child.node for child in state.children if child.can_be_served]
    return iasim.Send(able[0], share * view.nodes[able[0]].max_transfer_bytes_per_s, piece_bytes=cut)
'''
TWINS = [("my_bwc", "bwc"), ("my_bwc_state", "bwc"), ("my_bwc_state[chunk=0.3]", "bwc[chunk=0.3]"),
         ("my_fcfs", "fcfs"), ("my_ia_multi", "ia_multi"), ("my_opt_single", "opt_single"),
         ("my_steady", "steady[ports=multi]"), ("my_pressure", "pressure"),
         ("my_pressure[ports=single]", "pressure[ports=single]")]


@pytest.fixture(autouse=True)
def in_new_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def call(*words, status=0, plugin="mine.py"):
    done = subprocess.run([iasim.program(), "--plugin", str(plugin), *map(str, words)], capture_output=True, text=True,
                          check=False, timeout=100, stdin=subprocess.DEVNULL)
    assert done.returncode == status, done.stderr + done.stdout
    return done


def farm(policy, engine, where, tasks=60, **more):
    """The figures of a farm, without the line that names the policy."""
    text = call("farm", *where, "--tasks", tasks, "--policy", policy, "--engine", engine, "--json", **more).stdout
    figures = json.loads(text)
    assert figures.pop("policy") == policy
    return figures


@pytest.mark.parametrize("engine", ["events", "actors"])
def test_a_copy_of_a_policy_gives_its_bytes(engine):
    Path("mine.py").write_text(COPIES)
    iasim.platform("tree", hosts=9, seed=4, out="tree")
    tree = ["--platform", "tree.platform.xml", "--deployment", "tree.deployment.xml", "--send-size", 2,
            "--compute-size", 5]
    for where in (FORK, tree):
        kinds = set()
        for mine, built_in in TWINS:
            theirs = farm(built_in, engine, where)
            assert farm(mine, engine, where) == theirs, (mine, where)
            kinds.add(theirs["makespan_s"])
        assert len(kinds) > 5  # they differ from each other


@pytest.mark.parametrize("engine", ["events", "actors"])
def test_a_limit_and_a_piece_are_obeyed(engine):
    """A link of 1 MB/s, tasks of 1 MB. The root takes the first of four tasks, for 1000 s. The last one leaves when two
    have arrived at the child."""
    Path("mine.py").write_text(COPIES)
    Path("p.xml").write_text("""<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
        <platform version="4.1"><config><prop id="network/model" value="CM02"/>
        <prop id="network/crosstraffic" value="0"/><prop id="network/TCP-gamma" value="0"/></config>
        <zone id="z" routing="Full"><host id="a" speed="0.001f"/>
        <host id="b" speed="1Gf"/><link id="l" bandwidth="1MBps" latency="0"/>
        <route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>""")
    Path("d.xml").write_text("""<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
        <platform version="4.1"><actor host="a" function="farm_node"/>
        <actor host="b" function="farm_node"><argument value="a"/></actor></platform>""")
    where = ["--platform", "p.xml", "--deployment", "d.xml", "--send-size", 1, "--compute-size", 1, "--world", "none"]
    for policy, empty_s in (("my_shares", 8), ("my_shares[cut=300000]", 8), ("my_shares[share=0.5]", 4),
                            ("my_shares[share=2]", 2), ("my_bwc", 2)):
        figures = farm(policy, engine, where, tasks=4)
        assert figures["makespan_s"] - figures["wind_down_s"] == pytest.approx(empty_s, rel=1e-9), policy


def test_the_view_is_the_tree():
    Path("mine.py").write_text('''
import iasim, json

@iasim.policy(plans="greedy")
def mine(view, state, depth=2, *, loud=False):
    """Writes what it is given.

    depth: how deep
    """
    assert loud and depth == 7 and isinstance(depth, int)
    if state.now_s == 0:
        x = {"view": {name: getattr(view, name) for name in ("task_bytes", "task_flop", "is_multi_port", "root",
                      "planned_tasks_per_s")}, "nodes": [n._asdict() for n in view.nodes],
             "state": state._asdict(), "children": [c._asdict() for c in state.children]}
        json.dump(x, open("given.json", "w"))
    return next(c.node for c in state.children if c.can_be_served)
''')
    farm("mine[loud=on,depth=7]", "events", FORK)
    x = json.loads(Path("given.json").read_text())
    bound = json.loads(call("bound", *FORK, "--ports", "single", "--method", "greedy", "--json").stdout)
    assert x["view"]["task_bytes"] == 1e6 and not x["view"]["is_multi_port"]
    assert x["view"]["planned_tasks_per_s"][x["view"]["root"]] == bound["throughput_tasks_per_s"]
    nodes, root = x["nodes"], x["view"]["root"]
    assert [n["host_name"] for n in nodes] == ["Lab0", "Lab3", "Lab4", "Lab5", "Lab6", "SB0", "Tenn"]
    assert nodes[root]["parent"] == -1 and nodes[root]["children"] == [c["node"] for c in x["children"]]
    assert all(n["parent"] == root and n["max_transfer_bytes_per_s"] > 0 for n in nodes if n["host_name"] != "Lab0")
    assert math.isnan(nodes[root]["max_transfer_bytes_per_s"])
    assert x["state"]["now_s"] == 0 and x["state"]["node"] == root and x["state"]["n_held"] == 59  # it computes one
    assert all(c["n_requests"] == 2 and c["request_s"] == 0 and c["can_be_served"] for c in x["children"])
    listed = json.loads(call("list", "policies", "--json").stdout)["policies"][-1]
    assert [listed[k] for k in ("name", "plugin", "summary")] == ["mine", "mine.py", "Writes what it is given."]
    assert [(p["name"], p["meaning"]) for p in listed["parameters"]][3:] == [
        ("depth", "how deep"), ("loud", "see the policy's source")]


# --- what goes wrong ---

FAULTS = '''
import os, sys
import iasim

def divide(x):
    return 1 / x

ANSWERS = [
    lambda c: c,
    lambda c: divide(0),
    lambda c: "Lab3",
    lambda c: 99,
    lambda c: -1,
    lambda c: 0,
    lambda c: iasim.Send(c, -5),
    lambda c: iasim.Send(c, float("nan")),
    lambda c: iasim.Send(c, "fast"),
    lambda c: iasim.Send(c, piece_bytes=0.5),
    lambda c: True,
    lambda c: sys.exit(0),
    lambda c: os._exit(0),
    lambda c: 10**30,
    lambda c: (print("chatter"), os.write(1, b"chatter"), os.system("echo chatter"), c)[3],
]

@iasim.policy
def wrong(view, state, fault=0):
    """Does something wrong."""
    return ANSWERS[fault](next(c.node for c in state.children if c.can_be_served))

@iasim.policy
def odd(view, child, fault=0):
    """Ranks wrongly."""
    return [1, float("nan"), "high", None][fault] if fault < 4 else divide(0)
'''
HERE = r"in plugin mine\.py: choose of policy wrong: "
SAYS = {
    "wrong[fault=1]": HERE + r"ZeroDivisionError: division by zero \(mine\.py line \d+ in wrong, mine\.py line \d+ in "
                             r"<lambda>, mine\.py line 6 in divide\)",
    "wrong[fault=2]": HERE + "TypeError: wrong returns a value of type str; it must return the number of a child, None "
                             "or a Send",
    "wrong[fault=3]": r"policy wrong of plugin mine\.py at 0 s it chooses node 99 for 'Lab0'; it must be one of its "
                      "children, or -1",
    "wrong[fault=4]": HERE + "ValueError: wrong returns -1; nodes are numbered from 0, and None serves no child",
    "wrong[fault=5]": r"policy wrong of plugin mine\.py at 0 s it chooses Lab0 for 'Lab0', a child that cannot be "
                      "served now",
    "wrong[fault=6]": r"policy wrong of plugin mine\.py at 0 s it limits a send from 'Lab0' to 'Lab\d' to -5 bytes/s; "
                      "it must be above 0",
    "wrong[fault=7]": "to nan bytes/s; it must be above 0",
    "wrong[fault=8]": HERE + "TypeError: wrong returns a Send whose limit_bytes_per_s is a value of type str; it must "
                             "be a number",
    "wrong[fault=9]": "at 0 s it cuts a send from 'Lab0' to 'Lab3' after 0.5 bytes; it must be 0 or a whole number",
    "wrong[fault=10]": HERE + "TypeError: wrong returns a value of type bool",
    "wrong[fault=11]": HERE + r"SystemExit: 0 \(",
    "wrong[fault=12]": r"in plugin mine\.py: choose of policy wrong",
    "wrong[fault=13]": HERE + "OverflowError: ",
    "odd[fault=1]": r"policy odd of plugin mine\.py gives the child 'Lab3' the priority nan; it must be a finite "
                    "number",
    "odd[fault=2]": r"in plugin mine\.py: priority of policy odd: TypeError: odd returns a value of type str; it must "
                    "return a number",
    "odd[fault=3]": "TypeError: odd returns a value of type NoneType",
    "odd[fault=4]": r"in plugin mine\.py: priority of policy odd: ZeroDivisionError: ",
}


@pytest.mark.parametrize("engine", ["events", "actors"])
def test_a_fault_is_one_message(engine):
    Path("mine.py").write_text(FAULTS)
    for policy, words in SAYS.items():
        done = call("farm", *FORK, "--tasks", 20, "--policy", policy, "--engine", engine, status=2)
        assert done.stdout == "" and re.search(words, done.stderr), (policy, done.stderr)
        assert len(done.stderr.splitlines()) == 1, (policy, done.stderr)


@pytest.mark.parametrize("engine", ["events", "actors"])
def test_what_is_printed_does_not_enter_results(engine):
    Path("mine.py").write_text(FAULTS)
    good = farm("wrong", engine, FORK)
    assert farm("wrong[fault=14]", engine, FORK) == good


def sweep(policies, out, *options, status=0):
    Path("farms.xml").write_text(f"""<scenario name="farms" experiment="farm">
      <param name="platform" value="{os.environ['IASIM_DATA']}/platforms/kreaseck-fork.xml"/>
      <param name="deployment" value="{os.environ['IASIM_DATA']}/deployments/kreaseck-fork.xml"/>
      <param name="send_size" value="1"/><param name="compute_size" value="5"/><param name="tasks" value="40"/>
    </scenario>""")
    call("run", "farms.xml", "--set", f"policy={policies}", "--out", out, "--quiet", *options, status=status)
    return {row["policy"]: row for row in csv.DictReader(call("export", out).stdout.splitlines())}


def test_sweeps_have_them_and_a_fault_costs_its_own_points():
    Path("mine.py").write_text(COPIES)
    rows = sweep("bwc,my_bwc_state,pressure,my_pressure", "good.db", "--jobs", 2)
    figures = {name: [v for k, v in row.items() if k not in ("key", "policy")] for name, row in rows.items()}
    assert figures["my_bwc_state"] == figures["bwc"] != figures["pressure"] == figures["my_pressure"]
    Path("mine.py").write_text(FAULTS)
    mixed = sweep(",".join(["bwc", "wrong", "wrong[fault=14]", *SAYS]), "mixed.db", "--jobs", 2, status=1)
    assert mixed["bwc"] == rows["bwc"]
    assert not mixed["wrong"]["error"] and mixed["wrong"]["makespan_s"] == mixed["wrong[fault=14]"]["makespan_s"] != ""
    for policy, words in SAYS.items():
        assert re.search(words, mixed[policy]["error"]) and not mixed[policy]["makespan_s"], mixed[policy]


def test_the_bytes_of_the_file_are_in_keys():
    Path("mine.py").write_text(COPIES)
    first = sweep("bwc,my_bwc", "a.db")
    Path("mine.py").write_text(COPIES + "# another one\n")
    second = sweep("bwc,my_bwc", "b.db")
    key = next(iter(first["bwc"]))
    assert first["bwc"][key] == second["bwc"][key] and first["my_bwc"][key] != second["my_bwc"][key]


HEAD = "import iasim\n@iasim.policy"
REFUSED = {
    HEAD + "\ndef f(view, state):\n    pass\n": "policy f has no docstring",
    HEAD + "\ndef f(view, s):\n    'f'\n": "policy f must be a function of view and state, or of view and child",
    HEAD + "\ndef f(view, state, x):\n    'f'\n": "parameter 'x' of policy f needs a default",
    HEAD + "\ndef f(view, state, chunk=0):\n    'f'\n": "policy f has the parameter 'chunk' twice",
    HEAD + "\ndef bwc(view, state):\n    'f'\n": "there is already a policy 'bwc', which comes with iasim",
    HEAD + "(plans=True)\ndef f(view, child):\n    'f'\n": "policy f: plans is for functions of view and state",
    HEAD + "(oldest_first=True)\ndef f(view, state):\n    'f'\n":
        "policy f: oldest_first is for functions of view and child",
    HEAD + "(plans='best')\ndef f(view, state):\n    'f'\n": 'policy f: plans must be True, False, "physical" or',
    HEAD + "(measures=1)\ndef f(view, state):\n    'f'\n": "policy f: measures must be True or False",
    HEAD + "(speed=1)\ndef f(view, state):\n    'f'\n": "TypeError: policy() got an unexpected keyword argument",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_file_that_cannot_be_loaded_is_refused(text):
    Path("mine.py").write_text(text)
    done = call("list", status=2)
    assert done.stdout == "" and done.stderr.startswith("iasim: mine.py: ") and len(done.stderr.splitlines()) == 1
    assert REFUSED[text] in done.stderr


def test_a_scheduler_and_a_policy_in_one_file():
    Path("mine.py").write_text(COPIES + '''
@iasim.scheduler
def first(problem, draft):
    """All on the first host."""
    for task in problem.order:
        draft.place(task, 0)
''')
    listed = json.loads(call("list", "--json").stdout)
    assert {"my_bwc", "my_pressure"} <= {x["name"] for x in listed["policies"]}
    assert "first" in {x["name"] for x in listed["schedulers"]}
    frame = iasim.farm(platform="platforms/kreaseck-fork.xml", deployment="deployments/kreaseck-fork.xml", tasks=20,
                       send_size=1, compute_size=5, policy="my_bwc", plugin="mine.py")
    assert frame.attrs["makespan_s"] > 0
