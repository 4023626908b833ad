#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws how plans survive noise.

    analysis/noise.py PREDICTIONS.csv [--show SCHEDULER,..] [--out FIGURE]

PREDICTIONS.csv comes from `iasim compare R.db --by scheduler --metric makespan_s --predicted-by planned_s --group-by
noise --predictions PREDICTIONS.csv`, where the scenario sweeps `noise` over one kind (work=0.3) or several of the same
size (work=0.3;size=0.3). Above: how many times as long as planned the plans of each scheduler take, against the noise,
a panel for each kind. Below: whether the order of the schedulers holds, whether the one with the shortest plan is still
the best, and how much longer than the best it takes; a line for each kind of noise. Bands are the intervals of the
comparison. The script writes FIGURE.svg and FIGURE.png; the same CSV gives the same bytes. """
import argparse
import math
import sys

sys.dont_write_bytecode = True  # the folder may belong to the system
import compare
import figure as drawing

NEEDED = ["noise", "metric", "predictor", "variant", "figure", "pairs", "value", "low", "high"]
OVER_ALL = {"rank_correlation": "rank correlation", "best_kept": "share of cases\nin which the best is kept",
            "ratio_to_best": "makespan of the shortest plan\nover the best makespan"}
NONE = "none"


def kind_and_size(noise, path):
    """'work=0.3;size=0.3' is ('size, work', 0.3); without noise, ('none', 0)."""
    items = dict(item.split("=", 1) for item in noise.replace(",", ";").split(";") if "=" in item)
    try:
        sizes = {float(size) for size in items.values()}
    except ValueError:
        sizes = set()
    if len(sizes) != 1:
        sys.exit(f"{path}: the noise '{noise}' is not of one size, as work=0.3;size=0.3 is")
    size = sizes.pop()
    return (", ".join(items), size) if size > 0 else (NONE, 0.0)


def read(path):
    rows = drawing.read(path, NEEDED)
    for r in rows:
        r["kind"], r["size"] = kind_and_size(r["noise"], path)
        for c in ("value", "low", "high"):
            r[c] = float(r[c]) if r[c] else math.nan
    kinds = list(dict.fromkeys(r["kind"] for r in rows if r["kind"] != NONE))
    if not kinds:
        sys.exit(f"{path}: no noise")
    return rows, sorted(kinds, key=lambda kind: (kind.count(","), kind))


def line(axes, i, label, rows):
    rows = sorted(rows, key=lambda r: r["size"])
    x = [100 * r["size"] for r in rows]
    axes.plot(x, [r["value"] for r in rows], marker=compare.MARKERS[i % len(compare.MARKERS)], markersize=4,
              linewidth=1.3, label=label, **compare.style(i))
    axes.fill_between(x, [r["low"] for r in rows], [r["high"] for r in rows],
                      color=compare.COLOURS[i % len(compare.COLOURS)], alpha=0.12, linewidth=0)


def scale_sizes(axes, rows):
    ticks = sorted({100 * r["size"] for r in rows})
    least = min(t for t in ticks if t > 0)
    axes.set_xscale("symlog", linthresh=least, linscale=0.6)
    axes.set_xticks(ticks, [f"{t:g}" for t in ticks])
    axes.minorticks_off()
    drawing.grid(axes)
    axes.set_xlabel("noise, %")


def draw_ratios(axes, rows, kind, shown):
    of_kind = [r for r in rows if r["figure"] == "ratio" and r["kind"] in (NONE, kind)]
    for i, scheduler in enumerate(shown):
        line(axes, i, scheduler, [r for r in of_kind if r["variant"] == scheduler])
    axes.set_title(f"noise: {kind}", fontsize=9)
    axes.axhline(1, color="black", linewidth=0.6)
    compare.scale_ratios(axes.yaxis, axes.set_yscale, *axes.get_ylim())
    scale_sizes(axes, of_kind)


def draw_order(axes, rows, what, kinds):
    chosen = [r for r in rows if r["figure"] == what]
    for i, kind in enumerate(kinds):
        line(axes, i, kind, [r for r in chosen if r["kind"] in (NONE, kind)])
    axes.set_title(OVER_ALL[what], fontsize=9)
    if what == "ratio_to_best":
        axes.axhline(1, color="black", linewidth=0.6)
    else:
        axes.set_ylim(top=1.02)
    scale_sizes(axes, chosen)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("predictions")
    parser.add_argument("--show", help="schedulers to draw above (default: all)")
    parser.add_argument("--out", default="noise")
    args = parser.parse_args()
    plt = drawing.pyplot()
    rows, kinds = read(args.predictions)
    known = list(dict.fromkeys(r["variant"] for r in rows if r["variant"]))
    shown = args.show.split(",") if args.show else known
    for scheduler in shown:
        if scheduler not in known:
            sys.exit(f"{args.predictions}: no scheduler '{scheduler}'; known: {', '.join(known)}")
    n = max(len(kinds), len(OVER_ALL))
    plt.rcParams["savefig.bbox"] = "tight"
    figure, grid = plt.subplots(2, n, figsize=(1.5 + 2.7 * n, 5.8), squeeze=False)
    for axes, kind in zip(grid[0], kinds):
        axes.sharey(grid[0][0])
        draw_ratios(axes, rows, kind, shown)
    for axes, what in zip(grid[1], OVER_ALL):
        draw_order(axes, rows, what, kinds)
    for axes in list(grid[0][len(kinds):]) + list(grid[1][len(OVER_ALL):]):
        axes.remove()
    grid[0][0].set_ylabel(f"{rows[0]['metric']} / {rows[0]['predictor']}\nmedian and interval")
    figure.tight_layout()
    for axes in (grid[0][len(kinds) - 1], grid[1][len(OVER_ALL) - 1]):
        axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.02), frameon=False, fontsize=8, handlelength=3.5)
    drawing.save(figure, args.out, 120)


if __name__ == "__main__":
    drawing.run(main)
