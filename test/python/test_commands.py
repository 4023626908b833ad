# SPDX-License-Identifier: LGPL-2.1-or-later
"""The functions of the package iasim that call the program, compared with what the program itself prints."""
import csv
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

import iasim

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas", reason="needs pandas; on Debian: apt install python3-pandas")

PLATFORM = "platforms/sinnen-hetero.xml"
FARM = {"platform": "platforms/kreaseck-fork.xml", "deployment": "deployments/kreaseck-fork.xml", "policy": "ia_multi",
        "send_size": 2, "compute_size": 5, "tasks": 50}


@pytest.fixture(autouse=True)
def in_new_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def plan():
    iasim.graph("layered[tasks=12,width=4]", seed=3, ccr=1, platform=PLATFORM, out="g.dot")
    return iasim.schedule(graph="g.dot", platform=PLATFORM, model="involvement", scheduler="heft")


def iasim_itself(*words):
    return subprocess.run([iasim.program(), *words], capture_output=True, text=True, check=True).stdout


def sweep():
    return iasim.run("smoke", set={"policy": ["bwc", "fcfs"]}, out="smoke.db", jobs=2)


# --- results ---


def test_results_are_those_of_export():
    frame = sweep()
    rows = list(csv.DictReader(iasim_itself("export", "smoke.db").splitlines()))
    assert len(frame) == len(rows) == 8
    assert list(frame.columns) == list(rows[0])
    for (_, mine), theirs in zip(frame.iterrows(), rows):
        assert mine["key"] == theirs["key"]
        assert mine["makespan_s"] == float(theirs["makespan_s"])
        assert mine["world"] == theirs["world"]


def test_results_have_types_and_units():
    frame = sweep()
    assert frame["tasks"].dtype.kind == "i" and frame["replication"].dtype.kind == "i"
    assert frame["send_size"].dtype.kind == "f" and frame["makespan_s"].dtype.kind == "f"
    assert set(frame["world"]) == {"none", "interference"}  # the word none is a world, not a missing value
    assert set(frame["generator"]) == {""}
    units = frame.attrs["units"]
    assert units["makespan_s"] == "s" and units["send_size"] == "MB" and units["sent_bytes"] == "bytes"
    assert "policy" not in units
    assert frame.attrs["better"]["makespan_s"] == "lower" and frame.attrs["better"]["steady_tasks_per_s"] == "higher"
    assert frame.attrs["failed"] == 0 and frame["error"].isna().all()


def test_failed_points_are_rows_with_their_error():
    data = os.environ["IASIM_DATA"]  # star-8 does not have the hosts of the deployment
    platforms = [f"{data}/platforms/{p}.xml" for p in ("kreaseck-fork", "star-8")]
    frame = iasim.run("smoke", out="half.db", set={"platform": platforms, "policy": "bwc"})
    failed = frame["error"].notna()
    assert len(frame) == 8 and failed.sum() == 4 == frame.attrs["failed"]
    assert frame["platform"].str.contains("star-8").equals(failed)
    assert frame.loc[failed, "makespan_s"].isna().all() and frame.loc[~failed, "makespan_s"].notna().all()
    assert frame.loc[failed, "error"].str.contains("Lab0").all()


# --- single runs ---


def test_a_schedule_is_the_programs(plan):
    text = iasim_itself("schedule", "--graph", "g.dot", "--platform", PLATFORM, "--model", "involvement",
                        "--scheduler", "heft")
    theirs = json.loads(text)
    assert plan.attrs["schedule"] == text
    assert list(plan.columns) == ["task", "host", "start_s", "finish_s"]
    assert plan["finish_s"].max() == theirs["length_s"] == plan.attrs["length_s"]
    assert plan.attrs["units"] == {"start_s": "s", "finish_s": "s"}
    assert plan.attrs["n_tasks"] == len(plan) == 12


