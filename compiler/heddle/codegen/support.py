"""The small C functions that a kernel may call: searches, minimum and maximum, atomic updates.

A printer asks for a function by what it does; only functions that were asked for are emitted, in that order.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from heddle.codegen.function_text import FunctionFile
from heddle.loop_ir.analysis.wrapping import ALWAYS_VALUES
from heddle.loop_ir.dtypes import FLOATS
from heddle.loop_ir.nodes import BOOL, SearchKind

C_TYPES: Mapping[str, str] = {
    BOOL: "bool",
    "float32": "float",
    "float64": "double",
    "complex64": "float complex",
    "complex128": "double complex",
    **{f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}

# On truth values, as in NumPy: C would add and multiply them as ints.
_LOGICAL = {"+": "||", "max": "||", "*": "&&", "min": "&&"}

_FUNCTIONS = Path(__file__).with_name("functions")
SEARCHES = FunctionFile(_FUNCTIONS / "search.h")
_SELECTS = FunctionFile(_FUNCTIONS / "select.h")
_ATOMICS = FunctionFile(_FUNCTIONS / "atomic.c")
_REGISTERS = FunctionFile(_FUNCTIONS / "registers.c")


def spelled_operator(operator: str, dtype: str) -> str:
    """The operator that C uses for ``operator`` of loop IR on operands of ``dtype``."""
    if dtype == BOOL:
        return _LOGICAL.get(operator, operator)
    return "/" if operator == "//" else operator


class Support:
    """Collects the support functions and headers that one kernel needs."""

    def __init__(self) -> None:
        self._functions: dict[str, str] = {}
        self._headers: set[str] = {"stdint.h"}
        self.wraps = False
        """Whether an integer was computed whose overflow the language leaves undefined."""

    @property
    def headers(self) -> list[str]:
        return sorted(self._headers)

    @property
    def functions(self) -> list[str]:
        return list(self._functions.values())

    def integer(self, dtype: str) -> None:
        """Arithmetic of ``dtype`` is printed."""
        self.wraps = self.wraps or dtype in ALWAYS_VALUES

    def header(self, name: str) -> None:
        self._headers.add(name)

    def type(self, dtype: str) -> str:
        """The C type of ``dtype``, with the header that declares it."""
        if dtype == BOOL:
            self.header("stdbool.h")
        elif dtype.startswith("complex"):
            self.header("complex.h")
        return C_TYPES[dtype]

    def search(self, kind: SearchKind, dtype: str) -> str:
        name = f"search_{kind.value}_{dtype}"
        return self._add(name, SEARCHES, kind.value, {f"SEARCH_{kind.name}": name, "TYPE": self.type(dtype)})

    def select(self, operator: str, dtype: str) -> str:
        """``min`` or ``max``. For floats a NaN on either side gives NaN, as in NumPy."""
        name = f"{operator}_{dtype}"
        nan_wins = {"NAN_WINS": ""} if dtype in FLOATS else {}
        return self._add(name, _SELECTS, operator, {operator.upper(): name, "TYPE": self.type(dtype), **nan_wins})

    def absolute(self, dtype: str) -> str:
        """``abs`` of a signed integer."""
        self.integer(dtype)
        name = f"abs_{dtype}"
        return self._add(name, _SELECTS, "abs", {"ABS": name, "TYPE": self.type(dtype)})

    def atomic(self, operator: str, dtype: str) -> str:
        """An atomic update by a compare-and-exchange loop, for operators that OpenMP's ``atomic`` does not take."""
        operator = spelled_operator(operator, dtype)
        if operator in ("min", "max"):
            combined = f"{self.select(operator, dtype)}(left, right)"
        else:
            combined = f"left {operator} right"
        word = {"&&": "and", "||": "or"}.get(operator, operator)
        name = f"atomic_{word}_{dtype}"
        macros = {"ATOMIC": name, "TYPE": self.type(dtype), "COMBINE(left, right)": combined}
        return self._add(name, _ATOMICS, "atomic", macros)

    def add(self, name: str, text: str) -> str:
        """The function or type ``name``, which ``text`` defines."""
        self._functions.setdefault(name, text)
        return name

    def reduction(self, operator: str, dtype: str) -> str:
        """The identifier of a ``reduction`` clause. The minimum of floats is our own: OpenMP's may drop a NaN."""
        if operator not in ("min", "max") or dtype not in FLOATS:
            return spelled_operator(operator, dtype)
        name = self.select(operator, dtype)
        identity = ("" if operator == "min" else "-") + "__builtin_inf()"
        macros = {"SELECT": name, "TYPE": self.type(dtype), "IDENTITY": identity}
        self._add(f"declare reduction {name}", _ATOMICS, "reduction", macros)
        return name

    def register_facts(self, name: str) -> str:
        """``VECTOR_BYTES``, ``REGISTERS_HOLD(bytes)``, ``VECTOR_MASKS`` or ``ONE_BY_ONE``: macros of the machine, or
        of the compiler, that compiles."""
        return self._add(name, _REGISTERS, name, {})

    def _add(self, name: str, file: FunctionFile, section: str, macros: Mapping[str, str]) -> str:
        return name if name in self._functions else self.add(name, file.text(section, macros))
