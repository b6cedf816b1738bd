"""A command line of public TACO: ``taco "y(i) = …" -f=A:ds -s="split(…),parallelize(…)"``."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

from heddle.plan import split_schedule
from heddle.targets import CUDA
from heddle_server.imports.imported import Imported

DTYPES = {
    "bool": "bool",
    "char": "int8",
    "uchar": "uint8",
    "short": "int16",
    "ushort": "uint16",
    "int": "int32",
    "uint": "uint32",
    "long": "int64",
    "ulong": "uint64",
    "longlong": "int64",
    "ulonglong": "uint64",
    "float": "float32",
    "double": "float64",
    "complexfloat": "complex64",
    "complexdouble": "complex128",
}
"""The names of its -t and the plan's; those of one width mean the same."""

_LINE = re.compile(r"^\s*(?:[$>%]\s+)?(?:\S*/)?taco(?:\.exe)?\s", re.MULTILINE)
_OPTION = re.compile(r"(?:^|\s)-[fs]=['\"]?\w")
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "\u2013": "-", "\u00a0": " "})


def is_taco_command(text: str) -> bool:
    return _LINE.search(text) is not None or _OPTION.search(text) is not None


def read_taco_command(text: str) -> Imported:
    """Raises ValueError where the quotes do not close."""
    content = Imported()
    lines = []
    for line in text.translate(_QUOTES).replace("\\\n", " ").splitlines():
        if line.lstrip().startswith("#"):
            note = line.strip("# \t")
            if not note.startswith("!"):
                content.leave(note, "It is a comment.")
        else:
            lines.append(line)
    words = shlex.split(" ".join(lines))
    if words and words[0] in ("$", ">", "%"):
        words = words[1:]
    if words and re.fullmatch(r"(?:\S*/)?taco(?:\.exe)?", words[0]):
        words = words[1:]
    for word in words:
        _take(word, content)
    if content.threads is not None:
        content.notes.append(f"-nthreads={content.threads} became the number of threads of a run.")
    return content


def _take(word: str, content: Imported) -> None:
    if not word.startswith("-"):
        if content.expression is None:
            content.expression, content.complete = word.strip(), True
        else:
            content.leave(word, "A plan has one expression, and another one stands before it.")
        return
    name, _, value = word.partition("=")
    if name in OPTIONS:
        OPTIONS[name](value, word, content)
    elif name in LEFT:
        content.leave(word, LEFT[name])
    elif name.startswith(("-print", "-write")):
        content.leave(word, "It says what TACO prints; here the tabs show code and stages.")
    else:
        content.leave(word, "Heddle does not know this option of TACO's command line.")


def _format(value: str, word: str, content: Imported) -> None:
    tensor, colon, text = value.partition(":")
    if not colon or not text:
        content.leave(word, "A format is written -f=TENSOR:LEVELS.")
        return
    if tensor in content.formats:
        content.leave(f"-f={tensor}:{content.formats[tensor]}", f"A later option stores {tensor} in another format.")
    if text.split(":")[0].strip("d") or ":" in text:
        content.formats[tensor] = text
    else:
        content.formats.pop(tensor, None)  # dense, as a tensor without a format is


def _dtype(value: str, word: str, content: Imported) -> None:
    tensor, _, name = value.partition(":")
    if name in DTYPES:
        content.dtypes[tensor] = DTYPES[name]
    else:
        content.leave(word, f"{name or 'Nothing'} is not a type here. Types: {', '.join(DTYPES)}.")


def _size(value: str, word: str, content: Imported) -> None:
    variable, _, number = value.partition(":")
    if number.isascii() and number.isdigit():
        content.sizes[variable] = int(number)
    else:
        content.leave(word, "A size is written -d=VARIABLE:NUMBER.")


def _commands(value: str, word: str, content: Imported) -> None:
    content.schedule += split_schedule(value.replace("\\n", "\n"))


def _threads(value: str, word: str, content: Imported) -> None:
    if value.isascii() and value.isdigit() and int(value) > 0:
        content.threads = int(value)
    else:
        content.leave(word, "It is not a number of threads.")


def _cuda(value: str, word: str, content: Imported) -> None:
    content.target = CUDA.name


OPTIONS: dict[str, Callable[[str, str, Imported], None]] = {
    "-f": _format,
    "-t": _dtype,
    "-d": _size,
    "-s": _commands,
    "-nthreads": _threads,
    "-cuda": _cuda,
}

DATA = "Data are chosen at Inputs: upload the file there, or take a generator."
OUTPUT = "Heddle shows the code in its tabs, and Share exports it to a file."
LEFT = {
    "-i": DATA,
    "-g": DATA,
    "-o": "Heddle verifies results instead of writing them to a file.",
    "-O": OUTPUT,
    "-c": "Heddle assembles and computes in one kernel by itself.",
    "-time": "Run times every kernel.",
    "-k": "It reads a kernel that TACO wrote; Heddle compiles its own.",
    "-prefix": "Heddle names the kernel itself.",
    "-nosimd": "Vector lanes run only where the schedule says so.",
    "-help": "It asks TACO for its options.",
    "-version": "It asks TACO for its version.",
}