def test_a_frame_can_be_replayed_and_explained(plan):
    again = iasim.replay(plan, world="involvement")
    assert again["finish_s"].max() == again.attrs["makespan_s"]
    assert list(again["task"]) == list(plan["task"])
    assert again.attrs["units"]["planned_finish_s"] == "s"
    Path("s.json").write_text(plan.attrs["schedule"])
    of_file = iasim.replay("s.json", graph="g.dot", platform=PLATFORM, world="involvement")
    pd.testing.assert_frame_equal(again, of_file)
    chain = iasim.explain(plan, world="involvement")
    assert math.isclose((chain["to_s"] - chain["from_s"]).sum(), again.attrs["makespan_s"], rel_tol=1e-9)
    assert set(chain["cause"]) == set(chain.attrs["by_cause"])


def test_segments_and_what_ifs_are_explained(plan):
    chain = iasim.explain(plan, world="involvement", what_ifs=2)
    what_if = iasim.table(chain, "what_if")
    assert what_if["makespan_s"].is_monotonic_increasing and what_if.attrs["units"] == {"makespan_s": "s"}
    without = what_if.set_index("change").loc["without contention", "makespan_s"]
    assert without <= chain.attrs["makespan_s"]
    for by in ("cause", "host", "link"):
        sums = iasim.table(chain, f"by_{by}").set_index(by)["time_s"]
        found = (chain["to_s"] - chain["from_s"]).groupby(chain[by]).sum()
        assert set(sums.index) == set(found.index) and np.allclose(sums, found[sums.index])


def test_differences_of_two_schedules(plan):
    other = iasim.schedule(graph="g.dot", platform=PLATFORM, model="classic", scheduler="sequential")
    frame = iasim.explain_difference(plan, other, world="involvement")
    first, second = (iasim.explain(p, world="involvement") for p in (plan, other))
    assert frame.attrs["makespan_s"] == [first.attrs["makespan_s"], second.attrs["makespan_s"]]
    causes = frame[frame["by"] == "cause"].set_index("name")
    assert math.isclose(causes["difference_s"].sum(), second.attrs["makespan_s"] - first.attrs["makespan_s"],
                        abs_tol=1e-9)
    assert causes.loc["computing", "second_s"] == second.attrs["by_cause"]["computing"]
    assert set(frame["by"]) == {"cause", "host", "link"}


def test_tables_of_a_replay(plan):
    run = iasim.replay(plan, world="involvement")
    hosts, edges = iasim.table(run, "hosts"), iasim.table(run, "edges")
    assert np.allclose(hosts[["busy_s", "stolen_s", "idle_s"]].sum(axis=1), run.attrs["makespan_s"])
    assert len(edges) == plan.attrs["n_edges"] and edges.attrs["units"]["transfer_finish_s"] == "s"
    remote = edges[~edges["local"]]
    assert len(remote) == plan.attrs["remote_edges"] > 0 and (remote["recv_finish_s"] >= remote["send_start_s"]).all()
    assert edges.loc[edges["local"], "send_host"].isna().all()
    with pytest.raises(ValueError, match="the frame has no table 'links'; it has: edges, hosts"):
        iasim.table(run, "links")


def test_noise_is_that_of_the_program(plan):
    mine = iasim.replay(plan, world="none", noise={"work": 0.2, "size": np.float64(0.1)}, seed=np.int64(3))
    words = ["--graph", "g.dot", "--platform", PLATFORM, "--world", "none", "--seed", "3", "--noise=work=0.2,size=0.1",
             "--json"]
    Path("s.json").write_text(plan.attrs["schedule"])
    assert mine.attrs["makespan_s"] == json.loads(iasim_itself("replay", *words, "s.json"))["makespan_s"]
    assert mine.attrs["makespan_s"] != iasim.replay(plan, world="none").attrs["makespan_s"]


@pytest.mark.parametrize("waiting", [
    "rendezvous", "rendezvous[progress=hardware]", "rendezvous[progress=calls]", "rendezvous[progress=polls]",
    "rendezvous[progress=hardware,eager=1e6]"])
