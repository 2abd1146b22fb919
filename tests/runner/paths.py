"""Where things lie."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
LOGS = BUILD / "logs"


def files(folder, ending):
    """The names in a folder under tests that end so, without that ending; the largest first, which take longest."""
    found = (ROOT / "tests" / folder).glob("*" + ending)
    largest_first = sorted(found, key=lambda path: (-path.stat().st_size, path.name))
    return [path.name.removesuffix(ending) for path in largest_first]
