# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shared by the scripts of this folder: they load matplotlib only when they draw, and the same data gives the same
bytes."""
import csv
import json
import os
import sys

# Okabe and Ito's colours suit any colour vision; those of page.css
PALETTE = {"blue": "#0072B2", "vermilion": "#D55E00", "green": "#009E73", "purple": "#CC79A7", "orange": "#E69F00",
           "sky": "#56B4E9",
           "ink": "#1C2126", "grey": "#9AA3AB"}
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "names.json"), encoding="utf-8") as table:
    NAMES = json.load(table)  # colours and plain words, also of the pages for browsers


def colours(names):
    """A colour for each name: models and worlds have their own in every picture, other names those of their places."""
    known = [NAMES["colours"].get(name.split("[")[0]) for name in names]
    if None in known or len(set(known)) < len(known):
        known = [list(PALETTE)[i % len(PALETTE)] for i in range(len(names))]
    return [PALETTE[c] for c in known]


def read(path, needed):
    """The rows of a CSV file that has these columns; without them, or without rows, one line that says so."""
    with open(path, newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    if not rows:
        sys.exit(f"{path}: no rows")
    missing = [c for c in needed if c not in rows[0]]
    if missing:
        sys.exit(f"{path}: columns {', '.join(missing)} are missing")
    return rows


def pyplot():
    """matplotlib.pyplot without a screen. If it is missing, Debian's Python runs the script from the beginning. If that
    does not have it either, prints one line that says what to install; exit status 2."""
    try:
        import matplotlib
    except ImportError:
        _continue_with_debians()
        script = os.path.basename(sys.argv[0])
        print(f"{script}: pictures need matplotlib, which {sys.executable} does not have; on Debian: apt install "
              "python3-matplotlib", file=sys.stderr)
        raise SystemExit(2) from None
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    plt.rcParams.update({"svg.hashsalt": "iasim", "font.family": "DejaVu Sans", "font.size": 9, "hatch.linewidth": 0.5})
    return plt


def _continue_with_debians():
    """Returns if this is Debian's Python already, or if there is none."""
    debians = "/usr/bin/python3"
    if sys.prefix != "/usr" and os.access(debians, os.X_OK):
        os.execv(debians, [debians, *sys.argv])


def short(name):
    """A platform, model or world without its folder, its ending and its parameters."""
    return os.path.basename(name.split("[")[0]).removesuffix(".xml").removeprefix("sinnen-")


def grid(axes):
    axes.grid(linewidth=0.3)
    axes.set_axisbelow(True)


def save(figure, name, dpi):
    figure.savefig(name + ".svg", metadata={"Date": None})
    figure.savefig(name + ".png", dpi=dpi, metadata={"Software": None})


def run(main):
    """Runs main(); a file that cannot be read or written gives one line."""
    try:
        main()
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}")