def test_a_rendezvous_is_that_of_the_program(plan, waiting):
    mine = iasim.replay(plan, world="involvement", waiting=waiting)
    Path("s.json").write_text(plan.attrs["schedule"])
    words = ["--graph", "g.dot", "--platform", PLATFORM, "--world", "involvement", f"--waiting={waiting}", "--json"]
    assert mine.attrs["makespan_s"] == json.loads(iasim_itself("replay", *words, "s.json"))["makespan_s"]
    assert mine.attrs["makespan_s"] != iasim.replay(plan, world="involvement").attrs["makespan_s"]
    chain = iasim.explain(plan, world="involvement", waiting=waiting)
    assert math.isclose((chain["to_s"] - chain["from_s"]).sum(), mine.attrs["makespan_s"], rel_tol=1e-9)


@pytest.mark.parametrize("waiting,words", [
    ("rendezvou", "unknown waiting 'rendezvou'; known: passive, active, rendezvous"),
    ("rendezvous[progress=calling]", "calling"),
    ("rendezvous[progres=calls]", "progres"),
    ("rendezvous[eager=-1]", "eager"),
    ("passive[progress=calls]", "progress")])
def test_an_unknown_rendezvous_is_refused(plan, waiting, words):
    with pytest.raises(iasim.Error, match=words):
        iasim.replay(plan, world="involvement", waiting=waiting)


def test_a_rendezvous_needs_fluid_links(plan):
    with pytest.raises(iasim.Error, match="rendezvous.*fluid|fluid.*rendezvous|exclusive"):
        iasim.replay(plan, world="involvement", waiting="rendezvous", links="exclusive")


def test_a_schedule_is_checked(plan):
    good = iasim.check(plan)
    assert len(good) == 0 and good.attrs["valid"] and list(good.columns) == ["condition", "line", "text"]
    wrong = json.loads(plan.attrs["schedule"])
    wrong["tasks"][0]["start_s"] = -1
    Path("wrong.json").write_text(json.dumps(wrong))
    bad = iasim.check("wrong.json", graph="g.dot", platform=PLATFORM)
    assert not bad.attrs["valid"] and "'start_s' is negative" in bad.loc[0, "text"]


def test_an_edited_frame_is_the_schedule(plan):
    moved = plan.copy()
    moved[["start_s", "finish_s"]] += 1.5  # each task as long as before, but after the bookings of its data
    bad = iasim.check(moved)
    assert not bad.attrs["valid"] and "send_start" in set(bad["condition"])
    for edge in (edges := json.loads(json.dumps(plan.attrs["edges"]))):
        for span in [edge.get("send"), edge.get("recv"), *edge.get("links", [])]:
            if span:
                span.update({k: span[k] + 1.5 for k in ("start_s", "finish_s")})
    moved.attrs["edges"] = edges
    assert iasim.check(moved).attrs["valid"]
    assert iasim.replay(moved, world="involvement").attrs["planned_s"] == pytest.approx(plan.attrs["length_s"] + 1.5)
    one = plan.copy()
    one.loc[0, "finish_s"] += 1
    wrong = iasim.check(one)
    assert "duration" in set(wrong["condition"]) and wrong.loc[0, "line"] == 3
    pd.testing.assert_frame_equal(iasim.replay(plan.iloc[::-1], world="none"), iasim.replay(plan, world="none"))


@pytest.mark.parametrize("edit,error,words", [
    (lambda p: p.iloc[1:], iasim.Error, "task"),
    (lambda p: p.assign(host="nobody"), iasim.Error, "nobody"),
    (lambda p: p.assign(start_s=math.nan), ValueError, "task 'task_0_0' of plan is from nan to "),
    (lambda p: p.drop(columns="host"), TypeError,
     "plan has no column 'host'; a schedule has task, host, start_s and finish_s"),
])
def test_an_edited_frame_that_is_no_schedule(plan, edit, error, words):
    with pytest.raises(error, match=words):
        iasim.replay(edit(plan), world="none")


