"""The rules of the catalogue: what readers see stands in src/texts, and code names it by key."""

import json
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import translate_page  # noqa: E402

# "lesson.step.softmax.title": in the file of its room, src/texts/en/lesson.json.
# What ends in a dot stands for all keys that begin so.
KEY = re.compile(r"[a-z]+((\.[a-z0-9_-]+){2,}|(\.[a-z0-9_-]+)+\.)")
PLACEHOLDER = re.compile(r"\{(\w*)\}")
SENTENCE = re.compile(r"[A-Za-z’']{2,},? [A-Za-z]+")
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\((.*?)\)\1"|"((?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)\'', re.S)
CALL = re.compile(r'\b(counted_text|text)\(\s*"([^"]+)"\s*(,[^{;]*)?(\{\{)?')

# Not for the readers of a lesson: the command's words, which stand beside its options; the code that
# is written out; what a developer sees when something is put together wrongly.
WITHOUT_CATALOGUE = ("src/app/command_line/", "src/code/", "src/main")

# What looks like words and is none: GLSL, lists of fonts, what the API calls a label on the stage.
NO_SENTENCE = re.compile(r"#version .*|.*, (sans-serif|monospace)|(row|column) label", re.S)


def catalogue(files, language="en"):
    """Key -> (path, text) of a language's catalogue."""
    found = {}
    for path, lines in files.items():
        if path.startswith(f"src/texts/{language}/"):
            for key, text in json.loads("\n".join(lines)).items():
                found[key] = (path, text)
    return found


def literals(files):
    """(path, line number, text) of every string in the C++ sources, #includes left out."""
    for path, lines in files.items():
        if not path.startswith("src/") or not path.endswith((".cpp", ".hpp")):
            continue
        source = re.sub(r"^[ \t]*#[ \t]*include.*$", "", "\n".join(lines), flags=re.M)
        for match in TOKEN.finditer(source):
            text = match.group(3) if match.group(3) is not None else match.group(2)
            if text is not None:
                yield path, source.count("\n", 0, match.start()) + 1, text


def rooms(known):
    return {key.split(".")[0] for key in known}


def known_as(key, known):
    """The keys of the catalogue that a string in the code stands for."""
    if key.endswith("."):
        return [each for each in known if each.startswith(key)]
    return [each for each in (key, key + ".one", key + ".other") if each in known]


def unknown_keys(files):
    known = catalogue(files)
    return [
        f"{path}:{number}: no text has the key {text}"
        for path, number, text in literals(files)
        if KEY.fullmatch(text) and text.split(".")[0] in rooms(known) and not known_as(text, known)
    ]


def unused_keys(files):
    known = catalogue(files)
    used = set()
    for _, _, text in literals(files):
        if KEY.fullmatch(text):
            used.update(known_as(text, known))
    return [f"{known[key][0]}: nothing says {key}" for key in known if key not in used]


def languages(files):
    return {path.split("/")[2] for path in files if path.startswith("src/texts/")}


def misplaced_keys(files):
    return [
        f"{path}: {key} belongs into another room's file, or is no key"
        for language in languages(files)
        for key, (path, _) in catalogue(files, language).items()
        if not KEY.fullmatch(key) or path.rpartition("/")[2] != key.split(".")[0] + ".json"
    ]


def incomplete_languages(files):
    """Another language says all that English says, with the same values in it."""
    english = catalogue(files)
    problems = []
    for language in languages(files) - {"en"}:
        own = catalogue(files, language)
        folder = f"src/texts/{language}"
        problems += [f"{folder}: {key} is missing" for key in english if key not in own]
        problems += [f"{path}: there is no {key} in English" for key, (path, _) in own.items() if key not in english]
        for key, (path, text) in own.items():
            places, wanted = (set(PLACEHOLDER.findall(each)) for each in (text, english.get(key, ("", text))[1]))
            if places != wanted:
                problems.append(f"{path}: {key} has places for {sorted(places)}, in English for {sorted(wanted)}")
    return problems


def closing(source, start):
    """Behind the brace that closes the one before `start`."""
    depth = 1
    for match in re.compile(r'"(?:[^"\\\n]|\\.)*"|[{}]').finditer(source, start):
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
        if depth == 0:
            return match.end()
    return len(source)


def wrong_placeholders(files):
    """A call gives just the values that its text has places for."""
    known = catalogue(files)
    problems = []
    for path, lines in files.items():
        if not path.startswith("src/") or not path.endswith((".cpp", ".hpp")):
            continue
        source = "\n".join(lines)
        for match in CALL.finditer(source):
            counted, key = match.group(1) == "counted_text", match.group(2)
            given = {"count"} if counted else set()
            if match.group(4):
                values = source[match.end() - 1 : closing(source, match.end() - 1)]
                given |= set(re.findall(r'\{\s*"(\w+)"', values))
            for each in known_as(key, known) if not key.endswith(".") else []:
                wanted = set(PLACEHOLDER.findall(known[each][1]))
                if wanted - given or given - wanted - {"count"}:
                    number = source.count("\n", 0, match.start()) + 1
                    problems.append(f"{path}:{number}: {each} has places for {sorted(wanted)}, given are {sorted(given)}")
    return problems


# What the page says beside the program, by key as well: 'mirror.steps.play' in web/texts/en/mirror.mjs.
WEB_KEY = re.compile(r"'([a-z]+(?:_[a-z]+)*\.[a-z_]+\.[a-z_]+)'")
WEB_TEXT = re.compile(r"^  " + WEB_KEY.pattern + r":((?:\s*'(?:[^'\\\n]|\\.)*'\s*\+?)+),", re.M)


