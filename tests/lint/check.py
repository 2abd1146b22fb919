#!/usr/bin/env python3
"""The rules of the house, checked on every tracked file. Prints TAP, one test for each rule.

A rule that has never been seen to fail proves nothing: each comes with lines that it must reject and
lines that it must let pass, and these are tried first.
"""

import dataclasses
import pathlib
import re
import subprocess
import sys
from typing import Callable

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What a room may include, besides itself.
BELOW = {
    "base": set(),
    "attention": set(),
    "lesson": {"attention"},
    "files": {"attention"},
    "document": {"attention", "lesson"},
    "stage": {"attention", "lesson", "document"},
    "draw": {"attention", "lesson", "document", "stage"},
    "platform": {"attention"},
    "app": {"attention", "lesson", "document", "stage", "files", "draw", "platform"},
}
for _below in BELOW.values():
    _below.add("base")
BELOW["base"] = set()
WITH_SCREEN = {"draw", "platform", "app"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def room(path):
    """The room a source file is in, or "" for the programs' main files."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else ""


def is_source(path):
    return path.startswith("src/") and path.endswith((".cpp", ".hpp", ".h"))


def included(line):
    match = INCLUDE.match(line)
    return match.group(1) if match else ""


def wrong_arrow(path, line):
    target = included(line).split("/")[0]
    own = room(path)
    return target in BELOW and own in BELOW and target != own and target not in BELOW[own]


def imgui_below_draw(path, line):
    return room(path) not in WITH_SCREEN | {""} and bool(re.search(r"imgui|imconfig", included(line)))


def opengl_below_draw(path, line):
    return room(path) not in WITH_SCREEN | {""} and bool(
        re.match(r"(GL|GLES\d|EGL|GLFW|epoxy)/|.*imgui_impl_", included(line))
    )


def platform_elsewhere(path, line):
    if room(path) == "platform" or path in ("src/draw/gl/gl.hpp", "src/main_web.cpp"):
        return False
    return bool(re.search(r"__EMSCRIPTEN__|\bATTENTION_LIVE_WEB\b", line)) or included(
        line
    ).startswith("emscripten")


def heavy_header(path, line):
    """What costs the page hundreds of kilobytes; the desktop alone has the rest."""
    if path.startswith(("src/main.cpp", "src/app/command_line", "src/app/window")):
        return False
    return included(line) in {"iostream", "regex", "format", "locale", "fstream", "sstream"} or (
        included(line).endswith("xtensor/xio.hpp")
    )


def machine_path(_, line):
    return bool(re.search(r"(^|[^\w.$}/])/(work|farm|root|tmp|home)/", line))


def registry_host(_, line):
    return bool(
        re.search(r"//[\w.-]*\b(registry|deb|security|ports|archive|pypi|npmjs)\b[\w.-]*\.[a-z]{2,}", line)
    ) or bool(re.search(r'"resolve[d]":', line))


@dataclasses.dataclass
class Rule:
    name: str
    broken: Callable[[str, str], bool]
    applies: Callable[[str], bool]
    rejects: list
    accepts: list


RULES = [
    Rule(
        "a room includes only rooms below it",
        wrong_arrow,
        is_source,
        [
            ("src/attention/a.cpp", '#include "lesson/step.hpp"'),
            ("src/stage/a.hpp", '  #  include "draw/theme.hpp"'),
            ("src/files/a.cpp", '#include "document/state.hpp"'),
            ("src/platform/a.cpp", '#include "app/api.hpp"'),
        ],
        [
            ("src/stage/a.cpp", '#include "document/state.hpp"'),
            ("src/app/a.cpp", '#include "draw/theme.hpp"'),
            ("src/main.cpp", '#include "app/app.hpp"'),
            ("src/attention/a.cpp", '#include "attention/tensor.hpp"'),
        ],
    ),
    Rule(
        "Dear ImGui is not known below draw",
        imgui_below_draw,
        is_source,
        [("src/stage/a.cpp", "#include <imgui.h>"), ("src/files/a.cpp", '#include "imgui_internal.h"')],
        [("src/draw/a.cpp", "#include <imgui.h>"), ("src/platform/web/web.cpp", '#include "imgui.h"')],
    ),
    Rule(
        "OpenGL is not known below draw",
        opengl_below_draw,
        is_source,
        [("src/stage/a.cpp", "#include <GLES3/gl3.h>"), ("src/document/a.cpp", "#include <epoxy/gl.h>")],
        [("src/draw/gl/gl.hpp", "#include <epoxy/gl.h>"), ("src/platform/native/native.cpp", "#include <GLFW/glfw3.h>")],
    ),
    Rule(
        "what differs on the web is in the platform (and draw/gl.hpp)",
        platform_elsewhere,
        is_source,
        [
            ("src/draw/a.cpp", "#ifdef __EMSCRIPTEN__"),
            ("src/app/a.cpp", "#if defined(ATTENTION_LIVE_WEB)"),
            ("src/app/a.cpp", "#include <emscripten.h>"),
        ],
        [("src/platform/web/web.cpp", "#include <emscripten.h>"), ("src/draw/gl/gl.hpp", "#ifdef ATTENTION_LIVE_WEB")],
    ),
    Rule(
        "no stream, regex, format or locale in what the page has too",
        heavy_header,
        is_source,
        [("src/attention/a.cpp", "#include <iostream>"), ("src/stage/a.cpp", "#include <regex>")],
        [("src/main.cpp", "#include <iostream>"), ("src/attention/a.cpp", "#include <string>")],
    ),
    Rule(
        "no path of one machine",
        machine_path,
        lambda path: True,
        [("README.md", "see /" + "work/main"), ("a.sh", "cd /" + "root/x"), ("a.py", '"/' + 'tmp/x"')],
        [("README.md", "src/" + "work/x"), ("a.sh", 'mktemp -d "$TMPDIR/' + 'tmp/x"')],
    ),
    Rule(
        "no host of a package registry",
        registry_host,
        lambda path: True,
        [
            ("package-lock.json", "https://" + "registry.example.org/x"),
            ("a", "http://" + "deb.example.org/debian"),
            ("package-lock.json", '"res' + 'olved": "x"'),
        ],
        [("README.md", "https://example.org/registry"), ("a", "https://github.com/ocornut/imgui.git")],
    ),
]

LONGEST = {"src": 450, "web": 450, "shaders": 450, "tests": 600}  # lines of one file
LINES_OF_TEXT = (".cpp", ".hpp", ".h", ".mjs", ".js", ".py", ".css", ".vert", ".frag")


def tracked():
    """Path -> lines of every text file in the repository, committed or about to be."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True,
    ).stdout.decode().split("\0")
    files = {}
    for path in filter(None, listed):
        file = ROOT / path
        if file.is_file() and not file.is_symlink():
            data = file.read_bytes()
            if b"\0" not in data[:8000]:
                files[path] = data.decode("utf-8", errors="replace").split("\n")
    return files


