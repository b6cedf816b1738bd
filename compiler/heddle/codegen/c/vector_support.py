"""What C texts say of vectors: types as wide as the registers of the machine that compiles them, and what moves lanes.

Vectors are those of gcc's and clang's extension. One of ``n`` lanes in loop IR is an array of as many registers as its
lanes fill; loops over these arrays are unrolled early, so that each element is a register of its own. The text is the
same for every machine: SSE2 and NEON have 16 bytes, AVX 32, AVX-512 64.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from heddle.codegen.function_text import FunctionFile
from heddle.codegen.support import Support
from heddle.loop_ir.passes.lane_analysis import ITEM_BYTES

MOST_BYTES = 64
"""Of the widest register that a text knows."""

_SHORT = {"float32": "f32", "float64": "f64", "int32": "i32"}

_EITHER_MASK = """\
// Which lanes are kept: a bit for each where instructions take masks, else a vector of -1 and 0.
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
"""
_VECTORS = FunctionFile(Path(__file__).with_name("functions") / "vectors.c")

SCATTERS = {None: ("scatter", "="), "+": ("scatter_sum", "+="), "*": ("scatter_product", "*=")}
"""The function and the assignment in it, by what a store does with the element that was there."""


@dataclass(frozen=True, slots=True)
class VectorTypes:
    """The types of one function. ``item_bytes`` of its widest elements: a register has as many lanes as fit of them,
    so that vectors of unlike elements go side by side."""

    support: Support
    item_bytes: int

    def few(self, lanes: int) -> int | None:
        """The lanes that a register has at most, where ``lanes`` are no whole number of the widest registers."""
        cap = lanes & -lanes
        return None if cap * self.item_bytes >= MOST_BYTES else cap

    def lanes(self, lanes: int) -> str:
        """The name of the constant that is the number of lanes in a register, for vectors of so many ``lanes``."""
        self.support.register_facts("VECTOR_BYTES")
        every = self._add("VECTOR_LANES", "lanes", {"ITEM_BYTES": str(self.item_bytes)})
        cap = self.few(lanes)
        if cap is None:
            return every
        name = f"VECTOR_LANES_{cap}"
        return self._add(name, "few_lanes", {"FEW_LANES": name, "MOST": str(cap)})

    def each(self) -> str:
        return self._add("EACH_REGISTER", "each_register", {})

    def type(self, dtype: str, lanes: int) -> str:
        """The type of one register."""
        name, per = f"{_SHORT[dtype]}v{self.few(lanes) or ''}", self.lanes(lanes)
        element = self.support.type(dtype)
        macros = {"REGISTER": name, "ELEMENT": element, "LANES": per, "BYTES": str(ITEM_BYTES[dtype])}
        return self._add(name, "register", macros)

    def mask(self, lanes: int) -> str:
        """The type of what says which lanes of a register are kept."""
        cap, index = self.few(lanes), self.type("int32", lanes)
        name = f"kept_v{cap or ''}"
        self.support.header("stdbool.h")
        macros = {"MASK": name, "SUBSCRIPTS": index}
        text = _VECTORS.text("mask_of_lanes", macros)
        if cap is None:
            bits = 32 * MOST_BYTES // self.item_bytes
            to_bits, from_bits = f"__builtin_ia32_cvtd2mask{bits}", f"__builtin_ia32_cvtmask2d{bits}"
            macros |= {"MASK_BITS": self._mask_bits(), "TO_BITS": to_bits, "FROM_BITS": from_bits}
            text = f"{_EITHER_MASK}{_VECTORS.text('mask_of_bits', macros)}#else\n{text}#endif\n"
        return self.support.add(name, text)

    def first(self, lanes: int) -> str:
        mask, index, cap = self.mask(lanes), self.type("int32", lanes), self.few(lanes)
        macros = {"MASK": mask, "SUBSCRIPTS": index, "LANES": self.lanes(lanes)}
        if cap is None:
            macros["MASK_BITS"] = self._mask_bits()
        return self._add(f"first_of_{mask}", "first", {**macros, "MOST": str(cap or MOST_BYTES // self.item_bytes)})

    def load_kept(self, dtype: str, lanes: int) -> str:
        name, element = self.type(dtype, lanes), self.support.type(dtype)
        macros = {"REGISTER": name, "ELEMENT": element, "MASK": self.mask(lanes), "LANES": self.lanes(lanes)}
        macros |= self._instruction("LOAD_KEPT", _LOADS, dtype, lanes)
        return self._add(f"load_kept_{name}", "load_kept", macros)

    def gather(self, dtype: str, lanes: int, *, masked: bool) -> str:
        name, index = self.type(dtype, lanes), self.type("int32", lanes)
        macros = {"REGISTER": name, "ELEMENT": self.support.type(dtype), "SUBSCRIPTS": index}
        macros |= {"LANES": self.lanes(lanes), **self._instruction("GATHER", _GATHERS, dtype, lanes)}
        if not masked:
            return self._add(f"gather_{name}", "gather", {**macros, "BYTES": str(ITEM_BYTES[dtype])})
        macros["MASK"] = self.mask(lanes)
        return self._add(f"gather_kept_{name}", "gather_kept", {**macros, "BYTES": str(ITEM_BYTES[dtype])})

    def scatter(self, dtype: str, lanes: int, reduce: str | None) -> str:
        name, index = self.type(dtype, lanes), self.type("int32", lanes)
        word, operator = SCATTERS[reduce]
        macros = {"REGISTER": name, "ELEMENT": self.support.type(dtype), "SUBSCRIPTS": index}
        macros |= {"LANES": self.lanes(lanes), "SCATTER": f"{word}_{name}", "ASSIGN": operator}
        return self._add(f"{word}_{name}", "scatter", macros)

    def keep(self, dtype: str, lanes: int) -> str:
        name, mask, size = self.type(dtype, lanes), self.mask(lanes), ITEM_BYTES[dtype]
        macros = {"REGISTER": name, "MASK": mask, "INTEGER": f"int{8 * size}_t", "BYTES": str(size)}
        return self._add(f"kept_{name}", "keep", {**macros, "LANES": self.lanes(lanes)})

    def sum(self, dtype: str, lanes: int) -> str:
        name = self.type(dtype, lanes)
        function = f"sum{lanes}_{name}"
        macros = {"REGISTER": name, "ELEMENT": self.support.type(dtype), "COUNT": str(lanes), "SUM": function}
        return self._add(function, "sum", macros)

    def _mask_bits(self) -> str:
        """The type of a bit for each lane of the widest registers."""
        return f"uint{MOST_BYTES // self.item_bytes}_t"

    def _instruction(self, macro: str, table: Instructions, dtype: str, lanes: int) -> dict[str, str]:
        """``macro``, for what a processor does at once instead of the loop behind it; nothing where it cannot."""
        instruction = None if self.few(lanes) is not None else table.get((dtype, self.item_bytes))
        return {} if instruction is None else {macro: instruction}

    def _add(self, name: str, section: str, macros: Mapping[str, str]) -> str:
        return self.support.add(name, _VECTORS.text(section, macros))


Instructions = Mapping[tuple[str, int], str]
"""By element, and by the bytes of the widest one: as gcc and clang both name them, of AVX-512."""
_LOADS: Instructions = {
    ("float64", 8): "__builtin_ia32_loadupd512_mask",
    ("float32", 4): "__builtin_ia32_loadups512_mask",
    ("float32", 8): "__builtin_ia32_loadups256_mask",
    ("int32", 4): "__builtin_ia32_loaddqusi512_mask",
    ("int32", 8): "__builtin_ia32_loaddqusi256_mask",
}
_GATHERS: Instructions = {
    ("float64", 8): "__builtin_ia32_gathersiv8df",
    ("float32", 4): "__builtin_ia32_gathersiv16sf",
    ("float32", 8): "__builtin_ia32_gather3siv8sf",
}
"""By 32-bit subscripts. Gathers of AVX2 are left out: loads one by one are as fast."""
