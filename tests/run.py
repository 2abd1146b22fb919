#!/usr/bin/env python3
"""Builds and runs every test and adds the results up: what `make test` calls.

Each suite says in a form for machines what passed and failed (GoogleTest's JSON, TAP from node:test
and tests/lint); a suite that does not build, crashes, hangs or runs nothing counts as a failure.
Everything runs even if something failed. Full output is in build/logs; the last line printed is
`N passed, N failed`.
"""

import argparse
import concurrent.futures
import contextlib
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
SUITE_SECONDS = 600  # a suite that takes longer hangs
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LINES_SHOWN = 25  # of a log, for a failure that says nothing better


class Result:
    def __init__(self):
        self.passed = 0
        self.failures = []  # one text each
        self.skipped = 0

    def add(self, other):
        self.passed += other.passed
        self.failures += other.failures
        self.skipped += other.skipped


def failure(text):
    result = Result()
    result.failures.append(text)
    return result


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
    if status != 0 and not result.failures:
        result.failures.append(f"ended with {status}{tail(log)}")
    elif result.passed + len(result.failures) == 0:
        result.failures.append(f"ran nothing{tail(log)}")
    return result


def tap(name, command, env, seconds=SUITE_SECONDS):
    """Runs a program that prints TAP with node:test's closing counts."""
    log = LOGS / f"{name}.log"
    status = run(command, log, env, seconds)
    text = log.read_text(errors="replace")
    counts = dict(re.findall(r"^# (pass|fail|cancelled|skipped|todo) (\d+)$", text, re.MULTILINE))
    result = Result()
    result.passed = int(counts.get("pass", 0))
    result.skipped = int(counts.get("skipped", 0)) + int(counts.get("todo", 0))
    wanted = int(counts.get("fail", 0)) + int(counts.get("cancelled", 0))
    named = re.findall(r"^ *not ok \d+ - (?!.*# (?:SKIP|TODO)).*(?:\n(?! *(?:not )?ok |1\.\.).*)*", text, re.MULTILINE)
    result.failures = [block.strip() for block in named][:wanted]
    result.failures += ["a failure without a name"] * (wanted - len(result.failures))
    if status != 0 and not result.failures:
        result.failures.append(f"ended with {status}{tail(log)}")
    elif result.passed + len(result.failures) == 0:
        result.failures.append(f"ran nothing{tail(log)}")
    return result


def programs(preset_dir, kind="programs"):
    """Room or fuzzer -> program, as CMake wrote them down."""
    listed = BUILD / preset_dir / "tests" / f"{kind}.txt"
    lines = listed.read_text().splitlines() if listed.exists() else []
    return dict(line.split(" ", 1) for line in lines if line)


def build(preset):
    """Configures and builds a preset. Returns what failed, or nothing."""
    for step, command in (
        ("configure", ["cmake", "--preset", preset]),
        ("build", ["cmake", "--build", "--preset", preset, "--", "-k", "0"]),
    ):
        log = LOGS / f"{step}-{preset}.log"
        status = run(command, log, seconds=1200)
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


def unit(label, preset, preset_dir, launcher=(), env=None):
    def suite(context):
        problem = context.built(preset)
        if problem:
            return failure(problem)
        found = programs(preset_dir)
        if not found:
            return failure("no test program was built")
        environment = {**context.env, **(env or {})}
        return side_by_side(lambda room, program: googletest(f"{label}-{room}", [*launcher, program], environment), found)

    return suite


def node_tests(folder, presets, seconds=SUITE_SECONDS, label=None, wanted=lambda name: True):
    """The *.test.mjs of a folder under tests/ whose names, without that ending, are wanted."""

    def suite(context):
        for preset in presets:
            problem = context.built(preset)
            if problem:
                return failure(problem)
        found = sorted((ROOT / "tests" / folder).glob("*.test.mjs"))
        files = [path for path in found if wanted(path.name.removesuffix(".test.mjs"))]
        if not files:
            return failure(f"tests/{folder} has no *.test.mjs that is wanted here")
        command = ["node", "--test", "--test-reporter=tap", f"--test-concurrency={CORES}", *files]
        return tap(label or folder, command, context.env, seconds)

    return suite


