# SPDX-License-Identifier: LGPL-2.1-or-later
"""The program's results as pandas frames."""
from __future__ import annotations

import contextlib
import io
import json
import math
import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from ._program import Error, File, call, file_name, print_of

if TYPE_CHECKING:
    import pandas

    Plan = Union[pandas.DataFrame, File]

SUFFIXES = {"tasks_per_s": "tasks/s", "bytes_per_s": "bytes/s", "flop_per_s": "flop/s", "_s": "s", "_bytes": "bytes",
            "_flop": "flop"}


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError(f"frames need pandas, which {sys.executable} does not have; on Debian: apt install "
                          "python3-pandas, for /usr/bin/python3") from None
    return pandas


def _json(command: str, arguments: list[Any], options: dict[str, Any],
          accepted: tuple[int, ...] = (0,)) -> dict[str, Any]:
    _pandas()  # before a simulation that may take long
    found: dict[str, Any] = json.loads(print_of([command], arguments, {**options, "json": True}, accepted))
    return found


def _unit(column: str) -> str:
    return next((unit for suffix, unit in SUFFIXES.items() if column.endswith(suffix)), "")


def _frame(rows: list[dict[str, Any]], columns: list[str], attrs: dict[str, Any]) -> pandas.DataFrame:
    """Rows of JSON; `columns` come first, and are there without rows, too."""
    more = [c for c in dict.fromkeys(c for row in rows for c in row) if c not in columns]
    frame: pandas.DataFrame = _pandas().DataFrame(rows, columns=columns + more)
    units = {c: _unit(c) for c in frame.columns if _unit(c)}
    frame.attrs = {"units": units, **attrs}
    return frame


# --- sweeps ---


def _meta(database: File) -> dict[str, str]:
    """What a database records about itself; `iasim export` has checked it before."""
    with contextlib.closing(sqlite3.connect(f"{Path(database).absolute().as_uri()}?mode=ro", uri=True)) as db:
        return dict(db.execute("SELECT name, value FROM meta"))


