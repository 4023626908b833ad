# SPDX-License-Identifier: LGPL-2.1-or-later
"""The program's results as pandas frames."""
from __future__ import annotations

import contextlib
import io
import json
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from ._program import Error, call

if TYPE_CHECKING:
    import pandas

File = Union[str, "os.PathLike[str]"]
SUFFIXES = {"_tasks_per_s": "tasks/s", "_bytes_per_s": "bytes/s", "_flop_per_s": "flop/s", "_s": "s", "_bytes": "bytes",
            "_flop": "flop"}


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError("frames need pandas; on Debian: apt install python3-pandas") from None
    return pandas


def _json(command: str, arguments: list[Any], options: dict[str, Any], accepted: tuple[int, ...] = (0,)) -> dict[str, Any]:
    _pandas()  # before a simulation that may take long
    return json.loads(call([command], arguments, {**options, "json": True}, accepted))


def _unit(column: str) -> str:
    return next((unit for suffix, unit in SUFFIXES.items() if column.endswith(suffix)), "")


def _frame(rows: list[dict[str, Any]], columns: list[str], attrs: dict[str, Any]) -> pandas.DataFrame:
    """Rows of JSON; `columns` come first, and are there without rows, too."""
    more = [c for row in rows[:1] for c in row if c not in columns]
    frame = _pandas().DataFrame(rows, columns=columns + more)
    units = {c: _unit(c) for c in frame.columns if _unit(c)}
    frame.attrs = {"units": units, **attrs}
    return frame


# --- sweeps ---


def _meta(database: File) -> dict[str, str]:
    """What a database says of itself; `iasim export` has judged it before."""
    with contextlib.closing(sqlite3.connect(f"{Path(database).absolute().as_uri()}?mode=ro", uri=True)) as db:
        return dict(db.execute("SELECT name, value FROM meta"))


def _experiment(name: str) -> dict[str, Any]:
    known = json.loads(call(["list"], ["experiments"], {"json": True}))["experiments"]
    return next(x for x in known if x["name"] == name)


def results(database: File) -> pandas.DataFrame:
    """The results of `iasim run`: a row for each point and replication, sorted by key.

    Columns are the parameters, then the figures, then `error`. A point that failed is a row like any other: its figures
    are NaN and `error` has the message, which is missing (None) where all went well. Figures are floats. Parameters that are
    numbers are numbers; others are text: a world `none` stays the word. attrs: `units`, `meanings`, `better` ("lower",
    "higher" or "neither", for figures), `scenario`, `experiment`, `failed` (how many).

    Raises Error if the file is not a database of iasim."""
    pd = _pandas()
    table = call(["export"], [database], {})
    meta = _meta(database)
    experiment = _experiment(meta["experiment"])
    frame = pd.read_csv(io.StringIO(table), dtype=str, keep_default_na=False)
    params = {p["name"]: p for p in experiment["parameters"]}
    figures = {m["name"]: m for m in experiment["metrics"]}
    for column in frame.columns:
        kind = params.get(column, {}).get("type")
        if column in figures:
            frame[column] = _floats(frame[column])
        elif kind in ("number", "integer") or column == "replication":
            frame[column] = _numbers(frame[column], kind)
    frame["error"] = frame["error"].where(frame["error"] != "", None)
    described = {c: (figures.get(c) or params.get(c)) for c in frame.columns if c in figures or c in params}
    frame.attrs = {
        "units": {c: d["unit"] for c, d in described.items() if d["unit"]},
        "meanings": {c: d["meaning"] for c, d in described.items()},
        "better": {c: figures[c]["better"] for c in frame.columns if c in figures},
        "scenario": meta["scenario"],
        "experiment": meta["experiment"],
        "failed": int(frame["error"].notna().sum()),
    }
    return frame


def _numbers(column: pandas.Series, kind: str | None) -> pandas.Series:
    """Integers where all are, floats otherwise; a parameter that was not given is NaN."""
    if kind != "number" and (column != "").all():
        return column.map(int)
    return _floats(column)


def _floats(column: pandas.Series) -> pandas.Series:
    """The numbers as they are written: pandas.to_numeric rounds the last digits."""
    return column.map(lambda text: float(text or "nan")).astype(float)


def run(scenario: File, **options: Any) -> pandas.DataFrame:
    """Runs a sweep (`iasim run`) and returns its results, also of points that failed.

        iasim.run("kreaseck-fork", jobs=2, set={"policy": ["ia_multi", "bwc"]}, out="fork.db")

    `set` is a dictionary of parameters; a list is several values. With `resume=True` the sweep goes on where a database
    ends. Raises Error where the sweep itself could not be run or was interrupted."""
    summary = _json("run", [scenario], {"progress": "none", **options}, accepted=(0, 1))
    return results(summary["database"])


