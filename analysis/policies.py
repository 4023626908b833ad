#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws makespans of farm policies relative to one of them, as in Figure 5 of [K].

    analysis/policies.py RESULTS.csv [--bound BOUND.csv] [--out FIGURE]

RESULTS.csv comes from `iasim export` of a scenario of the experiment `farm` that sweeps send_size, compute_size and
policy; BOUND.csv comes from a scenario of the experiment `bound` with the same sizes. The script writes FIGURE.svg and
FIGURE.png: a panel for each send size, a group of bars for each compute size, a bar for each policy, and a mark at the
steady-state bound. The same CSV gives the same bytes. """
import argparse
import sys

sys.dont_write_bytecode = True  # the folder may belong to the system
import figure as drawing

# Okabe and Ito's colours suit any colour vision; hatches distinguish the bars in grey
STYLES = [("#0072B2", ""), ("#56B4E9", "////"), ("#009E73", "...."), ("#F0E442", ""), ("#E69F00", "\\\\\\\\"),
          ("#D55E00", "xxxx"), ("#CC79A7", "----"), ("#999999", "||||")]


def read(path, needed):
    return [r for r in drawing.read(path, needed) if not r.get("error")]


def mean_by(rows, keys, value):
    sums = {}
    for r in rows:
        if r[value] == "":
            continue
        at = tuple(r[k] for k in keys)
        total, n = sums.get(at, (0.0, 0))
        sums[at] = (total + float(r[value]), n + 1)
    return {at: total / n for at, (total, n) in sums.items()}


def in_order(values):
    return sorted(set(values), key=float)


def policy_order(rows, reference):
    """Policies from best to worst on average, without the reference."""
    makespans = mean_by(rows, ["policy"], "makespan_s")
    return sorted((p for (p,) in makespans if p != reference), key=lambda p: (makespans[(p,)], p))


def bound_makespans(path, n_tasks):
    rows = read(path, ["send_size", "compute_size", "ports", "throughput_tasks_per_s"])
    rates = mean_by(rows, ["send_size", "compute_size", "ports"], "throughput_tasks_per_s")
    return {at: n_tasks / rate for at, rate in rates.items()}


def draw_panel(axes, send_size, compute_sizes, policies, ratio, bound):
    width = 0.84 / len(policies)
    for i, policy in enumerate(policies):
        colour, hatch = STYLES[i % len(STYLES)]
        x = [g - 0.42 + (i + 0.5) * width for g in range(len(compute_sizes))]
        y = [ratio(send_size, c, policy) for c in compute_sizes]
        axes.bar(x, y, width, color=colour, hatch=hatch, edgecolor="black", linewidth=0.4, label=policy)
    for g, c in enumerate(compute_sizes if bound else []):
        axes.hlines(bound(send_size, c), g - 0.45, g + 0.45, color="black", linewidth=1.2, linestyles=(0, (4, 2)),
                    label="steady-state bound (multi-port)" if g == 0 else None)
    axes.axhline(1, color="black", linewidth=0.6)
    axes.set_xticks(range(len(compute_sizes)), compute_sizes)
    axes.set_title(f"{send_size} MB tasks", fontsize=10)
    axes.set_xlabel("compute size (work units)")
    axes.grid(axis="y", linewidth=0.3)
    axes.set_axisbelow(True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("--bound")
    parser.add_argument("--reference", default="root_computes")
    parser.add_argument("--out", default="policies")
    args = parser.parse_args()
    plt = drawing.pyplot()

    rows = read(args.results, ["send_size", "compute_size", "policy", "tasks", "makespan_s"])
    makespans = mean_by(rows, ["send_size", "compute_size", "policy"], "makespan_s")
    send_sizes = in_order(r["send_size"] for r in rows)
    compute_sizes = in_order(r["compute_size"] for r in rows)
    policies = policy_order(rows, args.reference)
    bounds = bound_makespans(args.bound, float(rows[0]["tasks"])) if args.bound else None

    def ratio(send, compute, policy):
        return makespans[(send, compute, policy)] / makespans[(send, compute, args.reference)]

    def bound(send, compute):
        return bounds[(send, compute, "multi")] / makespans[(send, compute, args.reference)]

    figure, panels = plt.subplots(1, len(send_sizes), figsize=(4 * len(send_sizes), 3.6), sharey=True, squeeze=False)
    for axes, send in zip(panels[0], send_sizes):
        draw_panel(axes, send, compute_sizes, policies, ratio, bound if bounds else None)
    panels[0][0].set_ylabel(f"makespan / makespan of {args.reference}")
    handles, labels = panels[0][0].get_legend_handles_labels()
    bars = [i for i, label in enumerate(labels) if not label.startswith("steady")]
    order = bars + [i for i in range(len(labels)) if i not in bars]
    handles, labels = [handles[i] for i in order], [labels[i] for i in order]
    figure.legend(handles, labels, loc="upper center", ncol=min(len(labels), 5), frameon=False, fontsize=9,
                  bbox_to_anchor=(0.5, 1.0))
    figure.tight_layout(rect=(0, 0, 1, 0.86))
    drawing.save(figure, args.out, 160)


if __name__ == "__main__":
    drawing.run(main)
