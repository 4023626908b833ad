#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""scenarios.py IASIM [all]: both engines give the same figures, to 1e-9, at the farm points of every scenario that
comes with iasim; without `all` and TESTS_NIGHT=1, of random-trees those of three trees only, of a noisy one one draw,
and of the limits of sending one size of task and two limits. Of random trees with long runs, short ones of some.
"""
import csv
import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIGURES = ("makespan_s throughput_tasks_per_s steady_tasks_per_s startup_s wind_down_s root_task_ratio sent_bytes "
           "busy_s stolen_s root_stolen_s stolen_flop response_mean_s response_median_s response_p95_s response_max_s "
           "growth_ratio").split()


def few(name, is_all):
    # long runs of many trees: in all cases short runs of some of them
    if name == "bound-reached":
        return ["instance=1:20" if is_all else "instance=1:2", "tasks=300"]
    if name == "farm-capacity":
        return ["instance=1,2", "tasks=300", "arrival=poisson[load=0.5],poisson[load=0.95]"]
    if is_all:
        return []
    if name.endswith("limit"):
        return ["compute_size=1", "bandwidth=uplink=10.7;stream=10.165,uplink=11.4;stream=11.4"]
    return ["instance=1,2,3"] if name == "random-trees" else ["replications=1"] if name.endswith("noisy") else []


def read_points(iasim, folder, name, engine, sets):
    """{parameters: row}"""
    database = f"{folder}/{name}.{engine}.db"
    options = [word for s in [*sets, "bounds=off", f"engine={engine}"] for word in ("--set", s)]
    subprocess.run([iasim, "run", name, *options, "--out", database, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    text = subprocess.run([iasim, "export", database], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    what = [c for c in rows[0] if c not in FIGURES + ["engine", "key", "seconds"] and "bound" not in c]
    return {tuple(row[c] for c in what): row for row in rows}


def difference(row, other):
    """The largest relative difference of two figures."""
    worst = 0
    for c in FIGURES:
        if row[c] != "" or other[c] != "":  # no steady phase
            a, b = float(row[c]), float(other[c])
            # what is stolen is a difference: its error is that of the time from which it was stolen
            scale = max(abs(a), float(row["busy_s"]) if c.startswith(("stolen_s", "root_stolen", "wind_down")) else 0)
            worst = max(worst, abs(a - b) / scale if scale else abs(a - b))
    return worst


def main(iasim, is_all):
    os.environ["IASIM_DATA"] = str(ROOT)
    faults, names = 0, [path.parent.name for path in sorted(ROOT.glob("scenarios/*/scenario.xml"))
                        if 'experiment="farm"' in path.read_text()]
    assert len(names) >= 3, names
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            events, actors = (read_points(iasim, folder, name, e, few(name, is_all)) for e in ("events", "actors"))
            assert events and set(events) == set(actors), f"{name}: {len(events)} and {len(actors)} points"
            worst = max(difference(row, actors[point]) for point, row in events.items())
            print(f"{name}: {len(events)} points, largest relative difference {worst:.2g}", flush=True)
            faults += worst > 1e-9
    print(len(names), "scenarios,", faults, "faults")
    return faults > 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), "all" in sys.argv[2:] or bool(os.environ.get("TESTS_NIGHT"))))
