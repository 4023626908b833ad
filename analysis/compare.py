#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws what `iasim compare` found.

    analysis/compare.py PAIRS.csv [PROFILE.csv] [--out FIGURE]

PAIRS.csv and PROFILE.csv come from `iasim compare --csv PAIRS.csv --profile PROFILE.csv`. The script writes FIGURE.svg
and FIGURE.png. Left: the median ratio of each variant with its confidence interval; beside it the number of pairs, the
wins, ties and losses, and the corrected p. The mark is filled if p is below 5 %. Right, with PROFILE.csv: performance
profiles [Dolan 2002], the share of cases in which a variant is within a factor of the best one.

If PAIRS.csv comes from `--group-by P1,P2`, each variant is a line over P1 with a band for the interval, and each value
of P2 has a panel. A value far from the others does not stretch the axis: an arrow at the axis' end shows it. The same
CSV gives the same bytes. """
import argparse
import math
import sys

sys.dont_write_bytecode = True  # the folder may belong to the system
import figure as drawing

# Okabe and Ito's colours suit any colour vision; dashes, markers and hatches distinguish the variants in grey
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999"]
DASHES = ["-", "--", ":", "-.", (0, (5, 1)), (0, (3, 1, 1, 1, 1, 1)), (0, (1, 3))]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*", "<"]
HATCHES = ["///", "\\\\\\", "...", "|||", "---", "xxx", "+++", "ooo"]
PAIR_COLUMNS = ["metric", "unit", "better", "variant", "reference", "pairs", "median_ratio", "low", "high", "wins",
                "ties", "losses", "p_holm"]
MOST_VARIANTS = 40


def read_pairs(path):
    """The pairs, and the columns of their groups, which come before the metric."""
    pairs = drawing.read(path, PAIR_COLUMNS)
    for p in pairs:
        for c in ("median_ratio", "low", "high", "p_holm"):
            p[c] = float(p[c]) if p[c] else math.nan
    columns = list(pairs[0])
    return pairs, columns[:columns.index("metric")]


def style(i):
    return {"color": COLOURS[i % len(COLOURS)], "linestyle": DASHES[i % len(DASHES)]}


def check_number(variants):
    COLOURS[:] = drawing.colours(variants)  # also checked here: every picture asks
    if len(variants) > MOST_VARIANTS:
        sys.exit(f"{len(variants)} variants are too many for one picture, which has at most {MOST_VARIANTS}; choose "
                 "with iasim compare --among")


def is_drawable(x):
    return math.isfinite(x) and x > 0


def limits(pairs):
    """The limits of the ratio axis: it holds 1 and all medians and intervals, except those far from most medians."""
    medians = sorted(math.log(p["median_ratio"]) for p in pairs if is_drawable(p["median_ratio"]))
    if not medians:
        return 0.9, 1.1
    middle = medians[len(medians) // 2]
    off = sorted(abs(m - middle) for m in medians)
    most = 4 * max(off[(3 * len(off) - 1) // 4], math.log(1.1))
    ends = [0.0] + [math.log(p[k]) for p in pairs for k in ("median_ratio", "low", "high") if is_drawable(p[k])]
    near = [x for x in ends if abs(x - middle) <= most] + [0.0]
    pad = max(0.06 * (max(near) - min(near)), math.log(1.02))
    return math.exp(min(near) - pad), math.exp(max(near) + pad)


def scale_ratios(axis, set_scale, low, high):
    from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator
    set_scale("log")
    if high / low < 3:
        ticks = MaxNLocator(5, steps=[1, 2, 5, 10]).tick_values(low, high)
        axis.set_major_locator(FixedLocator([t for t in ticks if low <= t <= high]))
    else:
        axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 300 else (1,)))
    axis.set_minor_locator(NullLocator())
    axis.set_minor_formatter(NullFormatter())
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))


def what_is_drawn(pairs):
    p = pairs[0]
    of = p["reference"] if len({q["reference"] for q in pairs}) == 1 else "the other one"
    return f"{p['metric']}{' (' + p['unit'] + ')' if p['unit'] else ''} / {of}, median ratio; {p['better']} is better"


# --- one group: ratios and profiles ---


def draw_ratio(axes, y, p, low, high):
    is_sure = p["p_holm"] < 0.05
    if is_drawable(p["low"]) and is_drawable(p["high"]):
        axes.plot([p["low"], p["high"]], [y, y], color="black", linewidth=1.2, solid_capstyle="butt")
        for end in (p["low"], p["high"]):
            axes.plot([end, end], [y - 0.12, y + 0.12], color="black", linewidth=1.2)
    ratio = p["median_ratio"]
    if math.isnan(ratio):
        return
    filled = {"color": "#0072B2", "markeredgecolor": "black", "zorder": 3,
              "markerfacecolor": "#0072B2" if is_sure else "white"}
    if low <= ratio <= high:
        axes.plot(ratio, y, "o", markersize=6, **filled)
        return
    above = ratio > high
    axes.plot(high if above else low, y, ">" if above else "<", markersize=8, clip_on=False, **filled)
    axes.annotate(f"{ratio:.3g}", (high if above else low, y), xytext=(-7 if above else 7, 0), va="center",
                  textcoords="offset points", ha="right" if above else "left", fontsize=8)


def in_words(p):
    holm = "-" if math.isnan(p["p_holm"]) else f"{p['p_holm']:.2g}" if p["p_holm"] >= 1e-300 else "< 1e-300"
    return p["pairs"], f"{p['wins']} / {p['ties']} / {p['losses']}", holm


def draw_ratios(axes, pairs):
    low, high = limits(pairs)
    for y, p in enumerate(pairs):
        draw_ratio(axes, y, p, low, high)
    same_reference = len({p["reference"] for p in pairs}) == 1
    axes.axvline(1, color="black", linewidth=0.6)
    axes.set_yticks(range(len(pairs)),
                    [p["variant"] if same_reference else f"{p['variant']} / {p['reference']}" for p in pairs])
    axes.set_ylim(len(pairs) - 0.5, -0.5)
    scale_ratios(axes.xaxis, axes.set_xscale, low, high)
    axes.set_xlim(low, high)
    axes.set_xlabel(what_is_drawn(pairs))
    for i, (x, header) in enumerate(((22, "n"), (78, "wins/ties/losses"), (142, "p (Holm)"))):
        beside = {"xytext": (x, 0), "textcoords": "offset points", "ha": "center", "fontsize": 8}
        axes.annotate(header, (1, 1.02), xycoords="axes fraction", va="bottom", **beside)
        for y, p in enumerate(pairs):
            axes.annotate(in_words(p)[i], (1, y), xycoords=("axes fraction", "data"), va="center", **beside)
    axes.grid(axis="x", linewidth=0.3)
    axes.set_axisbelow(True)


def factor_limit(steps):
    """The factor at which the profiles have nearly ended, so one extreme case does not stretch the axis."""
    most = 1.0
    for points in steps.values():
        end = points[-1][1]
        most = max(most, next(f for f, share in points if share >= 0.98 * end))
    return max(1.01, 1 + 1.05 * (most - 1))


def draw_profiles(axes, rows):
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter
    steps = {}
    for r in rows:
        steps.setdefault(r["variant"], []).append((float(r["factor"]), float(r["share"])))
    check_number(steps)
    limit = factor_limit(steps)
    for i, (variant, points) in enumerate(steps.items()):
        x = [f for f, _ in points] + [max(limit, points[-1][0])]
        y = [share for _, share in points] + [points[-1][1]]
        axes.step(x, y, where="post", label=variant, linewidth=1.4, **style(i))
    if limit > 2:  # below, the two scales look alike, and a linear one has better ticks
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_minor_formatter(NullFormatter())
    else:
        axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    axes.set_xlim(1, limit)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("factor of the best one")
    axes.set_ylabel("share of cases")
    axes.grid(linewidth=0.3)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), frameon=False, fontsize=8, handlelength=3.5)


def draw_whole(plt, pairs, profile):
    height = max(3.2, 1.4 + 0.32 * len(pairs), 1.0 + 0.2 * len({p["variant"] for p in pairs}))
    figure = plt.figure(figsize=(14, height))  # inches; names and legends of any length are outside the axes
    left = figure.add_axes((0, 0, 4.5 / 14, 1))
    if profile is not None:
        draw_profiles(figure.add_axes((7.6 / 14, 0, 4.5 / 14, 1)), profile)
    draw_ratios(left, pairs)
    return figure


# --- groups: lines over the first parameter, panels by the others ---


def number(text):
    try:
        return float(text)
    except ValueError:
        return math.nan


def place_groups(pairs, name):
    """The places of the first parameter's values: numbers by value (on a logarithmic scale if they are far apart),
    names side by side."""
    values = list(dict.fromkeys(p[name] for p in pairs))
    numbers = [number(v) for v in values]
    if any(math.isnan(x) for x in numbers):
        return {v: i for i, v in enumerate(values)}, False, values
    values.sort(key=float)
    is_log = min(numbers) > 0 and max(numbers) >= 8 * min(numbers)
    return {v: float(v) for v in values}, is_log, values


def draw_line(axes, i, label, rows, place, name, low, high):
    rows = sorted((p for p in rows if not math.isnan(p["median_ratio"])), key=lambda p: place[p[name]])
    x = [place[p[name]] for p in rows]
    inside = [p["median_ratio"] if low <= p["median_ratio"] <= high else math.nan for p in rows]
    axes.plot(x, inside, marker=MARKERS[i % len(MARKERS)], markersize=5, linewidth=1.4, label=label, zorder=3,
              markeredgecolor="black", markeredgewidth=0.4, **style(i))
    band = [(a, p["low"], p["high"]) for a, p in zip(x, rows) if is_drawable(p["low"]) and is_drawable(p["high"])]
    colour = COLOURS[i % len(COLOURS)]
    axes.fill_between([b[0] for b in band], [b[1] for b in band], [b[2] for b in band], facecolor=colour + "22",
                      edgecolor=colour + "55", hatch=HATCHES[i % len(HATCHES)], linewidth=0.5)
    for a, p in zip(x, rows):
        if low <= p["median_ratio"] <= high:
            continue
        above = p["median_ratio"] > high
        axes.plot(a, high if above else low, "^" if above else "v", color=colour, markeredgecolor="black",
                  clip_on=False, zorder=4)
        axes.annotate(f"{p['median_ratio']:.3g}", (a, high if above else low), xytext=(0, -9 if above else 9),
                      textcoords="offset points", ha="center", va="center", fontsize=7)


def draw_panel(axes, pairs, title, name, places, low, high):
    place, is_log, values = places
    lines = {}
    for p in pairs:
        lines.setdefault((p["variant"], p["reference"]), []).append(p)
    same_reference = len({reference for _, reference in lines}) == 1
    for i, ((variant, reference), rows) in enumerate(lines.items()):
        draw_line(axes, i, variant if same_reference else f"{variant} / {reference}", rows, place, name, low, high)
    axes.axhline(1, color="black", linewidth=0.8)
    if is_log:
        axes.set_xscale("log")
    axes.minorticks_off()
    shown = values if len(values) <= 8 else values[::-(-len(values) // 8)]
    axes.set_xticks([place[v] for v in shown], [v if len(v) <= 24 else "…" + v[-23:] for v in shown],
                    rotation=20 if any(len(v) > 8 for v in shown) else 0)
    scale_ratios(axes.yaxis, axes.set_yscale, low, high)
    axes.set_ylim(low, high)
    axes.set_xlabel(name)
    n = sorted({int(p["pairs"]) for p in pairs})
    axes.set_title(f"{title}{', ' if title else ''}n = {n[0]}{f' to {n[-1]}' if len(n) > 1 else ''}", fontsize=9)
    axes.grid(linewidth=0.3)
    axes.set_axisbelow(True)


def panel_title(p, names):
    return ", ".join(f"{name} = {p[name].rsplit('/', 1)[-1]}" for name in names)


def draw_groups(plt, pairs, names):
    panels = {}
    for p in pairs:
        panels.setdefault(panel_title(p, names[1:]), []).append(p)
    check_number({p["variant"] for p in pairs})
    n_columns = min(len(panels), 3)
    n_rows = -(-len(panels) // n_columns)
    figure, grid = plt.subplots(n_rows, n_columns, figsize=(1.5 + 3.6 * n_columns, 0.9 + 2.9 * n_rows), sharey=True,
                                squeeze=False)
    low, high = limits(pairs)
    places = place_groups(pairs, names[0])
    every = [axes for row in grid for axes in row]
    for axes, (title, rows) in zip(every, panels.items()):
        draw_panel(axes, rows, title, names[0], places, low, high)
    for axes in every[len(panels):]:
        axes.remove()
    for row in grid:
        row[0].set_ylabel("median ratio and interval")
    handles, labels = every[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=8,
                  handlelength=3.5)
    figure.suptitle(what_is_drawn(pairs), fontsize=9)
    figure.tight_layout()
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs")
    parser.add_argument("profile", nargs="?")
    parser.add_argument("--out", default="compare")
    args = parser.parse_args()
    plt = drawing.pyplot()
    plt.rcParams["savefig.bbox"] = "tight"  # legends and columns of text are outside the axes
    pairs, groups = read_pairs(args.pairs)
    if groups:
        figure = draw_groups(plt, pairs, groups)
    else:
        profile = drawing.read(args.profile, ["variant", "factor", "share"]) if args.profile else None
        figure = draw_whole(plt, pairs, profile)
    drawing.save(figure, args.out, 120)


if __name__ == "__main__":
    drawing.run(main)
