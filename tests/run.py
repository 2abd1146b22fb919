#!/usr/bin/env python3
"""Builds and runs the tests and adds the results up: what `make test` calls.

Each suite says in a form for machines what passed and failed (GoogleTest's JSON, TAP from node:test
and tests/lint); a suite that does not build, crashes, hangs or runs nothing counts as a failure.
Everything runs even if something failed. Full output is in build/logs; the last line printed is
`N passed, N failed`.

    tests/run.py                                    everything
    tests/run.py unit/ops browser/keyboard lint     these parts, of which only what they need is built
    tests/run.py unit/ops --filter 'Softmax*'       of them, what GoogleTest's filter or node's pattern chooses
"""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
LOGS = BUILD / "logs"
CORES = len(os.sched_getaffinity(0))
SUITE_SECONDS = 1200  # a suite that takes longer hangs
# The shell first: it has no windows of a desktop around it, and a page opens in half the time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
LINES_SHOWN = 25  # of a log, for a failure that says nothing better


@dataclasses.dataclass
class Result:
    passed: int = 0
    failures: list = dataclasses.field(default_factory=list)  # one text each
    skipped: int = 0

    def add(self, other):
        self.passed += other.passed
        self.failures += other.failures
        self.skipped += other.skipped


def failure(text):
    return Result(failures=[text])


def tail(log):
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    return "\n".join(["", *lines[-LINES_SHOWN:]])


def run(command, log, env=None, seconds=SUITE_SECONDS):
    """The command's exit status, or a sentence where it has none. Its output goes to `log`."""
    with open(log, "wb") as output:
        # A session of its own: a hanging suite is stopped with the programs it started.
        process = subprocess.Popen(
            [str(word) for word in command], cwd=ROOT, env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
        )
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return f"stopped after {seconds} s"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def googletest(name, command, env):
    """Runs a GoogleTest program."""
    log, report = LOGS / f"{name}.log", LOGS / f"{name}.json"
    report.unlink(missing_ok=True)
    status = run([*command, f"--gtest_output=json:{report}"], log, env)
    result = Result()
    if report.exists():
        for suite in json.loads(report.read_text())["testsuites"]:
            for test in suite["testsuite"]:
                if test.get("failures"):
                    text = "\n".join(failed["failure"] for failed in test["failures"])
                    result.failures.append(f"{suite['name']}.{test['name']}\n{text}")
                elif test.get("result") == "COMPLETED":
                    result.passed += 1
                else:
                    result.skipped += 1
    else:
        result.failures.append(f"left no report: ended with {status}{tail(log)}")
    if status != 0 and not result.failures:
        result.failures.append(f"ended with {status}{tail(log)}")
    return result


def tap(name, command, env):
    """Runs a program that prints TAP with node:test's closing counts."""
    log = LOGS / f"{name}.log"
    status = run(command, log, env)
    text = log.read_text(errors="replace")
    counts = dict(re.findall(r"^# (pass|fail|cancelled|skipped|todo) (\d+)$", text, re.MULTILINE))
    count = lambda *kinds: sum(int(counts.get(kind, 0)) for kind in kinds)
    result = Result(count("pass"), failures_named(text, count("fail", "cancelled")), count("skipped", "todo"))
    if status != 0 and not result.failures:
        result.failures.append(f"ended with {status}{tail(log)}")
    return result


def failures_named(text, counted):
    """A text for each of the failures that a TAP report counts, those that are failures themselves first."""
    named = re.findall(
        r"^ *not ok \d+ - (?!.*# (?:SKIP|TODO)).*(?:\n(?! *(?:(?:not )?ok |1\.\.|# Subtest)).*)*", text, re.MULTILINE
    )
    # What failed because something in it did has a line of its own, and node counts it only if it is a test: it
    # must not stand in the place of a failure.
    own = [block.strip() for block in named if "failureType: 'subtestsFailed'" not in block]
    around = [block.strip() for block in named if "failureType: 'subtestsFailed'" in block]
    around = around[: max(0, counted - len(own))]
    return own + around + ["a failure without a name"] * (counted - len(own) - len(around))


def programs(preset_dir, kind="programs"):
    """Room or fuzzer -> program, as CMake wrote them down."""
    listed = BUILD / preset_dir / "tests" / f"{kind}.txt"
    lines = listed.read_text().splitlines() if listed.exists() else []
    return dict(line.split(" ", 1) for line in lines if line)


