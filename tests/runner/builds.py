"""Builds what the suites need, each thing once. A build may take as long as it takes."""

import re
import time

from runner.paths import BUILD, LOGS, ROOT
from runner.process import run
from runner.reports import LINES_SHOWN, tail


class Builds:
    def __init__(self, progress):
        self.progress = progress
        self.problems = {}  # of what was built, by preset and targets: a text, or None
        self.seconds = {}

    def __call__(self, preset, *targets):
        """Configures a preset and builds some of it. What failed, or nothing."""
        if (preset, targets) not in self.problems:
            start = time.monotonic()
            self.problems[preset, targets] = self._build(preset, targets)
            name = f"{preset}: {', '.join(targets)}"
            self.seconds[f"building {name}"] = time.monotonic() - start
            self.progress.line(f"  built {name:<21} {time.monotonic() - start:6.1f} s")
        return self.problems[preset, targets]

    def _build(self, preset, targets):
        for step, command in (
            ("configure", [ROOT / "tools/configure", preset]),
            ("build", ["cmake", "--build", "--preset", preset, "--target", *targets, "--", "-k", "0"]),
        ):
            log = LOGS / f"{step}-{preset}-{'-'.join(targets)[:80]}.log"
            made = ["none yet"]

            def hear(line):
                done = re.match(r"\[(\d+)/(\d+)\] (.*)", line)
                if done:
                    made[0] = f"{done[1]} of {done[2]} files"

            with self.progress.showing(lambda: f"building {preset} ({', '.join(targets)}): {made[0]}"):
                status = run(command, log, ended=hear)
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


def programs(preset_dir, kind="programs"):
    """Room or fuzzer -> program, as CMake wrote them down."""
    listed = BUILD / preset_dir / "tests" / f"{kind}.txt"
    lines = listed.read_text().splitlines() if listed.exists() else []
    return dict(line.split(" ", 1) for line in lines if line)
