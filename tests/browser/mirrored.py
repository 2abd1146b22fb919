"""Prints a page of the site in a language that nobody speaks: Hebrew letters, from right to left, a third longer."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools"))
import translate_page  # noqa: E402

LETTERS = {chr(ord("a") + i): chr(0x5D0 + i) for i in range(26)} | {chr(ord("A") + i): chr(0x5D0 + i) for i in range(26)}


def mirrored(english):
    """The words in Hebrew letters, every third one twice; elements, entities and numbers as they are."""
    parts = re.split(r"(\{[^{}]*\}|<(?:code|kbd)\d*>.*?</(?:code|kbd)\d*>|</?[a-z]+\d*>|&\w+;|\w*\d\w*)", english)
    for i in range(0, len(parts), 2):
        words = [word + " " + word if n % 3 == 2 else word for n, word in enumerate(parts[i].split(" "))]
        parts[i] = "".join(LETTERS.get(letter, letter) for letter in " ".join(words))
    return "".join(parts)


page = (ROOT / "web" / sys.argv[1]).read_text(encoding="utf-8")
sys.stdout.write("".join(translate_page.Page(page, "he", mirrored).out))
