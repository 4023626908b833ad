#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""papers.py: doc/papers.md has each claim of each scenarios/*/claims.xml that names a section of a paper once, with its
kind, counts them, and names scenarios that exist. papers.py REPORT.json..: the verdicts of reports are those of that
page."""
import collections
import glob
import json
import os
import re
import sys
import xml.etree.ElementTree as ET

faults = []
page = open("doc/papers.md").read()
lines = [line for line in page.splitlines() if line.startswith("| ")]
rows = [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in lines]
of_claims = {(r[0], r[3]): r for r in rows if len(r) == 4 and r[1] in ("tested", "construction", "input")}


def check_page():
    counts = collections.defaultdict(collections.Counter)
    for path in sorted(glob.glob("scenarios/*/claims.xml")):
        scenario = path.split("/")[1]
        for claim in ET.parse(path).getroot().iterfind(".//claim[@section]"):
            row = of_claims.pop((claim.get("text"), scenario), None)
            if row is None or row[1] != claim.get("kind"):
                faults.append(f"doc/papers.md lacks the {claim.get('kind')} claim of {path}: {claim.get('text')}")
                continue
            for name in scenario, "all":
                counts[name][row[1]] += 1
                counts[name]["hold"] += row[1] == "tested" and row[2].startswith("yes")
            if row[1] != "tested" and row[2] != "yes":
                faults.append(f"doc/papers.md: {row[0]} cannot fail")
            if row[2].startswith("no") and claim.find("cause") is None:
                faults.append(f"{path}: {row[0]} fails and has no cause")
            for cause in claim.iter("cause"):
                if cause.get("shown_by") and not os.path.exists(f"scenarios/{cause.get('shown_by')}/scenario.xml"):
                    faults.append(f"{path}: there is no scenario {cause.get('shown_by')}")
    faults.extend(f"doc/papers.md has a claim that no claims.xml has: {key}" for key in of_claims)
    counted = {r[0]: r[1:] for r in rows if len(r) == 5}
    for name, n in counts.items():
        want = tuple(str(n[k]) for k in ("tested", "hold", "construction", "input"))
        if counted.get(name) != want:
            faults.append(f"doc/papers.md counts {counted.get(name)} for {name}, the claims are {want}")
    for name in re.findall(r"iasim (?:run|report) ([a-z-]+)", page):
        if not os.path.exists(f"scenarios/{name}/scenario.xml"):
            faults.append(f"doc/papers.md: there is no scenario {name}")


def check_verdicts(report):
    texts = {text: row for (text, _), row in of_claims.items()}
    for section in json.load(open(report))["sections"]:
        for c in section["claims"]:
            row = texts.get(re.sub(r" \([^()]*\)\.$", ".", c["claim"]))
            if row is None or (row[2].startswith("yes") != c["holds"] and "no in the demo" not in row[2]):
                faults.append(f"{report}: {c['claim']} {'holds' if c['holds'] else 'fails'}; doc/papers.md: {row}")


for report in sys.argv[1:]:
    check_verdicts(report)
if not sys.argv[1:]:
    check_page()
print(*faults, sep="\n", end="\n" if faults else "")
sys.exit(bool(faults))
