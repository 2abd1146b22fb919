"""Runs a program and listens to it: what it prints goes to a log, and one that is stuck is stopped.

A program may take as long as it likes, since a machine may be slow or have other work. It is stuck when none of its tests
has ended for a long time.
"""

import contextlib
import os
import select
import signal
import subprocess
import time

from runner.paths import ROOT

STUCK_SECONDS = 600
clock = time.monotonic


def run(command, log, env=None, ended=None, stuck_seconds=None):
    """The command's exit status, or a sentence where it was stopped. Its output goes to `log`.

    `ended` is given each line and returns the name of the test that ended with it, or nothing. With `stuck_seconds`,
    the command is stopped when none has ended for so long; without, nothing stops it.
    """
    begun = last = clock()
    last_test = None
    with open(log, "wb") as output:
        # A session of its own: what is stuck is stopped with the programs it started.
        process = subprocess.Popen(
            [str(word) for word in command], cwd=ROOT, env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )
        try:
            for line in lines(process, output):
                now = clock()
                test = ended(line) if ended and line is not None else None
                if test:
                    last, last_test = now, test
                elif stuck_seconds and now - last > stuck_seconds:
                    what = f"the last was {last_test}" if last_test else "none ever did"
                    return f"stopped: no test has ended for {now - last:.0f} s ({what}); it ran for {now - begun:.0f} s"
            return process.wait()
        finally:
            stop(process)
            process.stdout.close()


def stop(process):
    """Ends a process and what it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def lines(process, log, pause=1.0):
    """What a process prints, line by line, until it ends; nothing (None) in between, at least once in `pause` seconds."""
    stream, rest, closed = process.stdout.fileno(), b"", False
    while True:
        ended = process.poll() is not None  # asked first: all that it has said can then be read
        if closed:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(pause)
            said = b""
        elif select.select([stream], [], [], 0 if ended else pause)[0]:
            said = os.read(stream, 1 << 16)
            closed = not said
        else:
            said = b""
        log.write(said)
        *whole, rest = (rest + said).split(b"\n")
        yield from (line.decode(errors="replace") for line in whole)
        if ended and not said:
            break
        yield None
    if rest:
        yield rest.decode(errors="replace")
