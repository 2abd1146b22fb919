"""attention-live in a notebook, with numbers of your own.

    import numpy, attention_live
    attention_live.show(numpy.random.randn(4, 8), heads=2, step="softmax", tokens=["the", "cat", "sat", "down"])

The figure computes one self-attention of the rows of `query_input`; every number can be looked at and changed in it.
The program lies in the output of the first figure that is shown, for all figures of the notebook, which so works
without a network; `program` may also be the address of a site that has it, which keeps the notebook small. Needs NumPy;
PyTorch's tensors and modules are taken as they are.
"""

import html
import pathlib
import re
import sys
import unicodedata
import urllib.parse

import numpy

STEPS = (
    "sentence", "input", "project", "split", "transpose", "scores",
    "scale", "mask", "softmax", "reweight", "merge", "output", "overview",
)
WEIGHTS = ("q_proj_weight", "k_proj_weight", "v_proj_weight", "out_proj_weight")
BIASES = ("q_proj_bias", "k_proj_bias", "v_proj_bias", "out_proj_bias")
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

LONGEST_TOKEN = 64

# Scripts without spaces between words, of which each letter is a token, and what belongs to the letter before it:
# hexadecimal code points, as src/lesson/input/tokenize.cpp has them.
WITHOUT_SPACES = """
    0E00-0EFF 1000-109F 1780-17FF 19E0-19FF 2E80-2FDF 3001-30FF 3100-312F 31A0-31BF 31F0-31FF 3400-4DBF 4E00-9FFF
    A9E0-A9FF AA60-AA7F F900-FAFF FF01-FF0F FF1A-FF20 FF5B-FF9F 1AFF0-1B16F 20000-323AF
"""
JOINS_LEFT = """
    0300-036F 0E31-0E31 0E33-0E3A 0E47-0E4E 0EB1-0EB1 0EB3-0EBC 0EC8-0ECE 102B-103E 1056-1059 105E-1060 1062-1064
    1067-106D 1071-1074 1082-108D 108F-108F 109A-109D 17B4-17D3 17DD-17DD 1AB0-1AFF 1DC0-1DFF 200C-200D 20D0-20FF
    302A-302F 3099-309A A9E5-A9E5 AA7B-AA7D FE00-FE0F FE20-FE2F FF9E-FF9F E0100-E01EF
"""
STACKS_NEXT = "\u1039\u17d2"

FILE = "attention-live-whole.js"
TITLE = "attention-live: multi-head attention of your numbers"

MISSING = (
    "The program that draws this figure lies in the output of another cell, which is not here. Run the cell of the "
    "notebook's first figure again, or restart and run all."
)


def show(query_input, *, heads=None, tokens=None, attention=None, q_proj_weight=None, k_proj_weight=None,
         v_proj_weight=None, out_proj_weight=None, q_proj_bias=None, k_proj_bias=None, v_proj_bias=None,
         out_proj_bias=None, mask=None, scale="sqrt-head-dim", step="scores", head=None, query=0, theme="auto",
         height=640, program=None):
    """The figure of one self-attention, to be the last line of a cell.

    query_input      [L, E], or [1, L, E]: a row for each token; L up to 64, E an even number up to 512
    heads            how many; they divide E; 1 if left out
    tokens           L texts without spaces, the names of the rows; else 1, 2, 3, ...
    attention        a torch.nn.MultiheadAttention, whose heads, weights and biases are used
    *_proj_weight    [E, E] as torch.nn.Linear has them, y = x Wᵀ + b; else random, untrained ones
    *_proj_bias      [E]; else none
    mask             [L, L]: booleans, True hides, as PyTorch's attn_mask; or numbers to add, -inf hides
    scale            what the scores are divided by: "sqrt-head-dim", "sqrt-keys", "none" or a number
    step             one of STEPS
    head, query      counted from 0; without a head, all are shown
    program          where attention-live-whole.js is: a file; or the http(s) address of the embed.html of a site

    Arrays are anything that NumPy takes, and PyTorch's tensors, also such as need gradients.
    Raises ValueError, with what is allowed, where a value is not possible.
    """
    values = _array("query_input", query_input)
    given = dict(zip(WEIGHTS + BIASES, (q_proj_weight, k_proj_weight, v_proj_weight, out_proj_weight,
                                        q_proj_bias, k_proj_bias, v_proj_bias, out_proj_bias)))
    if attention is not None:
        if heads is not None or any(value is not None for value in given.values()):
            raise ValueError("attention has heads, weights and biases of its own: give it, or give these.")
        heads, given = _parts_of(attention)
        if values.ndim == 3 and not attention.batch_first and values.shape[1] == 1:
            values = values[:, 0]  # as PyTorch has it then: [L, batch, E]
    if values.ndim == 3 and values.shape[0] == 1:
        values = values[0]
    if values.ndim != 2:
        raise ValueError(f"query_input has the shape {_shape(values)}; [tokens, embed_dim] is needed.")
    length, width = values.shape
    if not 1 <= length <= MOST_TOKENS:
        raise ValueError(f"query_input has {length} rows; 1 to {MOST_TOKENS} tokens are possible.")
    if not 2 <= width <= WIDEST or width % 2:
        raise ValueError(f"query_input has {width} columns; embed_dim must be an even number from 2 to {WIDEST}.")
    heads = _whole("heads", 1 if heads is None else heads, 1, min(MOST_HEADS, width))
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
    for name, array in given.items():
        if array is None:
            continue
        array = _array(name, array, (width, width) if name in WEIGHTS else (width,))
        if name in WEIGHTS:
            edits += _rows(name, array)
        elif array.any():
            edits.append((len(array), f"attention.{name}:0={_list(array)}"))
    if mask is not None:
        edits += _mask(mask, length)
    return Figure(_link(choices, edits), height=height, program=program)


