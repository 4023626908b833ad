# SPDX-License-Identifier: LGPL-2.1-or-later
"""One face for Chromium and Firefox, headless and without a network, with nothing but Python's standard library.

    with browser.start("chromium", folder) as page:
        page.open("report.html")            # returns when the root has data-ready
        page.click("#theme")
        page.press("ArrowRight")
        assert page.js("document.title") == "..." and not page.messages and not page.requests

Everything a page prints on the console, throws, or violates of its content security policy is in `messages`; what it
asked the network for is in `requests`. Profiles are in the folder, and a browser ends with the process that started
it.
"""
import os
import pathlib
import shutil
import time

from channel import Failed

PROGRAMS = {"chromium": ("chromium",), "firefox": ("firefox-esr", "firefox")}

# Runs before the page's own scripts. Firefox does not report violations of the policy as messages of the console.
PRELOAD = """() => {
  window.test_ready_ms = null;
  addEventListener('securitypolicyviolation', e =>
    console.error(`content security policy: ${e.violatedDirective} blocks ${e.blockedURI || 'inline'} ${e.sample}`));
  new MutationObserver((_, observer) => {
    if (!document.documentElement?.hasAttribute('data-ready')) return;
    window.test_ready_ms = performance.now();
    observer.disconnect();
  }).observe(document, {attributes: true, subtree: true, childList: true, attributeFilter: ['data-ready']});
}"""

# key: (character of WebDriver, Windows' virtual key code, text that it types)
KEYS = {"Enter": ("\ue007", 13, "\r"), "Tab": ("\ue004", 9, ""), "Escape": ("\ue00c", 27, ""),
        "Backspace": ("\ue003", 8, ""),
        "Delete": ("\ue017", 46, ""), "Home": ("\ue011", 36, ""), "End": ("\ue010", 35, ""),
        "PageUp": ("\ue00e", 33, ""),
        "PageDown": ("\ue00f", 34, ""), "ArrowLeft": ("\ue012", 37, ""), "ArrowUp": ("\ue013", 38, ""),
        "ArrowRight": ("\ue014", 39, ""), "ArrowDown": ("\ue015", 40, "")}
MODIFIERS = {"Alt": ("\ue00a", 1), "Control": ("\ue009", 2), "Meta": ("\ue03d", 4), "Shift": ("\ue008", 8)}


def program(name):
    """The path of a browser, or None."""
    return next(filter(None, map(shutil.which, PROGRAMS[name])), None)


def start(name, folder, width=1280, height=800, dark=False):
    """A browser with one blank page. Its profile is in `folder`."""
    if program(name) is None:
        raise Failed(f"{name} is not installed")
    # These start browsers, which import this file.
    import chromium
    import firefox
    kind = {"chromium": chromium.Chromium, "firefox": firefox.Firefox}[name]
    profile = pathlib.Path(folder, f"{name}-{time.monotonic_ns()}")
    profile.mkdir()
    page = kind(program(name), profile, dark)
    page.resize(width, height)
    return page


def environment(profile):
    """That of a browser: no display, no session bus, its home in its profile."""
    kept = {key: value for key, value in os.environ.items()
            if key not in ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "LD_PRELOAD")}
    return {**kept, "HOME": str(profile), "XDG_CONFIG_HOME": str(profile), "XDG_CACHE_HOME": str(profile),
            "TMPDIR": str(profile)}


class Browser:
    """What does not depend on the protocol. A subclass gives navigate, js, press, pointer, wheel, resize, screenshot,
    pdf, close."""

    def __init__(self):
        self.messages, self.requests = [], []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def open(self, path, deadline_s=20):
        """Opens a file, and returns when its root has data-ready and is painted."""
        self.messages.clear()
        self.requests.clear()
        self.navigate(pathlib.Path(path).resolve().as_uri())
        self.wait("document.documentElement?.hasAttribute('data-ready')", deadline_s, f"{path}: data-ready on the root")
        self.settle()

    def wait(self, condition, deadline_s=5, what=None):
        """Returns when an expression is true."""
        deadline = time.monotonic() + deadline_s
        while not self.js(condition):
            if time.monotonic() > deadline:
                printed = "".join(f"\n  {message}" for message in self.messages) or " nothing"
                raise Failed(f"waited {deadline_s} s for {what or condition}; the console has:{printed}")
            time.sleep(0.02)

    def settle(self):
        """Lets the page paint twice, so that what an event caused is done."""
        self.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def ready_ms(self):
        """From the start of loading to data-ready."""
        return self.js("test_ready_ms")

    def middle(self, selector):
        """The middle of an element in the window, scrolled to if needed."""
        where = self.js("""(s => { const e = document.querySelector(s); if (!e) return null;
            e.scrollIntoView({block: 'center', behavior: 'instant'}); const r = e.getBoundingClientRect();
            return [r.x + r.width / 2, r.y + r.height / 2, r.width * r.height]; })(%s)""" % quoted(selector))
        if where is None or where[2] == 0:
            raise Failed(f"{selector}: " + ("no such element" if where is None else "not visible"))
        return where[:2]

    def click(self, selector):
        self.click_at(*self.middle(selector))

    def click_at(self, x, y):
        self.pointer([("move", x, y), ("down",), ("up",)])
        self.settle()

    def hover(self, x, y):
        self.pointer([("move", x, y)])
        self.settle()

    def drag(self, from_xy, to_xy, n_steps=5):
        (x0, y0), (x1, y1) = from_xy, to_xy
        steps = [("move", x0 + (x1 - x0) * i / n_steps, y0 + (y1 - y0) * i / n_steps) for i in range(1, n_steps + 1)]
        self.pointer([("move", x0, y0), ("down",), *steps, ("up",)])
        self.settle()

    def type(self, text):
        for character in text:
            self.press(character)

    def frame_times(self, action):
        """Milliseconds between the frames that were drawn during an action, and those of tasks of the main thread
        over 50 ms."""
        self.js("""(() => { window.test_frames = []; window.test_long = [];
            if (PerformanceObserver.supportedEntryTypes.includes('longtask')) {
              window.test_observer = new PerformanceObserver(list =>
                test_long.push(...list.getEntries().map(e => e.duration)));
              test_observer.observe({type: 'longtask'}); }
            const tick = () => { if (window.test_frames) {
              test_frames.push(performance.now()); requestAnimationFrame(tick); } };
            requestAnimationFrame(tick); })()""")
        self.settle()
        action()
        self.settle()
        frames, long_tasks = self.js("""(() => { const x = [test_frames, test_long]; window.test_frames = null;
            window.test_observer?.disconnect(); return x; })()""")
        return [b - a for a, b in zip(frames, frames[1:])], long_tasks


def quoted(text):
    """A string literal of JavaScript."""
    import json
    return json.dumps(text)
