#!/usr/bin/env python3
"""Builds and runs the tests and adds the results up: what `make test` calls.

Each suite says in a form for machines what passed and failed (GoogleTest's JSON, TAP from node:test
and tests/lint); a suite that does not build, crashes, is stuck or runs nothing counts as a failure.
Everything runs even if something failed. Full output is in build/logs; the last line printed is
`N passed, N failed`.

    tests/run.py                                    everything; what passed and has not changed since is not run again
    tests/run.py unit/ops browser/keyboard lint     these parts, of which only what they need is built
    tests/run.py unit/ops --filter 'Softmax*'       of them, what GoogleTest's filter or node's pattern chooses
    tests/run.py changed --base HEAD~3              the parts that what has changed since a commit can reach
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import re
import resource
import shutil
import sys
import time
from typing import Callable

from runner.builds import Builds, programs
from runner.changed import changed_parts
from runner.memory import Memory, fingerprint
from runner.paths import BUILD, LOGS, ROOT, files
from runner.process import STUCK_SECONDS, run
from runner.progress import Counted, Progress
from runner.reports import Result, failure, googletest, said, tail, tap

CORES = len(os.sched_getaffinity(0))
# The shell first: it has no windows of a desktop around it, and a page opens in half the time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
SLOWEST = 10
# What unit tests read besides their program.
READ_BY_UNIT_TESTS = ["tests/fixtures", "tools/translator", "src/texts"]
# What node's tests read besides what is built and their own folder.
READ_BY_NODE_TESTS = [
    "tests/fixtures", "tests/support", "tools", "web", "docs", "README.md", "package.json", "package-lock.json", ".npmrc",
    "src/lesson/input/tokenize.cpp", "src/texts",
]


@dataclasses.dataclass
class Part:
    """What is run and remembered as one: a room's tests, a file of node's tests, a fuzzer."""

    name: str
    runs: list  # functions of the listener that hears of each test's end; each is one program
    made_of: list  # files and folders; nothing: it is run each time


@dataclasses.dataclass
class Suite:
    title: str
    build: Callable  # of the context and the wanted parts' names: what failed, or nothing
    parts: Callable  # likewise: the parts
    names: list  # of the parts that there are
    prepare: Callable = lambda context: None  # before any part is run: what failed, or nothing
    at_once: int = CORES  # programs that run side by side


def unit(title, suite, preset, preset_dir, names, launcher=(), environments=({},)):
    """GoogleTest's programs of a preset, each in each of the environments."""

    def build(context, rooms):
        return context.built(preset, *([f"{room}_test" for room in rooms] or ["unit_tests"]))

    def part(context, room, program):
        # Each program is cut into shares, so that no core waits for the largest.
        given = [(number, own, share) for number, own in enumerate(environments) for share in range(CORES)]
        return Part(f"{suite}/{room}", [
            lambda listen, number=number, own=own, share=share: googletest(
                f"{suite}-{room}-{number}-{share}", [*launcher, program, f"--gtest_filter={context.filter or '*'}"],
                {**context.env, **own, "GTEST_TOTAL_SHARDS": str(CORES), "GTEST_SHARD_INDEX": str(share)},
                listen, context.stuck_seconds,
            )
            for number, own, share in given
        ], [program, *READ_BY_UNIT_TESTS])

    def parts(context, rooms):
        found = programs(preset_dir).items()
        return [part(context, room, program) for room, program in found if room in (rooms or [room])]

    return Suite(title, build, parts, names)


def vectors():
    """An environment for each width of vectors that this processor has: src/kernels/matmul_tile.cpp reads it."""
    try:
        with open("/proc/cpuinfo") as text:
            flags = set(re.search(r"^(?:flags|Features)\s*: (.*)$", text.read(), re.MULTILINE)[1].split())
    except (OSError, TypeError):
        flags = set()
    widths = ["portable"] + ["avx2"] * ({"avx2", "fma"} <= flags) + ["avx512"] * ("avx512f" in flags)
    return [{"ATTENTION_LIVE_VECTORS": width} for width in widths]