def _experiment(name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(x for x in call("list", "experiments", json=True)["experiments"] if x["name"] == name)
    return found


def results(database: File) -> pandas.DataFrame:
    """The results of `iasim run`: a row for each point and replication, sorted by key.

    Columns are the parameters, then the figures, then `error`. A point that failed is a row like any other: its figures
    are NaN and `error` has the message, which is missing (None) where all went well. Figures are floats. Parameters
    that are numbers are numbers; others are text: a world `none` stays the word. attrs: `units`, `meanings`, `better`
    ("lower", "higher" or "neither", for figures), `scenario`, `experiment`, `failed` (how many).

    Raises Error if the file is not a database of iasim."""
    pd = _pandas()
    text = call("export", file_name("database", database))
    meta = _meta(database)
    experiment = _experiment(meta["experiment"])
    frame: pandas.DataFrame = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
    params = {p["name"]: p for p in experiment["parameters"]}
    figures = {m["name"]: m for m in experiment["metrics"]}
    for column in frame.columns:
        kind = params.get(column, {}).get("type")
        if column in figures:
            frame[column] = _floats(frame[column])
        elif kind in ("number", "integer") or column == "replication":
            frame[column] = _numbers(frame[column], kind)
    frame["error"] = frame["error"].where(frame["error"] != "", None)
    described = {c: {**params, **figures}[c] for c in frame.columns if c in figures or c in params}
    frame.attrs = {
        "units": {c: d["unit"] for c, d in described.items() if d["unit"]},
        "meanings": {c: d["meaning"] for c, d in described.items()},
        "better": {c: figures[c]["better"] for c in frame.columns if c in figures},
        "scenario": meta["scenario"],
        "experiment": meta["experiment"],
        "failed": int(frame["error"].notna().sum()),
    }
    return frame


def _numbers(column: pandas.Series[Any], kind: str | None) -> pandas.Series[Any]:
    """Integers where all are, floats otherwise; a parameter that was not given is NaN."""
    if kind != "number" and (column != "").all():
        return column.map(int)
    return _floats(column)


def _floats(column: pandas.Series[Any]) -> pandas.Series[Any]:
    """The numbers as they are written: pandas.to_numeric rounds the last digits."""
    return column.map(lambda text: float(text or "nan")).astype(float)


def run(scenario: File, **options: Any) -> pandas.DataFrame:
    """Runs a sweep (`iasim run`) and returns its results as `results` does, also those of points that failed.

        iasim.run("kreaseck-fork", jobs=2, set={"policy": ["ia_multi", "bwc"]}, out="fork.db")

    `scenario` is the name of one that comes with iasim, or the name of a file. `set` is a dictionary of parameters; a
    list is several values. With resume=True the sweep goes on where a database ends. Raises Error where the sweep
    itself could not be run or was interrupted."""
    summary = _json("run", [file_name("scenario", scenario)], {"progress": "none", **options}, accepted=(0, 1))
    return results(summary["database"])


def compare(*databases: File, **options: Any) -> pandas.DataFrame:
    """Compares variants (`iasim compare`): a row for each pair of a variant and its reference, in each group.

        iasim.compare("fork.db", by="policy", metric="makespan_s", group_by="world")

    A `median_ratio` below 1: the variant has the lower figures; `low` and `high` are the ends of its confidence
    interval, and `p_holm` is for the question whether the two differ. attrs: `profile` (the performance profile), the
    table `worst` (the worst cases), `metric`, `unit`, `better`, `confidence` ..."""
    found = _json("compare", [file_name("database", d) for d in databases], options)
    rows = [{**{k: v for k, v in pair.items() if k != "group"}, **pair["group"]} for pair in found.pop("pairs")]
    groups = [c for c in (rows[0] if rows else {}) if c in _names(options.get("group_by"))]
    return _frame(rows, groups + ["variant", "reference"], found)


def _names(value: Any) -> list[str]:
    return value.split(",") if isinstance(value, str) else list(value or [])


# --- single runs ---


def graph(generator: str, *, seed: int, out: File, **options: Any) -> str:
    """Generates a task graph (`iasim graph generate`) and returns the name of its file, `out`. `known("generators")`
    lists the generators.

        iasim.graph("layered[tasks=50,width=8]", seed=7, out="g.dot", ccr=1, platform="platforms/sinnen-bus.xml")"""
    call("graph", "generate", generator, seed=seed, out=file_name("out", out), **options)
    return os.fspath(out)


def graph_info(graph: File, **options: Any) -> dict[str, Any]:
    """Describes a task graph (`iasim graph info`): its figures, such as `tasks`, `depth`, `work_flop`, `volume_bytes`,
    `critical_path`, and on a platform also `ccr` and `sequential_s`.

        iasim.graph_info("g.dot", platform="platforms/sinnen-bus.xml")["ccr"]"""
    found: dict[str, Any] = call("graph", "info", file_name("graph", graph), json=True, **options)
    return found


def platform(shape: str, *, hosts: int, seed: int, out: File, **options: Any) -> tuple[str, str]:
    """Generates a platform (`iasim platform generate`), "star" or "tree", and a farm's deployment for it. Returns the
    names of the two files, which begin with `out`.

        platform, deployment = iasim.platform("tree", hosts=20, seed=7, out="farm")"""
    prefix = file_name("out", out)
    call("platform", "generate", shape, hosts=hosts, seed=seed, out=prefix, **options)
    return f"{prefix}.platform.xml", f"{prefix}.deployment.xml"


def schedule(**options: Any) -> pandas.DataFrame:
    """Plans a task graph (`iasim schedule`): a row for each task, with `task`, `host`, `start_s`, `finish_s`.

        iasim.schedule(graph="g.dot", platform="platforms/sinnen-bus.xml", model="involvement", scheduler="heft")

    attrs: `length_s`, `speed_up`, `ccr` and what else the program's summary has; the table `edges`, the bookings of
    each edge; `schedule`, the text of the schedule's file, which is also written to `out` if that is given. The frame
    can be given to `check`, `replay` and `explain`, also after you have edited its rows or `edges`: those are then the
    schedule, `attrs["schedule"]` stays what the program made."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(file_name("out", options.pop("out", None) or Path(folder, "schedule.json")))
        summary = _json("schedule", [], {**options, "out": path})
        text = path.read_text(encoding="utf-8")
    found = json.loads(text)
    summary["n_tasks"], summary["n_edges"] = summary.pop("tasks"), summary.pop("edges")
    costs = {"costs": os.fspath(options["costs"])} if options.get("costs") else {}
    return _tasks(found["tasks"], {**summary, **costs, "edges": found["edges"], "schedule": text})


def _tasks(rows: list[dict[str, Any]], attrs: dict[str, Any]) -> pandas.DataFrame:
    rows = [{"task" if k == "name" else k: v for k, v in row.items()} for row in rows]
    return _frame(rows, ["task", "host", "start_s", "finish_s"], attrs)


def _edited(plan: pandas.DataFrame, found: dict[str, Any]) -> dict[str, Any]:
    """The schedule with the frame's rows, and the table `edges` of its attrs, in place of what it had."""
    missing = [c for c in ("task", "host", "start_s", "finish_s") if c not in plan.columns]
    if missing:
        raise TypeError(f"plan has no column '{missing[0]}'; a schedule has task, host, start_s and finish_s")
    tasks = [{"name": task, "host": host, "start_s": float(start_s), "finish_s": float(finish_s)}
             for task, host, start_s, finish_s in zip(*(plan[c] for c in ("task", "host", "start_s", "finish_s")))]
    for row in tasks:
        if not math.isfinite(row["start_s"]) or not math.isfinite(row["finish_s"]):
            raise ValueError(f"task '{row['name']}' of plan is from {row['start_s']} to {row['finish_s']}; "
                             "dates must be finite")
    length_s = max((row["finish_s"] for row in tasks), default=0.0)
    return {**found, "length_s": length_s, "tasks": tasks, "edges": plan.attrs.get("edges", found["edges"])}


def _schedule_text(plan: pandas.DataFrame) -> str:
    """The text of the schedule's file: the program's own where the frame has not been edited since. Otherwise it is
    written as the program writes it, with a line for each task and edge, so that line numbers say the same."""
    text: str = plan.attrs["schedule"]
    found = json.loads(text)
    new = _edited(plan, found)
    if new["edges"] == found["edges"] and sorted(new["tasks"], key=str) == sorted(found["tasks"], key=str):
        return text
    head = json.dumps({k: v for k, v in new.items() if k not in ("tasks", "edges")})
    tasks, edges = (",\n".join("  " + json.dumps(row) for row in new[k]) for k in ("tasks", "edges"))
    return f'{head[:-1]},\n "tasks":[\n{tasks}],\n "edges":[\n{edges}]}}\n'


@contextlib.contextmanager
def _schedule_file(plan: Plan, options: dict[str, Any]) -> Iterator[tuple[File, dict[str, Any]]]:
    """The file of a schedule; one given as a frame brings its graph, platform and costs along."""
    if isinstance(plan, (str, os.PathLike)):
        yield plan, options
        return
    if "schedule" not in getattr(plan, "attrs", {}):
        raise TypeError(f"plan is of type {type(plan).__name__}; it must be a frame of iasim.schedule, which has "
                        "attrs['schedule'], or the name of a file")
    own = {k: plan.attrs[k] for k in ("graph", "platform", "costs") if k in plan.attrs}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "schedule.json")
        path.write_text(_schedule_text(plan), encoding="utf-8")
        yield path, {**own, **options}


