"""Support functions of CUDA and OpenCL kernels: searches and atomic updates, where the two languages agree."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from compiler.codegen.support import SEARCHES, Support, spelled_operator
from compiler.diagnostics import InternalError
from compiler.loop_ir.dtypes import FLOATS, NARROW
from compiler.loop_ir.nodes import BOOL, MemorySpace, SearchKind

WORDS = {"+": "sum", "*": "product", "min": "min", "max": "max", "&&": "all", "||": "any"}

_DIRECT = """\
static inline void {name}({target}* address, {type} value) {{ {call}(({word_target}*)address, {value}); }}
"""

_EXCHANGE = """\
// Until no other thread has changed the value in between.
static inline void {name}({target}* address, {type} value) {{
  {word_target}* word = ({word_target}*)address;
  {word} old = *word, seen;
  do {{
    seen = old;
    {type} now = {from_bits};
    {type} update = {combined};
    old = {exchange}(word, seen, {to_bits});
  }} while (old != seen);
}}
"""

# The smallest word that can be exchanged has 32 bits; on a little-endian device byte k starts at bit 8 k.
_EXCHANGE_PART = """\
// Exchanges the 32-bit word around the value, until no other thread has changed it in between.
static inline void {name}({target}* address, {type} value) {{
  {word_target}* word = ({word_target}*)((size_t)address & ~(size_t)3);
  {word} shift = ((size_t)address & 3) * 8, mask = ({word}){mask} << shift;
  {word} old = *word, seen;
  do {{
    seen = old;
    {type} now = ({type})(seen >> shift);
    {type} update = {combined};
    old = {exchange}(word, seen, (seen & ~mask) | ((({word})update << shift) & mask));
  }} while (old != seen);
}}
"""

_SORT = """\
// Sorts array[lower : upper) ascending, by ever smaller steps (Shell 1959).
static inline void {name}({array}* array, int64_t lower, int64_t upper) {{
  int64_t step = 1;
  while (step < (upper - lower) / 3) step = 3 * step + 1;
  for (; step > 0; step /= 3) {{
    for (int64_t p = lower + step; p < upper; p++) {{
      {element} value = array[p];
      int64_t q = p;
      for (; q >= lower + step && array[q - step] > value; q -= step) array[q] = array[q - step];
      array[q] = value;
    }}
  }}
}}
"""


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
        text = re.sub(r"\b(u?int(8|16|32|64))_t\b", lambda found: self.type(found[1]), text)
        return super().add(name, text.replace("static inline", self.function_prefix))

    def _add(self, name: str, template: str, **values: str) -> str:
        return self.add(name, template.format(name=name, **values))

    def search_in(self, kind: SearchKind, dtype: str, space: MemorySpace, short: bool) -> str:
        """A search in an array that lies in ``space``; ``short``: for a value and between positions of 32 bits."""
        name = f"search_{kind.value}_{dtype}{suffix(space)}"
        text = SEARCHES[kind]
        if short:
            name, text = f"{name}_short", text.replace("int64_t", "int32_t")
        return self._add(name, text, type=self.located(self.type(dtype), space))

    def sort_in(self, dtype: str, space: MemorySpace) -> str:
        """``name(array, lower, upper)`` sorts integers that lie in ``space``."""
        element = self.type(dtype)
        values = {"array": self.located(element, space), "element": element}
        return self._add(f"sort_{dtype}{suffix(space)}", _SORT, **values)

    def located(self, element: str, space: MemorySpace) -> str:
        """The type ``element`` for something that lies in ``space``."""
        return element

    def combined(self, operator: str, dtype: str, left: str, right: str) -> str:
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
        native = None if dtype == BOOL else self.native_atomic(operator, dtype)
        if native is not None:
            call, taken = native
            values = {"call": call, "word_target": self.target(taken, space)}
            value = "value" if taken == element else f"({taken})value"
            return self._add(name, _DIRECT, target=self.target(element, space), type=element, value=value, **values)
        size = 1 if dtype == BOOL else np.dtype(dtype).itemsize
        bits = self.words[max(size, 4)]
        common = {
            "target": self.target(element, space),
            "type": element,
            "word": bits.type,
            "word_target": self.target(bits.type, space),
            "combined": self.combined(operator, dtype, "now", "value"),
            "exchange": bits.exchange,
        }
        if dtype in NARROW:
            return self._add(name, _EXCHANGE_PART, mask=hex(2 ** (8 * size) - 1), **common)
        if dtype in FLOATS:
            from_bits, to_bits = f"{bits.to_float}(seen)", f"{bits.from_float}(update)"
        else:
            from_bits, to_bits = f"({element})seen", f"({bits.type})update"
        return self._add(name, _EXCHANGE, from_bits=from_bits, to_bits=to_bits, **common)


def suffix(space: MemorySpace) -> str:
    """What tells the functions for shared memory and registers from those for global memory."""
    return "" if space is MemorySpace.GLOBAL else f"_{space.value}"
