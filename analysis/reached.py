#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws how close farm policies come to the physical bound of their ports: cumulative distributions over farms.

    analysis/reached.py RESULTS.csv [--least PERCENT] [--out FIGURE]

RESULTS.csv comes from `iasim export` of a scenario of the experiment `farm` that sweeps policy and instance. A row of
panels for each generator: single-ported policies left, multi-ported ones right. A line is at (x, y) if the steady rate
of the part y of the farms misses at most x % of the bound; less than PERCENT (0.05) is shown at the left end. A run
without a steady phase counts with its tasks over its makespan. The script writes FIGURE.svg and FIGURE.png; the same
CSV gives the same bytes. """
import argparse
import sys

sys.dont_write_bytecode = True  # the folder may belong to the system
import figure as drawing

NEEDED = ["generator", "policy", "steady_tasks_per_s", "throughput_tasks_per_s", "bound_tasks_per_s",
          "bound_multi_tasks_per_s", "bound_single_tasks_per_s", "error"]
# the colour, dashes and mark of each policy; dashes and marks distinguish the lines in grey
STYLES = {"bwc": ("blue", "-", "o"), "comp_rate": ("orange", "--", "s"), "fcfs": ("green", ":", "^"),
          "ia_multi": ("purple", "-.", "D"), "ia_single": ("sky", (0, (5, 1)), "v"),
          "opt_single": ("grey", (0, (3, 1, 1, 1, 1, 1)), "P"), "pressure": ("ink", (0, (8, 2)), "X"),
          "steady": ("vermilion", "-", "*"), "root_computes": ("grey", ":", ".")}
OTHER = ("ink", (0, (1, 3)), "<")
MULTI_BY_DEFAULT = ("ia_multi", "pressure")


def ports(policy):
    for kind in ("multi", "single"):
        if f"ports={kind}" in policy:
            return kind
    return "multi" if policy.split("[")[0] in MULTI_BY_DEFAULT else "single"


def read(path):
    """By generator, ports and policy: what each farm reaches."""
    reached = {}
    for r in drawing.read(path, NEEDED):
        if r["error"] or not r["bound_tasks_per_s"]:
            continue
        rate = float(r["steady_tasks_per_s"] or r["throughput_tasks_per_s"])
        panel = reached.setdefault(r["generator"], {}).setdefault(ports(r["policy"]), {})
        panel.setdefault(r["policy"].split("[")[0], []).append(rate / float(r["bound_tasks_per_s"]))
    if not reached:
        sys.exit(f"{path}: no run has a bound")
    return reached


def steps(values, least):
    """The corners of the cumulative distribution of what is missed, in percent."""
    missed = sorted(max(least, 100 * (1 - v)) for v in values)
    y = [(i + 1) / len(missed) for i in range(len(missed))]
    return [least] + missed + [100], [0] + y + [1]


def style(policy):
    """What a line of this policy looks like, but for its marks."""
    colour, dashes, _ = STYLES.get(policy, OTHER)
    return {"color": drawing.PALETTE[colour], "linestyle": dashes, "linewidth": 1.5}


def draw(axes, panel, least):
    for policy, values in sorted(panel.items()):
        x, y = steps(values, least)
        axes.step(x, y, where="post", label=policy, **style(policy))
    axes.set_xscale("log")
    axes.set_xlim(least, 100)
    axes.set_xticks([0.1, 1, 5, 10, 50], ["0.1", "1", "5", "10", "50"])
    axes.minorticks_off()
    axes.set_ylim(0, 1)
    drawing.grid(axes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("--least", type=float, default=0.05)
    parser.add_argument("--out", default="reached")
    args = parser.parse_args()
    plt = drawing.pyplot()
    reached = read(args.results)
    kinds = [k for k in ("single", "multi") if any(k in of for of in reached.values())]
    order = sorted({p for of in reached.values() for panel in of.values() for p in panel})
    plt.rcParams["savefig.bbox"] = "tight"
    figure, grid = plt.subplots(len(reached), len(kinds), figsize=(0.6 + 3.6 * len(kinds), 3 * len(reached)),
                                squeeze=False, sharex=True, sharey=True)
    for row, (generator, of) in zip(grid, reached.items()):
        for axes, kind in zip(row, kinds):
            draw(axes, of.get(kind, {}), args.least)
            axes.set_title(f"{'one port' if kind == 'single' else 'several ports'}"
                           + (f"\n{generator}" if len(reached) > 1 else ""), fontsize=8)
        row[0].set_ylabel("part of the farms")
    for axes in grid[-1]:
        axes.set_xlabel("missed, % of the physical bound")
    lines = {label: line for axes in grid.flat for line, label in zip(*axes.get_legend_handles_labels())}
    figure.tight_layout()
    grid[0][-1].legend([lines[p] for p in order], order, loc="upper left", bbox_to_anchor=(1.02, 1.02), frameon=False,
                       fontsize=8, handlelength=3.5)
    drawing.save(figure, args.out, 120)


if __name__ == "__main__":
    drawing.run(main)
