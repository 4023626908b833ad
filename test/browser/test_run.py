# SPDX-License-Identifier: LGPL-2.1-or-later
"""The page of a replay, counted against `replay --json` and `explain --json`."""
import os
import pathlib
import unittest

import browser
import checks
import made

NAME, FOLDER = os.environ["BROWSER"], pathlib.Path(os.environ["FOLDER"])


class HostileRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        graph = made.dot(FOLDER / "bad.dot", made.HOSTILE, [(i, i + 2) for i in range(len(made.HOSTILE) - 2)] + [(0, 1), (0, 3)])
        platform = made.full_platform(FOLDER / "bad.xml", ["<b>host</b>", "</script><script>document.title='host'</script>"],
                                      "\"><img src=x onerror=\"document.title='link'\">")
        cls.run_ = made.Run(FOLDER, "<img src=x onerror=document.title=7>", platform, graph, "involvement")
        cls.page = browser.start(NAME, FOLDER)
        cls.addClassCleanup(cls.page.close)

    def setUp(self):
        self.page.open(self.run_.page)

    def test_names_are_shown_and_do_nothing(self):
        self.assertEqual(checks.quiet(self.page), [])
        self.assertEqual(self.page.js("document.title"), self.run_.page.stem)
        self.assertEqual(self.page.js("document.querySelectorAll('img, b, body script:not([type])').length"), 0)


if __name__ == "__main__":
    unittest.main()
