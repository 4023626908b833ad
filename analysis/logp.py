#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws what plans of each belief are worth on each platform: the error and the makespan against the CCR.

    analysis/logp.py RESULTS.csv [--world NAME] [--relative-to BELIEF] [--out FIGURE]

RESULTS.csv comes from `iasim export` of a scenario of the experiment `replay` that sweeps platform, model and ccr. The
script writes FIGURE.svg and FIGURE.png. Above: the mean estimation error of runs in the world NAME (involvement).
Below: the geometric mean of the makespan over that of the plan of BELIEF (involvement) for the same graph. The same CSV
gives the same bytes. """
import argparse
import math
import sys

sys.dont_write_bytecode = True  # the folder may belong to the system
import figure as drawing

# dashes and marks distinguish the lines in grey
SHAPES = {"classic": (":", "x"), "contention": ("-.", "v"), "involvement": ("-", "o"), "logp": ((0, (4, 2)), "s"),
          "loggp": ((0, (1, 1.2)), "^"), "glogp": ((0, (6, 1.5, 1, 1.5)), "D")}
STYLES = {m: (drawing.colours([m])[0], *shape) for m, shape in SHAPES.items()}
OTHER = ("#CC79A7", "-", ".")


def read(path, world):
    """By platform, CCR and belief: the errors; and by graph, the makespans."""
    errors, makespans = {}, {}
    for r in drawing.read(path, ["platform", "generator", "instance", "ccr", "scheduler", "model", "world",
                                 "makespan_s", "estimation_error_ratio", "error"]):
        if r["error"] or drawing.short(r["world"]) != world:
            continue
        platform, ccr, model = drawing.short(r["platform"]), float(r["ccr"]), drawing.short(r["model"])
        errors.setdefault(platform, {}).setdefault(model, {}).setdefault(ccr, []).append(
            float(r["estimation_error_ratio"]))
        graph = (r["generator"], r["instance"], r["scheduler"])
        makespans.setdefault(platform, {}).setdefault((ccr, graph), {})[model] = float(r["makespan_s"])
    return errors, makespans


def ratios(makespans, relative_to):
    """By belief and CCR: the geometric mean."""
    logs = {}
    for (ccr, _), of in sorted(makespans.items()):
        for model in of:
            if relative_to in of:
                logs.setdefault(model, {}).setdefault(ccr, []).append(math.log(of[model] / of[relative_to]))
    return {m: {c: math.exp(math.fsum(x) / len(x)) for c, x in of.items()} for m, of in logs.items()}


def draw(axes, lines):
    for model, of in lines.items():
        colour, dashes, marker = STYLES.get(model, OTHER)
        points = sorted(of.items())
        axes.plot([c for c, _ in points], [y for _, y in points], color=colour, linestyle=dashes, marker=marker,
                  markersize=4.5, linewidth=1.6, label=model)
    axes.set_xscale("log")
    drawing.grid(axes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("--world", default="involvement")
    parser.add_argument("--relative-to", default="involvement")
    parser.add_argument("--out", default="logp")
    args = parser.parse_args()
    plt = drawing.pyplot()
    from matplotlib.ticker import FuncFormatter, NullFormatter

    errors, makespans = read(args.results, args.world)
    if not errors:
        sys.exit(f"{args.results}: no runs in the world {args.world}")
    order = [m for m in STYLES if any(m in of for of in errors.values())]
    order += sorted({m for of in errors.values() for m in of} - set(order))
    figure, panels = plt.subplots(2, len(errors), figsize=(3.2 * len(errors), 6.2), sharex=True, sharey="row",
                                  squeeze=False)
    for k, (platform, of) in enumerate(sorted(errors.items())):
        means = {m: {c: 100 * math.fsum(x) / len(x) for c, x in of[m].items()} for m in order if m in of}
        draw(panels[0][k], means)
        panels[0][k].set_title(platform, fontsize=10)
        found = ratios(makespans[platform], args.relative_to)
        draw(panels[1][k], {m: found[m] for m in order if m in found})
        panels[1][k].set_xlabel("CCR")
    panels[0][0].set_yscale("log")
    panels[0][0].set_ylabel("mean estimation error (%)")
    panels[1][0].set_ylabel(f"makespan / {args.relative_to} plan's")
    for axis in (panels[0][0].xaxis, panels[0][0].yaxis):
        axis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
        axis.set_minor_formatter(NullFormatter())
    ccrs = sorted({c for of in errors.values() for x in of.values() for c in x})
    panels[0][0].set_xticks(ccrs)
    figure.legend(*panels[0][0].get_legend_handles_labels(), loc="upper center", ncol=6, frameon=False,
                  handlelength=3.5)
    figure.tight_layout(rect=(0, 0, 1, 0.95))
    drawing.save(figure, args.out, 160)


if __name__ == "__main__":
    drawing.run(main)