def build(preset, targets):
    """Configures a preset and builds some of it. Returns what failed, or nothing."""
    for step, command in (
        ("configure", [ROOT / "tools/configure", preset]),
        ("build", ["cmake", "--build", "--preset", preset, "--target", *targets, "--", "-k", "0"]),
    ):
        log = LOGS / f"{step}-{preset}-{'-'.join(targets)}.log"
        status = run(command, log)
        if status != 0:
            text = log.read_text(errors="replace")
            # em++ repeats its whole command line after the compiler's own words.
            errors = [
                line for line in dict.fromkeys(text.splitlines())
                if re.search(r"\berror\b[: ]", line, re.IGNORECASE) and not line.startswith("em++:")
            ]
            shown = "\n".join(errors[:LINES_SHOWN]) if errors else tail(log)
            return f"preset {preset} does not {step} ({log.relative_to(ROOT)})\n{shown}"
    return None


def side_by_side(work, each):
    """The results of `work` with each of these, as many at once as there are cores."""
    result = Result()
    with concurrent.futures.ThreadPoolExecutor(CORES) as cores:
        for ended in cores.map(lambda given: work(*given), each):
            result.add(ended)
    return result


def unit(label, preset, preset_dir, launcher=()):
    def suite(context, rooms):
        problem = context.built(preset, *([f"{room}_test" for room in rooms] or ["unit_tests"]))
        if problem:
            return failure(problem)
        found = {room: program for room, program in programs(preset_dir).items() if room in (rooms or [room])}
        if not found:
            return failure("no test program was built")
        shares = CORES  # of each program, so that no core waits for the largest
        return side_by_side(
            lambda room, program, share: googletest(
                f"{label}-{room}-{share}", [*launcher, program, f"--gtest_filter={context.filter or '*'}"],
                {**context.env, "GTEST_TOTAL_SHARDS": str(shares), "GTEST_SHARD_INDEX": str(share)},
            ),
            [(room, program, share) for room, program in found.items() for share in range(shares)],
        )

    return suite


def node_tests(folder, preset=None, target=None, prepare=lambda context: None):
    """The *.test.mjs of a folder under tests."""

    def suite(context, names):
        problem = (preset and context.built(preset, target)) or prepare(context)
        if problem:
            return failure(problem)
        chosen = [ROOT / "tests" / folder / f"{name}.test.mjs" for name in names or files(folder, ".test.mjs")]
        pattern = [f"--test-name-pattern={context.filter}"] if context.filter else []
        command = ["node", "--test", "--test-reporter=tap", f"--test-concurrency={CORES}", *pattern, *chosen]
        return tap(folder, command, context.env)

    return suite


def lint(context, _):
    return tap("lint", [ROOT / "tests/lint/check.py"], context.env)


def make_packages(context):
    """What `make dist` and `make npm` make, of the site that is built. Returns what failed, or nothing."""
    log = LOGS / "packages-made.log"
    status = run(["node", ROOT / "tests/packages/make.mjs"], log, context.env)
    return f"the packages cannot be made{tail(log)}" if status != 0 else None


def fuzz(context, names):
    names = [f"{name}_fuzz" for name in names]
    problem = context.built("asan", *(names or ["fuzzers"]))
    if problem:
        return failure(problem)
    found = [(name, program, context) for name, program in programs("asan", "fuzzers").items() if name in (names or [name])]
    return side_by_side(fuzzer, found) if found else failure("no fuzzer was built")


def fuzzer(name, program, context):
    """Runs one fuzzer for a while, from what it found last time."""
    log = LOGS / f"fuzz-{name}.log"
    corpus, crashes = BUILD / "fuzz" / "corpus" / name, BUILD / "fuzz" / "crashes"
    corpus.mkdir(parents=True, exist_ok=True)
    crashes.mkdir(parents=True, exist_ok=True)
    command = [
        program, f"-max_total_time={context.fuzz_seconds}", "-timeout=10", "-rss_limit_mb=2048",
        "-print_final_stats=1", f"-artifact_prefix={crashes}/{name}-", corpus,
    ]
    # Beside a fuzzer may lie the words of its format and files to start from.
    dictionary = ROOT / "tests/fuzz" / (name.removesuffix("_fuzz") + ".dict")
    seeds = ROOT / "tests/fuzz/corpus" / name
    if dictionary.exists():
        command.insert(1, f"-dict={dictionary}")
    if seeds.is_dir():
        command.append(seeds)
    status = run(command, log, context.env, context.fuzz_seconds + 120)
    executed = re.search(r"number_of_executed_units: (\d+)", log.read_text(errors="replace"))
    if status != 0:
        return failure(f"{name}: ended with {status}{tail(log)}")
    if not executed or int(executed.group(1)) == 0:
        return failure(f"{name}: ran nothing{tail(log)}")
    return Result(passed=1)


