"""What a run of the tests prints while it works."""

import contextlib
import shutil
import sys
import threading

TERMINAL_SECONDS = 0.3  # between two lines that say how far it is: on a terminal one is written over the other
PLAIN_SECONDS = 15.0


class Progress:
    def __init__(self, out=None, every=None):
        self.out = out or sys.stdout
        self.live = self.out.isatty()
        self.every = every or (TERMINAL_SECONDS if self.live else PLAIN_SECONDS)
        self.lock = threading.Lock()

    def line(self, text):
        """A line that stays."""
        with self.lock:
            self._wipe()
            print(text, file=self.out, flush=True)

    @contextlib.contextmanager
    def showing(self, text):
        """Says what `text()` is, now and then, until what is inside has ended."""
        over = threading.Event()

        def speak():
            while not over.wait(self.every):
                if self.live:
                    with self.lock:
                        self._wipe()
                        print(f"  {text()}"[: shutil.get_terminal_size().columns - 1], end="", file=self.out, flush=True)
                else:
                    self.line(f"  {text()}")

        speaker = threading.Thread(target=speak, daemon=True)
        speaker.start()
        try:
            yield
        finally:
            over.set()
            speaker.join()
            with self.lock:
                self._wipe()

    def _wipe(self):
        if self.live:
            print("\r\x1b[K", end="", file=self.out, flush=True)


class Counted:
    """How many tests of a suite have ended, and how many of its programs; said from several threads."""

    def __init__(self, title, programs, tests=None):
        self.title, self.programs, self.tests = title, programs, tests
        self.ended = self.done = 0
        self.running = []
        self.lock = threading.Lock()

    @contextlib.contextmanager
    def program(self, name):
        with self.lock:
            self.running.append(name)
        try:
            yield
        finally:
            with self.lock:
                self.running.remove(name)
                self.done += 1

    def test_ended(self, _):
        with self.lock:
            self.ended += 1

    def __str__(self):
        with self.lock:
            of = f" of {self.tests}" if self.tests and self.tests >= self.ended else ""
            running = ", ".join(dict.fromkeys(self.running))
            return f"{self.title}: {self.ended}{of} tests, {self.done} of {self.programs} programs have ended; runs {running}"
