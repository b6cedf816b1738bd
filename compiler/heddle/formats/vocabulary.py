"""The words for levels: the names of the long form and TACO's letters."""

from __future__ import annotations

from heddle.formats.format import Level
from heddle.formats.levels.kinds import LEVEL_KINDS

KINDS = {
    **{name: kind.summary for name, kind in LEVEL_KINDS.items()},
    "zeroless": "the stored coordinates of each parent, with no stored zeros",
}
"""Name of each level kind and what it stores: those of ``levels/kinds.py``, and one of TACO's that no code is generated
for."""

LETTERS = {
    "d": Level("dense"),
    "s": Level("compressed"),
    "u": Level("compressed", unique=False),
    "q": Level("singleton"),
    "c": Level("singleton", unique=False),
    "p": Level("padded"),
    "z": Level("zeroless"),
}
"""TACO's command line letters."""

FLAGS = {
    "unique": ("unique", True),
    "nonunique": ("unique", False),
    "ordered": ("ordered", True),
    "unordered": ("ordered", False),
    "even": ("even", True),
}
"""Words in the parentheses after a level, and the property each sets."""
