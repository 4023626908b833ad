#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws the errors of plans of task graphs, and what each belief costs ([S] 8.4.3).

    analysis/accuracy.py RESULTS.csv [--world WORLD] [--out FIGURE] [--one]

RESULTS.csv comes from `iasim export` of a scenario of the experiment `replay` that sweeps ccr and model. The script
writes FIGURE.svg and FIGURE.png. Left: the estimation error against the CCR, with a line for each belief (the median;
the band holds the middle half). Right: performance profiles [Dolan 2002]: the share of cases (graph, platform, CCR,
scheduler) in which the simulated makespan under a belief is within a factor of the best one. If waiting is swept, both
show its first value, and a chart between them has the mean error of the belief involvement in each world, with each
kind of waiting (the bars are 95 % intervals of the mean over graphs). With --one, one chart for readers in a hurry: the
mean errors, as bars with their values. The same CSV gives the same bytes. """
import argparse
import math
import sys

sys.dont_write_bytecode = True  # the folder may belong to the system
import figure as drawing

DASHES = [":", "--", "-", "-."]  # they distinguish the lines in grey
NEEDED = ["world", "ccr", "model", "planned_s", "makespan_s", "estimation_error_ratio"]
# points with the same values of these differ only in the belief
INSTANCE = ["platform", "graph", "generator", "instance", "ccr", "scheduler", "links", "replication"]


def read(path):
    return [r for r in drawing.read(path, NEEDED) if not r.get("error")]


def values_of(rows, column):
    """The values of a parameter, in order; [""] if there is no such column."""
    return sorted({r.get(column, "") for r in rows}, key=lambda v: (["passive", "active", "rendezvous"] + [v]).index(v))


def styles_of(models):
    return [(m, colour, DASHES[i % len(DASHES)]) for i, (m, colour) in enumerate(zip(models, drawing.colours(models)))]


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
    for model, colour, dash in styles_of(models):
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


def mean_of_graphs(rows):
    """The mean error in percent over graphs, and half of its 95 % interval. Graphs with the same figures are one
    graph."""
    graphs = {}
    for r in rows:
        graphs.setdefault((r.get("graph", ""), r.get("generator", ""), r.get("instance", "")), []).append(r)
    distinct = {tuple((r["planned_s"], r["makespan_s"]) for r in runs): runs for runs in graphs.values()}
    means = [sum(100 * float(r["estimation_error_ratio"]) for r in runs) / len(runs) for runs in distinct.values()]
    mean = sum(means) / len(means)
    variance = sum((m - mean) ** 2 for m in means) / max(len(means) - 1, 1)
    return mean, 1.96 * math.sqrt(variance / len(means))


def draw_waiting(axes, rows, first_world, kinds):
    worlds = sorted({r["world"] for r in rows}, key=lambda w: (w != first_world, w))
    ccrs = sorted({r["ccr"] for r in rows}, key=float)
    shift = 1  # so that bars stand beside each other
    for kind, dash in zip(kinds, ["-", "--", ":", "-."]):
        for world, colour in zip(worlds, drawing.colours(worlds)):
            points = [mean_of_graphs([r for r in rows if (r["world"], r["ccr"], r["waiting"]) == (world, c, kind)])
                      for c in ccrs]
            axes.errorbar([float(c) * shift for c in ccrs], [m for m, _ in points], [half for _, half in points],
                          linestyle=dash, color=colour, marker="o", capsize=2, label=f"{world}, {kind}",
                          markerfacecolor=colour if kind == kinds[0] else "white")
            shift *= 1.06
    axes.set_xscale("log")
    axes.set_ylim(0, (1 + 0.25 * len(kinds)) * axes.get_ylim()[1])  # room for the legend
    from matplotlib.ticker import FuncFormatter
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    axes.set_xlabel("CCR")
    axes.set_ylabel("estimation error, %\nmean and its 95 % interval")
    axes.legend(title="world, waiting", frameon=False, fontsize=8, ncol=2, loc="upper center")


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
    for model, colour, dash in styles_of(models):
        shares = [(i + 1) / len(ratios[model]) for i in range(len(ratios[model]))]
        beyond = ([end], shares[-1:]) if shares and ratios[model][-1] < end else ([], [])
        axes.step([1] + ratios[model] + beyond[0], [0] + shares + beyond[1], dash, color=colour, where="post",
                  label=model)
    axes.set_xlim(1, end)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("makespan / makespan of the best belief")
    axes.set_ylabel("share of cases")
    axes.legend(title="belief", loc="lower right", frameon=False)  # for both charts: this one has room


def draw_one(plt, rows, models, world):
    """A bar for each belief and CCR, on a logarithmic axis: errors span three powers of ten."""
    ccrs = sorted({r["ccr"] for r in rows}, key=float)
    plt.rcParams["font.size"] = 14
    figure, axes = plt.subplots(figsize=(9, 5))
    width = 0.8 / len(models)
    for k, (model, colour, _) in enumerate(styles_of(models)):
        means = [mean_of_graphs([r for r in rows if (r["ccr"], r["model"]) == (c, model)])[0] for c in ccrs]
        places = [i + (k - (len(models) - 1) / 2) * width for i in range(len(ccrs))]
        axes.bar(places, means, width * 0.94, color=colour, label=drawing.NAMES["words"]["model"].get(model, model))
        for x, mean in zip(places, means):
            axes.text(x, mean * 1.06, f"{mean:.1f}" if mean < 10 else f"{mean:.0f}", ha="center", va="bottom")
    axes.set_yscale("log")
    axes.set_ylim(0.5, axes.get_ylim()[1] * 25)  # room for the legend
    axes.set_yticks([])
    axes.minorticks_off()
    for side in "left", "right", "top":
        axes.spines[side].set_visible(False)
    words = {0.1: "computing takes\n10 times as long\nas communication", 1: "both take\nas long",
             10: "communication takes\n10 times as long\nas computing"}
    axes.set_xticks(range(len(ccrs)), [words.get(round(float(c), 9), f"CCR {float(c):g}") for c in ccrs])
    axes.tick_params(axis="x", length=0)
    axes.set_title("Mean error of plans in percent (logarithmic bars)", loc="left", fontsize=15)
    axes.legend(frameon=False, loc="upper left", handlelength=1, title="the planner knows of communication",
                alignment="left")
    figure.tight_layout()
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("--world", default="involvement")
    parser.add_argument("--out", default="accuracy")
    parser.add_argument("--one", action="store_true")
    args = parser.parse_args()
    plt = drawing.pyplot()
    everything = read(args.results)
    kinds = values_of(everything, "waiting")
    rows = [r for r in everything if r["world"] == args.world and r.get("waiting", "") == kinds[0]]
    if not rows:
        sys.exit(f"{args.results}: no results in the world {args.world}")
    models = models_of(rows)
    if args.one:
        drawing.save(draw_one(plt, rows, models, args.world), args.out, 110)
        return
    plt.rcParams["font.size"] = 10
    has_waiting = len(kinds) > 1 and "involvement" in models
    figure, charts = plt.subplots(1, 3 if has_waiting else 2, figsize=(13.5 if has_waiting else 9, 3.8))
    draw_errors(charts[0], rows, models)
    draw_profiles(charts[-1], rows, models)
    if has_waiting:
        draw_waiting(charts[1], [r for r in everything if r["model"] == "involvement"], args.world, kinds)
        charts[1].set_title("the belief involvement")
        charts[0].set_title(f"the world {args.world}, waiting {kinds[0]}")
        charts[2].set_title(f"the world {args.world}, waiting {kinds[0]}")
    else:
        figure.suptitle(f"Plans under each belief, carried out in the world {args.world}")
    figure.tight_layout()
    drawing.save(figure, args.out, 120)


if __name__ == "__main__":
    drawing.run(main)