def compare(*databases: File, **options: Any) -> pandas.DataFrame:
    """Compares variants (`iasim compare`): a row for each pair of a variant and its reference, in each group.

        iasim.compare("fork.db", by="policy", metric="makespan_s", group_by="world")

    attrs: `profile` (the performance profile), `worst` (the worst cases), `metric`, `unit`, `better`, `confidence` ..."""
    found = _json("compare", list(databases), options)
    rows = [{**{k: v for k, v in pair.items() if k != "group"}, **pair["group"]} for pair in found.pop("pairs")]
    groups = [c for c in (rows[0] if rows else {}) if c in _names(options.get("group_by"))]
    return _frame(rows, groups + ["variant", "reference"], found)


def _names(value: Any) -> list[str]:
    return value.split(",") if isinstance(value, str) else list(value or [])


# --- single runs ---


def graph(generator: str, *, seed: int, out: File, **options: Any) -> str:
    """Generates a task graph (`iasim graph generate`) and returns the name of its file, `out`.

        iasim.graph("layered[tasks=50,width=8]", seed=7, out="g.dot", ccr=1, platform="platforms/sinnen-bus.xml")"""
    call(["graph"], ["generate", generator], {"seed": seed, "out": out, **options})
    return os.fspath(out)


def schedule(**options: Any) -> pandas.DataFrame:
    """Plans a task graph (`iasim schedule`): a row for each task, with `task`, `host`, `start_s`, `finish_s`.

        iasim.schedule(graph="g.dot", platform="platforms/sinnen-bus.xml", model="involvement", scheduler="heft")

    attrs: `length_s`, `speed_up`, `ccr` and what else the program's summary has; `edges`, a list with the bookings of each
    edge; `schedule`, the text of the schedule's file, which is also written to `out` if that is given. The frame can be given to
    `replay` and `explain`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(options.pop("out", None) or Path(folder, "schedule.json"))
        summary = _json("schedule", [], {**options, "out": path})
        text = path.read_text(encoding="utf-8")
    found = json.loads(text)
    summary["n_tasks"], summary["n_edges"] = summary.pop("tasks"), summary.pop("edges")
    costs = {"costs": os.fspath(options["costs"])} if options.get("costs") else {}
    return _tasks(found["tasks"], {**summary, **costs, "edges": found["edges"], "schedule": text})


def _tasks(rows: list[dict[str, Any]], attrs: dict[str, Any]) -> pandas.DataFrame:
    rows = [{"task" if k == "name" else k: v for k, v in row.items()} for row in rows]
    return _frame(rows, ["task", "host", "start_s", "finish_s"], attrs)


@contextlib.contextmanager
def _schedule_file(plan: Any, options: dict[str, Any]) -> Iterator[tuple[File, dict[str, Any]]]:
    """The file of a schedule; one given as a frame brings its graph, platform and costs along."""
    if not hasattr(plan, "attrs"):
        yield plan, options
        return
    if "schedule" not in plan.attrs:
        raise Error("this frame was not made by iasim.schedule: it has no attrs['schedule']")
    own = {k: plan.attrs[k] for k in ("graph", "platform", "costs") if k in plan.attrs}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "schedule.json")
        path.write_text(plan.attrs["schedule"], encoding="utf-8")
        yield path, {**own, **options}


def replay(plan: Any, **options: Any) -> pandas.DataFrame:
    """Carries a schedule out on the simulated machine (`iasim replay`): a row for each task, planned and simulated.

        iasim.replay(plan, world="interference")

    `plan` is a frame of `schedule`, which brings graph and platform along, or a file; then `graph` and `platform` must be
    given. attrs: `makespan_s`, `planned_s`, `estimation_error_ratio`; `edges` and `hosts`, lists."""
    with _schedule_file(plan, options) as (path, given):
        found = _json("replay", [path], given)
    return _tasks(found.pop("tasks"), found)


def explain(plan: Any, **options: Any) -> pandas.DataFrame:
    """Why a schedule takes as long as it does (`iasim explain`): a row for each segment of the critical chain.

    Arguments as for `replay`. The durations `to_s - from_s` add up to the makespan. attrs: `makespan_s`; the sums `by_cause`,
    `by_host`, `by_link`; `what_if`, a list."""
    with _schedule_file(plan, options) as (path, given):
        found = _json("explain", [path], given)
    return _frame(found.pop("segments"), ["from_s", "to_s", "cause"], found)


def farm(**options: Any) -> pandas.DataFrame:
    """Simulates a farm of independent tasks (`iasim farm`): a row for each host of the tree.

        iasim.farm(platform="platforms/kreaseck-fork.xml", deployment="deployments/kreaseck-fork.xml", policy="ia_multi",
                   send_size=2, compute_size=5)

    attrs: `makespan_s`, `throughput_tasks_per_s`, `steady_tasks_per_s`, `throughput_over_time` ..."""
    found = _json("farm", [], options)
    return _frame(found.pop("nodes"), ["host"], found)
