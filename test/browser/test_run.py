# SPDX-License-Identifier: LGPL-2.1-or-later
"""The page of a replay, against `replay --json` and `explain --json` of the same schedule."""
import os
import pathlib
import unittest

import browser
import checks
import made

NAME, FOLDER = os.environ["BROWSER"], pathlib.Path(os.environ["FOLDER"])
ON_CHROMIUM = unittest.skipUnless(NAME == "chromium", "Firefox takes its colour scheme when it starts")

# Simulated bars of the chart: [kind, name, host or link, from, to in s, the middle of what is seen of it in the
# window, colour there].
BARS = """(() => { const chart = iasim.charts[0], model = chart.model, canvas = chart.canvas, found = [];
  const at = canvas.getBoundingClientRect();
  const {data, width} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const ratio = width / at.width;
  const colour = (x, y) => { const i = 4 * (Math.floor(y * ratio) * width + Math.floor(x * ratio));
    return [...data.slice(i, i + 3)]; };
  for (const group of model.groups) for (const lane of group.lanes) for (const strip of lane.strips)
    for (let i = 0; i < strip.bars.n; i++) { const b = strip.bars, box = chart.box({group, lane, strip, i});
      const x = box.x + box.width / 2, y = box.y + box.height - 2.5;
      const isSeen = y > group.top && y < group.top + group.height;
      found.push([strip.name, model.kinds[b.kind[i]].name, model.text(b, i), lane.name,
        b.start[i] * model.tick_s, b.end[i] * model.tick_s,
        isSeen ? [at.x + x, at.y + y] : null, box.width, isSeen ? colour(x, y) : null]); }
  return found; })()"""

RGB = """(name => { const [r, g, b] = iasim.colour(name).match(/[0-9a-f]{2}/g).map(x => parseInt(x, 16));
  return [r, g, b]; })"""


class OfRun(unittest.TestCase):
    """A page, opened anew for each test."""
    run_ = None

    @classmethod
    def setUpClass(cls):
        cls.make()
        cls.page = browser.start(NAME, FOLDER)
        cls.addClassCleanup(cls.page.close)

    def setUp(self):
        self.page.open(self.run_.page)

    def tearDown(self):
        self.assertEqual(checks.quiet(self.page), [])

    def chain(self):
        """The names of the marked chain, from the first item, those of neighbours that are equal once."""
        rows = self.page.js("[...document.querySelectorAll('.chain tbody tr')].map(r => r.cells[1].textContent)")
        names = list(reversed(rows))
        return [name for name, before in zip(names, [None] + names) if name != before]

    def explained(self):
        """The same by explain. A waiting item waits for another one, which is on the chain."""
        names = [(s["with"][0] if s["cause"] == "waiting" else s["task"] or s["edge"]).replace(" -> ", " → ")
                 for s in self.run_.explain["segments"]]
        return [name for name, before in zip(names, [None] + names) if name != before]

    def view(self):
        return self.page.js("[iasim.charts[0].view.from, iasim.charts[0].view.to, iasim.charts[0].model.end]")

    def press_button(self, words):
        self.page.js("[...document.querySelectorAll('button')].find(b => b.textContent === %s).click()"
                     % browser.quoted(words))
        self.page.settle()


