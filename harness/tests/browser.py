"""Drives headless Chromium through the DevTools protocol, over a pipe, with nothing but Python's own library.

Interface: Browser() starts one; page() opens an empty page; Page.open, .run, .ask, .size. Without a browser the program ends
with 77, which CTest takes for "skipped".
"""
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile

NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
           "--no-first-run", "--allow-file-access-from-files", "--remote-debugging-pipe")


class Browser:
    def __init__(self):
        program = next(filter(None, map(shutil.which, NAMES)), None)
        if not program:
            print("skipped: there is no Chromium (apt-get install chromium)")
            sys.exit(77)
        most = resource.getrlimit(resource.RLIMIT_AS)[1]  # the preset arm64 lowers it, for qemu
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        self.profile = tempfile.mkdtemp()
        to_browser, self.out = os.pipe()
        self.inp, from_browser = os.pipe()

        def fds():  # the browser reads from 3 and writes to 4
            high = [os.dup(fd) for fd in (to_browser, from_browser)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen([program, *OPTIONS, "--user-data-dir=" + self.profile, "about:blank"],
                                        preexec_fn=fds, close_fds=False, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.rest, self.last, self.events = b"", 0, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _message(self):
        while b"\0" not in self.rest:
            more = os.read(self.inp, 1 << 16)
            if not more:
                raise RuntimeError("the browser has ended")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, session=None, **params):
        """Sends one request; its answer. Events that come before it are kept."""
        self.last += 1
        request = {"id": self.last, "method": method, "params": params}
        if session:
            request["sessionId"] = session
        os.write(self.out, json.dumps(request).encode() + b"\0")
        while True:
            message = self._message()
            if message.get("id") == self.last:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)

    def wait(self, event, session):
        while True:
            for k, message in enumerate(self.events):
                if message.get("method") == event and message.get("sessionId") == session:
                    return self.events.pop(k)["params"]
            self.events.append(self._message())

    def page(self):
        return Page(self)


class Page:
    def __init__(self, browser):
        self.browser = browser
        target = browser.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime"):
            self.ask(domain + ".enable")

    def ask(self, method, **params):
        return self.browser.ask(method, self.session, **params)

    def size(self, width, height=900, dark=False, media="screen"):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.ask("Emulation.setEmulatedMedia", media=media,
                 features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, url):
        self.browser.events.clear()
        self.ask("Page.navigate", url=url)
        self.browser.wait("Page.loadEventFired", self.session)

    def run(self, expression):
        """The value of a JavaScript expression."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "exception"))
        return answer["result"].get("value")
