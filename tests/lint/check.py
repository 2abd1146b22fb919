#!/usr/bin/env python3
"""The rules of the house, checked on every tracked file. Prints TAP, one test for each rule.

A rule that has never been seen to fail proves nothing: each comes with lines that it must reject and
lines that it must let pass, and these are tried first.
"""

import collections
import dataclasses
import json
import pathlib
import re
import subprocess
import sys
from typing import Callable

import texts

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What a room may include, besides itself.
_CORE = {"base", "tensor", "kernels", "ops", "model"}
BELOW = {
    "base": set(),
    "tensor": {"base"},
    "kernels": {"base", "tensor"},
    "ops": {"base", "tensor", "kernels"},
    "model": {"base", "tensor", "kernels", "ops"},
    "lesson": _CORE | {"files", "training", "translation"},
    "files": _CORE,
    "code": _CORE | {"files"},
    "training": _CORE | {"files"},
    "translation": _CORE | {"files", "training"},
    "document": _CORE | {"files", "training", "lesson"},
    "stage": _CORE | {"training", "lesson", "document"},
    "draw": _CORE | {"training", "lesson", "document", "stage"},
    "platform": {"base"},
    "app": _CORE | {"lesson", "document", "stage", "files", "code", "training", "translation", "draw", "platform"},
}
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


def cmake_calls(text):
    """Name and words of each call in a CMake file, variables that it sets put in."""
    values = {}
    for name, inside in re.findall(r"^\s*(\w+)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)", re.sub(r"#.*", "", text), re.MULTILINE):
        inside = re.sub(r"\$\{(\w+)\}", lambda found: values.get(found[1], found[0]), inside)
        words = [quoted or plain for quoted, plain in re.findall(r'"((?:[^"\\]|\\.)*)"|([^\s"]+)', inside)]
        if name == "set" and words:
            values[words[0]] = " ".join(words[1:])
        elif words:
            yield name, words


def wrong_link(_, text):
    """Links of CMake's that go against the arrows, as a sentence; nothing if there are none."""
    wrong = []
    folders = {}  # of rooms that have another name than their folder
    for name, words in cmake_calls(text):
        linked = words[1:]
        if name == "room":
            folders[words[0]] = words[words.index("IN") + 1] if "IN" in words else words[0]
            linked = words[words.index("LINK") :] if "LINK" in words else []
        elif not name.startswith("target_link_"):
            continue
        own = folders.get(words[0], words[0])
        if own not in BELOW:
            continue
        targets = {folders.get(word, word) for word in re.findall(r"[\w-]+", " ".join(linked))}
        if name != "target_link_options":
            wrong += [f"{own} links {target}" for target in sorted(targets & BELOW.keys() - BELOW[own] - {own})]
        for library in re.findall(r"--js-library[\s\\\"]+([^\s\\\"]+)", " ".join(linked)):
            if f"/{own}/" not in library or ".." in library:
                wrong.append(f"{own} links {library}, which is not its own")
    return "; ".join(wrong)


def untested_rooms(files):
    """Folders of tests/unit that CMake builds no test of, and what a preset names that is none."""
    text = "\n".join(files.get("tests/CMakeLists.txt", []))
    built = next((set(words[1:]) for words in re.findall(r"set\((all_rooms[^)]*)\)", text) for words in [words.split()]), set())
    there = {path.split("/")[2] for path in files if path.startswith("tests/unit/") and path.count("/") > 2}
    yield from (f"tests/CMakeLists.txt: builds no tests of {room}" for room in sorted(there - built))
    yield from (f"tests/CMakeLists.txt: there are no tests of {room}" for room in sorted(built - there))
    presets = json.loads("\n".join(files.get("CMakePresets.json", ["{}"]))).get("configurePresets", [])
    for preset in presets:
        named = preset.get("cacheVariables", {}).get("ATTENTION_LIVE_TESTED_ROOMS", "")
        yield from (
            f"CMakePresets.json: {preset['name']} names {room}, which has no tests"
            for room in filter(None, named.split(";")) if room not in there
        )


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
    broken: Callable[[str, str], object]  # a line, or a whole file's text, of a path; a text says what is wrong
    applies: Callable[[str], bool]
    rejects: list
    accepts: list
    by_line: bool = True

    def problems(self, files):
        for path, lines in files.items():
            if not self.applies(path):
                continue
            if self.by_line:
                yield from (f"{path}:{n}: {line.strip()[:160]}" for n, line in enumerate(lines, 1) if self.broken(path, line))
            elif found := self.broken(path, "\n".join(lines)):
                yield f"{path}: {found}"


