"""attention-live in a notebook, with numbers of your own.

    import numpy, attention_live
    attention_live.show(numpy.random.randn(4, 8), heads=2, step="softmax", tokens=["the", "cat", "sat", "down"])

The figure computes one self-attention of the rows of `query_input`; every number can be looked at and changed in it.
The program lies in the notebook's output, which so works without a network; `program` may also be the address of a
site that has it, which keeps the notebook small. Needs NumPy.
"""

import html
import pathlib
import re
import unicodedata
import urllib.parse

import numpy

STEPS = (
    "sentence", "input", "project", "split", "transpose", "scores",
    "scale", "mask", "softmax", "reweight", "merge", "output", "overview",
)
WEIGHTS = ("q_proj_weight", "k_proj_weight", "v_proj_weight", "out_proj_weight")
THEMES = ("auto", "light", "dark")
SCALES = ("sqrt-head-dim", "sqrt-keys", "none")

# As the program has them.
LARGEST = 10_000
LARGEST_MASK = 1_000_000_000
MOST_TOKENS = 64
MOST_HEADS = 16
WIDEST = 512
MOST_EDITS = 10_000
LONGEST_LINK = 65_536

# How Unicode's names of their letters begin.
WITHOUT_SPACES = (
    "CJK", "HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA", "BOPOMOFO", "THAI", "LAO", "MYANMAR", "KHMER", "IDEOGRAPHIC",
)

FILE = "attention-live.html"


def show(query_input, *, heads=1, tokens=None, q_proj_weight=None, k_proj_weight=None, v_proj_weight=None,
         out_proj_weight=None, mask=None, scale="sqrt-head-dim", step="scores", head=None, query=0, theme="auto",
         height=640, program=None):
    """The figure of one self-attention, to be the last line of a cell.

    query_input      [L, E], or [1, L, E]: a row for each token; L up to 64, E an even number up to 512
    heads            how many; they divide E
    tokens           L words, the names of the rows; else 1, 2, 3, ...
    *_proj_weight    [E, E] as torch.nn.Linear has them, y = x Wᵀ; else random, untrained ones
    mask             [L, L]: booleans, True hides, as PyTorch's attn_mask; or numbers to add, -inf hides
    scale            what the scores are divided by: "sqrt-head-dim", "sqrt-keys", "none" or a number
    step             one of STEPS
    head, query      counted from 0; without a head, all are shown
    program          where attention-live.html is: a file, or the http(s) address of a page of a site

    Raises ValueError, with what is allowed, where a value is not possible.
    """
    values = _array("query_input", query_input)
    if values.ndim == 3 and values.shape[0] == 1:
        values = values[0]
    if values.ndim != 2:
        raise ValueError(f"query_input has the shape {_shape(values)}; [tokens, embed_dim] is needed.")
    length, width = values.shape
    if not 1 <= length <= MOST_TOKENS:
        raise ValueError(f"query_input has {length} rows; 1 to {MOST_TOKENS} tokens are possible.")
    if not 2 <= width <= WIDEST or width % 2:
        raise ValueError(f"query_input has {width} columns; embed_dim must be an even number from 2 to {WIDEST}.")
    heads = _whole("heads", heads, 1, min(MOST_HEADS, width))
    if width % heads:
        raise ValueError(f"{heads} heads do not divide embed_dim {width}.")

    choices = {
        "v": 1, "example": "your-sentence", "step": _one_of("step", step, STEPS),
        "sentence": " ".join(_tokens(tokens, length)), "embed_dim": width, "num_heads": heads,
        "position_encoding": "false", "theme": _one_of("theme", theme, THEMES), "scale": _scale(scale),
        "query": _whole("query", query, 0, length - 1),
    }
    if head is not None:
        choices.update(all_heads="false", head=_whole("head", head, 0, heads - 1))
    edits = _rows("query_input", values)
    given = dict(zip(WEIGHTS, (q_proj_weight, k_proj_weight, v_proj_weight, out_proj_weight)))
    for name, weight in given.items():
        if weight is not None:
            edits += _rows(name, _array(name, weight, (width, width)))
    if mask is not None:
        edits += _mask(mask, length)
    return Figure(_link(choices, edits), height=height, program=program)


class Figure:
    """What `show` gives: Jupyter shows it; `html` is its HTML, `link` its state."""

    def __init__(self, link, *, height=640, program=None):
        self.link = link
        self.height = _whole("height", height, 200, 4000)
        self._address, self._file = _find(program)

    @property
    def html(self):
        frame = (
            f'width="100%" height="{self.height}" title="attention-live: multi-head attention of your numbers" '
            'frameborder="0" allow="fullscreen; clipboard-write" loading="lazy"'
        )
        if self._address:
            return f'<iframe src="{html.escape(self._address + self.link)}" {frame}></iframe>'
        page = self._file.read_text(encoding="utf-8")
        meta = f'<meta name="attention-live-link" content="{html.escape(self.link)}">'
        page, found = re.subn("<head>", lambda match: match[0] + meta, page, count=1)
        if not found:
            raise ValueError(f"{self._file} is not {FILE}: it has no <head>.")
        sandbox = 'sandbox="allow-scripts allow-downloads"'
        return f'<iframe srcdoc="{html.escape(page)}" {sandbox} {frame}></iframe>'

    def _repr_html_(self):
        return self.html


