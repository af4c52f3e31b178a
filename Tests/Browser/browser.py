"""Debian's Chromium, driven by the DevTools protocol: https://chromedevtools.github.io/devtools-protocol/"""

import base64
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import urllib.request

import websocket

KEYS = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "PageDown": 34, "Tab": 9}


class Browser:
    """One window. Everything that a page logs or requests is kept in `messages` and `requests`."""

    def __init__(self, width=1280, height=800):
        self.profile = tempfile.mkdtemp(prefix="garland-chromium-")
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-port=0",
             "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--remote-allow-origins=*",
             f"--user-data-dir={self.profile}", "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.messages, self.requests, self.count = [], [], 0
        self.socket = websocket.create_connection(self._target(), timeout=120, suppress_origin=True)
        for domain in ("Page", "Runtime", "Log", "Network", "DOM"):
            self.call(f"{domain}.enable")
        self.size(width, height)

    def _target(self):
        port = pathlib.Path(self.profile, "DevToolsActivePort")
        for _ in range(600):
            if self.process.poll() is not None:
                raise RuntimeError(f"chromium ended with {self.process.returncode}")
            if port.exists() and port.read_text().strip():
                number = port.read_text().split()[0]
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{number}/json") as answer:
                        pages = [target for target in json.load(answer) if target["type"] == "page"]
                    if pages:
                        return pages[0]["webSocketDebuggerUrl"]
                except OSError:
                    pass
            time.sleep(0.05)
        raise RuntimeError("chromium did not start")

    def close(self):
        self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, method, **parameters):
        self.count += 1
        number = self.count
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self._note(message)

    def _note(self, message):
        parameters = message.get("params", {})
        if message["method"] == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif message["method"] == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description", details["text"]))
        elif message["method"] == "Runtime.consoleAPICalled":
            self.messages.append(" ".join(str(argument.get("value", "")) for argument in parameters["args"]))
        elif message["method"] == "Log.entryAdded":
            self.messages.append(parameters["entry"]["text"])

    def run(self, script):
        """The value of an expression, which may be a promise."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", script))
        return result["result"].get("value")

    def wait(self, condition, seconds=60):
        """Waits until an expression is true."""
        end = time.monotonic() + seconds
        while not self.run(f"!!({condition})"):
            if time.monotonic() > end:
                raise RuntimeError(f"never true: {condition}")
            time.sleep(0.02)

    def open(self, path, address=""):
        """Opens a page from the disk, anew, and waits until its script has unpacked it."""
        self.call("Page.navigate", url="about:blank")
        self.wait("location.href == 'about:blank' && document.readyState == 'complete'")
        self.messages.clear()
        self.requests.clear()
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri() + address)
        self.wait("document.documentElement?.dataset.ready == 'true'")

    def press(self, key, modifiers=0):
        code = KEYS.get(key, ord(key.upper()) if len(key) == 1 else 0)
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, modifiers=modifiers, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code, modifiers=modifiers)

    def size(self, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=width < 600)

    def media(self, **features):
        """`media(scheme="dark")`, `media(kind="print")`"""
        chosen = [{"name": "prefers-color-scheme", "value": features["scheme"]}] if "scheme" in features else []
        self.call("Emulation.setEmulatedMedia", media=features.get("kind", ""), features=chosen)

    def drawing(self, path, width, height):
        """Writes what a window of this size shows as SVG. Letters become shapes, so that no reader needs the fonts."""
        self.size(width, height)
        # Chromium puts a list with `contain: strict` on a page of its own.
        self.run("document.querySelectorAll('.rows').forEach((list) => { list.style.contain = 'none' })")
        paper = {"paperWidth": width / 96, "paperHeight": height / 96, "pageRanges": "1", "printBackground": True}
        margins = {f"margin{side}": 0 for side in ("Top", "Bottom", "Left", "Right")}
        data = self.call("Page.printToPDF", **paper, **margins)["data"]
        drawn = subprocess.run(["pdftocairo", "-svg", "-", "-"], input=base64.b64decode(data), stdout=subprocess.PIPE, check=True).stdout.decode()
        # A hundredth of a point is enough, and halves the file.
        pathlib.Path(path).write_text(re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), drawn))
