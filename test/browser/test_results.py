# SPDX-License-Identifier: LGPL-2.1-or-later
"""The page of a database, against `iasim export`: what is sorted, filtered and grouped in it is computed again from
the CSV."""
import collections
import csv
import io
import os
import pathlib
import statistics
import unittest

import browser
import checks
import made

NAME, FOLDER = os.environ["BROWSER"], pathlib.Path(os.environ["FOLDER"])
BAD = "<img src=x onerror=document.title=8>"
SCENARIO = """<?xml version="1.0"?>
<scenario name="bad" experiment="replay">
  <description>&lt;/script&gt;&lt;script&gt;document.title='pwned'&lt;/script&gt;</description>
  <sweep name="platform"><value>good.xml</value><value>&lt;img src=x onerror=document.title=8&gt;.xml</value></sweep>
  <sweep name="generator"><value>layered[tasks=30,width=6]</value><value>fork_join[branches=6,stages=2]</value></sweep>
  <param name="ccr" value="1"/>
  <sweep name="scheduler"><value>heft</value><value>list</value>
    <value>list[technique=insertion,approach=direct,minimize=finish,compact=off]</value></sweep>
  <sweep name="world"><value>involvement</value><value>interference</value></sweep>
  <sweep name="model"><value>classic</value><value>involvement</value></sweep>
  <table title="&lt;img src=x onerror=document.title=9&gt;" rows="world" columns="model"
         metric="estimation_error_ratio"/>
</scenario>
"""

