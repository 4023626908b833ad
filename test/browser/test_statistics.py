# SPDX-License-Identifier: LGPL-2.1-or-later
"""Statistics of the page of results (runs.js, stats.js) against those of the program: means, bootstrapped intervals,
ratios, performance profiles. The page groups runs as readers like, so it computes for itself; both must agree."""
import base64
import csv
import json
import math
import os
import pathlib
import re
import statistics
import unittest
import zlib

import browser
import checks
import made

NAME, FOLDER = os.environ["BROWSER"], pathlib.Path(os.environ["FOLDER"])


def sections(path):
    """What the page was given, by its own means."""
    found = re.findall(r'<script type="application/json"( class="deflated")?>([^<]*)</script>', path.read_text())
    return [json.loads(zlib.decompress(base64.b64decode(text)) if packed else text) for packed, text in found]


class Statistics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = browser.start(NAME, FOLDER)
        cls.addClassCleanup(cls.page.close)

    def results(self, name, *sets):
        """A database of a scenario with these values, and its page, which is opened."""
        words = [word for s in sets for word in ("--set", s)]
        database, page = FOLDER / f"{name}.db", FOLDER / f"{name}.html"
        made.iasim("run", name, *words, "--quiet", "--out", database, folder=FOLDER)
        made.iasim("report", database, "--html", page, folder=FOLDER)
        self.page.open(page)
        self.assertEqual(checks.quiet(self.page), [])
        [data] = [s["data"] for s in sections(page) if s["kind"] == "results"]
        return database, data

    def compute(self, data, expression):
        """`expression` of `runs` and `rows`, all of them."""
        return self.page.js(f"""(() => {{
          const runs = iasim.runs.decode({json.dumps(data)}), rows = iasim.runs.pick(runs, {{}});
          const grouped = (names, choice) => iasim.runs.groups(runs, rows, iasim.runs.figures(runs, choice), names)
            .map(g => ({{...g, values: null, rows: null, at: g.at.map((v, k) => runs.param(names[k]).values[v])}}));
          return JSON.stringify({expression});
        }})()""")

    def assert_close(self, got, want):
        self.assertTrue(math.isclose(got, want, rel_tol=1e-9, abs_tol=1e-12), (got, want))

    def test_groups_and_intervals_match_the_report(self):
        database, data = self.results("sinnen-accuracy", "platform=sinnen-star-full,sinnen-hetero", "instance=1:3",
                                      "world=involvement",
                                      "generator=fork[branches=5],layered[tasks=9,width=3]")
        [section] = json.loads(made.iasim("report", database, "--report", "accuracy", "--json",
                                          folder=FOLDER))["sections"]
        runs = [r for r in csv.DictReader(made.iasim("export", database, folder=FOLDER).splitlines())
                if r["waiting"] == "passive" and (r["instance"] == "1" or "fork" not in r["generator"])]
        classic = {(r["platform"], r["generator"], r["instance"], r["ccr"], r["scheduler"]): float(r["makespan_s"])
                   for r in runs if r["model"] == "classic"}

        def error(r):
            return float(r["estimation_error_ratio"])

        def relative(r):
            return float(r["makespan_s"]) / classic[tuple(r[k] for k in (
                "platform", "generator", "instance", "ccr", "scheduler"))]

        for table, choice, of_run, scale, unit in (
                (section["tables"][1], {"metric": "estimation_error_ratio", "as": ""}, error, 100, ", %"),
                (section["tables"][2], {"metric": "makespan_s", "as": "to",
                                        "to": {"param": "model", "value": "classic"}}, relative, 1, "")):
            rows = [dict(zip(table["columns"], row)) for row in table["rows"]]
            grouped = self.compute(data, f"grouped(['waiting', 'ccr', 'model'], {json.dumps(choice)})")
            groups = {(ccr, model): g for g in json.loads(grouped)
                      for waiting, ccr, model in [g["at"]] if waiting == "passive"}
            self.assertEqual(len(rows), len(groups))
            for row in rows:
                group = groups[f"{row['CCR']:g}", row["belief"]]
                self.assertEqual(group["nInstances"], row["graphs"])  # 4: the forks are one graph three times
                for name, key in (("mean", "mean"), ("mean, low end of 95 %", "low"),
                                  ("mean, high end of 95 %", "high")):
                    self.assert_close(scale * group[key], row[name + unit])
                values = [of_run(r) for r in runs
                          if (float(r["ccr"]), r["model"]) == (row["CCR"], row["belief"])]
                self.assert_close(group["median"], statistics.median(values))  # the page's are of the runs
                self.assert_close(group["max"], max(values))

        # performance profiles, in which copies count, as in `compare`
        compared = json.loads(made.iasim("compare", database, "--by", "model", "--metric", "makespan_s", "--json",
                                         folder=FOLDER))["profile"]
        found = json.loads(self.compute(data, f"""(p => ({{n: p.n, shares: Object.fromEntries(p.variants.map((v, k) => [
            runs.param('model').values[v],
            {compared['factors']}.map(t => iasim.stats.profileShare(p.ratios[k], t))]))}}))(
          iasim.runs.profile(runs, rows, runs.metric('makespan_s'), 'model'))"""))
        self.assertEqual(found["n"], compared["cases"])
        for variant in compared["variants"]:
            for got, want in zip(found["shares"][variant["variant"]], variant["shares"]):
                self.assert_close(got, want)

    def test_ratios_to_the_best_match_the_tables(self):
        database, data = self.results("belief-price", "instance=1:2", "scheduler=list,heft", "ccr=1,10")
        tables = json.loads(made.iasim("report", database, "--json", folder=FOLDER))["tables"]
        choice = {"metric": "makespan_s", "as": "best", "best": ["scheduler", "model"]}
        grouped = self.compute(data, f"grouped(['involvement', 'ccr', 'model'], {json.dumps(choice)})")
        groups = {tuple(g["at"]): g["mean"] for g in json.loads(grouped)}
        [table] = [t for t in tables if t.get("best_of") == ["scheduler", "model"] and "involvement" in t["cells"][0]
                   and "ccr" in t["cells"][0]]
        self.assertEqual(len(table["cells"]), len(groups))
        for cell in table["cells"]:
            self.assert_close(groups[cell["involvement"], cell["ccr"], cell["model"]], cell["mean"])


if __name__ == "__main__":
    unittest.main()
