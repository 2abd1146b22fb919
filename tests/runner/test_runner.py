#!/usr/bin/env python3
"""Tests of what runs the tests. Prints TAP with node:test's closing counts, as the other suites do."""

import contextlib
import io
import pathlib
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from runner import builds, changed, memory, process, progress, reports  # noqa: E402

STUCK = 600


def python(text):
    return [sys.executable, "-u", "-c", text]


SLOW = "for i in range(1, 21): print(f'ok {i} - test {i}')\nprint('# pass 20')"
SLOW_GOOGLETEST = "for i in range(20): print(f'[       OK ] A.B{i} (0 ms)')"
# Ends one test and then says a lot, but never that another test ended; a child of it would stay behind.
STUCK_AFTER_ONE = (
    "import subprocess, sys, time\nprint('ok 1 - the first')\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'])\nprint('child', child.pid)\n"
    "while True:\n  time.sleep(0.05)\n  print('still at it')"
)


class Clock:
    """Goes on by some seconds each time that it is looked at, which is for each line, and while there is none."""

    def __init__(self, step):
        self.now, self.step = 0, step

    def __call__(self):
        self.now += self.step
        return self.now


class Running(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.log = self.folder / "log"
        kept, reports.LOGS = reports.LOGS, self.folder
        self.addCleanup(setattr, reports, "LOGS", kept)
        self.addCleanup(setattr, process, "clock", process.clock)

    def tap(self, name, text, heard=lambda _: None):
        return reports.tap(name, python(text), {}, heard, STUCK)

    def test_a_suite_that_is_slow_but_alive_passes(self):
        heard = []
        clock = process.clock = Clock(0)

        def hear(test):
            heard.append(test)
            clock.now += STUCK - 1

        result = self.tap("slow", SLOW, hear)
        self.assertEqual((result.passed, result.failures, len(heard)), (20, [], 20))
        self.assertGreater(clock.now, 10 * STUCK)

    def test_so_does_one_of_googletests(self):
        clock = process.clock = Clock(0)

        def ended(line):
            clock.now += STUCK - 1
            return reports.googletest_ended(line)

        status = process.run(python(SLOW_GOOGLETEST), self.log, ended=ended, stuck_seconds=STUCK)
        self.assertEqual((status, clock.now), (0, 20 * (STUCK - 1)))

    def test_a_suite_that_is_stuck_is_stopped_and_named_with_what_it_started(self):
        process.clock = Clock(STUCK / 10)
        result = self.tap("stuck", STUCK_AFTER_ONE)
        self.assertEqual(len(result.failures), 1)
        self.assertRegex(
            result.failures[0],
            r"^stuck: stopped: no test has ended for 6\d\d s \((the last was the first|none ever did)\); it ran for \d+ s\n",
        )

    def test_what_a_stuck_suite_started_ends_with_it(self):
        clock = process.clock = Clock(0)

        def ended(line):
            clock.now += 2 * STUCK if line == "still at it" else 0
            return reports.tap_ended(line)

        status = process.run(python(STUCK_AFTER_ONE), self.log, ended=ended, stuck_seconds=STUCK)
        self.assertIn("the last was the first", status)
        child = pathlib.Path("/proc") / self.log.read_text().split("child ")[1].split()[0] / "stat"

        def lives():
            try:
                return child.read_text().split()[2] != "Z"
            except OSError:
                return False

        while lives():  # it has been told to end; this test is stuck if it never does
            time.sleep(0.01)

    def test_a_suite_that_never_begins_is_stopped(self):
        process.clock = Clock(STUCK)
        status = process.run(python("import time; time.sleep(1000)"), self.log, stuck_seconds=STUCK)
        self.assertRegex(status, "no test has ended for .*none ever did")

    def test_a_suite_that_closes_its_output_and_stays_is_stopped(self):
        process.clock = Clock(STUCK)
        status = process.run(python("import os, time; os.close(1); os.close(2); time.sleep(1000)"), self.log, stuck_seconds=STUCK)
        self.assertRegex(status, "no test has ended")

    def test_a_build_has_no_limit(self):
        process.clock = Clock(1000 * STUCK)
        kept, builds.LOGS = builds.LOGS, self.folder
        self.addCleanup(setattr, builds, "LOGS", kept)
        ran = []

        def as_if(command, log, **given):
            ran.append(command)
            return process.run(python("print('[1/1] Building a file'); print('[2/2] Linking')"), log, **given)

        kept_run, builds.run = builds.run, as_if
        self.addCleanup(setattr, builds, "run", kept_run)
        self.assertIsNone(builds.Builds(progress.Progress(io.StringIO()))("release", "attention-live"))
        self.assertEqual(len(ran), 2)

    def test_what_a_program_prints_is_in_its_log_whole(self):
        process.run(python("print('a' * 300000); print('b', end='')"), self.log)
        self.assertEqual(self.log.read_text(), "a" * 300000 + "\nb")

    def test_a_crash_fails(self):
        result = self.tap("crash", "print('ok 1 - a'); print('# pass 1'); import os; os.abort()")
        self.assertRegex(result.failures[0], "^crash: ended with -6")


class SayingHowFarItIs(unittest.TestCase):
    def test_plain_lines_come_now_and_then_and_none_for_what_is_quick(self):
        out = io.StringIO()
        lines = progress.Progress(out, every=0.05)
        said = threading.Event()
        with lines.showing(lambda: said.set() or "3 of 7"):
            self.assertTrue(said.wait(60))
        self.assertIn("  3 of 7\n", out.getvalue())
        before = out.getvalue()
        with progress.Progress(out, every=1000).showing(lambda: "quick"):
            pass
        self.assertEqual(out.getvalue(), before)

    def test_the_tests_and_programs_are_counted(self):
        counted = progress.Counted("command", 3)
        with counted.program("command/a"):
            counted.test_ended("one")
            self.assertEqual(str(counted), "command: 1 tests, 0 of 3 programs have ended; runs command/a")


class Remembering(unittest.TestCase):
    def test_a_part_is_recalled_while_what_it_is_made_of_is_the_same(self):
        with tempfile.TemporaryDirectory() as place:
            program = pathlib.Path(place, "program")
            program.write_text("a")
            first = memory.fingerprint([program])
            kept = memory.Memory(pathlib.Path(place, "passed.json"))
            kept.keep("unit/ops", first, reports.Result(passed=3, skipped=1))
            kept.keep("unit/base", first, reports.Result(passed=3, failures=["b"]))
            kept.write()
            again = memory.Memory(pathlib.Path(place, "passed.json"))
            self.assertEqual(again.recalls("unit/ops", first), [3, 1])
            self.assertIsNone(again.recalls("unit/base", first))
            program.write_text("b")
            memory.digest.cache_clear()
            self.assertIsNone(again.recalls("unit/ops", memory.fingerprint([program])))


NAMES = {
    "lint": [], "runner": [], "bench": ["statistics"], "unit": ["base", "tensor", "model", "document", "stage", "draw", "app"],
    "optimised": ["model"], "command": ["trace"], "window": ["program"], "wasm": [],
    "browser": ["cells", "keyboard"], "packages": ["npm"], "fuzz": ["link", "state"],
}


class Reached(unittest.TestCase):
    def reached(self, path):
        return changed.parts_of(path, NAMES)

    def test_a_room_reaches_the_rooms_above_it_alone(self):
        of_stage = self.reached("src/stage/scene/number_text.cpp")
        self.assertLessEqual({"unit/stage", "unit/draw", "unit/app", "window/program", "browser/cells", "fuzz/state"}, of_stage)
        self.assertFalse({"unit/document", "unit/model", "optimised/model", "wasm", "command", "fuzz/link"} & of_stage)
        self.assertLessEqual({"unit/model", "optimised/model", "unit/stage", "wasm", "command", "fuzz/link"}, self.reached("src/model/x.cpp"))

    def test_a_test_reaches_itself_and_a_helper_those_that_load_it(self):
        self.assertEqual(self.reached("tests/unit/stage/x_test.cpp"), {"unit/stage"})
        self.assertEqual(self.reached("tests/browser/cells.test.mjs"), {"browser/cells"})
        self.assertEqual(self.reached("tests/browser/harness.mjs"), {"browser/keyboard"})
        self.assertEqual(self.reached("tests/runner/process.py"), {"runner"})

    def test_the_page_and_how_things_are_built(self):
        self.assertEqual(self.reached("web/page.mjs"), {"browser", "packages"})
        self.assertEqual(self.reached("tools/cmake/Compiler.cmake"), set(NAMES))


def main():
    """Runs the tests and prints each as it ends."""
    passed = failed = 0
    print("TAP version 13")
    for number, test in enumerate(all_tests(unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])), 1):
        result = unittest.TestResult()
        with contextlib.redirect_stderr(io.StringIO()):
            test.run(result)
        problems = [text for _, text in result.failures + result.errors]
        passed, failed = passed + (not problems), failed + bool(problems)
        print(f"{'not ok' if problems else 'ok'} {number} - {test._testMethodName.removeprefix('test_').replace('_', ' ')}", flush=True)
        for line in "\n".join(problems).splitlines():
            print(f"  # {line}")
    print(f"1..{passed + failed}\n# tests {passed + failed}\n# pass {passed}\n# fail {failed}")
    sys.exit(1 if failed else 0)


def all_tests(suite):
    for each in suite:
        yield from all_tests(each) if isinstance(each, unittest.TestSuite) else [each]


if __name__ == "__main__":
    main()
