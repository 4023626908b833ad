#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws what a message costs by each type of communication, as in Figure 8.3 of [S].

    analysis/messages.py RESULTS.csv [--device NAME] [--out FIGURE]

RESULTS.csv comes from `iasim export` of a scenario of the experiment `message` that sweeps platform and size_bytes. The
script writes FIGURE.svg and FIGURE.png: the time of a message, and the time that it takes from the sender, from the
receiver and from both, against its size. A line for each platform; the platform `threshold` is a wide band under the
others. A mark shows the largest size at which another platform costs both processors no more than NAME (third-party).
The same CSV gives the same bytes.
"""
import argparse
import sys

sys.dont_write_bytecode = True  # the folder may belong to the system
import figure as drawing

# Okabe and Ito's colours suit any colour vision; dashes distinguish the lines in grey
STYLES = [("#0072B2", "-"), ("#D55E00", (0, (4, 2))), ("#009E73", (0, (1, 1.2))), ("#000000", "-."),
          ("#CC79A7", (0, (6, 1.5, 1, 1.5)))]
PANELS = [("message_s", "time of a message"), ("stolen_s", "taken from both processors"),
          ("send_stolen_s", "taken from the sender"), ("recv_stolen_s", "taken from the receiver")]
BAND = "threshold"


def read(path):
    """By platform and metric, the (size, microseconds) in the order of sizes."""
    lines = {}
    for r in drawing.read(path, ["platform", "size_bytes", "error"] + [m for m, _ in PANELS]):
        for metric, _ in PANELS:
            if not r["error"]:
                lines.setdefault(drawing.short(r["platform"]), {}).setdefault(metric, []).append(
                    (float(r["size_bytes"]), float(r[metric]) * 1e6))
    return {name: {m: sorted(points) for m, points in of.items()} for name, of in sorted(lines.items())}


def break_even(lines, device):
    """The last size at which another one costs both processors no more than `device`, and the cost; None: no such size,
    or no larger one."""
    costs = {name: dict(of["stolen_s"]) for name, of in lines.items() if name != BAND}
    if device not in costs or len(costs) == 1:
        return None
    sizes = sorted(set.intersection(*(set(c) for c in costs.values())))
    # what costs the same but for rounding costs no more
    cheap = [s for s in sizes if min(c[s] for n, c in costs.items() if n != device) <= costs[device][s] * (1 + 1e-9)]
    return (cheap[-1], costs[device][cheap[-1]]) if cheap and cheap[-1] != sizes[-1] else None


def draw_panel(axes, lines, metric, title):
    if BAND in lines:
        x, y = zip(*lines[BAND][metric])
        axes.plot(x, y, color="#BBBBBB", linewidth=6, solid_capstyle="butt", label=BAND)
    for i, (name, of) in enumerate((n, of) for n, of in lines.items() if n != BAND):
        colour, dashes = STYLES[i % len(STYLES)]
        x, y = zip(*of[metric])
        axes.plot(x, y, color=colour, linestyle=dashes, linewidth=1.6, label=name)
    axes.set_title(title, fontsize=10)
    drawing.grid(axes)


def size_text(bytes_):
    return f"{bytes_ / 1e6:g} MB" if bytes_ >= 1e6 else f"{bytes_ / 1e3:g} kB" if bytes_ >= 1e3 else f"{bytes_:g} B"


def mark(axes, at, device):
    axes.plot(*at, "o", markersize=7, markerfacecolor="white", markeredgecolor="black", zorder=4)
    axes.annotate(f"up to {size_text(at[0])} a copy\ncosts less, above it\n{device}", at, xytext=(14, -42),
                  textcoords="offset points", fontsize=8, arrowprops={"arrowstyle": "-", "linewidth": 0.6})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("--device", default="third-party")
    parser.add_argument("--out", default="messages")
    args = parser.parse_args()
    plt = drawing.pyplot()
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    lines = read(args.results)
    figure, panels = plt.subplots(2, 2, figsize=(9, 6.4), sharex=True, sharey=True)
    for axes, (metric, title) in zip(panels.flat, PANELS):
        draw_panel(axes, lines, metric, title)
    first = panels[0][0]
    first.set_xscale("log")
    first.set_yscale("log")
    first.xaxis.set_major_locator(LogLocator(numticks=12))
    first.xaxis.set_major_formatter(FuncFormatter(lambda x, _: size_text(x)))
    first.xaxis.set_minor_formatter(NullFormatter())
    first.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
    for axes in panels[1]:
        axes.set_xlabel("size of the message (1 kB = 1000 bytes)")
    for row in panels:
        row[0].set_ylabel("time (µs)")
    at = break_even(lines, args.device)
    if at is not None:
        mark(panels[0][1], at, args.device)
    handles, labels = first.get_legend_handles_labels()
    order = sorted(range(len(labels)), key=lambda i: labels[i] == BAND)
    figure.legend([handles[i] for i in order], [labels[i] for i in order], loc="upper center", ncol=5, frameon=False,
                  handlelength=3.5)
    figure.tight_layout(rect=(0, 0, 1, 0.95))
    drawing.save(figure, args.out, 160)


if __name__ == "__main__":
    drawing.run(main)