# The table with a caption that begins so, and what is around it.
TABLE = "[...document.querySelectorAll('.table')].find(t => t.querySelector('caption').textContent.startsWith(%s))"


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made.full_platform(FOLDER / "good.xml", [f"p{i}" for i in range(6)])
        made.full_platform(FOLDER / f"{BAD}.xml", [f"p{i}" for i in range(3)])
        (FOLDER / "bad.scenario.xml").write_text(SCENARIO, encoding="utf-8")
        made.iasim("run", "bad.scenario.xml", "--out", "bad.db", "--quiet", folder=FOLDER)
        made.iasim("report", "bad.scenario.xml", "bad.db", "--html", "bad.html", folder=FOLDER)
        cls.runs = list(csv.DictReader(io.StringIO(made.iasim("export", "bad.db", folder=FOLDER))))
        cls.page = browser.start(NAME, FOLDER)
        cls.addClassCleanup(cls.page.close)

    def setUp(self):
        self.page.open(FOLDER / "bad.html")

    def tearDown(self):
        self.assertEqual(checks.quiet(self.page), [])
        self.assertEqual(self.page.js("document.querySelectorAll('img').length"), 0)

    def rows(self, caption):
        """All rows of a table, by leafing through it: [{head: text, or the number where there is one}]."""
        found = self.page.js("""(table => {
            const heads = [...table.querySelectorAll('th')].map(h => h.textContent.replace(/ \\(.*/, ''));
            const rows = [], press = label => table.querySelector(`button[aria-label="${label}"]`).click();
            press('first rows');
            for (;;) { for (const tr of table.querySelectorAll('tbody tr'))
                rows.push(Object.fromEntries([...tr.cells].map((c, k) =>
                  [heads[k], c.dataset.value === undefined ? c.textContent : Number(c.dataset.value)])));
              const at = table.querySelector('.counter').textContent; press('next rows');
              if (table.querySelector('.counter').textContent === at) return rows; } })(%s)"""
                             % (TABLE % browser.quoted(caption)))
        self.assertEqual(len({tuple(r.items()) for r in found}), len(found))
        return found

    @staticmethod
    def keys(runs):
        """As the page shows them, and `iasim run --only` takes them."""
        return {run["key"][:12] for run in runs}

    def choose(self, label, value):
        """An option of a select, as a user who picks it from the list."""
        self.page.js("""(([label, value]) => { const select = [...document.querySelectorAll('label.field')].find(
            l => l.firstChild.textContent === label).querySelector('select'); select.value = value;
            if (select.value !== value) throw new Error('no option ' + value + ' in ' + label);
            select.dispatchEvent(new Event('change', {bubbles: true})); })(%s)""" % browser.quoted([label, value]))
        self.page.settle()

    def sort_by(self, head, how):
        """A click on a head of the table of runs, or Enter or the space bar on it."""
        self.page.js("""(table => { document.querySelectorAll('[data-test]').forEach(e => delete e.dataset.test);
            [...table.querySelectorAll('th .sorter')].find(b => b.textContent.startsWith(%s)).dataset.test = '';
            })(%s)"""
                     % (browser.quoted(head), TABLE % "'All runs'"))
        if how == "mouse":
            self.page.click("[data-test]")
        else:
            self.page.js("document.querySelector('[data-test]').focus()")
            self.page.press(how)
        return self.page.js("(head => head.ariaSort ?? head.getAttribute('aria-sort'))"
                            "(document.querySelector('[data-test]').closest('th'))")

    def test_every_run_is_shown(self):
        shown = self.rows("All runs")
        self.assertEqual(len(shown), 48)
        self.assertEqual({r["key"] for r in shown}, self.keys(self.runs))
        by_key = {r["key"][:12]: r for r in self.runs}
        for row in shown:
            for name in ("makespan_s", "planned_s", "stolen_s", "estimation_error_ratio"):
                self.assertAlmostEqual(row[name], float(by_key[row["key"]][name]), delta=1e-12)

    def test_hostile_names_are_shown_as_text(self):
        self.assertIn("</script><script>document.title='pwned'</script>", self.page.js("document.body.innerText"))
        self.assertIn("<img src=x onerror=document.title=9>", self.page.js("document.body.textContent"))
        self.assertEqual({r["platform"] for r in self.rows("All runs")}, {"good", BAD})
        self.page.js("document.querySelectorAll('details').forEach(d => d.open = true)")
        self.assertNotIn(self.page.js("document.title"), ("pwned", "8", "9"))

    def test_sorting_by_mouse_and_keyboard(self):
        values = sorted(float(r["makespan_s"]) for r in self.runs)
        for how, order in (("mouse", "ascending"), ("Enter", "descending"), (" ", "ascending")):
            self.assertEqual(self.sort_by("makespan_s", how), order)
            wanted = values if order == "ascending" else values[::-1]
            for here, there in zip([r["makespan_s"] for r in self.rows("All runs")], wanted):
                self.assertAlmostEqual(here, there, delta=1e-12)

    def test_filtering_by_mouse_and_keyboard(self):
        wanted = [r for r in self.runs if r["world"] == "involvement" and r["scheduler"] != "heft"]
        self.page.js("[...document.querySelectorAll('details.choices')].forEach(d => d.open = true)")
        for value, how in (("interference", "mouse"), ("heft", "key")):
            self.page.js("""(value => { document.querySelectorAll('[data-test]').forEach(e => delete e.dataset.test);
                [...document.querySelectorAll('.filters label')].find(l => l.textContent === value)
                  .firstChild.dataset.test = ''; })(%s)"""
                         % browser.quoted(value))
            if how == "mouse":
                self.page.click("[data-test]")
            else:
                self.page.js("document.querySelector('[data-test]').focus()")
                self.page.press(" ")
        self.assertEqual({r["key"] for r in self.rows("All runs")}, self.keys(wanted))
        self.assertEqual(self.page.js("document.querySelector('[data-n-runs]').dataset.nRuns"), str(len(wanted)))

    def test_searching(self):
        self.page.click("input[type=search]")
        self.page.type("insertion good")
        wanted = [r for r in self.runs if "insertion" in r["scheduler"] and "good" in r["platform"]]
        self.assertEqual({r["key"] for r in self.rows("All runs")}, self.keys(wanted))

    def test_grouping(self):
        self.choose("Figure", "makespan_s")
        self.choose("Shown", "")
        self.choose("Along the axis", "scheduler")
        self.choose("By colour", "platform")
        self.page.js("document.querySelectorAll('fieldset .ticks input:checked:not(:disabled)').forEach(b => b.closest('.filters') || b.click())")
        groups = collections.defaultdict(list)
        for run in self.runs:
            groups[pathlib.Path(run["platform"]).stem, run["scheduler"]].append(float(run["makespan_s"]))
        rows = self.rows("Groups by")
        self.assertEqual({(r["platform"], r["scheduler"]) for r in rows}, set(groups))
        for row in rows:
            values = groups[row["platform"], row["scheduler"]]
            self.assertEqual(row["runs"], len(values))
            for head, there in (("mean", statistics.mean(values)), ("median", statistics.median(values)),
                                ("smallest", min(values)),
                                ("largest", max(values))):
                self.assertAlmostEqual(row[head], there, delta=1e-9 * there)
        marks = self.page.js("document.querySelectorAll('.pictures')[0].querySelectorAll('.mark').length")
        self.assertEqual(marks, len(groups)) # one for each mean

    def test_grouping_by_keyboard(self):
        before = self.page.js("document.querySelector('[data-n-groups]').dataset.nGroups")
        self.page.js("[...document.querySelectorAll('label.field')].find(l => l.firstChild.textContent === 'By colour').querySelector('select').focus()")
        self.page.press("Home")
        self.page.press("ArrowDown")
        self.page.press("Enter")
        self.page.settle()
        chosen = self.page.js("document.activeElement.value")
        heads = self.page.js("[...(%s).querySelectorAll('th')].map(h => h.textContent)" % (TABLE % "'Groups by'"))
        self.assertTrue(chosen in heads, (chosen, heads, before))

    def test_marks_have_tooltips(self):
        x, y = self.page.middle(".pictures .mark")
        self.page.hover(x, y)
        words = self.page.js("document.querySelector('.tip').hidden ? '' : document.querySelector('.tip').textContent")
        self.assertRegex(words, "mean .*run")

    def test_long_words_break_between_letters(self):
        for width in range(300, 310):
            lines = self.page.js("""[...iasim.plots.dots({width: %d,
                  panels: [{title: '\U0001d4b2'.repeat(99), rows: []}], label: '', base: []})
                .querySelectorAll('.title tspan')].map(line => line.textContent)""" % width)
            self.assertGreater(len(lines), 1)
            self.assertEqual("".join(lines), 99 * "\U0001d4b2", lines)

    def test_page_fits_in_320_pixels(self):
        self.choose("Compared", "scheduler") # the legend has a long name
        self.page.resize(320, 640)
        self.page.js("document.querySelectorAll('details').forEach(d => d.open = true)")
        self.page.settle()
        self.assertEqual(checks.width(self.page), [])
        self.page.resize(1280, 800)

    def test_text_has_enough_contrast(self):
        self.page.js("document.querySelectorAll('details').forEach(d => d.open = true)")
        self.assertEqual(checks.contrast(self.page), [])
        self.page.click(".theme")
        self.assertEqual(checks.contrast(self.page), [])

    def test_focus_is_visible_on_every_tab_stop(self):
        _, faults = checks.tab_stops(self.page)
        self.assertEqual(faults, [])

    def test_page_prints(self):
        self.page.pdf(FOLDER / "results.pdf")
        self.assertGreaterEqual(checks.n_pages(FOLDER / "results.pdf"), 3)

    @unittest.skipUnless(NAME == "chromium", "Firefox does not give its accessibility tree")
    def test_focusable_elements_have_names(self):
        self.page.js("document.querySelectorAll('details').forEach(d => d.open = true)")
        self.assertEqual(checks.names(self.page), [])


if __name__ == "__main__":
    unittest.main()
