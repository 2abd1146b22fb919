"""Which parts of the tests a change can reach: rooms by the arrows between them, suites by what they load.

What a room's change does to the window and the page is seen in a few of their files (SEEN_IN), since all of them load the
program; what the page itself is made of is tested in all of them.
"""

import collections
import json
import os
import re
import subprocess
import sys

from runner.paths import ROOT

sys.path.append(str(ROOT / "tests" / "lint"))
import check  # noqa: E402

SEEN_IN = ["window/program", "browser/cells", "browser/figures", "browser/keyboard", "browser/engine"]
# What is built or run differently: it reaches everything.
EVERYTHING = re.compile(r"(.*/)?CMakeLists\.txt|.*\.cmake|CMakePresets\.json|Makefile|package.*\.json|tools/[^/]*|tests/run\.py")


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)


def base_of(named):
    """The commit that is compared with: the one that is named, or where this branch left the remote's main, or the last."""
    if named:
        found = git("rev-parse", "--verify", "--quiet", named + "^{commit}")
        if found.returncode:
            sys.exit(f"There is no commit {named}: name one that git knows, as in BASE=HEAD~3.")
        return found.stdout.strip()
    for other in ("@{upstream}", "origin/main"):
        found = git("merge-base", "HEAD", other)
        if found.returncode == 0:
            return found.stdout.strip()
    return "HEAD"


def changed_files(named):
    """The paths that differ from the base, in commits or in the working tree; and the base's short name."""
    base = base_of(named)
    listed = git("diff", "--name-only", "--no-renames", base).stdout + git("ls-files", "-o", "--exclude-standard").stdout
    return sorted(set(listed.split("\n")) - {""}), git("rev-parse", "--short", base).stdout.strip()


def links():
    """Target -> the rooms that it links, and target -> its folder, as src/CMakeLists.txt has them."""
    linked, folders = collections.defaultdict(set), {}
    for name, words in check.cmake_calls((ROOT / "src/CMakeLists.txt").read_text()):
        if name == "room":
            folders[words[0]] = words[words.index("IN") + 1] if "IN" in words else words[0]
            linked[words[0]] |= set(words[words.index("LINK") + 1 :])
    return {room: linked[room] & folders.keys() for room in folders}, folders


def above(room):
    """The rooms that a change in a room's folder can reach, itself among them."""
    linked, folders = links()
    reached = {target for target, folder in folders.items() if folder == room}
    while more := {target for target, below in linked.items() if below & reached} - reached:
        reached |= more
    return reached


def imported(path, seen):
    """A module of the tests and those that it imports."""
    if path in seen or not path.exists():
        return seen
    seen.add(path)
    for name in re.findall(r"""(?:from|import)\s*\(?['"](\.[^'"]+)['"]""", path.read_text()):
        imported((path.parent / name).resolve(), seen)
    return seen


def node_parts(names, wanted):
    """The files of node's tests of which one module's path, or a word in their text, is wanted."""
    found = set()
    for suite in ("bench", "command", "window", "browser", "packages"):
        for name in names[suite]:
            modules = imported(ROOT / "tests" / suite / f"{name}.test.mjs", set())
            if any(wanted(os.path.relpath(module, ROOT), module) for module in modules):
                found.add(f"{suite}/{name}")
    return found


def of_rooms(rooms, names):
    """The parts that test these rooms and what is made of them."""
    parts = {f"{suite}/{room}" for suite in ("unit", "optimised") for room in rooms & set(names[suite])}
    if rooms & tested_as_wasm():
        parts.add("wasm")
    if "command_line" in rooms:
        parts.add("command")
        parts.add("unit/app")
    if "app" in rooms:
        parts |= {part for part in SEEN_IN if part.split("/")[1] in names[part.split("/")[0]]}
    for name in names["fuzz"]:
        text = (ROOT / "tests/fuzz" / f"{name}_fuzz.cpp").read_text()
        if rooms & set(re.findall(r'#include "(\w+)/', text)):
            parts.add(f"fuzz/{name}")
    return parts


def tested_as_wasm():
    """The rooms whose tests run as WebAssembly."""
    presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
    web = next(each for each in presets if each["name"] == "web")
    return set(web["cacheVariables"]["ATTENTION_LIVE_TESTED_ROOMS"].split(";"))


def parts_of(path, names):
    """The parts that a change of one file can reach."""
    folder, _, rest = path.partition("/")
    second = rest.split("/")[0]
    if EVERYTHING.fullmatch(path):
        return set(names)
    if folder == "src":
        _, folders = links()
        # The texts and the programs' main files are parts of everything, of rooms or of the program.
        room = second if second in folders.values() else "base" if second == "texts" else "app"
        return of_rooms(above(room), names) | ({"command"} if second == "main.cpp" else set())
    if folder == "shaders":
        return of_rooms(above("draw"), names)
    if path.startswith("tests/unit/"):
        rooms = {path.split("/")[2]} & set(names["unit"]) or set(names["unit"])
        return {part for part in of_rooms(rooms, names) if part.split("/")[0] in ("unit", "optimised", "wasm")}
    if path.startswith("tests/fixtures/"):
        return {"unit", "optimised", "wasm", "command"} | node_parts(names, lambda _, module: "fixtures" in module.read_text())
    if path.startswith("tests/fuzz/"):
        found = {f"fuzz/{name}" for name in names["fuzz"] if f"/{name}_fuzz.cpp" in path or f"/{name}." in path}
        return found or {"fuzz"}
    if path.startswith("tests/"):
        found = node_parts(names, lambda module, _: module == path)
        suite = rest.split("/")[0]
        return found or ({suite} if suite in names else set())
    if folder == "web":
        return {"browser", "packages"}
    if path.startswith("tools/dist/"):
        return {"packages"}
    return node_parts(names, lambda _, module: os.path.basename(path) in module.read_text())


def changed_parts(named_base, names):
    """The parts that a change can reach, and a sentence about them. `names` are the parts that there are, by suite."""
    changed, base = changed_files(named_base)
    found = {"lint"}.union(*(parts_of(path, names) for path in changed))
    suites = {part for part in found if part in names}
    found = sorted(part for part in found if part in suites or part.split("/")[0] not in suites)
    return found, f"{len(changed)} files differ from {base}; what they can reach: {', '.join(found)}"
