#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws the errors of plans of task graphs, and what each belief costs ([S] 8.4.3).

    analysis/accuracy.py RESULTS.csv [--world WORLD] [--out FIGURE]

RESULTS.csv comes from `iasim export` of a scenario of the experiment `replay` that sweeps ccr and model. The script writes
FIGURE.svg and FIGURE.png. Left: the estimation error against the CCR, with a line for each belief (the median; the band
holds the middle half). Right: performance profiles [Dolan 2002]: the share of cases (graph, platform, CCR, scheduler) in which the
simulated makespan under a belief is within a factor of the best one. The same CSV gives the same bytes.
"""
import argparse
import sys

sys.dont_write_bytecode = True  # the folder may belong to the system
import figure as drawing

# Okabe and Ito's colours suit any colour vision; dashes distinguish the lines in grey
STYLES = [("#D55E00", ":"), ("#E69F00", "--"), ("#0072B2", "-"), ("#009E73", "-.")]
NEEDED = ["world", "ccr", "model", "makespan_s", "estimation_error_ratio"]
# points with the same values of these differ only in the belief
INSTANCE = ["platform", "graph", "generator", "instance", "ccr", "scheduler", "links", "replication"]


def read(path, world):
    rows = [r for r in drawing.read(path, NEEDED) if not r.get("error") and r["world"] == world]
    if not rows:
        sys.exit(f"{path}: no results in the world {world}")
    return rows


def models_of(rows):
    usual = ["classic", "contention", "involvement"]
    return sorted({r["model"] for r in rows}, key=lambda m: (usual.index(m) if m in usual else len(usual), m))


def quantile(values, q):
    values = sorted(values)
    at = q * (len(values) - 1)
    low = int(at)
    return values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def draw_errors(axes, rows, models):
    ccrs = sorted({r["ccr"] for r in rows}, key=float)
    for model, (colour, dash) in zip(models, STYLES):
        errors = [[100 * float(r["estimation_error_ratio"]) for r in rows if r["ccr"] == c and r["model"] == model]
                  for c in ccrs]
        x = [float(c) for c in ccrs]
        axes.plot(x, [quantile(e, 0.5) for e in errors], dash, color=colour, marker="o", label=model)
        axes.fill_between(x, [quantile(e, 0.25) for e in errors], [quantile(e, 0.75) for e in errors], color=colour,
                          alpha=0.15, linewidth=0)
    axes.set_xscale("log")
    axes.set_yscale("symlog", linthresh=1)
    axes.set_ylim(bottom=0)
    from matplotlib.ticker import FuncFormatter
    for axis in axes.xaxis, axes.yaxis:
        axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    axes.set_xlabel("CCR")
    axes.set_ylabel("estimation error, %\nmedian and middle half")


def ratios_to_best(rows, models):
    makespans = {}
    for r in rows:
        makespans.setdefault(tuple(r.get(k, "") for k in INSTANCE), {})[r["model"]] = float(r["makespan_s"])
    whole = [m for m in makespans.values() if len(m) == len(models)]
    return {model: sorted(m[model] / min(m.values()) for m in whole) for model in models}


def draw_profiles(axes, rows, models):
    ratios = ratios_to_best(rows, models)
    most = max(quantile(r, 0.98) for r in ratios.values() if r)
    end = max(most, 1.01)
    for model, (colour, dash) in zip(models, STYLES):
        shares = [(i + 1) / len(ratios[model]) for i in range(len(ratios[model]))]
        beyond = ([end], shares[-1:]) if shares and ratios[model][-1] < end else ([], [])
        axes.step([1] + ratios[model] + beyond[0], [0] + shares + beyond[1], dash, color=colour, where="post",
                  label=model)
    axes.set_xlim(1, end)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("makespan / makespan of the best belief")
    axes.set_ylabel("share of cases")
    axes.legend(title="belief", loc="lower right", frameon=False)  # for both charts: this one has room


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("--world", default="involvement")
    parser.add_argument("--out", default="accuracy")
    args = parser.parse_args()
    plt = drawing.pyplot()
    rows = read(args.results, args.world)
    models = models_of(rows)
    plt.rcParams["font.size"] = 10
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8))
    draw_errors(left, rows, models)
    draw_profiles(right, rows, models)
    figure.suptitle(f"Plans under each belief, carried out in the world {args.world}")
    figure.tight_layout()
    drawing.save(figure, args.out, 120)


if __name__ == "__main__":
    drawing.run(main)