def node_tests(title, folder, preset=None, target=None, made=(), prepare=lambda context: None, at_once=CORES):
    """The *.test.mjs of a folder under tests, a process for each. `made` is what they read of what was built."""

    def part(context, name):
        pattern = [f"--test-name-pattern={context.filter}"] if context.filter else []
        path = ROOT / "tests" / folder / f"{name}.test.mjs"
        command = ["node", "--test-reporter=tap", *pattern, path]
        beside = [each for each in (ROOT / "tests" / folder).iterdir() if not each.name.endswith(".test.mjs")]
        return Part(
            f"{folder}/{name}",
            [lambda listen: tap(f"{folder}-{name}", command, context.env, listen, context.stuck_seconds)],
            [path, *beside, *READ_BY_NODE_TESTS, *made],
        )

    names = files(folder, ".test.mjs")
    return Suite(
        title, lambda context, _: preset and context.built(preset, target),
        lambda context, wanted: [part(context, name) for name in names if name in (wanted or [name])], names, prepare,
        at_once,
    )


def program(title, name, command):
    """A program that prints TAP, run each time."""
    return Suite(title, lambda context, _: None, lambda context, _: [
        Part(name, [lambda listen: tap(name, command, context.env, listen, context.stuck_seconds)], [])
    ], [])


def make_packages(context):
    """What `make dist` and `make npm` make, of the site that is built. Returns what failed, or nothing."""
    log = LOGS / "packages-made.log"
    with context.progress.showing(lambda: "making the packages"):
        status = run(["node", ROOT / "tests/packages/make.mjs"], log, context.env)
    return f"the packages cannot be made: {said(status)}{tail(log)}" if status != 0 else None


def fuzzers(title):
    names = files("fuzz", "_fuzz.cpp")

    def parts(context, wanted):
        known = programs("asan", "fuzzers").items()
        return [
            Part(
                f"fuzz/{name.removesuffix('_fuzz')}",
                [lambda listen, name=name, program=program: fuzz(name, program, context, listen)],
                [program, "tests/fuzz"],
            )
            for name, program in known if name.removesuffix("_fuzz") in (wanted or names)
        ]

    build = lambda context, wanted: context.built("asan", *([f"{name}_fuzz" for name in wanted] or ["fuzzers"]))
    return Suite(title, build, parts, names)


def fuzz(name, program, context, listen):
    """Runs one fuzzer for a while, from what it found last time."""
    log = LOGS / f"fuzz-{name}.log"
    corpus, crashes = BUILD / "fuzz" / "corpus" / name, BUILD / "fuzz" / "crashes"
    corpus.mkdir(parents=True, exist_ok=True)
    crashes.mkdir(parents=True, exist_ok=True)
    command = [
        program, f"-max_total_time={context.fuzz_seconds}", f"-timeout={context.stuck_seconds}", "-rss_limit_mb=2048",
        "-print_final_stats=1", f"-artifact_prefix={crashes}/{name}-", corpus,
    ]
    # Beside a fuzzer may lie the words of its format and files to start from.
    dictionary = ROOT / "tests/fuzz" / (name.removesuffix("_fuzz") + ".dict")
    seeds = ROOT / "tests/fuzz/corpus" / name
    if dictionary.exists():
        command.insert(1, f"-dict={dictionary}")
    if seeds.is_dir():
        command.append(seeds)
    # It is one test. An input that takes too long it finds itself.
    status = run(command, log, context.env, stuck_seconds=context.fuzz_seconds + 2 * context.stuck_seconds)
    listen(name)
    executed = re.search(r"number_of_executed_units: (\d+)", log.read_text(errors="replace"))
    if status != 0:
        return failure(f"{name}: {said(status)}{tail(log)}")
    if not executed or int(executed.group(1)) == 0:
        return failure(f"{name}: ran nothing{tail(log)}")
    return Result(passed=1)


