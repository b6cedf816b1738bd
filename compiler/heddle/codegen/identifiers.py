"""Names of loop IR that C reserves get a trailing underscore; the rest of the text never sees a foreign character."""

from __future__ import annotations

import re

from heddle.diagnostics import InternalError
from heddle.loop_ir.functions import FUNCTIONS
from heddle.names import Names

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")

# Keywords of C, C++ (CUDA) and OpenCL C, macros of the headers that we include, and macros that gcc predefines.
_WORDS = """
    asm auto bool break case catch char class complex const continue default delete do double else enum extern false
    float for friend goto half if imaginary inline int long namespace new operator private protected public register
    restrict return short signed sizeof static struct switch template this throw true try typedef typename union
    unsigned using virtual void volatile wchar_t while size_t kernel global local constant barrier
    I NULL INT64_C UINT64_C INFINITY NAN linux unix i386 main malloc calloc realloc free aligned_alloc memcpy memset
    allocate allocate_zero allocate_result free_result obtain_memory release_memory grow grow_result more typeof
    threadIdx blockIdx blockDim gridDim warpSize event_t sampler_t pipe uniform quad
    read_only write_only read_write uchar ushort uint ulong MAXFLOAT
"""
_RESERVED = frozenset(_WORDS.split())
# Headers define macros in capitals with underscores (INT32_MAX, M_PI): every such name is kept clear of them.
_RESERVED_PATTERN = re.compile(
    r"(u?int\d+_t|(\w+_)?[fi](32|64)v\d*|(\w+_)?kept_v\d*|__\w*|_[A-Z]\w*|[A-Z0-9]+_[A-Z0-9_]+"
    r"|(atomic|min|max|search|abs|scan|sort|map|load|store|warp|block|runs|get|sub_group)_\w+)\Z"
)
_MATHEMATICS = frozenset(
    spelling
    for name in FUNCTIONS
    for root in (name, f"f{name}", f"c{name}", f"ll{name}")
    for spelling in (root, f"{root}f")
)


def is_identifier(name: str) -> bool:
    """Whether ``name`` is an ASCII identifier, the only kind that may reach generated text."""
    return _IDENTIFIER.match(name) is not None


def is_reserved(name: str) -> bool:
    """Whether ``name`` would clash with a keyword, a macro, a library function or one of our support functions."""
    if name in _RESERVED or name in _MATHEMATICS:
        return True
    return _RESERVED_PATTERN.match(name) is not None


class Identifiers:
    """The spelling in C of every name of one function; the same name always gets the same spelling."""

    def __init__(self, names: set[str]) -> None:
        self._names = Names(names)
        self._spellings: dict[str, str] = {}

    def spell(self, name: str) -> str:
        spelling = self._spellings.get(name)
        if spelling is None:
            if not is_identifier(name):
                raise InternalError(f"the name {name!r} is not an identifier")
            spelling = self._names.fresh(f"{name}_") if is_reserved(name) else name
            self._spellings[name] = spelling
        return spelling

    def alias(self, name: str, spelling: str) -> None:
        """Spells ``name`` as part of something else, ``table.keys``."""
        self._spellings[name] = spelling

    def fresh(self, name_hint: str) -> str:
        """A name of our own that clashes with none of the function's."""
        while is_reserved(name_hint):
            name_hint += "_"
        return self._names.fresh(name_hint)