class Context:
    """What the suites share: the builds, each done once, the environment, and what was asked for."""

    def __init__(self, arguments):
        self.fuzz_seconds = arguments.fuzz_seconds
        self.filter = arguments.filter
        self.builds = {}
        self.env = {
            # Presented to the suites in tests/command, tests/window and tests/browser.
            "ATTENTION_LIVE_PROGRAM": str(BUILD / "native" / "attention-live"),
            "ATTENTION_LIVE_SITE": str(BUILD / "web" / "site"),
            "UBSAN_OPTIONS": "print_stacktrace=1",
        }
        chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
        if chromium:
            self.env["CHROMIUM"] = os.environ.get("CHROMIUM", chromium)

    def built(self, preset, *targets):
        if (preset, targets) not in self.builds:
            start = time.monotonic()
            self.builds[preset, targets] = build(preset, targets)
            print(f"  built {preset + ': ' + ', '.join(targets):<21} {time.monotonic() - start:6.1f} s", flush=True)
        return self.builds[preset, targets]


def files(folder, ending):
    """The names in a folder under tests that end so, without that ending."""
    return sorted(path.name.removesuffix(ending) for path in (ROOT / "tests" / folder).glob("*" + ending))


ROOMS = sorted(path.name for path in (ROOT / "tests/unit").iterdir() if path.is_dir())
# Name -> title, what runs all of it or some parts, and what parts there are.
SUITES = {
    "lint": ("rules of the house", lint, []),
    "bench": ("statistics of the benchmark", node_tests("bench"), files("bench", ".test.mjs")),
    "unit": ("unit tests, native", unit("unit", "release", "native"), ROOMS),
    "command": ("command", node_tests("command", "release", "attention-live"), files("command", ".test.mjs")),
    "window": ("window", node_tests("window", "release", "attention-live"), files("window", ".test.mjs")),
    "asan": ("unit tests, sanitizers", unit("asan", "asan", "asan"), ROOMS),
    "wasm": ("unit tests, wasm", unit("wasm", "web", "web", ["node"]), []),
    "browser": ("browser", node_tests("browser", "web", "site"), files("browser", ".test.mjs")),
    "tokenizers": ("real tokenizers", node_tests("tokenizers", "web", "site"), files("tokenizers", ".test.mjs")),
    "packages": ("packages", node_tests("packages", "web", "site", make_packages), files("packages", ".test.mjs")),
    "fuzz": ("fuzzers", fuzz, files("fuzz", "_fuzz.cpp")),
}


def chosen(names):
    """Suite -> those of its parts that are wanted; none named is all. An unknown name ends the program."""
    wanted = {}
    for name in names or SUITES:
        suite, _, part = name.removeprefix("tests/").strip("/").partition("/")
        if suite not in SUITES:
            sys.exit(f"There are no tests {name}: name {', '.join(SUITES)}, or a part, such as unit/ops.")
        parts = SUITES[suite][2]
        if part and part not in parts:
            among = f"in {suite} there are {', '.join(parts)}" if parts else f"{suite} has no parts"
            sys.exit(f"There are no tests {name}: {among}.")
        wanted.setdefault(suite, set()).add(part)
    return {suite: [] if "" in wanted[suite] else sorted(wanted[suite]) for suite in SUITES if suite in wanted}


def main():
    parser = argparse.ArgumentParser(description="Build and run the tests.")
    parser.add_argument("only", nargs="*", help=f"{', '.join(SUITES)}, or a part of one, such as unit/ops")
    parser.add_argument("--filter", help="tests by name: GoogleTest's filter, or node's pattern")
    parser.add_argument("--fuzz-seconds", type=int, default=15, help="for each fuzzer")
    arguments = parser.parse_args()
    wanted = chosen(arguments.only)
    if arguments.filter and not arguments.only:
        sys.exit("FILTER chooses from a part of the tests: name one with ONLY, such as ONLY=unit/ops.")

    LOGS.mkdir(parents=True, exist_ok=True)
    context = Context(arguments)
    total = Result()
    for key, parts in wanted.items():
        label, suite, _ = SUITES[key]
        start = time.monotonic()
        try:
            result = suite(context, parts)
            if result.passed + len(result.failures) == 0:
                result = failure("ran nothing")
        except Exception as error:  # a broken report is a failure of that suite, not of the others
            result = failure(f"{type(error).__name__}: {error}")
        skipped = f", {result.skipped} skipped" if result.skipped else ""
        print(
            f"{label:<29} {time.monotonic() - start:6.1f} s   "
            f"{result.passed} passed, {len(result.failures)} failed{skipped}", flush=True,
        )
        for text in result.failures:
            print("    FAILED " + text.replace("\n", "\n    "), flush=True)
        total.add(result)
    print(f"{total.passed} passed, {len(total.failures)} failed")
    sys.exit(1 if total.failures else 0)


if __name__ == "__main__":
    main()
