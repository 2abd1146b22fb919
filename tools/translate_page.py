#!/usr/bin/env python3
"""translate_page.py PAGE CATALOGUE LANGUAGE OUT: writes an HTML page in another language.

The English page is the one source of structure: elements, figures, links, numbers. The catalogue has its
texts, block by block, each with the key of the English block, which changes as soon as the English does:

    5f3a91c2 Nimm den Satz <i>pool beats badminton</i>: {0.5} steht für <a0>Sport</a0>.

    0b7d11aa Inhalt

An element with attributes is called by its tag and a number, counted from 0 within the block; a number of a
figure stands in braces (equal ones keep their order). A block of the page that the catalogue lacks, since it
is new or its English has changed, is an error that says it with its key; so is a block that is in the page no
more, or has other elements or other numbers than its English. Then nothing is written.
"""

import collections
import hashlib
import html
import html.parser
import pathlib
import re
import sys

INLINE = {"a", "abbr", "b", "code", "em", "i", "kbd", "small", "span", "strong", "sub", "sup", "var"}
VOID = {"br", "hr", "img", "input", "link", "meta"}
SAID = {"aria-label", "label", "placeholder", "title", "alt"}  # attributes that a reader reads or hears
RIGHT_TO_LEFT = {"ar", "fa", "he", "ur"}
PAGES = ("index.html", "lesson.html", "authors.html")
LETTERS = re.compile(r"[^\W\d_]{2}|^[^\W\d_]$")
MARK = re.compile(r"\{[^{}]*\}|</?[a-z]+\d*>")


class Tokens(html.parser.HTMLParser):
    """The page as (kind, raw text, tag, attributes); the raw texts together are the page."""

    def __init__(self, page):
        super().__init__(convert_charrefs=False)
        self.list = []
        self.feed(page)
        self.close()

    def handle_decl(self, decl):
        self.list.append(("other", f"<!{decl}>", "", {}))

    def handle_comment(self, data):
        self.list.append(("other", f"<!--{data}-->", "", {}))

    def handle_starttag(self, tag, attrs):
        self.list.append(("start", self.get_starttag_text(), tag, dict(attrs)))

    def handle_endtag(self, tag):
        self.list.append(("end", f"</{tag}>", tag, {}))

    def handle_data(self, data):
        self.list.append(("text", data, "", {}))

    def handle_entityref(self, name):
        self.handle_data(f"&{name};")

    def handle_charref(self, name):
        self.handle_data(f"&#{name};")


def key_of(block):
    return hashlib.sha256(block.encode()).hexdigest()[:8]


def squeezed(text):
    return re.sub(r"[ \t\n]+", " ", text)


class Block:
    """A run of text with the elements in it: `marked` is what is translated, `raw` what each mark stands for."""

    def __init__(self, tokens, translated):
        self.raw = collections.defaultdict(list)
        parts, open_marks, number = [], [], 0
        tokens = iter(tokens)
        for kind, raw, tag, attributes in tokens:
            if kind == "start" and "data-number" in attributes:
                written = ""
                while not written.endswith("</span>"):
                    written += next(tokens)[1]
                parts.append("{%s}" % written[: -len("</span>")])
                self.raw[parts[-1]].append(raw + written)
            elif kind == "start" and attributes:
                open_marks.append(f"{tag}{number}")
                number += 1
                parts.append(f"<{open_marks[-1]}>")
                self.raw[parts[-1]].append(translated(raw, tag, attributes))
            elif kind == "start":
                open_marks.append(tag)
                parts.append(raw)
            elif kind == "end":
                mark = open_marks.pop()
                parts.append(f"</{mark}>")
                self.raw[parts[-1]].append(raw)
            else:
                parts.append(raw)
        whole = squeezed("".join(parts))
        self.marked = whole.strip()
        self.before, self.after = (" " if whole[:1] == " " else ""), (" " if whole[-1:] == " " else "")

    def says_something(self):
        plain = re.sub(r"<(code|kbd)\d*>.*?</\1\d*>", "", self.marked)
        return bool(LETTERS.search(html.unescape(MARK.sub("", plain)).strip()))

    def written(self, translation):
        """`translation` with the elements of the English block."""
        left = {mark: list(raw) for mark, raw in self.raw.items()}
        return self.before + MARK.sub(lambda found: left[found[0]].pop(0) if left.get(found[0]) else found[0], translation) + self.after


def digits(text):
    """All numbers in a text, however thousands are grouped."""
    return sorted(re.findall(r"\d+(?:\.\d+)?", re.sub(r"(?<=\d)(?:,|&nbsp;|[\u00a0\u202f])(?=\d{3})", "", MARK.sub("", text))))