def check(plan: Plan, **options: Any) -> pandas.DataFrame:
    """What is wrong with a schedule (`iasim check`): a row for each violation, with `condition`, `line` and `text`. A
    frame without rows: the schedule is valid. Arguments as for `replay`, without a world. attrs: `valid`."""
    with _schedule_file(plan, options) as (path, given):
        found = _json("check", [path], given, accepted=(0, 1))
    return _frame(found.pop("violations"), ["condition", "line", "text"], found)


def replay(plan: Plan, **options: Any) -> pandas.DataFrame:
    """Carries a schedule out on the simulated machine (`iasim replay`): a row for each task, planned and simulated.

        iasim.replay(plan, world="interference", noise={"work": 0.2, "size": 0.1}, seed=3)

    `plan` is a frame of `schedule`, which brings graph and platform along, or the name of a file; then `graph` and
    `platform` must be given. attrs: `makespan_s`, `planned_s`, `estimation_error_ratio`; the tables `edges` and
    `hosts`."""
    with _schedule_file(plan, options) as (path, given):
        found = _json("replay", [path], given)
    return _tasks(found.pop("tasks"), found)


def explain(plan: Plan, **options: Any) -> pandas.DataFrame:
    """Why a schedule takes as long as it does (`iasim explain`): a row for each segment of the critical chain.

        chain = iasim.explain(plan, world="involvement", what_ifs=3)
        iasim.table(chain, "what_if")

    Arguments as for `replay`. Columns: `from_s`, `to_s`, `cause`, and the `host`, `link`, `task` or `edge` that it is
    about. The durations `to_s - from_s` add up to the makespan. attrs: `makespan_s`; the tables `by_cause`, `by_host`
    and `by_link`, which are sums of the durations, and `what_if`, the makespans after changes, the best first."""
    with _schedule_file(plan, options) as (path, given):
        found = _json("explain", [path], given)
    return _frame(found.pop("segments"), ["from_s", "to_s", "cause"], found)


