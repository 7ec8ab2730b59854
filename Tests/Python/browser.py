"""Headless Chromium, driven through its pipe by the DevTools protocol: nothing but the standard library.

    with Browser() as browser:
        browser.open(page, width=390)
        browser.evaluate("document.title")
"""

import base64
import fcntl
import json
import os
import select
import shutil
import struct
import subprocess
import tempfile
import time
import zlib

NAMES = ["chromium", "chromium-browser", "google-chrome"]
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)

#: What a page has no reason to say.
COMPLAINTS = {"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"}

#: Two frames after the load: by then everything is drawn.
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"


class Browser:
    """A browser with one tab and a folder of its own."""

    def __init__(self, patience=60):
        self.patience = patience
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.complaints = []
        self._number, self._unread, self._answers, self._events = 0, b"", {}, []
        self._session = None
        # Above those that the browser reads and writes, which are 3 and 4.
        theirs, self._write = map(self._high, os.pipe())
        self._read, answers = map(self._high, os.pipe())

        def connect():
            os.dup2(theirs, 3)
            os.dup2(answers, 4)

        self._process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe",
             f"--user-data-dir={self.folder.name}/profile", "about:blank"],
            pass_fds=(3, 4), preexec_fn=connect, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs)
        os.close(answers)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call(
            "Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log"]:
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the browser."""
        self._process.kill()
        self._process.wait()
        os.close(self._write)
        os.close(self._read)
        self.folder.cleanup()

    def open(self, page, width=1280, height=900, media="", scheme="light"):
        """Shows a page, and returns how many seconds that took until it was drawn."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
            mobile=width < 600)
        self.call(
            "Emulation.setEmulatedMedia", media=media,
            features=[{"name": "prefers-color-scheme", "value": scheme}])
        path = os.path.join(self.folder.name, "page.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)
        self.complaints.clear()
        self._events.clear()
        start = time.monotonic()
        self.call("Page.navigate", url="file://" + path)
        while "Page.loadEventFired" not in self._events:
            self._receive()
        self.evaluate(DRAWN)
        return time.monotonic() - start

    def evaluate(self, script):
        """The value of an expression on the page, once it is there."""
        answer = self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def screenshot(self):
        """The whole page as a picture."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        # Pictures have a largest size, and long pages are alike further down.
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 4000),
                "scale": 1}
        answer = self.call(
            "Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
        return Picture(base64.b64decode(answer["data"]))

    def printed(self):
        """The page as a PDF file."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def call(self, method, **parameters):
        """What the browser answers."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data):]
        while self._number not in self._answers:
            self._receive()
        answer = self._answers.pop(self._number)
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        return answer["result"]

    def _receive(self):
        """Takes what the browser says next."""
        ready, _, _ = select.select([self._read], [], [], self.patience)
        data = os.read(self._read, 1 << 20) if ready else b""
        if not data:
            raise AssertionError("the browser ended, or does not answer")
        *messages, self._unread = (self._unread + data).split(b"\0")
        for message in map(json.loads, messages):
            if "id" in message:
                self._answers[message["id"]] = message
                continue
            self._events.append(message["method"])
            if message["method"] in COMPLAINTS:
                self.complaints.append(message["params"])

    @staticmethod
    def _high(descriptor):
        high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
        os.close(descriptor)
        return high


class Picture:
    """A PNG file."""

    def __init__(self, data):
        self.data = data
        self.width, self.height = struct.unpack(">II", data[16:24])

    @property
    def busy(self):
        """The share of the picture's bytes that differ from their neighbours': 0 for an empty one."""
        packed, place = b"", 8
        while place < len(self.data):
            length, kind = struct.unpack(">I4s", self.data[place:place + 8])
            if kind == b"IDAT":
                packed += self.data[place + 8:place + 8 + length]
            place += length + 12
        filtered = zlib.decompress(packed)
        return 1 - filtered.count(0) / len(filtered)
