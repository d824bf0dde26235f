"""Chromium without a window, driven over a pipe by the DevTools protocol."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import string
import subprocess
import sys
import tempfile

__all__ = ["Browser", "Tab", "chromium"]

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage",
    "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--disable-extensions", "--lang=en-US", "--remote-debugging-pipe",
)  # fmt: skip
# Chromium reads what it is told from descriptor 3 and answers to descriptor 4.
START = """
import os, sys
reader, writer, *command = sys.argv[1:]
reader, writer = (os.dup(os.dup(os.dup(int(number)))) for number in (reader, writer))
os.dup2(reader, 3)
os.dup2(writer, 4)
os.execvp(command[0], command)
"""
# An American keyboard's.
CODES = {"/": "Slash", "?": "Slash"}
SHIFTED = ")!@#$%^&*("
WRITTEN = {"Enter", *string.printable}
NUMBERS = {"Enter": 13, "Escape": 27, "PageDown": 34, "End": 35, "Home": 36, "ArrowUp": 38,
           "ArrowDown": 40, "Tab": 9}  # fmt: skip


def chromium():
    """Return the command that starts Chromium, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)


class Browser:
    """A running Chromium, with a profile of its own."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        out, self._to = os.pipe()
        self._from, into = os.pipe()
        for number in (out, into):
            os.set_inheritable(number, True)
        self.log = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the browser
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", START, str(out), str(into), chromium(), *FLAGS,
             f"--user-data-dir={self._folder.name}/profile", "about:blank"],
            pass_fds=(out, into), stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
        )  # fmt: skip
        os.close(out)
        os.close(into)
        self._buffer = b""
        self._last = 0
        self._events = []

    def close(self):
        with contextlib.suppress(OSError):
            self.call("Browser.close")
        os.close(self._to)
        os.close(self._from)
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self.log.close()
        self._folder.cleanup()

    def call(self, method, session=None, **params):
        """Ask for something, wait for the answer, and return it."""
        self._last += 1
        asked = {"id": self._last, "method": method, "params": params}
        if session is not None:
            asked["sessionId"] = session
        message = json.dumps(asked).encode() + b"\0"
        while message:
            message = message[os.write(self._to, message) :]
        while True:
            answer = self._receive()
            if answer.get("id") == self._last:
                break
            self._events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def event(self, method, fits=lambda params: True, session=None):
        """Wait for something that happens, or has happened since it was last asked for."""
        at = 0
        while True:
            while at == len(self._events):
                self._events.append(self._receive())
            event = self._events[at]
            params = event.get("params", {})
            if (event.get("method"), event.get("sessionId")) == (method, session) and fits(params):
                del self._events[at]
                return params
            at += 1

    def _receive(self):
        while b"\0" not in self._buffer:
            if not (read := os.read(self._from, 1 << 20)):
                self.log.seek(0)
                raise OSError(f"Chromium ended: {self.log.read().decode(errors='replace')[-2000:]}")
            self._buffer += read
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)


class Tab:
    """A page in a context of its own: storage and downloads are shared with no other one's."""

    def __init__(self, browser, downloads):
        self._browser = browser
        self.downloads = downloads
        self._context = browser.call("Target.createBrowserContext")["browserContextId"]
        browser.call(
            "Browser.setDownloadBehavior", behavior="allowAndName", eventsEnabled=True,
            browserContextId=self._context, downloadPath=str(downloads),
        )  # fmt: skip
        self._open()

    def _open(self):
        browser = self._browser
        self._target = browser.call(
            "Target.createTarget", url="about:blank", browserContextId=self._context,
            width=1280, height=800,
        )["targetId"]  # fmt: skip
        self._session = browser.call(
            "Target.attachToTarget", targetId=self._target, flatten=True
        )["sessionId"]  # fmt: skip
        for domain in ("Page", "Runtime", "DOM", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        self._browser.call("Target.disposeBrowserContext", browserContextId=self._context)

    def call(self, method, **params):
        return self._browser.call(method, self._session, **params)

    def event(self, method, fits=lambda params: True):
        return self._browser.event(method, fits, self._session)

    def happened(self, *methods):
        """Return what has happened of some kinds, as text."""
        return [
            json.dumps(event["params"])
            for event in self._browser._events
            if event.get("sessionId") == self._session and event.get("method") in methods
        ]

    def go(self, path):
        """Show a file, and wait until its scripts have run."""
        self.call("Page.navigate", url=path.as_uri())
        self.event("Page.loadEventFired")

    def reload(self):
        self.call("Page.reload")
        self.event("Page.loadEventFired")

    def js(self, expression):
        """Return the value of an expression, of a promise when it is kept."""
        result = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {json.dumps(result['exceptionDetails'])}")
        return result["result"].get("value")

    def press(self, *keys, shift=False):
        for key in keys:
            code = f"Digit{key}" if key.isdigit() else CODES.get(key, f"Key{key.upper()}")
            sign = SHIFTED[int(key)] if shift and key.isdigit() else key
            params = {
                "key": sign, "code": code if len(key) == 1 else key, "modifiers": 8 * shift,
                "windowsVirtualKeyCode": NUMBERS.get(key) or ord(key.upper()),
            }  # fmt: skip
            written = {"text": "\r" if key == "Enter" else sign} if key in WRITTEN else {}
            self.call("Input.dispatchKeyEvent", type="keyDown", **params, **written)
            self.call("Input.dispatchKeyEvent", type="keyUp", **params)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def click(self, selector):
        """Click in the middle of an element, as a hand does."""
        x, y = self.js(
            f"(() => {{ const found = document.querySelector({json.dumps(selector)});"
            " found.scrollIntoViewIfNeeded(); const box = found.getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def texts(self, selector):
        """Return the texts of the elements that fit."""
        return self.js(
            f"[...document.querySelectorAll({json.dumps(selector)})].map((e) => e.textContent)"
        )

    def value(self, selector, value):
        """Fill in a field, as typing does."""
        self.js(
            f"(() => {{ const field = document.querySelector({json.dumps(selector)});"
            f" field.value = {json.dumps(value)};"
            " field.dispatchEvent(new Event('input', {bubbles: true})); })()"
        )

    def download(self, selector):
        """Click on what makes a file; return the file's name and its bytes."""
        self.click(selector)
        begun = self._browser.event("Browser.downloadWillBegin")
        self._browser.event(
            "Browser.downloadProgress",
            lambda now: now["guid"] == begun["guid"] and now["state"] == "completed",
        )
        return begun["suggestedFilename"], (self.downloads / begun["guid"]).read_bytes()

    def upload(self, selector, path):
        """Give a file to a field for files."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", files=[str(path)], nodeId=node)

    def until(self, expression):
        """Wait until an expression is true, looked at with each frame."""
        self.js(
            "new Promise((done) => { const look = () => "
            f"({expression}) ? done() : setTimeout(look, 20); look(); }})"
        )

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))