def _array(name, values, shape=None, largest=LARGEST):
    try:
        array = numpy.asarray(values, dtype=numpy.float32)
    except (TypeError, ValueError) as cause:
        raise ValueError(f"{name} is no array of numbers.") from cause
    if shape and array.shape != shape:
        raise ValueError(f"{name} has the shape {_shape(array)}; {list(shape)} is needed.")
    wrong = ~(numpy.abs(array) <= largest)  # NaN is not smaller than anything
    if wrong.any():
        place = [int(index) for index in numpy.argwhere(wrong)[0]]
        raise ValueError(f"{name}{place} is {array[tuple(place)]}; numbers from -{largest} to {largest} are possible.")
    return array


def _shape(array):
    return list(array.shape)


def _whole(name, value, smallest, largest):
    if isinstance(value, bool) or not isinstance(value, (int, numpy.integer)) or not smallest <= value <= largest:
        raise ValueError(f"{name} is {value!r}; a whole number from {smallest} to {largest} is needed.")
    return int(value)


def _one_of(name, value, allowed):
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; allowed: {', '.join(allowed)}.")
    return value


def _scale(scale):
    if isinstance(scale, str):
        return _one_of("scale", scale, SCALES)
    if isinstance(scale, bool) or not 1e-6 <= scale <= 1e6:
        allowed = f"a number from 0.000001 to 1000000 or one of {', '.join(SCALES)}"
        raise ValueError(f"scale is {scale!r}; {allowed} is needed.")
    return _text(scale)


def _tokens(tokens, length):
    words = [str(index + 1) for index in range(length)] if tokens is None else list(tokens)
    if len(words) != length:
        raise ValueError(f"There are {len(words)} tokens and {length} rows of query_input.")
    for word in words:
        if not isinstance(word, str) or not word.isalnum() or len(word) > 64:
            raise ValueError(f"The token {word!r} is not possible: a token is one word of up to 64 letters and digits.")
        if len(word) > 1 and any(unicodedata.name(letter, "").startswith(WITHOUT_SPACES) for letter in word):
            raise ValueError(
                f"The token {word!r} is not possible: each letter of a script without spaces between words is a token."
            )
    return words


def _text(number):
    """The shortest digits that float32 reads as this number."""
    return str(numpy.float32(number)).removesuffix(".0")


def _rows(name, array):
    """Edits of a matrix, a row at a time: (number of cells, text)."""
    first = "0," if name == "query_input" else ""
    return [
        (len(row), f"attention.{name}:{first}{index},0={','.join(map(_text, row))}") for index, row in enumerate(array)
    ]


def _mask(mask, length):
    array = numpy.asarray(mask)
    if array.shape != (length, length):
        raise ValueError(f"mask has the shape {_shape(array)}; {[length, length]} is needed.")
    hidden = array if array.dtype == bool else numpy.isneginf(_numbers(array))
    added = numpy.where(hidden, 0, 0 if array.dtype == bool else array)
    added = _array("mask", added, largest=LARGEST_MASK)
    edits = []
    for row, column in numpy.argwhere(hidden | (added != 0)):
        value = "-inf" if hidden[row, column] else _text(added[row, column])
        edits.append((1, f"attention.mask:0,0,{row},{column}={value}"))
    return edits


def _numbers(array):
    if array.dtype.kind not in "iuf":
        raise ValueError("mask is no array of booleans or numbers.")
    return array.astype(numpy.float32)


def _link(choices, edits):
    cells = sum(count for count, _ in edits)
    if cells > MOST_EDITS:
        raise ValueError(f"These are {cells} numbers; a figure takes up to {MOST_EDITS}.")
    parts = [f"{name}={urllib.parse.quote_plus(str(value))}" for name, value in choices.items()]
    text = ";".join(text for _, text in edits)
    link = "#" + "&".join([*parts, *([f"edits={text}"] if edits else [])])
    if len(link) > LONGEST_LINK:
        raise ValueError(
            f"These numbers take {len(link)} letters and a figure up to {LONGEST_LINK}: "
            "give fewer of them, or round them to fewer digits."
        )
    return link


def _find(program):
    """(address, None) or (None, path of attention-live.html)."""
    if program is None:
        here = pathlib.Path(__file__).resolve().parent
        for folder in (here, here.parent, pathlib.Path.cwd()):
            if (folder / FILE).is_file():
                return None, folder / FILE
        raise ValueError(f"{FILE} is not beside attention_live.py: tell where it is by `program`.")
    text = str(program)
    if re.match("https?://", text):
        return text.split("#")[0], None
    path = pathlib.Path(text)
    if not path.is_file():
        raise ValueError(f"program is {text!r}: neither an http(s) address nor a file that exists.")
    return None, path
