#!/usr/bin/env python3
"""Every screen of the lesson in one picture: eight examples, one a row, by thirteen steps.

    tests/sheet.py PROGRAM OUT.png [--size 1280x800] [--dark]

PROGRAM is the desktop program; it runs in its test mode, on a virtual display. Fails where it does,
and where a screen is not drawn.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

EXAMPLES = (
    "pool-beats-badminton", "you-are-welcome", "anthony-hopkins", "counting",
    "lazy-dog", "image-patches", "gender-and-number", "your-sentence",
)
STEPS = (
    "sentence", "input", "project", "split", "transpose", "scores",
    "scale", "mask", "softmax", "reweight", "merge", "output", "overview",
)
SECONDS = 600  # drawn in software on a slow machine
WIDTH = 480  # of one screen on the sheet
EMPTIEST = 4000  # bytes of a PNG with nothing but one colour in it are fewer


def requests(folder, theme):
    """The lines that the program is told, and what each of them makes."""
    for example in EXAMPLES:
        yield {"method": "set", "arguments": {"example": example, "theme": theme}}, None
        for step in STEPS:
            yield {"method": "set", "arguments": {"step": step}}, None
            path = folder / f"{example}, {step}.png"
            yield {"method": "screenshot", "arguments": {"path": str(path)}}, path


def captured(program, size, theme, folder):
    """The pictures, in order. Exits with a sentence where one is missing."""
    lines, made = zip(*requests(folder, theme))
    command = [str(program), "window", "--script", "--size", size]
    command = ["xvfb-run", "--auto-servernum", "--server-args=-screen 0 2600x2000x24", *command]
    done = subprocess.run(
        command,
        input="".join(json.dumps(line) + "\n" for line in lines),
        env={**os.environ, "LIBGL_ALWAYS_SOFTWARE": "1", "WAYLAND_DISPLAY": ""},
        stdout=subprocess.PIPE, text=True, timeout=SECONDS, check=False,
    )
    answers = done.stdout.splitlines()
    for line, answer in zip(lines, answers):
        if "error" in json.loads(answer):
            sys.exit(f"{json.dumps(line)}: {json.loads(answer)['error']}")
    if done.returncode or len(answers) != len(lines):
        sys.exit(f"The program ended with {done.returncode} after {len(answers)} of {len(lines)} answers.")
    pictures = [path for path in made if path]
    for path in pictures:
        if not path.is_file() or path.stat().st_size < EMPTIEST:
            sys.exit(f"There is no picture of {path.stem}.")
    return pictures


def typeface():
    """A file of Inter, which the program itself is set in: ImageMagick may have no font of its own."""
    for folder in ("/usr/share/fonts", "/usr/local/share/fonts"):
        for ending in ("otf", "ttf"):
            for path in sorted(pathlib.Path(folder).rglob(f"Inter-Regular.{ending}")):
                return str(path)
    sys.exit("The typeface Inter is missing.")


def sheet(pictures, out, dark):
    """Puts the pictures side by side, each with its name."""
    out.parent.mkdir(parents=True, exist_ok=True)
    paper, ink = ("#101216", "#c8ccd4") if dark else ("#e9ebef", "#20242c")
    labelled = [word for path in pictures for word in ("-label", path.stem, str(path))]
    subprocess.run(
        ["montage", *labelled, "-tile", f"{len(STEPS)}x", "-geometry", f"{WIDTH}x+6+6",
         "-font", typeface(), "-background", paper, "-fill", ink, "-pointsize", "15", "-depth", "8", str(out)],
        check=True, timeout=SECONDS,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--size", default="1280x800", help="logical pixels of each screen")
    parser.add_argument("--dark", action="store_true")
    options = parser.parse_args()
    for tool in ("xvfb-run", "montage"):
        if not shutil.which(tool):
            sys.exit(f"{tool} is missing.")
    with tempfile.TemporaryDirectory() as folder:
        pictures = captured(options.program.resolve(), options.size,
                            "dark" if options.dark else "light", pathlib.Path(folder))
        sheet(pictures, options.out, options.dark)
    print(f"{options.out}: {len(pictures)} screens")


if __name__ == "__main__":
    main()
