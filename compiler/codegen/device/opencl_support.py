"""OpenCL's types, atomic functions, and the functions by which the work-items of a warp or group combine their values.

A warp of 32 lanes is a sub-group of 32 work-items where the device has such, else 32 neighbouring work-items of a
work-group, which exchange values through local memory. Functions with barriers are always inlined by the front end of
the device's compiler: PoCL 3.0 may die where it inlines one of them into several places on its own.
"""

from __future__ import annotations

from compiler.codegen.device.program import WarpForm
from compiler.codegen.device.support import WORDS, DeviceSupport, Word
from compiler.codegen.support import spelled_operator
from compiler.loop_ir.dtypes import UNSIGNED
from compiler.loop_ir.nodes import BOOL, MemorySpace

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

_SUB_GROUP = """\
// Combines the values of the 32 work-items of a sub-group by a butterfly of shuffles; every one gets the result.
static inline {type} {name}({type} value) {{
  for (int offset = 16; offset > 0; offset /= 2) {{
    {type} other = ({type})sub_group_shuffle_xor({value}, offset);
    value = {combined};
  }}
  return value;
}}
"""

_LOCAL_WARP = """\
// Combines the values of 32 neighbouring work-items in local memory; every one gets the result.
static inline __attribute__((always_inline)) {type} {name}({type} value, __local {element}* lanes) {{
  int item = get_local_id(0), lane = item % 32;
  lanes[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int offset = 16; offset > 0; offset /= 2) {{
    {type} other = lanes[lane < offset ? item + offset : item];
    if (lane < offset) lanes[item] = value = {combined};
    barrier(CLK_LOCAL_MEM_FENCE);
  }}
  value = lanes[item - lane];
  barrier(CLK_LOCAL_MEM_FENCE);
  return value;
}}
"""

_BLOCK = """\
// Combines the values of all work-items of the group in local memory; every one gets the result.
static inline __attribute__((always_inline)) {type} {name}({type} value, __local {element}* items) {{
  int item = get_local_id(0), count = get_local_size(0);
  items[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int offset = 512; offset > 0; offset /= 2) {{
    bool takes = item < offset && item + offset < count;
    {type} other = items[takes ? item + offset : item];
    if (takes) items[item] = value = {combined};
    barrier(CLK_LOCAL_MEM_FENCE);
  }}
  value = items[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return value;
}}
"""

_RUNS_SUB_GROUP = """\
// Combines within runs of neighbouring lanes; the first lane of each run gets the result.
// Bit k of heads: lane k is a first one.
static inline {type} {name}({type} value, uint heads) {{
  int lane = get_sub_group_local_id();
  uint behind = lane == 31 ? 0 : heads >> (lane + 1);
  int length = behind ? 32 - clz(behind & -behind) : 32 - lane;  // lanes from here to the end of the run
  for (int offset = 1; offset < 32; offset *= 2) {{
    {type} other = ({type})sub_group_shuffle({value}, (lane + offset) % 32);
    if (offset < length) value = {combined};
  }}
  return value;
}}
"""

_RUNS_LOCAL = """\
// Combines within runs of neighbouring lanes; the first lane of each run gets the result.
// Bit k of heads: lane k is a first one.
static inline __attribute__((always_inline)) {type} {name}({type} value, uint heads, __local {element}* lanes) {{
  int item = get_local_id(0), lane = item % 32;
  uint behind = lane == 31 ? 0 : heads >> (lane + 1);
  int length = behind ? 32 - clz(behind & -behind) : 32 - lane;  // lanes from here to the end of the run
  lanes[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (heads >> lane & 1) {{
    for (int offset = 1; offset < length; offset++) {{
      {type} other = lanes[item + offset];
      value = {combined};
    }}
  }}
  barrier(CLK_LOCAL_MEM_FENCE);
  return value;
}}
"""

_HEADS_SUB_GROUP = """\
// Bit k: lane k has another key than the lane before it.
static inline uint {name}({type} key) {{
  int lane = get_sub_group_local_id();
  {type} before = sub_group_shuffle(key, lane == 0 ? 0 : lane - 1);
  uint heads = lane == 0 || before != key ? 1u << lane : 0;
  for (int offset = 16; offset > 0; offset /= 2) heads |= sub_group_shuffle_xor(heads, offset);
  return heads;
}}
"""

_HEADS_LOCAL = """\
// Bit k: lane k has another key than the lane before it.
static inline __attribute__((always_inline)) uint {name}({type} key, __local {type}* keys) {{
  int item = get_local_id(0), first = item - item % 32;
  keys[item] = key;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint heads = 1;
  for (int lane = 1; lane < 32; lane++) heads |= (uint)(keys[first + lane] != keys[first + lane - 1]) << lane;
  barrier(CLK_LOCAL_MEM_FENCE);
  return heads;
}}
"""


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

    def located(self, element: str, space: MemorySpace) -> str:
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
        template = _SUB_GROUP if self._form is WarpForm.SUB_GROUPS else _LOCAL_WARP
        return self._collective("warp", template, operator, dtype)

    def block(self, operator: str, dtype: str) -> str:
        """``name(value, items)``, with room for a value of each work-item in local memory."""
        return self._collective("block", _BLOCK, operator, dtype)

    def runs(self, operator: str, dtype: str) -> str:
        """``name(value, heads)``, for local memory ``name(value, heads, lanes)``."""
        template = _RUNS_SUB_GROUP if self._form is WarpForm.SUB_GROUPS else _RUNS_LOCAL
        return self._collective("runs", template, operator, dtype)

    def heads(self, dtype: str) -> str:
        """``name(key)`` of an index, for local memory ``name(key, keys)``."""
        template = _HEADS_SUB_GROUP if self._form is WarpForm.SUB_GROUPS else _HEADS_LOCAL
        return self._add(f"runs_heads_{dtype}", template, type=self.type(dtype))

    def _collective(self, group: str, template: str, operator: str, dtype: str) -> str:
        if self._form is WarpForm.SUB_GROUPS and group != "block":
            self.extensions.add("cl_khr_subgroup_shuffle")
        word = WORDS[spelled_operator(operator, dtype)]
        wide = "uint" if dtype in UNSIGNED else "int"
        value = f"({wide})value" if dtype in ("bool", "int8", "uint8", "int16", "uint16") else "value"
        combined = self.combined(operator, dtype, "value", "other")
        names = {"type": self.type(dtype), "element": self.element(dtype), "value": value, "combined": combined}
        return self._add(f"{group}_{word}_{dtype}", template, **names)