def web_catalogue(files, language):
    """Key -> (path, text) of what the page says beside the program."""
    found = {}
    for path, lines in files.items():
        if path.startswith(f"web/texts/{language}/"):
            found.update({key: (path, text) for key, text in WEB_TEXT.findall("\n".join(lines))})
    return found


def web_modules(files):
    return {path: "\n".join(lines) for path, lines in files.items()
            if path.startswith("web/") and not path.startswith("web/texts/") and path.endswith(".mjs")}


def web_keys(files):
    """Every key in the page's modules has a text in the module of its room, and every text is said somewhere."""
    known = web_catalogue(files, "en")
    problems = [f"{path}: {key} belongs into another module" for key, (path, _) in known.items()
                if path != f"web/texts/en/{key.split('.')[0]}.mjs"]
    used = set()
    for path, source in web_modules(files).items():
        for key in WEB_KEY.findall(source):
            used.add(key)
            if key not in known and key.split(".")[0] in rooms(known):
                problems.append(f"{path}: no text has the key {key}")
    return problems + [f"{path}: nothing says {key}" for key, (path, _) in known.items() if key not in used]


def incomplete_web_languages(files):
    """Another language says beside the program all that English says, with the same values, in the same module."""
    english = web_catalogue(files, "en")
    problems = []
    for language in {path.split("/")[2] for path in files if re.match(r"web/texts/\w+/", path)} - {"en"}:
        own = web_catalogue(files, language)
        problems += [f"web/texts/{language}: {key} is missing" for key in english if key not in own]
        for key, (path, text) in own.items():
            wanted, in_english = english.get(key, ("", ""))
            if path != wanted.replace("/en/", f"/{language}/"):
                problems.append(f"{path}: {key} is not there in English")
            elif sorted(set(PLACEHOLDER.findall(text))) != sorted(set(PLACEHOLDER.findall(in_english))):
                problems.append(f"{path}: {key} has other places for values than in English")
    return problems


def wrong_pages(files):
    """Every page says in every language what it says in English today, with the same elements and numbers."""
    problems = []
    languages_there = {path.split("/")[2] for path in files if re.match(r"web/texts/\w+/", path)} - {"en"}
    for page in translate_page.PAGES:
        english = "\n".join(files.get(f"web/{page}", []))
        for language in languages_there:
            path = f"web/texts/{language}/pages/{page.replace('.html', '.txt')}"
            catalogue = translate_page.read_catalogue("\n".join(files.get(path, [])))
            problems += [f"{path}: {problem}" for problem in translate_page.translated(english, catalogue, language)[1]]
    return problems


# What only an author sees, in the console or as the message of an error: the same in every language. Figures as code.
FOR_AUTHORS = (
    "web/engine.mjs", "web/article/split_code.mjs", "web/element/attributes.mjs", "web/element/element.mjs",
    "web/element/figure.mjs", "web/frame/parameters.mjs", "web/frame/protocol.mjs", "web/program/api.mjs",
)
WEB_TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`", re.S)
WEB_SENTENCE = re.compile(r"[A-Z][a-z]+[^<>{}=;$]* [a-z]{2,}[^<>{}=;]*$")
WEB_WORD = re.compile(r"\b(?:textContent|innerHTML|title|placeholder|ariaLabel|'aria-label')\s*[:=,]\s*'([^']*[A-Za-z]{2}[^']*)'")


def web_sentences_in_code(files):
    """What looks like a sentence for readers in the page's modules, a capital and more words, or is put into an element."""
    problems = []
    for path, source in web_modules(files).items():
        problems += [f"{path}: words for readers belong into web/texts: {text!r}" for text in WEB_WORD.findall(source)]
        for match in WEB_TOKEN.finditer("" if path in FOR_AUTHORS else source):
            text = match.group(1) or match.group(2) or ""
            if text not in NOT_SAID and WEB_SENTENCE.match(re.sub(r"\$\{[^}]*\}", "0", text).strip()):
                problems.append(f"{path}:{source.count(chr(10), 0, match.start()) + 1}: words for readers belong into web/texts: {text!r}")
    return problems


def sentences_in_code(files):
    return [
        f"{path}:{number}: words for readers belong into src/texts: {text!r}"
        for path, number, text in literals(files)
        if not path.startswith(WITHOUT_CATALOGUE)
        and text not in NOT_SAID
        and SENTENCE.search(text)
        and not NO_SENTENCE.fullmatch(text)
    ]


# What looks like a sentence there and is none of the program's: the sentences of examples, in the
# languages they are in; what is written into files; what only a compiler or a debugger shows.
NOT_SAID = {
    "You are welcome",
    "De nada",
    "Anthony Hopkins admired Michael Bay as a great director.",
    "Anthony Hopkins hat Michael Bay als einen ganz großen Regisseur bewundert .",
    "the cat jumped over the lazy dog",
    "king queen boys girls house books she it",
    "the fox saw the owl before the owl saw the fox",
    "He admired her as a great director.",
    "Trained on sentence pairs from www.manythings.org/anki and tatoeba.org, CC-BY 2.0",
    "import numpy as np",
    "import torch",
    "safetensors numbers are copied as they lie in the file",
    "attention-live web",
    "The lesson was taken away.",
    "Another lesson took its place.",
    "The server has no page.",
}
