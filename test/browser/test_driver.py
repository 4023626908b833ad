# SPDX-License-Identifier: LGPL-2.1-or-later
"""The drivers and the checks themselves, on small pages made by hand: what is wrong with a page must be found."""
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import time
import unittest

import browser
import checks
from channel import Failed

NAME, FOLDER = os.environ["BROWSER"], pathlib.Path(os.environ["FOLDER"])
READY = "document.documentElement.setAttribute('data-ready', '')"


def page_of(body, script=READY, head=""):
    path = FOLDER / "by hand ü.html"
    path.write_text(f"<!doctype html><html lang=en><meta charset=utf-8><title>t</title>{head}<body>{body}<script>{script}</script>",
                    encoding="utf-8")
    return path


class Driver(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = browser.start(NAME, FOLDER)
        cls.addClassCleanup(cls.page.close)

    def open(self, *arguments, **more):
        self.page.open(page_of(*arguments, **more))
        self.page.settle()

    def test_a_clean_page_reports_no_faults(self):
        self.open("<h1>Good</h1><button>Do</button>", head="<link rel=icon href=data:,>")
        self.assertEqual(checks.quiet(self.page), [])
        self.assertEqual(checks.contrast(self.page), [])
        self.assertEqual(checks.width(self.page), [])
        self.assertGreater(self.page.ready_ms(), 0)

    def test_messages_and_exceptions_are_collected(self):
        for script, words in (("console.error('one', 2)", "one 2"), ("console.log('three')", "three"),
                              ("setTimeout(() => nope.x)", "nope"),
                              ("Promise.reject(new Error('five'))", "five")):
            self.open("", f"{READY}; {script}")
            self.assertEqual(len(checks.quiet(self.page)), 1, script)
            self.assertIn(words, self.page.messages[0])
        self.open("<p>a") # and forgotten
        self.assertEqual(checks.quiet(self.page), [])

    def test_policy_violations_are_collected(self):
        policy = "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; script-src 'unsafe-inline'\">"
        self.open("<img src=http://example.org/a.png>", head=policy)
        self.page.wait("true")
        self.assertTrue(any("ontent" in m and "olicy" in m for m in checks.quiet(self.page)), self.page.messages)

    def test_requests_are_recorded_and_blocked(self):
        self.open("", f"fetch('http://example.org/x').catch(() => 0).then(() => {READY})")
        self.assertEqual(self.page.requests, ["http://example.org/x"])
        self.open("", f"fetch('http://127.0.0.1:9/x').then(() => document.title = 'answered', () => 0).then(() => {READY})")
        self.assertEqual(self.page.js("document.title"), "t")

    def test_a_page_that_never_gets_ready_times_out(self):
        with self.assertRaisesRegex(Failed,
                                    "(?s)waited 0.5 s for .*by hand ü.html: data-ready on the root; the console has:.*stuck"):
            self.page.open(page_of("", "console.log('stuck')"), deadline_s=0.5)

    def test_script_errors_fail_the_test(self):
        with self.assertRaisesRegex(Failed, "nowhere"):
            self.page.js("nowhere.x")
        self.assertEqual(self.page.js("Promise.resolve({a: [1, null, 'ü\\u2028']})"), {"a": [1, None, "ü\u2028"]})

    def test_keys_and_mouse_reach_the_page(self):
        self.open("<style>body{margin:0;height:4000px}</style><input id=i aria-label=i><button id=b style='margin-top:2000px'>B</button>",
                  f"window.seen = []; addEventListener('keydown', e => seen.push([e.key, e.shiftKey, e.ctrlKey]));"
                  f"for (const n of ['mousedown', 'mousemove', 'mouseup', 'wheel']) addEventListener(n, e => seen.push([n, e.clientX, e.buttons]));"
                  f"document.querySelector('#b').onclick = () => seen.push('click'); {READY}")
        self.page.click("#i")
        self.page.type("aü")
        self.page.press("ArrowLeft", "Shift")
        self.page.press("k", "Control")
        self.assertEqual(self.page.js("document.querySelector('#i').value"), "aü")
        seen = [s for s in self.page.js("seen.splice(0)") if isinstance(s[1], bool)
                and s[0] not in ("Shift", "Control")]
        self.assertEqual(seen, [["a", False, False], ["ü", False, False], ["ArrowLeft", True, False],
                                ["k", False, True]])
        self.page.click("#b")
        self.assertIn("click", self.page.js("seen.splice(0)"))
        self.page.drag((10, 10), (60, 10))
        seen = self.page.js("seen.splice(0)")
        self.assertEqual([seen[1][0], seen[-1]], ["mousedown", ["mouseup", 60, 0]])
        self.assertTrue(all(s == ["mousemove", s[1], 1] for s in seen[2:-1]), seen)
        self.page.wheel(100, 100, 120)
        self.page.wait("seen.some(s => s[0] === 'wheel')")

    def test_clicking_a_hidden_element_fails(self):
        self.open("<p id=p hidden>x")
        for selector in ("#p", "#q"):
            with self.assertRaises(Failed):
                self.page.click(selector)

    def test_low_contrast_text_is_found(self):
        for style, faint in (("color:#777", True), ("color:#767676", False), ("color:#777;font-size:24px", False),
                             ("opacity:.5", True),
                             ("color:#fff;background:#0008", True), ("color:transparent;display:none", False)):
            self.open(f"<p>good<p style='{style}'>maybe</p>")
            self.assertEqual(len(checks.contrast(self.page)), int(faint), style)

    def test_pages_that_overflow_are_found(self):
        self.page.resize(320, 600)
        self.open("<div style='width:500px;height:9px'></div>")
        self.assertEqual(len(checks.width(self.page)), 2)
        self.open("<div style='overflow-x:auto'><div style='width:500px;height:9px'></div></div>")
        self.assertEqual(checks.width(self.page), [])
        self.page.resize(1280, 800)

    def test_tab_stops_without_a_visible_focus_are_found(self):
        self.open("<style>#b:focus{outline:none}</style><button>A</button><button id=b>B</button><a href='#a'>C</a>")
        stops, faults = checks.tab_stops(self.page)
        self.assertEqual(stops, ["BUTTON A", "BUTTON#b B", "A C"])
        self.assertEqual(len(faults), 1)

    def test_printed_pages_are_counted(self):
        self.open("<p>1<p style='break-before:page'>2<p style='break-before:page'>3")
        self.page.pdf(FOLDER / "three.pdf")
        self.assertEqual(checks.n_pages(FOLDER / "three.pdf"), 3)

    def test_screenshots_cover_the_window_or_the_document(self):
        self.open("<style>body{margin:0}</style><div style='height:3000px'></div>")
        for whole, height in ((False, 800), (True, 3000)):
            self.page.screenshot(FOLDER / "shot.png", whole)
            data = (FOLDER / "shot.png").read_bytes()
            self.assertEqual((data[1:4], int.from_bytes(data[20:24])), (b"PNG", height))
            self.assertAlmostEqual(int.from_bytes(data[16:20]), 1280, delta=20) # a scroll bar

    def test_frames_and_long_tasks_are_measured(self):
        self.open("<p>x")
        frames, _ = self.page.frame_times(self.page.settle)
        self.assertGreater(len(frames), 3)
        frames, _ = self.page.frame_times(lambda: self.page.js(
            "new Promise(done => setTimeout(() => { const t = performance.now(); while (performance.now() < t + 200); setTimeout(done, 50); }))"))
        self.assertGreater(max(frames), 150)

    @unittest.skipUnless(NAME == "chromium", "Firefox does not give its accessibility tree")
    def test_missing_accessible_names_are_found(self):
        self.open("<button>A</button><button></button><input><a href='#'>C</a><canvas tabindex=0></canvas>")
        self.assertEqual(len(checks.names(self.page)), 3)

    @unittest.skipUnless(NAME == "chromium", "Firefox takes its colour scheme when it starts")
    def test_dark_and_print_are_emulated(self):
        self.open("")
        for dark, medium in ((True, ""), (False, "print"), (False, "")):
            self.page.emulate(dark, medium)
            self.assertEqual(self.page.js("[matchMedia('(prefers-color-scheme: dark)').matches, matchMedia('print').matches]"),
                             [dark, medium == "print"])


class Life(unittest.TestCase):
    """Nothing of a browser is left when its test has ended. Its processes have the profile in their environment."""

    TEST = f"""
        import sys, time, browser
        page = browser.start({NAME!r}, {str(FOLDER)!r})
        print(page.profile, flush=True)
        time.sleep(300)"""

    def processes(self, profile):
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if profile.encode() in (process / "environ").read_bytes():
                    found.append(process.name)
            except OSError:
                pass # it has ended, or is someone else's
        return found

    def test_killing_the_test_stops_the_browser(self):
        command = [sys.executable, "-c", textwrap.dedent(self.TEST)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            profile = process.stdout.readline().strip()
            self.assertTrue(profile and self.processes(profile))
            process.send_signal(signal.SIGKILL)
        deadline = time.monotonic() + 10
        while self.processes(profile) and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertEqual(self.processes(profile), [])


if __name__ == "__main__":
    unittest.main()
