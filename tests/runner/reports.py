"""What a suite's programs say of their tests, in the forms for machines: GoogleTest's JSON, and TAP."""

import dataclasses
import json
import re

from runner.paths import LOGS
from runner.process import run

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


def googletest_ended(line):
    """The test that ends with this line of GoogleTest's, or nothing."""
    found = re.match(r"\[ +(?:OK|FAILED|SKIPPED) +\] ([\w/]+\.[\w/]+)", line)
    return found and found[1]


def tap_ended(line):
    """The test that ends with this line of TAP, or nothing."""
    found = re.match(r" *(?:not )?ok \d+(?: - (.*))?", line)
    return found and (found[1] or "one without a name")


def googletest(name, command, env, listen, stuck_seconds):
    """Runs a GoogleTest program. `listen` hears of each test that ends."""
    log, report = LOGS / f"{name}.log", LOGS / f"{name}.json"
    report.unlink(missing_ok=True)
    status = run([*command, f"--gtest_output=json:{report}"], log, env, heard(googletest_ended, listen), stuck_seconds)
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
        result.failures.append(f"{name} left no report: {said(status)}{tail(log)}")
    if status != 0 and not result.failures:
        result.failures.append(f"{name}: {said(status)}{tail(log)}")
    return result


def tap(name, command, env, listen, stuck_seconds):
    """Runs a program that prints TAP with node:test's closing counts."""
    log = LOGS / f"{name}.log"
    status = run(command, log, env, heard(tap_ended, listen), stuck_seconds)
    text = log.read_text(errors="replace")
    counts = dict(re.findall(r"^# (pass|fail|cancelled|skipped|todo) (\d+)$", text, re.MULTILINE))
    count = lambda *kinds: sum(int(counts.get(kind, 0)) for kind in kinds)
    result = Result(count("pass"), failures_named(text, count("fail", "cancelled")), count("skipped", "todo"))
    if status != 0 and not result.failures:
        result.failures.append(f"{name}: {said(status)}{tail(log)}")
    return result


def said(status):
    return status if isinstance(status, str) else f"ended with {status}"


def heard(ended, listen):
    """`ended`, which also tells `listen` of each test."""

    def hear(line):
        test = ended(line)
        if test:
            listen(test)
        return test

    return hear


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
