# SPDX-License-Identifier: LGPL-2.1-or-later
"""Chromium, by the DevTools protocol over pipes."""
import base64
import json
import pathlib

from browser import KEYS, MODIFIERS, PRELOAD, Browser, environment
from channel import Calls, Failed, Pipe

# The sandbox needs rights that root and containers do not have; the pages are our own.
FLAGS = """--headless --remote-debugging-pipe --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run
    --no-default-browser-check --no-startup-window --disable-background-networking --disable-component-update
    --disable-sync --disable-default-apps --disable-extensions --disable-breakpad --disable-crash-reporter
    --metrics-recording-only --password-store=basic --use-mock-keychain --mute-audio --hide-scrollbars
    --force-color-profile=srgb --proxy-server=direct:// --disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider""".split()


class Chromium(Browser):
    name = "chromium"

    def __init__(self, program, profile, dark=False):
        super().__init__()
        self.profile, self.dark = profile, dark
        self.pipe = Pipe([program, *FLAGS, f"--user-data-dir={profile}", "--host-resolver-rules=MAP * ~NOTFOUND"],
                         profile / "log", environment(profile))
        self.calls = Calls(self.pipe, self._event)
        self.session = None
        try:
            target = self._call("Target.createTarget", url="about:blank")["targetId"]
            self.session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self._call(f"{domain}.enable")
            self._call("Page.addScriptToEvaluateOnNewDocument", source=f"({PRELOAD})()")
            self.emulate()
        except Failed as failed:
            self.close()
            raise Failed(f"{failed}; its output: {(profile / 'log').read_text(errors='replace')[-2000:]}") from failed

    def _call(self, method, deadline_s=30, **params):
        more = {"sessionId": self.session} if self.session else {}
        return self.calls.call(method, params, deadline_s, **more)

    def _event(self, message):
        params = message.get("params", {})
        match message.get("method"):
            case "Runtime.consoleAPICalled":
                words = [str(a.get("value", a.get("description", a["type"]))) for a in params["args"]]
                self.messages.append(f"{params['type']}: {' '.join(words)}")
            case "Runtime.exceptionThrown":
                details = params["exceptionDetails"]
                self.messages.append("exception: " + details.get("exception", {}).get("description", details["text"]))
            case "Log.entryAdded":
                self.messages.append(f"{params['entry']['level']}: {params['entry']['text']}")
            case "Network.requestWillBeSent":
                url = params["request"]["url"]
                if params.get("type") != "Document" and not url.startswith(("data:", "blob:")):
                    self.requests.append(url)
            case "Inspector.targetCrashed":
                raise Failed("the page has crashed")

    def close(self):
        self.pipe.close()

    def navigate(self, url):
        error = self._call("Page.navigate", url=url).get("errorText")
        if error:
            raise Failed(f"{url}: {error}")

    def js(self, expression, deadline_s=30):
        """The value of an expression, awaited, as JSON has it."""
        answer = self._call("Runtime.evaluate", deadline_s, awaitPromise=True, returnByValue=True,
                            expression=f"(async () => JSON.stringify((await ({expression})) ?? null))()")
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Failed(f"{expression}: {details.get('exception', {}).get('description', details['text'])}")
        return json.loads(answer["result"]["value"])

    def press(self, key, *modifiers):
        bits = sum(MODIFIERS[m][1] for m in modifiers)
        if key in KEYS:
            _, code, text = KEYS[key]
            event = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        else:
            text = key
            event = {"key": key, "windowsVirtualKeyCode": ord(key.upper()) if key.isascii() else 0}
        if bits & ~MODIFIERS["Shift"][1]:
            text = ""
        self._call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, modifiers=bits,
                   **event)
        self._call("Input.dispatchKeyEvent", type="keyUp", modifiers=bits, **event)
        self.settle()

    def pointer(self, actions):
        x = y = 0
        down = False
        for action in actions:
            if action[0] == "move":
                _, x, y = action
                kind, button = "mouseMoved", "left" if down else "none"
            else:
                down = action[0] == "down"
                kind, button = "mousePressed" if down else "mouseReleased", "left"
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=int(down),
                       clickCount=int(kind != "mouseMoved"))

    def wheel(self, x, y, dy, n=1, control=False):
        for _ in range(n):
            self._call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=dy,
                       modifiers=MODIFIERS["Control"][1] if control else 0)

    def resize(self, width, height):
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.settle()

    def emulate(self, dark=None, media=""):
        """The colour scheme that the user prefers, and the medium: "", "print"."""
        self.dark = self.dark if dark is None else dark
        self._call("Emulation.setEmulatedMedia", media=media,
                   features=[{"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"}])

    def screenshot(self, path, whole=False):
        clip = {}
        if whole:
            size = self._call("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}}
        data = self._call("Page.captureScreenshot", captureBeyondViewport=whole, **clip)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def pdf(self, path):
        """Prints to A4 pages, as the browser does by default."""
        data = self._call("Page.printToPDF", 60, paperWidth=8.27, paperHeight=11.69, preferCSSPageSize=True)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def accessibility(self):
        """What a screen reader is given: [{"role", "name", "focusable", ...}], without what is ignored."""
        nodes = []
        for node in self._call("Accessibility.getFullAXTree")["nodes"]:
            if not node["ignored"]:
                nodes.append({"role": node["role"]["value"], "name": node.get("name", {}).get("value", ""),
                              **{p["name"]: p["value"].get("value") for p in node.get("properties", [])}})
        return nodes
