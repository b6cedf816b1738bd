"""CUDA's types, atomic functions, and the functions by which the threads of a warp or block combine their values."""

from __future__ import annotations

from compiler.codegen.device.support import WORDS, DeviceSupport, Word
from compiler.codegen.support import C_TYPES, spelled_operator
from compiler.loop_ir.dtypes import COMPLEX, UNSIGNED
from compiler.loop_ir.nodes import MemorySpace

_NATIVE_SUMS = {
    "int32": "int",
    "uint32": "unsigned int",
    "int64": "unsigned long long",  # the sum of two's complements is the same
    "uint64": "unsigned long long",
    "float32": "float",
    "float64": "double",
}
_NATIVE_EXTREMA = {"int32": "int", "uint32": "unsigned int", "int64": "long long", "uint64": "unsigned long long"}

_WARP = """\
// Combines the values of the 32 lanes of a warp by a butterfly of shuffles; every lane gets the result.
static inline {type} {name}({type} value) {{
  for (int offset = 16; offset > 0; offset /= 2) {{
    {type} other = ({type})__shfl_xor_sync(0xffffffffu, {value}, offset);
    value = {combined};
  }}
  return value;
}}
"""

_BLOCK = """\
// Combines within each warp, then over the warps through shared memory; every thread of the block gets the result.
static inline {type} {name}({type} value, {type}* of_warps) {{
  value = {warp}(value);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warps[0];
  for (int warp = 1; warp < (blockDim.x + 31) / 32; warp++) {{
    {type} other = of_warps[warp];
    value = {combined};
  }}
  __syncthreads();
  return value;
}}
"""

_RUNS = """\
// Combines within runs of neighbouring lanes; the first lane of each run gets the result.
// Bit k of heads: lane k is a first one.
static inline {type} {name}({type} value, unsigned int heads) {{
  int lane = threadIdx.x % 32;
  unsigned int behind = lane == 31 ? 0 : heads >> (lane + 1);
  int length = behind ? __ffs(behind) : 32 - lane;  // lanes from here to the end of the run
  for (int offset = 1; offset < 32; offset *= 2) {{
    {type} other = ({type})__shfl_down_sync(0xffffffffu, {value}, offset);
    if (offset < length) value = {combined};
  }}
  return value;
}}
"""

_HEADS = """\
// Bit k: lane k has another key than the lane before it.
static inline unsigned int {name}({type} key) {{
  {type} before = __shfl_up_sync(0xffffffffu, key, 1);
  return __ballot_sync(0xffffffffu, threadIdx.x % 32 == 0 || before != key);
}}
"""


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
        return self._collective("warp", _WARP, operator, dtype)

    def block(self, operator: str, dtype: str) -> str:
        """``name(value, of_warps)``, with room for one value of each warp in shared memory."""
        return self._collective("block", _BLOCK, operator, dtype, warp=self.warp(operator, dtype))

    def runs(self, operator: str, dtype: str) -> str:
        """``name(value, heads)``."""
        return self._collective("runs", _RUNS, operator, dtype)

    def heads(self, dtype: str) -> str:
        """``name(key)`` of an index."""
        return self._add(f"runs_heads_{dtype}", _HEADS, type=self.type(dtype))

    def _collective(self, group: str, template: str, operator: str, dtype: str, **values: str) -> str:
        word = WORDS[spelled_operator(operator, dtype)]
        wide = "unsigned int" if dtype in UNSIGNED else "int"
        value = f"({wide})value" if dtype in ("bool", "int8", "uint8", "int16", "uint16") else "value"
        if dtype in ("int64", "uint64"):  # int64_t may be long, which has no shuffle on every system
            value = f"({'unsigned ' if dtype == 'uint64' else ''}long long)value"
        combined = self.combined(operator, dtype, "value", "other")
        name = f"{group}_{word}_{dtype}"
        return self._add(name, template, type=self.type(dtype), value=value, combined=combined, **values)
