#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws how long tasks that arrive stay in farms, and which farms keep up, against the load.

    analysis/capacity.py RESULTS.csv [--out FIGURE]

RESULTS.csv comes from `iasim export` of a scenario of the experiment `farm` that sweeps policy and arrival, over loads
(poisson[load=0.8]). Single-ported policies are left, multi-ported ones right. Above: the mean response time of a farm,
times the bound of the policy's ports: the median over farms, as long as the queue grows in less than half of them.
Below: the part of the farms in which it does, by more than 1 % of the tasks that arrive in the second half. The script
writes FIGURE.svg and FIGURE.png; the same CSV gives the same bytes. """
import argparse
import re
import statistics
import sys

sys.dont_write_bytecode = True  # the folder may belong to the system
import figure as drawing
import reached

NEEDED = ["policy", "arrival", "response_mean_s", "bound_tasks_per_s", "growth_ratio", "error"]
GROWS = 0.01


def read(path):
    """By ports, policy and load: response times in tasks, and whether the queue grows."""
    panels = {}
    for r in drawing.read(path, NEEDED):
        load = re.search(r"load=([^,\]]+)", r["arrival"])
        if r["error"] or not r["response_mean_s"] or load is None:
            continue
        policy = r["policy"].split("[")[0]
        at = panels.setdefault(reached.ports(r["policy"]), {}).setdefault(policy, {})
        at.setdefault(float(load.group(1)), []).append(
            (float(r["response_mean_s"]) * float(r["bound_tasks_per_s"]), float(r["growth_ratio"]) > GROWS))
    if not panels:
        sys.exit(f"{path}: no run has a load and a response time")
    return panels


def draw(axes, panel):
    for policy in sorted(panel):
        style = {**reached.style(policy), "marker": reached.STYLES.get(policy, reached.OTHER)[2], "markersize": 4}
        loads = sorted(panel[policy])
        growing = [statistics.fmean(grows for _, grows in panel[policy][x]) for x in loads]
        kept = [x for x, part in zip(loads, growing) if part < 0.5]
        stays = [statistics.median(stay for stay, _ in panel[policy][x]) for x in kept]
        axes[0].plot(kept, stays, label=policy, **style)
        axes[1].plot(loads, growing, **style)
    axes[0].set_yscale("log")
    axes[1].set_ylim(-0.03, 1.03)
    axes[1].set_xlabel("tasks that arrive / physical bound")
    for a in axes:
        drawing.grid(a)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("--out", default="capacity")
    args = parser.parse_args()
    plt = drawing.pyplot()
    panels = read(args.results)
    kinds = [k for k in ("single", "multi") if k in panels]
    order = sorted({p for panel in panels.values() for p in panel})
    plt.rcParams["savefig.bbox"] = "tight"
    figure, grid = plt.subplots(2, len(kinds), figsize=(0.6 + 3.6 * len(kinds), 5.4), squeeze=False, sharex=True,
                                sharey="row")
    for column, kind in enumerate(kinds):
        draw([grid[0][column], grid[1][column]], panels[kind])
        grid[0][column].set_title("one port" if kind == "single" else "several ports", fontsize=9)
    grid[0][0].set_ylabel("mean response time x bound, tasks")
    grid[1][0].set_ylabel("part of the farms\nwhose queue grows")
    lines = {label: line for axes in grid[0] for line, label in zip(*axes.get_legend_handles_labels())}
    figure.tight_layout()
    shown = [p for p in order if p in lines]
    grid[0][-1].legend([lines[p] for p in shown], shown, loc="upper left", bbox_to_anchor=(1.02, 1.02), frameon=False,
                       fontsize=8, handlelength=3.5)
    drawing.save(figure, args.out, 120)


if __name__ == "__main__":
    drawing.run(main)
