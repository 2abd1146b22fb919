#!/usr/bin/env python3
"""Cuts the fonts down to what the program shows and writes them as C++ arrays.

    subset_fonts.py [--web] OUTPUT.cpp NAME=FONT_FILE ...

--web leaves out what the program's own texts do not use: a browser has fonts of its own for what a
learner types (src/platform/web/web_text.cpp), and every kilobyte travels.

The program rasterises glyphs with stb_truetype (Dear ImGui's default), which reads outlines, widths
and the character map and nothing else: hinting, kerning, ligatures, names and side bearings are
dropped. Tabular figures are a layout feature it does not know either, so the digits of a font that
has them are made its ordinary digits.
"""

import io
import os
import sys

from fontTools import subset
from fontTools.cffLib import cffStandardStrings
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem

ASCII = [(0x0020, 0x007E)]
LATIN_1 = [(0x00A0, 0x00FF)]
# Characters that readers may type: Latin with accents, Greek, Cyrillic, Vietnamese.
TYPED = [(0x0100, 0x024F), (0x0370, 0x03FF), (0x0400, 0x04FF), (0x1E00, 0x1EFF)]
# Symbols of the program's own texts. Fonts need not have all of them; tests/unit/draw checks that some font does.
SIGNS = "°·½×÷ΣΦθ–—‘’“”•…←↑→↓−√∞▲▼\ufffd"
# Other symbols that readers may type.
TYPED_SIGNS = (
    "±∑∏≤≥≠≈∈∝∂Δ⟨⟩"
    "↔↗↘↙↖⇒"
    "„′″€‹›"
    "ᵀᵢⱼ₀₁₂₃₄₅₆₇₈₉₊₋⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
    "◀▶◁▷■□●○↺↻✓✕⌘⇧⏎⎵"
)
# What numbers consist of. In the heavy face of numbers nothing else is set.
NUMBERS = " 0123456789+-−.,eE∞naNif()[]×·…\ufffd"
# Letters of German, French, Spanish and Swedish, for words in Latin letters with one accent or two; a browser has fonts
# for all others.
WEB_LETTERS = "ÄÖÜäöüßàáâçèéêíñóôúÅÁÉÍÓÚÑ¡¿„«»"
# Those of the program's own words between numbers, in German and Spanish.
WEB_LETTERS_AMONG_NUMBERS = "ÄÖÜäöüßáéíóúñ"
UNITS_PER_EM = 400
# Digits and signs of equal width, so that columns of numbers line up; punctuation keeps its width.
TABULAR = "0123456789+−"


def letters(name, web):
    """The code points that the font `name` of draw_fonts.hpp is cut down to."""
    if web and name == "mono_semibold":
        return {ord(letter) for letter in NUMBERS}
    signs = {ord(sign) for sign in SIGNS}
    ranges = ASCII
    if not web:
        ranges = ASCII + LATIN_1 + TYPED
        signs |= {ord(sign) for sign in TYPED_SIGNS}
    else:
        more = WEB_LETTERS_AMONG_NUMBERS if name.startswith("mono_") else WEB_LETTERS
        signs |= {ord(letter) for letter in more}
    return signs | {code for first, last in ranges for code in range(first, last + 1)}


def tabular_figures(font):
    """Glyph name -> glyph name of its tabular form, from the font's own `tnum` feature."""
    forms = {}
    if "GSUB" not in font:
        return forms
    table = font["GSUB"].table
    lookups = {
        index
        for record in table.FeatureList.FeatureRecord
        if record.FeatureTag == "tnum"
        for index in record.Feature.LookupListIndex
    }
    for index in sorted(lookups):
        for subtable in table.LookupList.Lookup[index].SubTable:
            subtable = getattr(subtable, "ExtSubTable", subtable)
            if subtable.LookupType == 1:
                forms.update(subtable.mapping)
    return forms


def forget_names(font):
    """Gives the glyphs of a CFF font names that every CFF font has: it then carries none of its own."""
    order = font.getGlyphOrder()
    new = dict(zip(order, cffStandardStrings))
    top = font["CFF "].cff[0]
    strings = top.CharStrings.charStrings
    top.CharStrings.charStrings = {new[glyph]: strings[glyph] for glyph in order}
    top.charset = [new[glyph] for glyph in order]
    for table in font["cmap"].tables:
        table.cmap = {code: new[glyph] for code, glyph in table.cmap.items()}
    font["hmtx"].metrics = {new[glyph]: size for glyph, size in font["hmtx"].metrics.items()}
    font.setGlyphOrder(top.charset)


def saved(font):
    buffer = io.BytesIO()
    font.save(buffer)
    return buffer.getvalue()


def as_read(font):
    """The same font without what fontTools noted while it was cut: scale_upem visits all of that, for 15 seconds."""
    return TTFont(io.BytesIO(saved(font)), recalcTimestamp=False)


def cut(path, codes):
    """The bytes of the font at `path`, cut down to the code points `codes`."""
    # A font's dates would make every build differ.
    font = TTFont(path, recalcTimestamp=False, fontNumber=0)
    tabular = tabular_figures(font)
    for table in font["cmap"].tables:
        if table.isUnicode():
            for sign in TABULAR:
                glyph = table.cmap.get(ord(sign))
                if glyph in tabular:
                    table.cmap[ord(sign)] = tabular[glyph]

    options = subset.Options()
    options.hinting = False
    options.layout_features = []
    options.name_IDs = []
    options.notdef_outline = True
    options.glyph_names = False
    options.legacy_cmap = False
    options.symbol_cmap = False
    options.recalc_timestamp = False
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "BASE", "kern", "STAT", "DSIG", "gasp", "OS/2"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=codes)
    subsetter.subset(font)
    for name in ("name", "post"):
        del font[name]
    for glyph, (advance, _) in font["hmtx"].metrics.items():
        font["hmtx"].metrics[glyph] = (advance, 0)
    if "CFF " in font and len(font.getGlyphOrder()) <= len(cffStandardStrings):
        forget_names(font)
    font = as_read(font)
    # A tenth of a pixel in letters of 40 pixels; more digits would only enlarge the download.
    if font["head"].unitsPerEm > UNITS_PER_EM:
        scale_upem(font, UNITS_PER_EM)
    return saved(font)


def main():
    web = sys.argv[1] == "--web"
    output, *named = sys.argv[2:] if web else sys.argv[1:]
    fonts = [argument.split("=", 1) for argument in named]
    lines = [
        "// Generated by tools/subset_fonts.py.",
        '#include "draw_fonts.hpp"',
        "",
        "namespace draw::fonts {",
        "namespace {",
    ]
    for name, path in fonts:
        data = cut(path, letters(name, web))
        print(f"Font {name}: {os.path.getsize(path)} -> {len(data)} bytes")
        lines.append(f"alignas(4) constexpr unsigned char {name}_bytes[] = {{")
        lines += [
            ",".join(str(byte) for byte in data[start : start + 32]) + ","
            for start in range(0, len(data), 32)
        ]
        lines.append("};")
    lines += ["}  // namespace", ""]
    for name, _ in fonts:
        lines.append(f"std::span<const unsigned char> {name}() {{ return {name}_bytes; }}")
    lines += ["", "}  // namespace draw::fonts", ""]
    with open(output, "w", encoding="ascii") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main()
