# SPDX-License-Identifier: LGPL-2.1-or-later
"""Firefox, by WebDriver BiDi over a WebSocket of this machine: it has no remote debugging over pipes."""
import base64
import json
import pathlib
import re
import time

from browser import KEYS, MODIFIERS, PRELOAD, Browser, environment
from channel import Calls, Failed, WebSocket, kill, launch

PREFERENCES = {
    "remote.active-protocols": 1, # BiDi
    "network.proxy.type": 1, "network.proxy.http": "127.0.0.1", "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1", "network.proxy.ssl_port": 9, "network.dns.disabled": True,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "app.update.enabled": False, "browser.safebrowsing.downloads.enabled": False,
    "services.settings.server": "data:,", "toolkit.telemetry.server": "data:,",
    "datareporting.policy.dataSubmissionEnabled": False,
    "browser.shell.checkDefaultBrowser": False, "browser.startup.page": 0, "browser.aboutwelcome.enabled": False,
    "fission.autostart": False, "ui.prefersReducedMotion": 0,
}


class Firefox(Browser):
    name = "firefox"

    def __init__(self, program, profile, dark=False):
        super().__init__()
        self.profile = profile
        # The scheme cannot be changed while it runs: 0 is dark, 1 light.
        preferences = {**PREFERENCES, "layout.css.prefers-color-scheme.content-override": 0 if dark else 1}
        (profile / "user.js").write_text("".join(f"user_pref({json.dumps(key)}, {json.dumps(value)});\n"
                                                 for key, value in preferences.items()))
        self.process = launch([program, "--headless", "--no-remote", "--profile", str(profile),
                               "--remote-debugging-port", "0",
                               "about:blank"], profile / "log", env={**environment(profile), "MOZ_HEADLESS": "1",
                                                                    "MOZ_CRASHREPORTER_DISABLE": "1"})
        self.socket = None
        try:
            self.socket = WebSocket(self._port(), "/session")
            self.calls = Calls(self.socket, self._event)
            self._call("session.new", capabilities={})
            # The page of the first tab would never show that it has the focus: the address bar keeps it.
            self.context = self._call("browsingContext.create", type="tab")["context"]
            self._call("browsingContext.activate", context=self.context)
            self._call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
            self._call("script.addPreloadScript", functionDeclaration=PRELOAD)
        except Failed as failed:
            self.close()
            raise Failed(f"{failed}; its output: {(profile / 'log').read_text(errors='replace')[-2000:]}") from failed

    def _port(self, deadline_s=30):
        deadline = time.monotonic() + deadline_s
        while time.monotonic() < deadline and self.process.poll() is None:
            found = re.search(rb"WebDriver BiDi listening on ws://[^:]*:(\d+)", (self.profile / "log").read_bytes())
            if found:
                return int(found[1])
            time.sleep(0.02)
        raise Failed("Firefox did not start")

    def _call(self, method, deadline_s=30, **params):
        return self.calls.call(method, params, deadline_s)

    def _event(self, message):
        params = message.get("params", {})
        match message.get("method"):
            case "log.entryAdded":
                kind = params.get("method", "exception") if params["type"] == "console" else "exception"
                self.messages.append(f"{kind}: {params['text']}")
            case "network.beforeRequestSent":
                url = params["request"]["url"]
                if params.get("navigation") is None and not url.startswith(("data:", "blob:")):
                    self.requests.append(url)

    def close(self):
        if self.socket is not None:
            self.socket.close()
        kill(self.process)

    def navigate(self, url):
        self._call("browsingContext.navigate", context=self.context, url=url, wait="interactive")

    def js(self, expression, deadline_s=30):
        """The value of an expression, awaited, as JSON has it."""
        answer = self._call("script.evaluate", deadline_s, target={"context": self.context}, awaitPromise=True,
                            expression=f"(async () => JSON.stringify((await ({expression})) ?? null))()")
        if answer["type"] != "success":
            raise Failed(f"{expression}: {answer['exceptionDetails']['text']}")
        return json.loads(answer["result"]["value"])

    def _perform(self, kind, actions, **more):
        self._call("input.performActions", context=self.context,
                   actions=[{"type": kind, "id": kind, "actions": actions, **more}])

    def press(self, key, *modifiers):
        held = [MODIFIERS[m][0] for m in modifiers]
        value = KEYS[key][0] if key in KEYS else key
        self._perform("key", [{"type": "keyDown", "value": v} for v in [*held, value]] +
                      [{"type": "keyUp", "value": v} for v in [value, *reversed(held)]])
        self.settle()

    def pointer(self, actions):
        kinds = {"move": lambda x, y: {"type": "pointerMove", "x": round(x), "y": round(y)},
                 "down": lambda: {"type": "pointerDown", "button": 0}, "up": lambda: {"type": "pointerUp", "button": 0}}
        self._perform("pointer", [kinds[kind](*where) for kind, *where in actions])

    def wheel(self, x, y, dy, n=1, control=False):
        turn = {"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0, "deltaY": dy, "duration": 0}
        if control:
            self._perform("key", [{"type": "keyDown", "value": MODIFIERS["Control"][0]}])
        for _ in range(n):
            self._perform("wheel", [turn])
        if control:
            self._perform("key", [{"type": "keyUp", "value": MODIFIERS["Control"][0]}])

    def resize(self, width, height):
        for _ in range(5): # while it starts, a window may get the size that it begins with after ours
            self._call("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})
            self.settle()
            if self.js("[innerWidth, innerHeight]") == [width, height]:
                return
        raise Failed(f"the window does not take the size {width} x {height}")

    def screenshot(self, path, whole=False):
        data = self._call("browsingContext.captureScreenshot", context=self.context, origin="document"
                          if whole else "viewport")
        pathlib.Path(path).write_bytes(base64.b64decode(data["data"]))

    def pdf(self, path):
        """Prints to A4 pages, as the browser does by default."""
        data = self._call("browsingContext.print", 60, context=self.context, background=False,
                          page={"width": 21.0, "height": 29.7})
        pathlib.Path(path).write_bytes(base64.b64decode(data["data"]))