def test_what_graphs_are_and_what_is_known(plan):
    info = iasim.graph_info("g.dot", platform=PLATFORM)
    assert info["tasks"] == 12 and math.isclose(info["ccr"], 1) and info["sequential_s"] == plan.attrs["sequential_s"]
    schedulers = iasim.known("schedulers").set_index("name")
    assert {"heft", "peft"} <= set(schedulers.index)
    assert schedulers.loc["list", "parameters"].startswith("technique=end,")
    assert iasim.call("platform", "check", PLATFORM, json=True)[0]["n_hosts"] == 8
    assert iasim.call("graph", "info", "g.dot") == iasim_itself("graph", "info", "g.dot")


def test_out_keeps_the_schedule():
    iasim.graph("layered[tasks=12,width=4]", seed=3, out=Path("g.dot"))
    plan = iasim.schedule(graph=Path("g.dot"), platform=PLATFORM, model="classic", out="kept.json")
    assert Path("kept.json").read_text() == plan.attrs["schedule"]


def test_a_farm():
    frame = iasim.farm(**FARM)
    assert frame["tasks_computed"].sum() == 50
    assert frame.attrs["units"]["busy_s"] == "s" and frame.attrs["units"]["sent_bytes"] == "bytes"
    assert math.isclose(frame.attrs["throughput_tasks_per_s"], 50 / frame.attrs["makespan_s"])


def test_a_farm_is_explained_and_bounded():
    platform, deployment = iasim.platform("tree", hosts=5, seed=1, out="tree")
    given = {"platform": platform, "deployment": deployment, "send_size": 1, "compute_size": 5}
    frame = iasim.farm(**given, policy="ia_multi", tasks=50, explain=True)
    bound = iasim.bound(**given, ports="multi")
    assert list(bound["host"]) == list(frame["host"])
    assert np.allclose(bound["computed_tasks_per_s"], frame["bound_tasks_per_s"])
    assert bound["computed_tasks_per_s"].sum() == pytest.approx(bound.attrs["throughput_tasks_per_s"])
    losses = iasim.table(frame, "loss_by_cause")
    lost = bound.attrs["throughput_tasks_per_s"] - frame.attrs["throughput_tasks_per_s"]
    assert losses["loss_tasks_per_s"].sum() == pytest.approx(lost)
    for cause, loss in losses.itertuples(index=False):
        assert frame[f"loss_{cause}_tasks_per_s"].sum() == pytest.approx(loss)
    assert frame.attrs["units"]["tasks_per_s"] == "tasks/s" and frame.attrs["units"]["starved_s"] == "s"
    over_time = iasim.table(frame, "throughput_over_time")
    assert over_time.attrs["units"] == {"from_s": "s", "to_s": "s", "tasks_per_s": "tasks/s"}
    assert ((over_time["to_s"] - over_time["from_s"]) * over_time["tasks_per_s"]).sum() == pytest.approx(50)


def test_compare():
    sweep()
    frame = iasim.compare("smoke.db", by="policy", metric="makespan_s", reference="bwc",
                          group_by=["world", "compute_size"])
    assert len(frame) == 4 and list(frame.columns[:4]) == ["world", "compute_size", "variant", "reference"]
    figures = iasim.results("smoke.db").set_index(["world", "compute_size", "policy"])["makespan_s"]
    for row in frame.itertuples():
        size = float(row.compute_size)
        expected = figures[row.world, size, "fcfs"] / figures[row.world, size, "bwc"]
        assert math.isclose(row.median_ratio, expected, rel_tol=1e-9)
    assert frame.attrs["metric"] == "makespan_s" and frame.attrs["profile"]["cases"] == 4


# --- errors, and finding the program ---