def lint(context):
    return tap("lint", [ROOT / "tests/lint/check.py"], context.env)


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
    result = Result()
    result.passed = 1
    return result


def side_by_side(work, each):
    """The results of `work(name, program)` of all, as many at once as there are cores."""
    result = Result()
    with concurrent.futures.ThreadPoolExecutor(CORES) as cores:
        for ended in cores.map(lambda named: work(*named), each.items()):
            result.add(ended)
    return result


def fuzz(context):
    problem = context.built("asan")
    if problem:
        return failure(problem)
    found = programs("asan", "fuzzers")
    return side_by_side(lambda *named: fuzzer(*named, context), found) if found else failure("no fuzzer was built")


class Context:
    """What the suites share: the builds, each done once, and the environment."""

    def __init__(self, fuzz_seconds):
        self.fuzz_seconds = fuzz_seconds
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

    def built(self, preset):
        if preset not in self.builds:
            start = time.monotonic()
            self.builds[preset] = build(preset)
            print(f"  built {preset:<21} {time.monotonic() - start:6.1f} s", flush=True)
        return self.builds[preset]


def install_packages(context):
    """npm ci, unless what the lock file wants is there."""
    lock, installed = ROOT / "package-lock.json", ROOT / "node_modules" / ".package-lock.json"
    if installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime:
        return None
    log = LOGS / "npm.log"
    status = run(["npm", "ci", "--no-progress"], log, context.env)
    return None if status == 0 else f"npm ci ended with {status}{tail(log)}"


# Of the browser tests, those of pages that have figures in them, and of what such pages need.
AROUND = {"article", "authors", "element", "embed_code", "firefox", "frame", "manners", "many", "mirror"}


def browser(label, wanted):
    def suite(context):
        problem = install_packages(context)
        if problem:
            return failure(problem)
        return node_tests("browser", ["web"], 900, label, wanted)(context)

    return suite


def packages(context):
    """What `make dist` and `make npm` make, of the site that is built."""
    problem = install_packages(context) or context.built("web")
    if problem:
        return failure(problem)
    log = LOGS / "packages-made.log"
    status = run(["node", ROOT / "tests/packages/make.mjs"], log, context.env)
    if status != 0:
        return failure(f"the packages cannot be made{tail(log)}")
    return node_tests("packages", [])(context)


NODE = ["node"]
SUITES = {
    "lint": ("rules of the house", lint),
    "bench": ("statistics of the benchmark", node_tests("bench", [])),
    "native": ("unit tests, native", unit("native", "release", "native")),
    "command": ("command", node_tests("command", ["release"])),
    "window": ("window", node_tests("window", ["release"])),
    "asan": ("unit tests, sanitizers", unit("asan", "asan", "asan")),
    "wasm": ("unit tests, wasm", unit("wasm", "web", "web", NODE)),
    "browser": ("browser, the program", browser("browser", lambda name: name not in AROUND)),
    "pages": ("browser, pages around it", browser("pages", lambda name: name in AROUND)),
    "packages": ("packages", packages),
    "fuzz": ("fuzzers", fuzz),
}


def main():
    parser = argparse.ArgumentParser(description="Build and run the tests.")
    parser.add_argument("--only", nargs="+", choices=SUITES, metavar="SUITE", help=", ".join(SUITES))
    parser.add_argument("--fuzz-seconds", type=int, default=15, help="for each fuzzer")
    arguments = parser.parse_args()

    LOGS.mkdir(parents=True, exist_ok=True)
    context = Context(arguments.fuzz_seconds)
    total = Result()
    for key in arguments.only or SUITES:
        label, suite = SUITES[key]
        start = time.monotonic()
        try:
            result = suite(context)
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
