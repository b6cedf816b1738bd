"""OpenCL's types, atomic functions, and the functions by which the work-items of a warp or group combine their values.

A warp of 32 lanes is a sub-group of 32 work-items where the device has such, else 32 neighbouring work-items of a
work-group, which exchange values through local memory. Functions with barriers are always inlined by the front end of
the device's compiler: PoCL 3.0 may die where it inlines one of them into several places on its own.
"""

from __future__ import annotations

from pathlib import Path

from heddle.codegen.device.program import WarpForm
from heddle.codegen.device.support import WORDS, DeviceSupport, Word
from heddle.codegen.function_text import FunctionFile
from heddle.codegen.support import spelled_operator
from heddle.loop_ir.dtypes import UNSIGNED
from heddle.loop_ir.nodes import BOOL, MemorySpace

TYPES = {
    BOOL: "bool",
    "float32": "float",
    "float64": "double",
    "int8": "char",
    "int16": "short",
    "int32": "int",
    "int64": "long",
    "uint8": "uchar",
    "uint16": "ushort",
    "uint32": "uint",
    "uint64": "ulong",
}
SPACES = {MemorySpace.GLOBAL: "__global ", MemorySpace.SHARED: "__local ", MemorySpace.REGISTER: ""}

_FUNCTIONS = Path(__file__).with_name("functions")
_SUB_GROUPS = FunctionFile(_FUNCTIONS / "sub_groups.cl")
_LOCAL_MEMORY = FunctionFile(_FUNCTIONS / "local_memory.cl")


class OpenClSupport(DeviceSupport):
    def __init__(self, form: WarpForm) -> None:
        super().__init__()
        self._form = form
        self.extensions: set[str] = {"cl_khr_fp64"}

    @property
    def types(self) -> dict[str, str]:
        return TYPES

    @property
    def words(self) -> dict[int, Word]:
        return {
            4: Word("uint", "atomic_cmpxchg", "as_float", "as_uint"),
            8: Word("ulong", "atom_cmpxchg", "as_double", "as_ulong"),
        }

    def target(self, element: str, space: MemorySpace) -> str:
        return f"volatile {SPACES[space]}{element}"

    def place_type(self, element: str, space: MemorySpace) -> str:
        return f"{SPACES[space]}{element}"

    def atomic_in(self, operator: str, dtype: str, space: MemorySpace) -> str:
        if dtype in ("int64", "uint64", "float64"):
            self.extensions.add("cl_khr_int64_base_atomics")
            if operator in ("min", "max") and dtype != "float64":
                self.extensions.add("cl_khr_int64_extended_atomics")
        return super().atomic_in(operator, dtype, space)

    def native_atomic(self, operator: str, dtype: str) -> tuple[str, str] | None:
        word = {"+": "add", "min": "min", "max": "max"}.get(operator)
        prefix = {"int32": "atomic", "uint32": "atomic", "int64": "atom", "uint64": "atom"}.get(dtype)
        return (f"{prefix}_{word}", TYPES[dtype]) if word is not None and prefix is not None else None

    def warp(self, operator: str, dtype: str) -> str:
        """``name(value)`` for sub-groups, ``name(value, lanes)`` for local memory."""
        return self._collective("warp", self._warps, operator, dtype)

    def block(self, operator: str, dtype: str) -> str:
        """``name(value, items)``, with room for a value of each work-item in local memory."""
        return self._collective("block", _LOCAL_MEMORY, operator, dtype)

    def runs(self, operator: str, dtype: str) -> str:
        """``name(value, heads)``, for local memory ``name(value, heads, lanes)``."""
        return self._collective("runs", self._warps, operator, dtype)

    def heads(self, dtype: str) -> str:
        """``name(key)`` of an index, for local memory ``name(key, keys)``."""
        name = f"runs_heads_{dtype}"
        return self._add(name, self._warps, "heads", {"HEADS": name, "TYPE": self.type(dtype)})

    @property
    def _warps(self) -> FunctionFile:
        return _SUB_GROUPS if self._form is WarpForm.SUB_GROUPS else _LOCAL_MEMORY

    def _collective(self, group: str, file: FunctionFile, operator: str, dtype: str) -> str:
        if self._form is WarpForm.SUB_GROUPS and group != "block":
            self.extensions.add("cl_khr_subgroup_shuffle")
        word = WORDS[spelled_operator(operator, dtype)]
        wide = "uint" if dtype in UNSIGNED else "int"
        value = f"({wide})value" if dtype in ("bool", "int8", "uint8", "int16", "uint16") else "value"
        combined = self.combine(operator, dtype, "left", "right")
        name = f"{group}_{word}_{dtype}"
        macros = {group.upper(): name, "TYPE": self.type(dtype), "ELEMENT": self.element(dtype)}
        return self._add(name, file, group, {**macros, "SHUFFLED(value)": value, "COMBINE(left, right)": combined})