def explain_difference(first: Plan, second: Plan, **options: Any) -> pandas.DataFrame:
    """Why two schedules of a graph do not take the same time (`iasim explain FIRST SECOND`): a row for each cause, host
    and link of the two critical chains, with `by`, `name`, `first_s`, `second_s` and `difference_s`, second minus
    first. The differences of all rows that are by cause add up to that of the makespans. Arguments as for `replay`.
    attrs: `makespan_s`, two numbers."""
    with _schedule_file(first, options) as (path, given), _schedule_file(second, {}) as (other, _):
        found = _json("explain", [path, other], given)
    rows = [{"by": by, "name": name, "first_s": a, "second_s": b, "difference_s": b - a}
            for by in ("cause", "host", "link") for name, (a, b) in found[f"by_{by}"].items()]
    return _frame(rows, ["by", "name", "first_s", "second_s", "difference_s"], {"makespan_s": found["makespan_s"]})


# --- farms ---


def farm(**options: Any) -> pandas.DataFrame:
    """Simulates a farm of independent tasks (`iasim farm`): a row for each host of the tree.

        iasim.farm(platform="platforms/kreaseck-fork.xml", deployment="deployments/kreaseck-fork.xml",
        policy="ia_multi",
                   send_size=2, compute_size=5, explain=True)

    attrs: `makespan_s`, `throughput_tasks_per_s`, `steady_tasks_per_s`; the table `throughput_over_time`. With
    explain=True there are more columns: how long each host was `computing_s`, `starved_s` and so on, what constraint of
    the bound it is `held_by`, its own `bound_tasks_per_s`, and by which causes it falls short of that
    (`loss_starved_tasks_per_s` ...). attrs then has the farm's `bound_tasks_per_s`, and the table `loss_by_cause`."""
    found = _json("farm", [], options)
    rows, why = found.pop("nodes"), found.pop("explain", None)
    if why is not None:
        found.update({k: why[k] for k in ("bound_tasks_per_s", "loss_by_cause", "warning")})
        rows = [{**row, **_explained(more)} for row, more in zip(rows, why["nodes"])]
    return _frame(rows, ["host"], found)


def _explained(node: dict[str, Any]) -> dict[str, Any]:
    losses = {f"loss_{cause}_tasks_per_s": loss for cause, loss in node["loss_by_cause"].items()}
    return {**{k: v for k, v in node.items() if k != "loss_by_cause"}, **losses}


def bound(**options: Any) -> pandas.DataFrame:
    """How many tasks per second a farm can compute at best (`iasim bound`): a row for each host of the tree, with
    `total_tasks_per_s` of its subtree, its own `computed_tasks_per_s`, and what it is `stopped_by`.

        iasim.bound(platform="platforms/kreaseck-fork.xml", deployment="deployments/kreaseck-fork.xml", ports="multi",
                    send_size=2, compute_size=5)

    attrs: `throughput_tasks_per_s` of the whole farm, `warning`."""
    found = _json("bound", [], options)
    return _frame(found.pop("nodes"), ["host"], found)


# --- tables ---

SUMS = {"by_cause": "time_s", "by_host": "time_s", "by_link": "time_s", "loss_by_cause": "loss_tasks_per_s"}


def table(frame: pandas.DataFrame, name: str) -> pandas.DataFrame:
    """A table among the attrs of a frame as a frame of its own, with units: `edges` and `hosts` of a replay, `what_if`
    and `by_cause` of an explanation, `throughput_over_time` of a farm, `worst` of a comparison ...

        iasim.table(iasim.replay(plan, world="none"), "hosts")["idle_s"].sum()"""
    found = frame.attrs.get(name)
    if name in SUMS and isinstance(found, dict):
        key = name.rpartition("by_")[2]
        return _frame([{key: k, SUMS[name]: v} for k, v in found.items()], [key, SUMS[name]], {})
    if _is_table(found):
        return _frame([_flat(row) for row in found], [], {})
    tables = [k for k, v in frame.attrs.items() if k in SUMS and isinstance(v, dict) or _is_table(v)]
    raise ValueError(f"the frame has no table '{name}'; it has: {', '.join(tables) or 'none'}")


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """send: {host, start_s} becomes send_host, send_start_s."""
    out: dict[str, Any] = {}
    for key, value in row.items():
        out.update({f"{key}_{k}": v for k, v in value.items()} if isinstance(value, dict) else {key: value})
    return out


def known(kind: str) -> pandas.DataFrame:
    """What the program knows (`iasim list`): a row for each of the "schedulers", "policies", "models", "generators",
    "experiments", "graph_formats" ..., with `name`, `summary`, `source`, and `parameters` with their defaults.

        iasim.known("schedulers").set_index("name")["summary"]"""
    entries = call("list", kind, json=True)[kind]
    def defaults(entry: dict[str, Any]) -> str:
        return ",".join(f"{p['name']}={p['default'] or ''}" for p in entry.get("parameters") or [])

    rows = [{**entry, "parameters": defaults(entry)} for entry in entries]
    return _frame(rows, ["name", "summary", "source", "parameters"], {})