class Context:
    """What the suites share: the builds, each done once, the environment, and what was asked for."""

    def __init__(self, arguments, progress):
        self.fuzz_seconds = arguments.fuzz_seconds
        self.filter = arguments.filter
        self.stuck_seconds = arguments.stuck_seconds
        self.progress = progress
        self.built = Builds(progress)
        self.env = {
            # Presented to the suites in tests/command, tests/window and tests/browser.
            "ATTENTION_LIVE_PROGRAM": str(PROGRAM),
            "ATTENTION_LIVE_SITE": str(SITE),
            "UBSAN_OPTIONS": "print_stacktrace=1",
        }
        chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
        if chromium:
            self.env["CHROMIUM"] = os.environ.get("CHROMIUM", chromium)


PROGRAM, SITE = BUILD / "native" / "attention-live", BUILD / "web" / "site"
ROOMS = sorted(path.name for path in (ROOT / "tests/unit").iterdir() if path.is_dir())


def tested_rooms(preset):
    """The rooms whose tests a preset builds."""
    presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
    return next(each for each in presets if each["name"] == preset)["cacheVariables"]["ATTENTION_LIVE_TESTED_ROOMS"].split(";")


SUITES = {
    "lint": program("rules of the house", "lint", [ROOT / "tests/lint/check.py"]),
    "runner": program("what runs the tests", "runner", [sys.executable, ROOT / "tests/runner/test_runner.py"]),
    "bench": node_tests("statistics of the benchmark", "bench"),
    "unit": unit("unit tests, sanitizers", "unit", "asan", "asan", ROOMS),
    "optimised": unit(
        "unit tests, optimised", "optimised", "release", "native", tested_rooms("release"), environments=vectors()
    ),
    "command": node_tests("command", "command", "release", "attention-live", [PROGRAM]),
    "window": node_tests("window", "window", "release", "attention-live", [PROGRAM]),
    "wasm": unit("unit tests, wasm", "wasm", "web", "web", [], ["node"]),
    # A page waits for two thirds of its time: for frames, for timers, for what does not come.
    "browser": node_tests("browser", "browser", "web", "site", [SITE], at_once=2 * CORES),
    "tokenizers": node_tests("real tokenizers", "tokenizers", "web", "site", [SITE]),
    "packages": node_tests("packages", "packages", "web", "site", [SITE], make_packages, 2 * CORES),
    "fuzz": fuzzers("fuzzers"),
}


def chosen(names):
    """Suite -> those of its parts that are wanted; none named is all. An unknown name ends the program."""
    wanted = {}
    for name in names or SUITES:
        suite, _, part = name.removeprefix("tests/").strip("/").partition("/")
        if suite not in SUITES:
            sys.exit(f"There are no tests {name}: name {', '.join(SUITES)}, or a part, such as unit/ops.")
        parts = SUITES[suite].names
        if part and part not in parts:
            among = f"in {suite} there are {', '.join(parts)}" if parts else f"{suite} has no parts"
            sys.exit(f"There are no tests {name}: {among}.")
        wanted.setdefault(suite, set()).add(part)
    return {suite: [] if "" in wanted[suite] else sorted(wanted[suite]) for suite in SUITES if suite in wanted}