def wrong_with(english, translation):
    """What differs that must not, as a sentence; nothing if all is well."""
    marks = [sorted(MARK.findall(text)) for text in (english, translation)]
    if marks[0] != marks[1]:
        lost, added = (collections.Counter(a) - collections.Counter(b) for a, b in (marks, marks[::-1]))
        return f"lacks {sorted(lost.elements())}, has {sorted(added.elements())} instead"
    depth = []
    for mark in MARK.findall(translation):
        if mark.startswith("</"):
            if not depth or depth.pop() != mark[2:]:
                return f"{mark} closes another element"
        elif mark.startswith("<"):
            depth.append(mark[1:])
    if digits(english) != digits(translation):
        return f"has the numbers {digits(translation)}, in English {digits(english)}"
    return ""


def read_catalogue(text):
    """Key -> translation."""
    found = {}
    for paragraph in filter(None, re.split(r"\n\s*\n", text.strip())):
        key, _, translation = squeezed(paragraph).partition(" ")
        found[key] = translation.strip()
    return found


def elsewhere(address, language):
    """The address of a page of the site, in a language."""
    name, mark, rest = address.partition("#")
    name = "index.html" if name == "./" else name
    return name.replace(".html", f".{language}.html") + mark + rest if name in PAGES else address


class Page:
    """A page being translated. `say` gives a translation for an English block."""

    def __init__(self, page, language, say):
        self.language = language
        self.say = say
        self.out = []
        run, silent = [], []  # the tokens of a block; the elements whose text is no language
        for token in Tokens(page).list:
            kind, raw, tag, attributes = token
            if kind == "start" and tag not in VOID and (silent or tag in ("pre", "script") or attributes.get("translate") == "no"):
                self.flush(run)
                run = []
                silent.append(tag)
                self.out.append(self.tag(raw, tag, attributes))
            elif silent:
                if kind == "end" and tag == silent[-1]:
                    silent.pop()
                self.out.append(self.tag(raw, tag, attributes) if kind == "start" else raw)
            elif kind == "text" or tag in INLINE:
                run.append(token)
            else:
                self.flush(run)
                run = []
                self.out.append(self.tag(raw, tag, attributes) if kind == "start" else raw)
        self.flush(run)

    def flush(self, run):
        block = Block(run, self.tag) if run else None
        if block and block.says_something():
            self.out.append(block.written(self.say(block.marked)))
        else:
            self.out += [self.tag(raw, tag, attributes) if kind == "start" else raw for kind, raw, tag, attributes in run]

    def tag(self, raw, tag, attributes):
        """A start tag with its words and its links to other pages in the language."""
        words = {name for name in SAID & attributes.keys() if LETTERS.search(attributes[name] or "")}
        if tag == "meta" and attributes.get("name") == "description":
            words.add("content")
        if tag == "input" and attributes.get("type") == "text" and attributes.get("value"):
            words.add("value")
        changed = {name: html.escape(self.say(squeezed(attributes[name]))) for name in words if attributes.get("translate") != "no"}
        if "hreflang" in attributes and tag == "a":
            raw = raw.replace(' aria-current="true"', "")
            if attributes["hreflang"] == self.language:
                raw = raw[:-1] + ' aria-current="true">'
        elif tag == "a" and "href" in attributes:
            changed["href"] = html.escape(elsewhere(attributes["href"], self.language))
        elif tag == "meta" and attributes.get("name") == "attention-live-page":
            changed["content"] = elsewhere(attributes["content"], self.language)
        elif tag == "html":
            changed["lang"] = self.language
            if self.language.split("-")[0] in RIGHT_TO_LEFT:
                raw = raw[:-1] + ' dir="rtl">'
        for name, value in changed.items():
            raw = re.sub(rf'(\s{name}=")[^"]*"', lambda found: f'{found[1]}{value}"', raw)
        return raw


def translated(page, catalogue, language):
    """The page in that language, and what is wrong with the catalogue, as sentences."""
    problems, used = [], {}

    def say(english):
        key = key_of(english)
        used[key] = True
        translation = catalogue.get(key)
        if translation is None:
            problems.append(f"no translation of\n{key} {english}\n")
            return english
        if wrong := wrong_with(english, translation):
            problems.append(f"{key} {wrong}\n  {english}\n  {translation}\n")
        return translation

    made = "".join(Page(page, language, say).out)
    problems += [f"the page has no block {key} any more: {catalogue[key][:60]}" for key in catalogue if key not in used]
    return made, problems


def main():
    page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    catalogue = read_catalogue(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
    language = sys.argv[3]
    made, problems = translated(page, catalogue, language)
    if problems:
        sys.exit("\n".join(f"{sys.argv[2]}: {problem}" for problem in problems))
    pathlib.Path(sys.argv[4]).write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
