"""What passed before and is made of the same bytes still: it need not run again.

A part of a suite is remembered if all of it passed, with a fingerprint of everything that it is made of: its program or
the site, the tests and the files beside them, and the tools that run them.
"""

import functools
import hashlib
import json
import os
import pathlib
import shutil

from runner.paths import BUILD, ROOT

PASSED = BUILD / "passed.json"
TOOLS = ("node", "python3", "chromium-headless-shell", "chromium", "firefox-esr", "firefox")
LEFT_OUT = {"__pycache__", "node_modules"}


@functools.cache
def digest(path):
    return hashlib.sha256(path.read_bytes()).digest()


@functools.cache
def files_in(folder):
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - LEFT_OUT)
        found += [pathlib.Path(place, name) for name in sorted(names)]
    return found


@functools.cache
def tools():
    """Which tools there are, as a text: they are not read, only looked at."""
    found = [pathlib.Path(path).resolve() for path in map(shutil.which, TOOLS) if path]
    return " ".join(f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}" for path in found)


def fingerprint(made_of):
    """Of files and folders, by name and content."""
    everything = hashlib.sha256(tools().encode())
    for given in sorted({pathlib.Path(ROOT, path) for path in made_of}):
        for path in files_in(given) if given.is_dir() else [given]:
            everything.update(str(path).encode() + (digest(path) if path.exists() else b"none"))
    return everything.hexdigest()


class Memory:
    def __init__(self, place=PASSED):
        self.place = place
        try:
            self.passed = json.loads(place.read_text())
        except (OSError, ValueError):
            self.passed = {}

    def recalls(self, name, mark):
        """How many tests passed and were skipped when a part with this fingerprint passed; nothing if it never did."""
        known = self.passed.get(name)
        return known["counts"] if known and known["mark"] == mark else None

    def keep(self, name, mark, result):
        """Remembers a part that passed, and forgets one that did not."""
        self.passed.pop(name, None)
        if not result.failures and result.passed:
            self.passed[name] = {"mark": mark, "counts": [result.passed, result.skipped]}

    def write(self):
        beside = self.place.with_suffix(".new")
        beside.write_text(json.dumps(self.passed, indent=1))
        beside.replace(self.place)