def run_suite(suite, names, context, memory, seconds):
    """Builds and runs a suite. Its result, and how many tests of it are known to pass since before."""
    problem = suite.build(context, names)
    if problem:
        return failure(problem), 0
    parts = suite.parts(context, names)
    result, recalled = Result(), 0
    marks = {part.name: fingerprint(part.made_of) for part in parts if part.made_of and memory and not context.filter}
    for part in list(parts):
        counts = memory.recalls(part.name, marks[part.name]) if part.name in marks else None
        if counts:
            parts.remove(part)
            result.add(Result(passed=counts[0], skipped=counts[1]))
            recalled += counts[0]
    problem = parts and suite.prepare(context)
    if problem:
        return failure(problem), 0
    programs_run = [(part, one) for part in parts for one in part.runs]
    counted = Counted(suite.title, len(programs_run))

    def work(part, one):
        start = time.monotonic()
        with counted.program(part.name):
            try:
                ended = one(counted.test_ended)
            except Exception as error:  # a broken report is a failure of that part, not of the others
                ended = failure(f"{part.name}: {type(error).__name__}: {error}")
        return part.name, ended, time.monotonic() - start

    of_parts = {part.name: Result() for part in parts}
    with context.progress.showing(lambda: str(counted)), concurrent.futures.ThreadPoolExecutor(suite.at_once) as cores:
        for name, ended, took in cores.map(lambda each: work(*each), programs_run):
            of_parts[name].add(ended)
            seconds[name] = seconds.get(name, 0) + took
    for name, ended in of_parts.items():
        result.add(ended)
        if name in marks:
            memory.keep(name, marks[name], ended)
    if result.passed + len(result.failures) == 0:
        result = failure("ran nothing")
    return result, recalled


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(description="Build and run the tests.")
    parser.add_argument("only", nargs="*", help=f"{', '.join(SUITES)}, a part of one, such as unit/ops; or changed")
    parser.add_argument("--filter", help="tests by name: GoogleTest's filter, or node's pattern")
    parser.add_argument("--base", help="the commit that `changed` compares with: where this branch left the remote's main")
    parser.add_argument("--again", action="store_true", help="also what passed before and has not changed since")
    parser.add_argument("--fuzz-seconds", type=int, default=15, help="for each fuzzer")
    parser.add_argument("--stuck-seconds", type=int, default=STUCK_SECONDS, help="a program no test of which ends for so long")
    arguments = parser.parse_args()
    only, changed = arguments.only, arguments.only == ["changed"]
    if changed:
        only, about = changed_parts(arguments.base, {name: suite.names for name, suite in SUITES.items()})
        print(about, flush=True)
    wanted = chosen(only)
    if arguments.filter and not only:
        sys.exit("FILTER chooses from a part of the tests: name one with ONLY, such as ONLY=unit/ops.")

    LOGS.mkdir(parents=True, exist_ok=True)
    progress = Progress()
    context = Context(arguments, progress)
    # Whoever names a part wants it run.
    memory = Memory() if (changed or not only) and not arguments.again else None
    total, seconds = Result(), {}
    for key, names in wanted.items():
        start, used = time.monotonic(), processor_seconds()
        try:
            result, recalled = run_suite(SUITES[key], names, context, memory, seconds)
        except Exception as error:  # what is wrong with a suite is a failure of it, not of the others
            result, recalled = failure(f"{type(error).__name__}: {error}"), 0
        skipped = f", {result.skipped} skipped" if result.skipped else ""
        known = f" ({recalled} of them before, and nothing has changed)" if recalled else ""
        progress.line(
            f"{SUITES[key].title:<29} {time.monotonic() - start:6.1f} s {processor_seconds() - used:7.1f} s of processors   "
            f"{result.passed} passed{known}, {len(result.failures)} failed{skipped}"
        )
        for text in result.failures:
            progress.line("    FAILED " + text.replace("\n", "\n    "))
        total.add(result)
        if memory:
            memory.write()
    slowest = sorted({**context.built.seconds, **seconds}.items(), key=lambda each: -each[1])[:SLOWEST]
    if len(slowest) > 1:
        print("slowest: " + ", ".join(f"{name} {took:.1f} s" for name, took in slowest))
    print(f"{total.passed} passed, {len(total.failures)} failed")
    sys.exit(1 if total.failures else 0)


if __name__ == "__main__":
    main()
