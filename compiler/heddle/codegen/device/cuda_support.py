"""CUDA's types, atomic functions, and the functions by which the threads of a warp or block combine their values."""

from __future__ import annotations

from pathlib import Path

from heddle.codegen.device.support import WORDS, DeviceSupport, Word
from heddle.codegen.function_text import FunctionFile
from heddle.codegen.support import C_TYPES, spelled_operator
from heddle.loop_ir.dtypes import COMPLEX, UNSIGNED
from heddle.loop_ir.nodes import MemorySpace

_NATIVE_SUMS = {
    "int32": "int",
    "uint32": "unsigned int",
    "int64": "unsigned long long",  # the sum of two's complements is the same
    "uint64": "unsigned long long",
    "float32": "float",
    "float64": "double",
}
_NATIVE_EXTREMA = {"int32": "int", "uint32": "unsigned int", "int64": "long long", "uint64": "unsigned long long"}

_WARPS = FunctionFile(Path(__file__).with_name("functions") / "warp.cu")


class CudaSupport(DeviceSupport):
    function_prefix = "static __device__ __forceinline__"

    @property
    def types(self) -> dict[str, str]:
        return {dtype: name for dtype, name in C_TYPES.items() if dtype not in COMPLEX}

    @property
    def words(self) -> dict[int, Word]:
        return {
            4: Word("unsigned int", "atomicCAS", "__uint_as_float", "__float_as_uint"),
            8: Word(
                "unsigned long long",
                "atomicCAS",
                "__longlong_as_double",
                "(unsigned long long)__double_as_longlong",
            ),
        }

    def add(self, name: str, text: str) -> str:
        self._functions.setdefault(name, text.replace("static inline", self.function_prefix))
        return name

    def target(self, element: str, space: MemorySpace) -> str:
        return element

    def native_atomic(self, operator: str, dtype: str) -> tuple[str, str] | None:
        table = {"+": ("atomicAdd", _NATIVE_SUMS), "min": ("atomicMin", _NATIVE_EXTREMA)}
        table["max"] = ("atomicMax", _NATIVE_EXTREMA)
        function, types = table.get(operator, ("", {}))
        return (function, types[dtype]) if dtype in types else None

    def warp(self, operator: str, dtype: str) -> str:
        """``name(value)``."""
        return self._collective("warp", operator, dtype)

    def block(self, operator: str, dtype: str) -> str:
        """``name(value, of_warps)``, with room for one value of each warp in shared memory."""
        return self._collective("block", operator, dtype, WARP=self.warp(operator, dtype))

    def runs(self, operator: str, dtype: str) -> str:
        """``name(value, heads)``."""
        return self._collective("runs", operator, dtype)

    def heads(self, dtype: str) -> str:
        """``name(key)`` of an index."""
        name = f"runs_heads_{dtype}"
        return self._add(name, _WARPS, "heads", {"HEADS": name, "TYPE": self.type(dtype)})

    def _collective(self, group: str, operator: str, dtype: str, **macros: str) -> str:
        word = WORDS[spelled_operator(operator, dtype)]
        wide = "unsigned int" if dtype in UNSIGNED else "int"
        value = f"({wide})value" if dtype in ("bool", "int8", "uint8", "int16", "uint16") else "value"
        if dtype in ("int64", "uint64"):  # int64_t may be long, which has no shuffle on every system
            value = f"({'unsigned ' if dtype == 'uint64' else ''}long long)value"
        combined = self.combine(operator, dtype, "left", "right")
        name = f"{group}_{word}_{dtype}"
        macros |= {group.upper(): name, "TYPE": self.type(dtype)}
        return self._add(name, _WARPS, group, {**macros, "SHUFFLED(value)": value, "COMBINE(left, right)": combined})