def test_an_error_has_the_programs_message():
    with pytest.raises(iasim.Error, match="unknown policy 'best'; ") as caught:
        iasim.farm(**{**FARM, "policy": "best"})
    assert caught.value.status == 2
    with pytest.raises(iasim.Error, match="--no-such-option"):
        iasim.farm(**FARM, no_such_option=1)
    with pytest.raises(iasim.Error, match="none.db"):
        iasim.results("none.db")
    Path("text.db").write_text("not a database")
    with pytest.raises(iasim.Error, match="text.db"):
        iasim.results("text.db")


def test_a_warning_of_the_program_is_one_of_python():
    iasim.graph("layered[tasks=12,width=4]", seed=3, out="g.dot")
    with pytest.warns(UserWarning, match="involvement") as caught:
        iasim.schedule(graph="g.dot", platform="platforms/star-8.xml", model="involvement")
    assert caught[0].filename == __file__


@pytest.mark.parametrize("call,words", [
    (lambda: iasim.replay(5, world="none"), "plan is of type int; it must be a frame of iasim.schedule"),
    (lambda: iasim.explain(pd.DataFrame(), world="none"),
     "plan is of type DataFrame; it must be a frame of iasim.schedule"),
    (lambda: iasim.compare(pd.DataFrame()), "database is of type DataFrame; it must be the name of a file"),
    (lambda: iasim.run(["smoke"]), "scenario is of type list; it must be the name of a file"),
    (lambda: iasim.schedule(graph=pd.DataFrame()), "graph is of type DataFrame; it must be text, a number"),
    (lambda: iasim.run("smoke", set={"policy": b"bwc"}),
     r"set\['policy'\] is of type bytes; it must be text, a number"),
    (lambda: iasim.graph("fork", seed=1, out=None), "out is of type NoneType; it must be the name of a file"),
])
def test_a_wrong_argument_is_named(call, words):
    with pytest.raises(TypeError, match=words):
        call()


def test_several_values_may_be_of_any_kind():
    frame = iasim.run("smoke", set={"policy": "bwc", "tasks": range(10, 30, 10), "send_size": np.array([1.0, 2.5])},
                      out="s.db")
    assert set(frame["tasks"]) == {10, 20} and set(frame["send_size"]) == {1.0, 2.5}


def test_the_program_is_found(monkeypatch, tmp_path):
    monkeypatch.setenv("IASIM", "/nowhere/iasim")
    with pytest.raises(iasim.Error, match="IASIM names '/nowhere/iasim'"):
        iasim.farm(**FARM)
    monkeypatch.delenv("IASIM")
    assert iasim.program() == str(Path(iasim.__file__).resolve().parents[2] / "iasim")  # of this checkout
    monkeypatch.setattr("iasim._program._candidates", lambda: [tmp_path / "none"])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(iasim.Error, match="not found: set the environment variable IASIM"):
        iasim.program()
    (tmp_path / "iasim").write_text("#!/bin/sh\n")
    (tmp_path / "iasim").chmod(0o755)
    assert iasim.program() == str(tmp_path / "iasim")


def test_the_version_is_the_programs():
    assert f"iasim {iasim.__version__}\n" == iasim_itself("--version")


def test_without_pandas_one_sentence():
    for call in ("farm()", "results('none.db')"):
        code = f"import sys; sys.modules['pandas'] = None; import iasim; iasim.{call}"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert done.stderr.strip().splitlines()[-1] == (
            f"ImportError: frames need pandas, which {sys.executable} does not have; on Debian: apt install "
            "python3-pandas, for /usr/bin/python3")


def test_pydoc_shows_every_function():
    done = subprocess.run([sys.executable, "-m", "pydoc", "iasim"], capture_output=True, text=True, check=True,
                          env={**os.environ, "PAGER": "cat"})
    for name in iasim.__all__:
        assert name in done.stdout
        assert getattr(iasim, name).__doc__
