#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes platforms/kreaseck-lab-curved.xml: curves for which a straight line has the constants of [K], Table 2.

    analysis/curves.py IASIM [--write]             all nodes; prints the platform, or writes it
    analysis/curves.py IASIM --check NODE,NODE     measures these nodes on the platform as it is

For each node and direction GAMMA and the rate of interference at RATE, the bottleneck of the route, are found such that
the line that `iasim fit` puts through what `iasim measure` measures is that of Table 2: its slope and its constant.
Points are those of the scenario kreaseck-interference (alone for 20 of 190 s, then with up to 8 streams of other
traffic, 2 s each), but twenty times as many, so that chance plays no part. A model of the same points without the ends
of tasks, y = 1 - IR RATE (x / RATE)^GAMMA, is solved exactly; the difference between the measurement and it is then
added to what the model is asked for, until both agree.

--check exits with 1 if a slope differs from the table's by more than 0.3 %, or a constant by more than 0.001."""
import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
LINES = os.path.join(ROOT, "platforms", "kreaseck-lab.xml")
CURVES = os.path.join(ROOT, "platforms", "kreaseck-lab-curved.xml")
TABLE = os.path.join(ROOT, "scenarios", "kreaseck-interference", "table2.csv")
DIRECTIONS = ("recv", "send")
ALONE_S, LENGTH_S = 400, 3800
CLOSE = 5e-5  # of a constant, and of a slope relative to it

COMMENT = """
<!-- Made by analysis/curves.py. The testbed of [K] Tables 1 and 2 as in kreaseck-lab.xml, which says what is measured
     and what is assumed, but not linear: for each node and direction, ir_X_curve has one GAMMA, for which the line
     through the measured points has the constant of Table 2; ir_X is the rate at RATE for which that line has the
     slope of Table 2. No other column of the table is used. The _duplex rates are those of kreaseck-lab.xml. -->"""


def fit(points):
    """Slope (as an interference rate) and constant of the line through (rate, compute ratio)."""
    n = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return -slope, mean_y - slope * mean_x


def measure(iasim, platform, node, direction):
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(folder, "p.xml"), os.path.join(folder, "points.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write(platform)
        way = "--receive-from" if direction == "recv" else "--send-to"
        subprocess.run([iasim, "measure", "--platform", path, "--host", "Lab0", way, node, "--out", out, "--loads", "8",
                        "--interval", "2", "--alone", str(ALONE_S), "--duration", str(LENGTH_S)], check=True)
        with open(out, encoding="utf-8", newline="") as file:
            return [(float(r[f"{direction}_rate_MB_per_s"]), float(r["compute_ratio"])) for r in csv.DictReader(file)]


def with_curve(platform, node, direction, rate, gamma, at):
    """The line's property of this node, replaced by those of a curve."""
    properties = (f'<prop id="ir_{direction}.{node}" value="{rate}"/>'
                  f'<prop id="ir_{direction}_curve.{node}" value="{gamma}@{at}MBps"/>')
    text, n = re.subn(rf'<prop id="ir_{direction}\.{node}" value="[^"]*"/>', properties, platform)
    assert n == 1
    return text


def bottleneck(platform, node, direction):
    """In MB/s, as a text."""
    links = (f"{node}-access", "Lab0-in" if direction == "recv" else "Lab0-out")
    return min((re.search(rf'<link id="{link}" bandwidth="([0-9.]+)MBps"', platform)[1] for link in links), key=float)


def solve(rates, at, slope, constant):
    """The rate and GAMMA for which the model's line has this slope and constant."""
    def line(gamma):
        return fit([(x, 1 - at * (x / at) ** gamma) for x in rates])

    def starts_at(gamma):
        unit_slope, unit_constant = line(gamma)
        return 1 - slope / unit_slope * (1 - unit_constant)

    low, high = 0.02, 5
    while high - low > 1e-7:
        middle = (low + high) / 2
        low, high = (middle, high) if starts_at(middle) < constant else (low, middle)
    return slope / line(low)[0], low


def find(iasim, platform, node, direction, slope, constant):
    at = bottleneck(platform, node, direction)
    asked = [slope, constant]
    rates = [x for x, _ in measure(iasim, platform, node, direction)]
    for _ in range(8):
        rate, gamma = solve(rates, float(at), *asked)
        curved = with_curve(platform, node, direction, f"{rate:.17g}", f"{gamma:.17g}", at)
        points = measure(iasim, curved, node, direction)
        got = fit(points)
        if abs(got[0] / slope - 1) < CLOSE and abs(got[1] - constant) < CLOSE:
            break
        asked = [asked[0] + slope - got[0], asked[1] + constant - got[1]]
    print(f"{node} {direction}: {rate:.5f} per MB/s at {at} MB/s, GAMMA {gamma:.4f}; the line: {got[0]:.5f}, "
          f"{got[1]:.5f}", file=sys.stderr)
    return f"{rate:.5f}", f"{gamma:.4f}", at


def read_table():
    with open(TABLE, encoding="utf-8", newline="") as file:
        return {r["node"]: {d: (float(r[f"ir_{d}"]), float(r[f"{d}_constant"])) for d in DIRECTIONS}
                for r in csv.DictReader(file)}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def make(iasim):
    lines = read(LINES)
    curved = re.sub(r"(SPDX[^\n]*-->)\n<!--.*?-->", lambda m: m[1] + COMMENT, lines, count=1, flags=re.DOTALL)
    for node, values in read_table().items():
        for direction in DIRECTIONS:
            curved = with_curve(curved, node, direction, *find(iasim, lines, node, direction, *values[direction]))
    return curved.replace('"/><prop id="ir_send.', '"/>\n        <prop id="ir_send.')


def check(iasim, nodes):
    platform, table, n_wrong = read(CURVES), read_table(), 0
    for node in nodes:
        for direction in DIRECTIONS:
            slope, constant = fit(measure(iasim, platform, node, direction))
            wanted_slope, wanted = table[node][direction]
            is_wrong = abs(slope / wanted_slope - 1) > 0.003 or abs(constant - wanted) > 0.001
            n_wrong += is_wrong
            print(f"{node} {direction}: slope {slope:.4f} (Table 2: {wanted_slope}), "
                  f"constant {constant:.4f} ({wanted}){' WRONG' * is_wrong}")
    return n_wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("iasim", metavar="IASIM", help="the program")
    parser.add_argument("--write", action="store_true", help="write platforms/kreaseck-lab-curved.xml")
    parser.add_argument("--check", metavar="NODE,NODE", help="measure these nodes on that platform")
    o = parser.parse_args()
    if o.check:
        return check(o.iasim, o.check.split(",")) > 0
    text = make(o.iasim)
    if not o.write:
        sys.stdout.write(text)
        return 0
    with open(CURVES, "w", encoding="utf-8") as file:
        file.write(text)
    return 0


sys.exit(main())