RULES = [
    Rule(
        "a room includes only rooms below it",
        wrong_arrow,
        is_source,
        [
            ("src/model/a.cpp", '#include "lesson/step.hpp"'),
            ("src/stage/a.hpp", '  #  include "draw/theme.hpp"'),
            ("src/files/a.cpp", '#include "document/state.hpp"'),
            ("src/files/a.cpp", '#include "code/program.hpp"'),
            ("src/platform/a.cpp", '#include "app/api.hpp"'),
        ],
        [
            ("src/stage/a.cpp", '#include "document/state.hpp"'),
            ("src/app/a.cpp", '#include "draw/theme.hpp"'),
            ("src/main.cpp", '#include "app/app.hpp"'),
            ("src/model/a.cpp", '#include "attention/tensor.hpp"'),
        ],
    ),
    Rule(
        "a room links only rooms below it, and no room's JavaScript but its own",
        wrong_link,
        lambda path: path.endswith((".cmake", "CMakeLists.txt")),
        [
            ("src/CMakeLists.txt", "room(model LINK ops platform)"),
            ("src/CMakeLists.txt", "room(tensor LINK third_party_headers\n  draw)"),
            ("src/CMakeLists.txt", "room(platform ONLY web LINK base app)"),
            ("src/CMakeLists.txt", "room(keys IN stage ONLY keys LINK files)"),
            ("src/CMakeLists.txt", "target_link_libraries(kernels PUBLIC own_code $<LINK_ONLY:platform>)"),
            (
                "src/CMakeLists.txt",
                'set(js "${PROJECT_SOURCE_DIR}/src/platform/web/a.js")\n'
                'target_link_options(kernels INTERFACE "SHELL:--js-library \\"${js}\\"")',
            ),
            ("a.cmake", "target_link_options(ops PRIVATE --js-library ${x}/ops/../platform/a.js)"),
        ],
        [
            ("src/CMakeLists.txt", "room(model LINK ops base)"),
            ("src/CMakeLists.txt", "room(command_line IN app ONLY command_line LINK files document cli11)"),
            ("src/CMakeLists.txt", "# room(model LINK platform)\nroom(app EXCEPT window LINK draw platform)"),
            ("tests/CMakeLists.txt", "target_link_libraries(model_test PRIVATE model files)"),
            ("a.cmake", 'target_link_options(attention-live PRIVATE "SHELL:--js-library \\"src/platform/web/a.js\\"")'),
            (
                "src/CMakeLists.txt",
                'set(js "${CMAKE_CURRENT_SOURCE_DIR}/kernels/a.js")\n'
                'target_link_options(kernels INTERFACE -sX "SHELL:--js-library \\"${js}\\"")',
            ),
        ],
        by_line=False,
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
        [("src/model/a.cpp", "#include <iostream>"), ("src/stage/a.cpp", "#include <regex>")],
        [("src/main.cpp", "#include <iostream>"), ("src/model/a.cpp", "#include <string>")],
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
    """Path -> lines of every file in the repository, committed or about to be; none of one that is not text."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True,
    ).stdout.decode().split("\0")
    files = {}
    for path in filter(None, listed):
        file = ROOT / path
        if file.is_file() and not file.is_symlink():
            data = file.read_bytes()
            files[path] = [] if b"\0" in data[:8000] else data.decode("utf-8", errors="replace").split("\n")
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


MOST = 17  # files of one folder: about fifteen


def too_full(files):
    folders = collections.Counter(
        path.rpartition("/")[0] for path in files if path.startswith(("src/", "web/", "tests/unit/"))
    )
    return [f"{folder}: {number} files, at most {MOST}" for folder, number in folders.items() if number > MOST]


def hidden(files):
    return [f"{path}: a hidden folder" for path in files if re.search(r"(^|/)\.[^/]+/", path) and not path.startswith(".ci/")]


@dataclasses.dataclass
class TreeRule:
    """A rule of all files together: path -> lines."""

    name: str
    problems: Callable[[dict], list]
    rejects: list
    accepts: list


def numbered(folder, number):
    return {f"{folder}/{n}.cpp": [] for n in range(number)}


def with_texts(code, catalogue):
    return {"src/lesson/a.cpp": [code], "src/texts/en/lesson.json": [json.dumps(catalogue)]}


def in_german(english, german):
    return {f"src/texts/{language}/lesson.json": [json.dumps(said)] for language, said in (("en", english), ("de", german))}


def with_web_texts(code, room="mirror"):
    return {"web/mirror/a.mjs": [code], f"web/texts/en/{room}.mjs": ["  'mirror.a.b': 'A',"]}


def page_in_german(english, *german):
    """A page of one paragraph, and blocks of it in German, each of which has the key of the English one before it."""
    blocks = [f"{texts.translate_page.key_of(block)} {said}" for block, said in zip(german[::2], german[1::2])]
    return {"web/lesson.html": [f"<p>{english}</p>"], "web/texts/de/pages/lesson.txt": "\n\n".join(blocks).split("\n")}


def web_in_german(english, german):
    return {f"web/texts/{language}/mirror.mjs": said.split("\n") for language, said in (("en", english), ("de", german))}


TREE_RULES = [
    TreeRule(
        "every header is guarded",
        without_guard,
        [{"src/base/a.hpp": ["int a();"]}],
        [{"src/base/a.hpp": ["#pragma once"], "src/base/a.cpp": [""]}],
    ),
    TreeRule(
        "no file is too long to be about one thing",
        too_long,
        [{"src/base/a.cpp": [""] * 451}, {"tests/run.py": [""] * 601}],
        [{"src/base/a.cpp": [""] * 450, "docs/a.md": [""] * 1000}],
    ),
    TreeRule(
        "every room's tests are built, and every preset's rooms have tests",
        untested_rooms,
        [
            {"tests/unit/ops/a_test.cpp": [], "tests/CMakeLists.txt": ["set(all_rooms model)"], "tests/unit/model/a.cpp": []},
            {"tests/CMakeLists.txt": ["set(all_rooms model)"]},
            {"CMakePresets.json": [json.dumps({"configurePresets": [
                {"name": "web", "cacheVariables": {"ATTENTION_LIVE_TESTED_ROOMS": "opps"}}]})]},
        ],
        [{"tests/unit/ops/a_test.cpp": [], "tests/unit/numbers.hpp": [], "tests/CMakeLists.txt": ["set(all_rooms ops)"]}],
    ),
    TreeRule(
        "no folder has too many files to be looked through",
        too_full,
        [numbered("src/ops", MOST + 1), numbered("tests/unit/stage/layout", MOST + 1), numbered("web", MOST + 1)],
        [numbered("src/ops", MOST) | numbered("src/ops/mistakes", 1), numbered("tests/fixtures", 50)],
    ),
    TreeRule(
        "every key in the code has a text",
        texts.unknown_keys,
        [with_texts('text("lesson.step.tite");', {"lesson.step.title": "A"})],
        [with_texts('text("lesson.step.title"); file("lesson.step")', {"lesson.step.title": "A"}),
         with_texts('counted_text("lesson.a.rows", 2)', {"lesson.a.rows.one": "", "lesson.a.rows.other": ""}),
         with_texts('text("lesson.step." + name)', {"lesson.step.title": "A"})],
    ),
    TreeRule(
        "every text is said somewhere",
        texts.unused_keys,
        [with_texts('// "lesson.step.title"', {"lesson.step.title": "A"})],
        [with_texts('text("lesson.step.title");', {"lesson.step.title": "A"}),
         with_texts('text("lesson.step." + name)', {"lesson.step.title": "A"})],
    ),
    TreeRule(
        "every text stands in the file of its room",
        texts.misplaced_keys,
        [with_texts("", {"stage.a.b": "A"}), with_texts("", {"title": "A"})],
        [with_texts("", {"lesson.a.b": "A"})],
    ),
    TreeRule(
        "every language says everything",
        texts.incomplete_languages,
        [in_german({"lesson.a.b": "A"}, {}),
         in_german({}, {"lesson.a.b": "A"}),
         in_german({"lesson.a.b": "{n} rows"}, {"lesson.a.b": "{m} Zeilen"})],
        [in_german({"lesson.a.b": "{n} rows of {m}"}, {"lesson.a.b": "von {m} {n} Zeilen"})],
    ),
    TreeRule(
        "every text is given what it has places for",
        texts.wrong_placeholders,
        [with_texts('text("lesson.a.b")', {"lesson.a.b": "{n} rows"}),
         with_texts('text("lesson.a.b", {{"m", 1}})', {"lesson.a.b": "{n} rows"}),
         with_texts('text("lesson.a.b", {{"n", 1}, {"m", f({2})}})', {"lesson.a.b": "{n} rows"})],
        [with_texts('text("lesson.a.b", {{"n", f({1})}, {"m", 2}})', {"lesson.a.b": "{n} rows of {m}"}),
         with_texts('counted_text("lesson.a.b", n)', {"lesson.a.b.one": "a row", "lesson.a.b.other": "{count} rows"})],
    ),
    TreeRule(
        "every key in the page's modules has a text, and every text a key",
        texts.web_keys,
        [with_web_texts("text('mirror.a.c')"), with_web_texts(""), with_web_texts("text('mirror.a.b')", "page")],
        [with_web_texts("text('mirror.a.b')"), with_web_texts("text('mirror.a.b'); import('./a.c.mjs')")],
    ),
    TreeRule(
        "every language says everything beside the program",
        texts.incomplete_web_languages,
        [web_in_german("  'mirror.a.b': 'A',", ""), web_in_german("", "  'mirror.a.b': 'A',"),
         web_in_german("  'mirror.a.b': '{n} rows',", "  'mirror.a.b':\n    '{m} ' +\n    'Zeilen',")],
        [web_in_german("  'mirror.a.b': '{n} rows of {m}',", "  'mirror.a.b':\n    'von {m} ' +\n    '{n} Zeilen',")],
    ),
    TreeRule(
        "every page says everything in every language",
        texts.wrong_pages,
        [page_in_german("A token, today."),
         page_in_german("A token, today.", "A token.", "Ein Token."),
         page_in_german("A token.", "A token.", "Ein Token.", "Two.", "Zwei."),
         page_in_german("A <b>token</b>.", "A <b>token</b>.", "Ein Token."),
         page_in_german("A <b>token</b>.", "A <b>token</b>.", "Ein </b>Token<b>."),
         page_in_german("1,000 tokens.", "1,000 tokens.", "100 Tokens."),
         page_in_german('<a href="#x">A token</a>', "<a0>A token</a0>", "<a1>Ein Token</a1>")],
        [page_in_german("A token.", "A token.", "Ein Token."),
         page_in_german("1,000 tokens.", "1,000 tokens.", "1&nbsp;000 Tokens."),
         page_in_german('A <i>pool</i> has <span data-number="a b">0.5</span>', "A <i>pool</i> has {0.5}", "{0.5} hat <i>pool</i>"),
         page_in_german('<code>scores</code>, <span data-number="a b">0.5</span>')],
    ),
    TreeRule(
        "no sentence for readers stands in the page's modules",
        texts.web_sentences_in_code,
        [{"web/mirror/a.mjs": ["say('Click a matrix.');"]}, {"web/a.mjs": ["throw new Error(`Lesson ${name} is missing.`);"]},
         {"web/a.mjs": ["make('button', { textContent: 'Close' })"]}],
        [{"web/mirror/a.mjs": ["// 'Click a matrix.'", "make('div', 'attention-live wide');"]}],
    ),
    TreeRule(
        "no sentence for readers stands in code",
        texts.sentences_in_code,
        [{"src/lesson/steps/step.cpp": ['return "Click a matrix.";']}],
        [{"src/lesson/steps/step.cpp": ['// "a comment about it"', 'return "softmax";']},
         {"src/app/command_line/a.cpp": ['option("--seed", "the seed of random numbers");']},
         {"src/draw/export/svg.cpp": ['font = "Inter, Helvetica, sans-serif"']}],
    ),
    TreeRule(
        "no hidden folder but .ci",
        hidden,
        [{".setup/install": []}, {"web/.notes/a.md": []}],
        [{".ci/run": [], ".clang-format": [], "web/.keep": []}],
    ),
]


def as_files(tried):
    """What a rule is tried with: path -> lines, or a path and its text."""
    return tried if isinstance(tried, dict) else {tried[0]: tried[1].split("\n")}


def main():
    files = tracked()
    results = []
    for rule in [*RULES, *TREE_RULES]:
        problems = [f"the rule lets this pass: {tried}" for tried in rule.rejects if not [*rule.problems(as_files(tried))]]
        problems += [f"the rule rejects this: {tried}" for tried in rule.accepts if [*rule.problems(as_files(tried))]]
        results.append((rule.name, [*problems, *rule.problems(files)]))

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
