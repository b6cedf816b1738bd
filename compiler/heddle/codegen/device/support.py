"""Support functions of CUDA and OpenCL kernels: searches and atomic updates, where the two languages agree."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from heddle.codegen.function_text import FunctionFile
from heddle.codegen.support import SEARCHES, Support, spelled_operator
from heddle.diagnostics import InternalError
from heddle.loop_ir.dtypes import FLOATS, NARROW
from heddle.loop_ir.nodes import BOOL, MemorySpace, SearchKind

WORDS = {"+": "sum", "*": "product", "min": "min", "max": "max", "&&": "all", "||": "any"}

_FUNCTIONS = Path(__file__).with_name("functions")
_ATOMICS = FunctionFile(_FUNCTIONS / "atomic.h")
_HASHES = FunctionFile(_FUNCTIONS / "hash.h")
_SORTS = FunctionFile(_FUNCTIONS / "sort.h")


@dataclass(frozen=True, slots=True)
class Word:
    """An unsigned integer of 32 or 64 bits in a language, and its functions: compare-and-exchange, and conversions
    between the bits and a float of this size."""

    type: str
    exchange: str
    to_float: str
    from_float: str


class DeviceSupport(Support, ABC):
    """``space`` arguments say where an array lies; only OpenCL's types depend on it."""

    function_prefix = "static inline"
    """What a function that runs on the device starts with."""

    @property
    @abstractmethod
    def types(self) -> dict[str, str]:
        """The name of each dtype."""

    @property
    @abstractmethod
    def words(self) -> dict[int, Word]:
        """The words that can be exchanged, by their size in bytes."""

    @abstractmethod
    def target(self, element: str, space: MemorySpace) -> str:
        """The type ``element`` for something that other threads may change, in ``space``."""

    @abstractmethod
    def native_atomic(self, operator: str, dtype: str) -> tuple[str, str] | None:
        """The language's own atomic function for ``operator`` and the type that it takes, where there is one."""

    def type(self, dtype: str) -> str:
        if dtype not in self.types:
            raise InternalError(f"no GPU type for {dtype}")
        return self.types[dtype]

    def element(self, dtype: str) -> str:
        """The type of an array's elements and of arguments: truth values take a byte there."""
        return self.type("uint8" if dtype == BOOL else dtype)

    def header(self, name: str) -> None:
        """Neither language has C's headers; what they declare is built in."""

    def add(self, name: str, text: str) -> str:
        text = re.sub(r"\b(u?int(8|16|32|64))_t\b", lambda match: self.type(match[1]), text)
        return super().add(name, text.replace("static inline", self.function_prefix))

    def search_in(self, kind: SearchKind, dtype: str, space: MemorySpace, short: bool) -> str:
        """A search in an array that lies in ``space``; ``short``: for a value and between positions of 32 bits."""
        name = f"search_{kind.value}_{dtype}{suffix(space)}"
        if short:
            name = f"{name}_short"
        macros = {f"SEARCH_{kind.name}": name, "TYPE": self.place_type(self.type(dtype), space)}
        text = SEARCHES.text(kind.value, macros)
        return self.add(name, text.replace("int64_t", "int32_t") if short else text)

    def sort_in(self, dtype: str, space: MemorySpace) -> str:
        """``name(array, lower, upper)`` sorts integers that lie in ``space``."""
        element = self.type(dtype)
        name = f"sort_{dtype}{suffix(space)}"
        return self._add(
            name, _SORTS, "sort", {"SORT": name, "ARRAY": self.place_type(element, space), "ELEMENT": element}
        )

    def insert_in(self, dtype: str, space: MemorySpace) -> str:
        """``name(keys, lower, room, key)`` finds the place of a key in a hash table that lies in ``space``."""
        name, bits = f"insert_{dtype}{suffix(space)}", self.words[np.dtype(dtype).itemsize]
        element = self.type(dtype)
        macros = {"INSERT": name, "TARGET": self.target(element, space), "ELEMENT": element, "EXCHANGE": bits.exchange}
        macros |= {"WORD": bits.type, "WORD_TARGET": self.target(bits.type, space), "EMPTY": _largest(dtype)}
        return self._add(name, _HASHES, "insert", macros)

    def place_type(self, element: str, space: MemorySpace) -> str:
        """The type ``element`` for something that lies in ``space``."""
        return element

    def combine(self, operator: str, dtype: str, left: str, right: str) -> str:
        """The expression that combines two values; ``operator`` is as in loop IR."""
        spelled = spelled_operator(operator, dtype)
        if spelled in ("min", "max"):
            return f"{self.select(spelled, dtype)}({left}, {right})"
        return f"{left} {spelled} {right}"

    def atomic_in(self, operator: str, dtype: str, space: MemorySpace) -> str:
        """An atomic update of an element that lies in ``space``: ``name(address, value)``."""
        word = WORDS[spelled_operator(operator, dtype)]
        name = f"atomic_{word}_{dtype}{suffix(space)}"
        element = self.element(dtype)
        macros = {"ATOMIC": name, "TARGET": self.target(element, space), "ELEMENT": element}
        native = None if dtype == BOOL else self.native_atomic(operator, dtype)
        if native is not None:
            call, operand_type = native
            macros |= {"CALL": call, "WORD_TARGET": self.target(operand_type, space)}
            macros["GIVEN(value)"] = "value" if operand_type == element else f"({operand_type})value"
            return self._add(name, _ATOMICS, "direct", macros)
        size = 1 if dtype == BOOL else np.dtype(dtype).itemsize
        bits = self.words[max(size, 4)]
        macros |= {"WORD": bits.type, "WORD_TARGET": self.target(bits.type, space), "EXCHANGE": bits.exchange}
        macros["COMBINE(left, right)"] = self.combine(operator, dtype, "left", "right")
        if dtype in NARROW:
            return self._add(name, _ATOMICS, "exchange_part", {**macros, "BITS": hex(2 ** (8 * size) - 1)})
        if dtype in FLOATS:
            macros |= {"FROM_BITS(bits)": f"{bits.to_float}(bits)", "TO_BITS(value)": f"{bits.from_float}(value)"}
        else:
            macros |= {"FROM_BITS(bits)": f"({element})bits", "TO_BITS(value)": f"({bits.type})value"}
        return self._add(name, _ATOMICS, "exchange", macros)


def _largest(dtype: str) -> str:
    """The key that stands for none, which :func:`heddle.loop_ir.hash_tables.empty_key` is, too."""
    return {"int32": "0x7fffffff", "int64": "0x7fffffffffffffff"}[dtype]


def suffix(space: MemorySpace) -> str:
    """What tells the functions for shared memory and registers from those for global memory."""
    return "" if space is MemorySpace.GLOBAL else f"_{space.value}"