def too_long(files):
    problems = []
    for path, lines in files.items():
        longest = LONGEST.get(path.split("/")[0])
        if longest and path.endswith(LINES_OF_TEXT) and len(lines) > longest:
            problems.append(f"{path}: {len(lines)} lines, at most {longest}: split it")
    return problems


def without_guard(files):
    return [
        f"{path}: no #pragma once"
        for path, lines in files.items()
        if path.startswith(("src/", "tests/")) and path.endswith((".hpp", ".h")) and "#pragma once" not in lines
    ]


def main():
    files = tracked()
    results = []
    for rule in RULES:
        problems = [
            f"the rule lets this pass: {path}: {line}"
            for path, line in rule.rejects
            if not (rule.applies(path) and rule.broken(path, line))
        ] + [
            f"the rule rejects this: {path}: {line}"
            for path, line in rule.accepts
            if rule.applies(path) and rule.broken(path, line)
        ]
        problems += [
            f"{path}:{number}: {line.strip()[:160]}"
            for path, lines in files.items()
            if rule.applies(path)
            for number, line in enumerate(lines, 1)
            if rule.broken(path, line)
        ]
        results.append((rule.name, problems))
    results.append(("every header is guarded", without_guard(files)))
    results.append(("no file is too long to be about one thing", too_long(files)))

    print("TAP version 13")
    for number, (name, problems) in enumerate(results, 1):
        print(f"{'not ok' if problems else 'ok'} {number} - {name}")
        for problem in problems:
            print(f"  # {problem}")
    failed = sum(1 for _, problems in results if problems)
    print(f"1..{len(results)}\n# tests {len(results)}\n# pass {len(results) - failed}\n# fail {failed}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
