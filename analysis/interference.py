#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws the compute rate of a host against its transfer rate, with the fitted line, as in Figure 1 of [K].

    analysis/interference.py POINTS.csv [MORE.csv ...] [--rate send|recv] [--label TEXT ...] [--out FIGURE]

POINTS.csv comes from `iasim measure`. Each file is a series over the rate that varies in it, or over the rate of
--rate. The line is the least-squares fit of `iasim fit linear`; its negative slope is the interference rate. The script
writes FIGURE.svg and FIGURE.png. The same CSV gives the same bytes. """
import argparse
import csv
import os
import sys

sys.dont_write_bytecode = True  # the folder may belong to the system
import figure as drawing

STYLES = [("#0072B2", "o"), ("#D55E00", "^"), ("#009E73", "s"), ("#CC79A7", "D"), ("#E69F00", "v")]
RATES = {"send": "send_rate_MB_per_s", "recv": "recv_rate_MB_per_s"}
WORDS = {"send": "sending", "recv": "receiving"}


def read(path):
    with open(path, newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    if not rows:
        sys.exit(f"{path}: no points")
    for column in [*RATES.values(), "compute_ratio"]:
        if column not in rows[0]:
            sys.exit(f"{path}: column {column} is missing")
    return rows


def choose_rate(path, rows, asked):
    varying = [r for r in RATES if len({row[RATES[r]] for row in rows}) > 1]
    if asked:
        varying = [r for r in varying if r == asked]
    if len(varying) != 1:
        sys.exit(f"{path}: {'both rates vary; choose one with --rate' if varying else 'the rate does not vary'}")
    return varying[0]


def line(x, y):
    """Least squares: the constant and the slope."""
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)
    return mean_y - slope * mean_x, slope


def draw_series(axes, path, label, asked, style):
    rows = read(path)
    rate = choose_rate(path, rows, asked)
    x = [float(r[RATES[rate]]) for r in rows]
    y = [float(r["compute_ratio"]) for r in rows]
    constant, slope = line(x, y)
    colour, marker = style
    axes.plot(x, y, marker, color=colour, markersize=4, markerfacecolor="none", markeredgewidth=0.8, linestyle="none",
              label=f"{label}, {WORDS[rate]}")
    ends = [0, max(x)]
    axes.plot(ends, [constant + slope * e for e in ends], color=colour, linewidth=1,
              label=f"{constant:.3f} − {-slope:.4f} x")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points", nargs="+")
    parser.add_argument("--rate", choices=RATES)
    parser.add_argument("--label", action="append", default=[])
    parser.add_argument("--out", default="interference")
    args = parser.parse_args()
    plt = drawing.pyplot()

    figure, axes = plt.subplots(figsize=(5, 3.6))
    for i, path in enumerate(args.points):
        label = args.label[i] if i < len(args.label) else os.path.splitext(os.path.basename(path))[0]
        draw_series(axes, path, label, args.rate, STYLES[i % len(STYLES)])
    axes.set_xlim(left=0)
    axes.set_ylim(top=1.02)
    axes.set_xlabel("transfer rate x (MB/s)")
    axes.set_ylabel("compute rate / highest compute rate")
    axes.grid(linewidth=0.3)
    axes.set_axisbelow(True)
    axes.legend(fontsize=8, frameon=False)
    figure.tight_layout()
    drawing.save(figure, args.out, 160)


if __name__ == "__main__":
    drawing.run(main)
