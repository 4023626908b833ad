#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws what `iasim compare` found.

    analysis/compare.py PAIRS.csv PROFILE.csv [--out FIGURE]

PAIRS.csv and PROFILE.csv are what `iasim compare --csv PAIRS.csv --profile PROFILE.csv` writes. Writes FIGURE.svg and
FIGURE.png. Left: the median ratio of each pair with its confidence interval, beside it wins, ties and losses and the
corrected p; filled where p is below 5 %. Right: performance profiles (Dolan and More): the share of instances on which
a variant is within a factor of the best one there. The same CSV gives the same bytes.
"""
import argparse
import csv
import math
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

# Okabe and Ito's colours, told apart with any colour vision; dashes tell them apart in grey
STYLES = [("#D55E00", ":"), ("#E69F00", "--"), ("#0072B2", "-"), ("#009E73", "-."), ("#CC79A7", (0, (5, 1))),
          ("#56B4E9", (0, (3, 1, 1, 1, 1, 1))), ("#000000", (0, (1, 3))), ("#999999", "-")]
PAIR_COLUMNS = ["metric", "better", "variant", "reference", "median_ratio", "low", "high", "wins", "ties", "losses",
                "p_holm"]
MOST_VARIANTS = len(STYLES)


def read(path, needed):
    with open(path, newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    if not rows:
        sys.exit(f"{path}: no rows")
    missing = [c for c in needed if c not in rows[0]]
    if missing:
        sys.exit(f"{path}: columns {', '.join(missing)} are missing")
    return rows


def read_pairs(path):
    pairs = read(path, PAIR_COLUMNS)
    for p in pairs:
        for c in ("median_ratio", "low", "high", "p_holm"):
            p[c] = float(p[c]) if p[c] else math.nan
    return pairs


def is_drawable(x):
    return math.isfinite(x) and x > 0


def draw_ratio(axes, y, p):
    is_sure = p["p_holm"] < 0.05
    if is_drawable(p["low"]) and is_drawable(p["high"]):
        axes.plot([p["low"], p["high"]], [y, y], color="black", linewidth=1.2, solid_capstyle="butt")
        for end in (p["low"], p["high"]):
            axes.plot([end, end], [y - 0.12, y + 0.12], color="black", linewidth=1.2)
    if is_drawable(p["median_ratio"]):
        axes.plot(p["median_ratio"], y, "o", color="#0072B2", markeredgecolor="black", markersize=6,
                  markerfacecolor="#0072B2" if is_sure else "white", zorder=3)


def in_words(p):
    holm = "-" if math.isnan(p["p_holm"]) else f"{p['p_holm']:.2g}" if p["p_holm"] >= 1e-300 else "< 1e-300"
    return f"{p['wins']} / {p['ties']} / {p['losses']}   {holm}"


def draw_ratios(axes, pairs):
    for y, p in enumerate(pairs):
        draw_ratio(axes, y, p)
        axes.annotate(in_words(p), (1.02, y), xycoords=("axes fraction", "data"), va="center", fontsize=8)
    same_reference = len({p["reference"] for p in pairs}) == 1
    axes.axvline(1, color="black", linewidth=0.6)
    axes.set_yticks(range(len(pairs)),
                    [p["variant"] if same_reference else f"{p['variant']} / {p['reference']}" for p in pairs])
    axes.set_ylim(len(pairs) - 0.5, -0.5)
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    number = FuncFormatter(lambda x, _: f"{x:g}")
    if high / low < 20:  # a decade or less: powers of ten alone would leave the axis empty
        axes.xaxis.set_major_locator(MaxNLocator(6) if high / low < 3 else LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.xaxis.set_major_formatter(number)
    metric, better = pairs[0]["metric"], pairs[0]["better"]
    what = f"that of {pairs[0]['reference']}" if same_reference else "the other's"
    axes.set_xlabel(f"{metric} over {what}, median ({better} is better)")
    axes.annotate("wins / ties / losses   p (Holm)", (1.02, 1.03), xycoords="axes fraction", fontsize=8)
    axes.grid(axis="x", linewidth=0.3)
    axes.set_axisbelow(True)


def factor_limit(steps):
    """Where the profiles have nearly ended, so that one far-off instance does not squeeze all the rest."""
    most = 1.0
    for points in steps.values():
        end = points[-1][1]
        most = max(most, next(f for f, share in points if share >= 0.98 * end))
    return max(1.01, 1 + 1.05 * (most - 1))


def draw_profiles(axes, rows):
    steps = {}
    for r in rows:
        steps.setdefault(r["variant"], []).append((float(r["factor"]), float(r["share"])))
    if len(steps) > MOST_VARIANTS:
        sys.exit(f"{len(steps)} variants cannot be told apart in one picture; at most {MOST_VARIANTS}: "
                 "iasim compare --where chooses")
    limit = factor_limit(steps)
    for (variant, points), (colour, dash) in zip(steps.items(), STYLES):
        x = [f for f, _ in points] + [max(limit, points[-1][0])]
        y = [share for _, share in points] + [points[-1][1]]
        axes.step(x, y, color=colour, linestyle=dash, where="post", label=variant)
    if limit > 2:  # else the two scales look alike, and ticks are better on this one
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
        axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlim(1, limit)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("factor of the best one there")
    axes.set_ylabel("share of instances")
    axes.grid(linewidth=0.3)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=8)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs")
    parser.add_argument("profile")
    parser.add_argument("--out", default="compare")
    args = parser.parse_args()
    pairs = read_pairs(args.pairs)
    profile = read(args.profile, ["variant", "factor", "share"])
    plt.rcParams.update({"svg.hashsalt": "iasim", "font.family": "DejaVu Sans", "font.size": 9})
    height = max(3.6, 1.4 + 0.32 * len(pairs))
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, height), width_ratios=[1, 1])
    draw_ratios(left, pairs)
    draw_profiles(right, profile)
    figure.tight_layout()
    figure.savefig(args.out + ".svg", metadata={"Date": None})
    figure.savefig(args.out + ".png", dpi=120, metadata={"Software": None})


if __name__ == "__main__":
    main()