class Involvement(OfRun):
    """Sends and receives occupy their hosts; eight hosts."""

    @classmethod
    def make(cls):
        made.full_platform(FOLDER / "eight.xml", [f"host{i}" for i in range(8)])
        made.iasim("graph", "generate", "layered[tasks=24,width=6]", "--seed", 3, "--ccr", 0.2, "--platform",
                   "eight.xml",
                   "--out", "layered.dot", folder=FOLDER)
        cls.run_ = made.Run(FOLDER, "involvement", "eight.xml", "layered.dot", "involvement")

    def test_bars_match_the_replay(self):
        bars = self.page.js(BARS)
        end = self.run_.replay["makespan_s"]
        wanted = []
        for task in self.run_.replay["tasks"]:
            wanted.append(("simulated", "computing", task["name"], task["host"], task["start_s"], task["finish_s"]))
            wanted.append(("planned", "computing", task["name"], task["host"], task["planned_start_s"],
                           task["planned_finish_s"]))
        for edge in self.run_.transfers():
            name = f"{edge['src']} → {edge['dst']}"
            for kind, part in (("sending", edge["send"]), ("receiving", edge["recv"])):
                wanted.append(("simulated", kind, name, part["host"], part["start_s"], part["finish_s"]))
            wanted.append(("simulated", "transfer", name, "link", edge["transfer"]["start_s"],
                           edge["transfer"]["finish_s"]))
        self.assertGreater(len(self.run_.transfers()), 5)
        shown = sorted(tuple(bar[:4]) for bar in bars if bar[1] != "under way")
        self.assertEqual(shown, sorted(w[:4] for w in wanted))
        times = {tuple(bar[:4]): bar[4:6] for bar in bars}
        for *key, start, finish in wanted:
            for here, there in zip(times[tuple(key)], (start, finish)):
                self.assertAlmostEqual(here, there, delta=end * 1e-5, msg=key)

    def test_bars_are_drawn_at_their_dates_in_their_colours(self):
        colours = {kind: self.page.js(f"{RGB}({browser.quoted(colour)})")
                   for kind, colour in (("computing", "blue"), ("sending", "orange"), ("receiving", "green"))}
        n = 0
        for layer, kind, name, *_, where, width, colour in self.page.js(BARS):
            if layer == "simulated" and kind in colours and where and width > 6:
                self.assertLess(max(abs(a - b) for a, b in zip(colour, colours[kind])), 40, f"{kind} {name}")
                n += 1
        self.assertGreater(n, 20)

    def test_every_bar_is_drawn(self):
        self.assertEqual(self.page.js("[document.querySelector('.view-run').dataset.tasks, document.querySelector('.view-run').dataset.transfers]"),
                         [str(len(self.run_.replay["tasks"])), str(len(self.run_.transfers()))])
        n_bars = len(self.page.js(BARS))
        # nothing is out of sight
        self.assertEqual(self.page.js("iasim.charts[0].model.groups.every(g => g.content <= g.height)"), True)
        self.assertEqual(self.page.js("iasim.charts[0].n_drawn"), n_bars)

    def test_hovering_shows_a_tooltip(self):
        for layer, kind, name, host, start, finish, where, _, _ in self.page.js(BARS):
            if layer == "simulated" and kind == "computing" and where:
                self.page.hover(*where)
                words = self.page.js("(tip => tip.hidden ? '' : tip.textContent)(document.querySelector('.tip'))")
                self.assertIn(name, words)
                self.assertIn(host, words)
                self.assertIn(f"{finish:.4g}"[:4], words)
                break

    def test_a_click_marks_the_critical_chain(self):
        last = max(self.run_.replay["tasks"], key=lambda task: task["finish_s"])["name"]
        where = next(bar[6] for bar in self.page.js(BARS) if bar[:3] == ["simulated", "computing", last])
        self.page.click_at(*where)
        self.assertEqual(self.chain(), self.explained())
        marked = self.page.js("iasim.charts[0].marks.size")
        self.page.press("Escape")
        self.assertEqual(self.page.js("[iasim.charts[0].marks, document.querySelectorAll('.chain tbody tr').length]"),
                         [None, 0])
        self.press_button("Critical chain")
        self.assertEqual([self.chain(), self.page.js("iasim.charts[0].marks.size")], [self.explained(), marked])

    def test_keys_zoom_pan_and_select(self):
        self.page.js("document.querySelector('canvas.gantt').focus()")
        self.page.press("+")
        start, stop, end = self.view()
        self.assertAlmostEqual(stop - start, end / 1.5, delta=2)
        self.assertAlmostEqual(start + stop, end, delta=end / 50)
        self.page.press("ArrowRight", "Shift")
        later = self.view()
        self.assertAlmostEqual(later[1], min(end, stop + 0.2 * (stop - start)), delta=2)
        self.page.press("ArrowLeft", "Shift")
        self.page.press("-")
        self.page.press("0")
        self.assertEqual(self.view(), [0, end, end])
        self.page.press("ArrowRight")
        self.page.press("ArrowDown")
        self.page.press("End")
        words = self.page.js("document.querySelector('.unseen[aria-live]').textContent")
        self.assertEqual(words, self.page.js("iasim.charts[0].model.describe(iasim.charts[0].cursor).join('. ')"))
        self.page.press("Enter")
        self.assertGreater(len(self.chain()), 0)

    def test_wheel_scrolls_the_page_until_the_chart_is_clicked(self):
        self.page.resize(1280, 500)
        x, y = self.page.middle("canvas.gantt")
        self.page.js("scrollTo(0, 0)")
        self.page.wheel(x, y, 60)
        self.page.wait("scrollY > 0")
        self.assertEqual(self.view()[:2], [0, self.view()[2]])
        x, y = self.page.middle("canvas.gantt")
        self.page.click_at(x, y)
        before = self.page.js("scrollY")
        self.page.wheel(x, y, -120)
        self.page.wait("iasim.charts[0].view.to - iasim.charts[0].view.from < iasim.charts[0].model.end")
        self.assertEqual(self.page.js("scrollY"), before)
        self.page.resize(1280, 800)

    def test_searching_for_a_task(self):
        name = self.run_.replay["tasks"][5]["name"]
        self.page.click("input[type=search]")
        self.page.type(name)
        self.page.press("Enter")
        self.assertEqual(self.chain()[-1], name)

    def test_page_fits_in_320_pixels(self):
        self.page.resize(320, 640)
        self.assertEqual(checks.width(self.page), [])
        # not below the controls
        self.assertLess(self.page.js("document.querySelector('canvas.gantt').getBoundingClientRect().y"), 640)
        self.page.resize(1280, 800)

    def test_text_has_enough_contrast(self):
        self.press_button("Critical chain")
        self.page.js("document.querySelectorAll('details').forEach(d => d.open = true)")
        self.assertEqual(checks.contrast(self.page), [])
        self.page.click(".theme")
        self.assertEqual(self.page.js("document.documentElement.dataset.theme"), "dark")
        self.assertEqual(checks.contrast(self.page), [])

    def test_every_control_is_reachable_by_tab(self):
        stops, faults = checks.tab_stops(self.page)
        self.assertEqual(faults, [])
        self.assertTrue(any(stop.startswith("CANVAS") for stop in stops), stops)
        self.assertEqual(self.page.js("[...document.querySelectorAll('canvas')]"
                                      ".every(c => c.ariaLabel || c.ariaHidden || c.closest('.paper-only'))"), True)

    def test_page_breaks_cut_no_bar(self):
        self.page.pdf(FOLDER / "run.pdf")
        self.assertGreaterEqual(checks.n_pages(FOLDER / "run.pdf"), 2)
        self.assertEqual(checks.quiet(self.page), [])
        self.page.js("dispatchEvent(new Event('beforeprint'))")
        sheets = self.page.js("[...document.querySelectorAll('.paper-only canvas')].map(c => c.height / c.width)")
        lanes = self.page.js("iasim.charts[0].model.groups.flatMap(g => g.lanes).length")
        self.assertGreaterEqual(lanes, 8)
        self.assertTrue(sheets and max(sheets) < 1, sheets) # each fits on a page
        rules = self.page.js("[...document.styleSheets].flatMap(s => [...s.cssRules])"
                             ".filter(r => r.conditionText === 'print').map(r => r.cssText).join()")
        self.assertRegex(rules, r"\.paper-only canvas \{[^}]*break-inside: avoid")
        self.assertRegex(rules, r"tr \{[^}]*break-inside: avoid")
        self.page.js("dispatchEvent(new Event('afterprint'))")

    @ON_CHROMIUM
    def test_focusable_elements_have_names(self):
        self.assertEqual(checks.names(self.page), [])

    @ON_CHROMIUM
    def test_dark_pages_print_on_white(self):
        self.page.emulate(dark=True)
        self.page.wait("document.documentElement.dataset.theme === 'dark'")
        self.page.js("dispatchEvent(new Event('beforeprint'))")
        self.page.emulate(media="print")
        self.assertEqual(self.page.js("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.page.emulate(dark=False)


class Interference(OfRun):
    """Bad names; time is stolen."""

    @classmethod
    def make(cls):
        edges = [(i, i + 2) for i in range(len(made.HOSTILE) - 2)] + [(0, 1), (0, 3)]
        made.dot(FOLDER / "bad.dot", made.HOSTILE, edges)
        made.full_platform(FOLDER / "bad.xml", ["<b>host</b>", "</script><script>document.title='host'</script>"],
                           "\"><img src=x onerror=\"document.title='link'\">")
        cls.run_ = made.Run(FOLDER, "<img src=x onerror=document.title=7>", "bad.xml", "bad.dot", "interference",
                            scheduler="round_robin")

    def test_hostile_names_are_shown_as_text(self):
        self.assertEqual(self.page.js("document.title"), "bad.dot on bad.xml")
        bars = self.page.js(BARS)
        self.assertEqual({bar[2] for bar in bars if bar[1] == "computing"}, set(made.HOSTILE))
        for name in made.HOSTILE:
            found = self.page.js("""(name => { const field = document.querySelector('input[type=search]');
                field.value = name; field.dispatchEvent(new Event('input'));
                return [...document.querySelectorAll('.found button')].map(b => b.textContent); })(%s)"""
                                 % browser.quoted(name))
            self.assertTrue(name in found or not name.strip(), name)
        self.press_button("Critical chain")
        self.page.js("document.querySelectorAll('details').forEach(d => d.open = true)")
        self.page.js("document.querySelector('canvas.gantt').focus()")
        # with tooltips, for screen readers too
        for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowRight", "Enter"):
            self.page.press(key)
        self.assertEqual(self.page.js("[document.title, document.querySelectorAll('img, b, body script:not([type])').length]"),
                         ["bad.dot on bad.xml", 0])

    def test_critical_chain_matches_explain(self):
        self.press_button("Critical chain")
        self.assertEqual(self.chain(), self.explained())

    def test_hatching_matches_stolen_time(self):
        stolen = self.page.js("""iasim.charts[0].model.groups[0].lanes.map(l => { const s = l.strips[1].overlay;
            return s.start.reduce((sum, from, i) => sum + (s.end[i] - from) * s.percent[i] / 100, 0)
              * iasim.charts[0].model.tick_s; })""")
        self.assertGreater(sum(stolen), 0)
        self.assertAlmostEqual(sum(stolen), sum(host["stolen_s"] for host in self.run_.replay["hosts"]),
                               delta=0.02 * sum(stolen))

    def test_an_empty_plan_was_off_by_0(self):
        (FOLDER / "zero.dot").write_text('digraph G {\n"A" [size="0"];\n}\n', encoding="utf-8")
        self.page.open(made.Run(FOLDER, "zero", "bad.xml", "zero.dot", "interference").page)
        figures = self.page.js("[...document.querySelectorAll('.figures dd')].map(d => d.textContent)")
        self.assertEqual(figures[:3], ["0\u00a0s", "0\u00a0s", "0\u00a0%"])

    def test_page_with_long_names_fits_in_320_pixels(self):
        self.page.resize(320, 640)
        self.page.js("document.querySelectorAll('details').forEach(d => d.open = true)")
        self.press_button("Critical chain")
        self.assertEqual(checks.width(self.page), [])
        self.page.resize(1280, 800)


class Large(unittest.TestCase):
    def test_10000_tasks_and_15000_transfers_fit_in_2_MB(self):
        path, replay = made.Run.large(FOLDER, 10000, 0.014, "--what-ifs", 0)
        n_transfers = sum(not edge["local"] for edge in replay["edges"])
        self.assertGreater(n_transfers, 15000)
        self.assertLessEqual(path.stat().st_size, 2_000_000)
        with browser.start(NAME, FOLDER) as page:
            page.open(path, deadline_s=60)
            self.assertEqual(page.js("[...Object.values(document.querySelector('.view-run').dataset)].map(Number)"),
                             [10000, n_transfers])
            self.assertGreater(page.js("iasim.charts[0].n_drawn"), 1000) # the lanes in sight
            self.assertEqual(checks.quiet(page), [])


if __name__ == "__main__":
    unittest.main()
