"""The C files that the runtime brings itself (``c/``), each as one text: what a compiled library is cached by.

A file names the types of its arrays by macros, mostly ``INDEX`` (positions and coordinates) and ``VALUE``, which
whoever compiles it defines.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path

_FOLDER = Path(__file__).with_name("c")
_HEADER = re.compile(r'^#include "([\w.]+)"\n', re.MULTILINE)


@functools.cache
def text_of(name: str) -> str:
    """The text of the file ``c/<name>``, with the headers of that folder in the place of their ``#include``."""
    return _HEADER.sub(lambda header: text_of(header[1]), _read(name))


def defining(macros: Mapping[str, str | int], text: str) -> str:
    """``text`` after the definitions of ``macros``."""
    return "".join(f"#define {name} {value}\n" for name, value in macros.items()) + text


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8").replace("#pragma once\n", "")