def _parts_of(attention):
    """(heads, {name: array or None}) of a torch.nn.MultiheadAttention, or of what has the same fields."""
    try:
        heads, width, out_proj = attention.num_heads, attention.embed_dim, attention.out_proj
        packed, bias = attention.in_proj_weight, attention.in_proj_bias
        adds = attention.bias_k is not None or attention.bias_v is not None or attention.add_zero_attn
        kinds = {width, attention.kdim, attention.vdim}
        attention.batch_first
    except AttributeError as cause:
        raise ValueError("attention is no torch.nn.MultiheadAttention.") from cause
    if len(kinds) > 1:
        raise ValueError("attention has a kdim or vdim of its own; a self-attention has embed_dim for all.")
    if adds:
        raise ValueError("attention has add_bias_kv or add_zero_attn, which the figure does not show.")
    weights = numpy.split(_array("in_proj_weight", packed, (3 * width, width)), 3)
    biases = [None] * 3 if bias is None else numpy.split(_array("in_proj_bias", bias, (3 * width,)), 3)
    return heads, dict(zip(WEIGHTS + BIASES, (*weights, out_proj.weight, *biases, out_proj.bias)))


class Figure:
    """What `show` gives: Jupyter shows it; `html` is its HTML, which needs nothing else, `link` its state."""

    def __init__(self, link, *, height=640, program=None):
        self.link = link
        self.height = _whole("height", height, 200, 4000)
        self._address, self._file = _find(program)

    @property
    def html(self):
        return self._frame() if self._address else self._program() + self._element()

    def _repr_html_(self):
        """As `html`, but only one output of a notebook has the program: the others use what that one has defined."""
        if self._address:
            return self._frame()
        return (self._program() if _carries(self) else "") + self._element()

    def _frame(self):
        return (
            f'<iframe src="{html.escape(self._address + self.link)}" width="100%" height="{self.height}" '
            f'title="{TITLE}" frameborder="0" allow="fullscreen; clipboard-write" loading="lazy"></iframe>'
        )

    def _program(self):
        return f"<script>{self._file.read_text(encoding='utf-8')}</script>"

    def _element(self):
        # Jupyter's own keys, which delete cells among other things, are not those of a figure: its frontend knows the
        # attribute of the element around it.
        return (
            '<div data-lm-suppress-shortcuts="true">'
            f'<attention-live state="{html.escape(self.link)}" label="{TITLE}" style="height: {self.height}px">'
            f"{MISSING}</attention-live></div>"
        )


_carrier = None  # the figure in whose output the program lies, and where that is


def _carries(figure):
    """Whether this output is to have the program in it: none has, or this one takes the place of the one that has."""
    global _carrier
    here = _cell()
    if _carrier is not None and "google.colab" not in sys.modules:  # which shows every output in a page of its own
        carrier, (cell, execution) = _carrier
        runs_again = cell is not None and here[0] == cell and here[1] != execution
        if figure is not carrier and not runs_again:
            return False
    _carrier = (figure, here)
    return True


def _cell():
    """The cell of a notebook that runs, by its id or, in older frontends, its text; and which execution this is."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None:
        return None, None
    parent = getattr(shell, "parent_header", None) or {}
    cell = (parent.get("metadata") or {}).get("cellId")
    if cell is None:
        cell = (parent.get("content") or {}).get("code")
    return cell, shell.execution_count


def _plain(values):
    """Without what hinders NumPy: PyTorch's gradients, other devices, and types such as bfloat16."""
    if isinstance(values, (list, tuple)):
        return [_plain(each) for each in values]
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        if "bfloat16" in str(values.dtype):
            values = values.float()
    return values


def _array(name, values, shape=None, largest=LARGEST):
    try:
        array = numpy.asarray(_plain(values), dtype=numpy.float32)
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
        if not isinstance(word, str) or not 1 <= len(word) <= LONGEST_TOKEN or not _is_readable(word):
            raise ValueError(
                f"The token {word!r} is not possible: a token is a text of 1 to {LONGEST_TOKEN} characters, without spaces."
            )
        if not _is_one(word):
            raise ValueError(
                f"The token {word!r} is not possible: each letter of a script without spaces between words is a token."
            )
    return words


def _is_readable(word):
    hidden = ("Cc", "Cs")  # control characters, halves of characters
    return not any(each.isspace() or each == "\u200b" or unicodedata.category(each) in hidden for each in word)


def _in(ranges, letter):
    return any(first <= ord(letter) <= last for first, last in ranges)


def _ranges(text):
    return [[int(end, 16) for end in each.split("-")] for each in text.split()]


def _is_one(word):
    """Whether the program reads it as one token."""
    alone, joined = _ranges(WITHOUT_SPACES), _ranges(JOINS_LEFT)
    single = stacked = False
    for place, letter in enumerate(word):
        if not stacked and not _in(joined, letter):
            stands_alone = _in(alone, letter)
            if place > 0 and (stands_alone or single):
                return False
            single = stands_alone
        stacked = letter in STACKS_NEXT
    return True


def _text(number):
    """The shortest digits that float32 reads as this number."""
    return str(numpy.float32(number)).removesuffix(".0")


def _list(row):
    return ",".join(map(_text, row))


def _rows(name, array):
    """Edits of a matrix, a row at a time: (number of cells, text)."""
    first = "0," if name == "query_input" else ""
    return [(len(row), f"attention.{name}:{first}{index},0={_list(row)}") for index, row in enumerate(array)]


def _mask(mask, length):
    array = numpy.asarray(_plain(mask))
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
    if path.suffix != ".js":
        raise ValueError(f"program is {text!r}: {FILE} is needed, or the http(s) address of a page of a site.")
    return None, path
