"""What C texts say of vectors: types as wide as the registers of the machine that compiles them, and what moves lanes.

Vectors are those of gcc's and clang's extension. One of ``n`` lanes in loop IR is an array of as many registers as its
lanes fill; loops over these arrays are unrolled early, so that each element is a register of its own. The text is the
same for every machine: SSE2 and NEON have 16 bytes, AVX 32, AVX-512 64.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.codegen.support import VECTOR_BYTES, Support
from compiler.loop_ir.passes.lane_loops import ITEM_BYTES

MOST_BYTES = 64
"""Of the widest register that a text knows."""

_SHORT = {"float32": "f32", "float64": "f64", "int32": "i32"}

_LANES = """\
#define {lanes} (VECTOR_BYTES / {bytes})
"""

_FEW_LANES = """\
#define {lanes} ({all} < {cap} ? {all} : {cap})
"""

_EACH = """\
// For each of so many registers.
#define EACH_REGISTER(r, count) _Pragma("GCC unroll 64") for (int r = 0; r < (count); r++)
"""

_TYPE = """\
typedef {element} {name} __attribute__((vector_size({lanes} * {bytes})));
static inline {name} load_{name}(const {element}* p) {{ {name} v; __builtin_memcpy(&v, p, sizeof v); return v; }}
static inline void store_{name}({element}* p, {name} v) {{ __builtin_memcpy(p, &v, sizeof v); }}
"""

AVX512 = "#if defined(__AVX512DQ__) && defined(__AVX512VL__)"

_MASK_VECTOR = """\
typedef {index} {name};
static inline {name} keep_{index}({index} v) {{ return v; }}
static inline {index} lanes_of_{name}({name} kept) {{ return kept; }}
static inline bool in_{name}({name} kept, int lane) {{ return kept[lane]; }}
static inline bool every_{name}({name} kept) {{
  uint64_t words[sizeof kept / 8], every = ~UINT64_C(0);
  __builtin_memcpy(words, &kept, sizeof kept);
  for (int word = 0; word < (int)(sizeof kept / 8); word++) every &= words[word];
  return every == ~UINT64_C(0);
}}
"""

_MASK = """\
// Which lanes are kept: a bit for each where instructions take masks, else a vector of -1 and 0.
{avx512}
typedef uint{most}_t {name};
static inline {name} keep_{index}({index} v) {{ return __builtin_ia32_cvtd2mask{bits}(v); }}
static inline {index} lanes_of_{name}({name} kept) {{ return __builtin_ia32_cvtmask2d{bits}(kept); }}
static inline bool in_{name}({name} kept, int lane) {{ return kept >> lane & 1; }}
static inline bool every_{name}({name} kept) {{ return kept == (uint{most}_t)-1; }}
#else
{vector}#endif
"""

_FIRST = """\
// Keeps the lanes in front of so many steps.
static inline {name} first_of_{name}(int64_t steps) {{
{instruction}  {index} v = {{0}};
  for (int lane = 0; lane < {lanes}; lane++) v[lane] = lane;
  return keep_{index}(v < (int32_t)(steps < 0 ? 0 : steps < {most} ? steps : {most}));
}}
"""

_FIRST_BITS = """\
{avx512}
  return steps <= 0 ? 0 : steps < {most} ? (1u << steps) - 1 : (uint{most}_t)-1;
#endif
"""

_LOAD_KEPT = """\
// The elements at p in the lanes that are kept; 0 in the others, whose elements are not read.
static inline {name} load_kept_{name}(const {element}* p, {mask} kept) {{
{instruction}  {name} v = {{0}};
  if (every_{mask}(kept)) return load_{name}(p);
  for (int lane = 0; lane < {lanes}; lane++) if (in_{mask}(kept, lane)) v[lane] = p[lane];
  return v;
}}
"""

_GATHER = """\
// The elements of x at the subscripts of the lanes.
static inline {name} gather_{name}(const {element}* x, {index} at) {{
{instruction}  {name} v = {{0}};
  for (int lane = 0; lane < {lanes}; lane++) v[lane] = x[at[lane]];
  return v;
}}
"""

_GATHER_KEPT = """\
// The elements of x at the subscripts of the lanes that are kept; 0 in the others, whose elements are not read.
static inline {name} gather_kept_{name}(const {element}* x, {index} at, {mask} kept) {{
{instruction}  {name} v = {{0}};
  if (every_{mask}(kept)) {{
    for (int lane = 0; lane < {lanes}; lane++) v[lane] = x[at[lane]];
    return v;
  }}
  for (int lane = 0; lane < {lanes}; lane++) if (in_{mask}(kept, lane)) v[lane] = x[at[lane]];
  return v;
}}
"""

_SCATTER = """\
// Each lane of v to the element of y at its subscript.
static inline void {function}({element}* y, {index} at, {name} v) {{
  for (int lane = 0; lane < {lanes}; lane++) y[at[lane]] {operator} v[lane];
}}
"""

SCATTERS = {None: ("scatter", "="), "+": ("scatter_sum", "+="), "*": ("scatter_product", "*=")}
"""The function and the assignment in it, by what a store does with the element that was there."""

_KEPT = """\
// v in the lanes that are kept, 0 in the others.
static inline {name} kept_{name}({name} v, {mask} kept) {{
  typedef int{bits}_t wide __attribute__((vector_size({lanes} * {bytes})));
  return ({name})((wide)v & __builtin_convertvector(lanes_of_{mask}(kept), wide));
}}
"""

_SUM = """\
// The sum of {count} lanes: halves are added until one lane is left.
static inline __attribute__((always_inline)) {element} sum{count}_{name}(const {name}* v) {{
  {element} part[{count}];
  __builtin_memcpy(part, v, sizeof part);
  _Pragma("GCC unroll 64") for (int half = {count} / 2; half > 0; half /= 2) {{
    _Pragma("GCC unroll 64") for (int lane = 0; lane < half; lane++) part[lane] += part[lane + half];
  }}
  return part[0];
}}
"""


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
        self.support.add("VECTOR_BYTES", VECTOR_BYTES)
        every = self.support.add("VECTOR_LANES", _LANES.format(lanes="VECTOR_LANES", bytes=self.item_bytes))
        cap = self.few(lanes)
        if cap is None:
            return every
        name = f"VECTOR_LANES_{cap}"
        return self.support.add(name, _FEW_LANES.format(lanes=name, all=every, cap=cap))

    def each(self) -> str:
        return self.support.add("EACH_REGISTER", _EACH)

    def type(self, dtype: str, lanes: int) -> str:
        """The type of one register."""
        cap, per = self.few(lanes), self.lanes(lanes)
        name = f"{_SHORT[dtype]}v{cap or ''}"
        text = _TYPE.format(name=name, element=self.support.type(dtype), lanes=per, bytes=ITEM_BYTES[dtype])
        return self.support.add(name, text)

    def mask(self, lanes: int) -> str:
        """The type of what says which lanes of a register are kept."""
        cap, index = self.few(lanes), self.type("int32", lanes)
        name = f"kept_v{cap or ''}"
        self.support.header("stdbool.h")
        text = _MASK_VECTOR.format(index=index, name=name)
        if cap is None:
            most = MOST_BYTES // self.item_bytes
            text = _MASK.format(avx512=AVX512, index=index, name=name, most=most, bits=32 * most, vector=text)
        return self.support.add(name, text)

    def first(self, lanes: int) -> str:
        mask, index, cap = self.mask(lanes), self.type("int32", lanes), self.few(lanes)
        most = cap or MOST_BYTES // self.item_bytes
        instruction = _FIRST_BITS.format(avx512=AVX512, most=most) if cap is None else ""
        text = _FIRST.format(name=mask, index=index, lanes=self.lanes(lanes), most=most, instruction=instruction)
        return self.support.add(f"first_of_{mask}", text)

    def load_kept(self, dtype: str, lanes: int) -> str:
        name = self.type(dtype, lanes)
        values = {
            "name": name,
            "element": self.support.type(dtype),
            "mask": self.mask(lanes),
            "lanes": self.lanes(lanes),
        }
        instruction = self._instruction(_LOADS, dtype, lanes)
        return self.support.add(f"load_kept_{name}", _LOAD_KEPT.format(instruction=instruction, **values))

    def gather(self, dtype: str, lanes: int, *, masked: bool) -> str:
        name, index = self.type(dtype, lanes), self.type("int32", lanes)
        values = {"name": name, "element": self.support.type(dtype), "index": index, "lanes": self.lanes(lanes)}
        if masked:
            values["mask"] = self.mask(lanes)
        template, table = (_GATHER_KEPT, _GATHERS_KEPT) if masked else (_GATHER, _GATHERS)
        instruction = self._instruction(table, dtype, lanes)
        function = f"gather_{'kept_' if masked else ''}{name}"
        return self.support.add(function, template.format(instruction=instruction, **values))

    def scatter(self, dtype: str, lanes: int, reduce: str | None) -> str:
        name, index = self.type(dtype, lanes), self.type("int32", lanes)
        word, operator = SCATTERS[reduce]
        function, element = f"{word}_{name}", self.support.type(dtype)
        text = _SCATTER.format(
            function=function, element=element, index=index, name=name, lanes=self.lanes(lanes), operator=operator
        )
        return self.support.add(function, text)

    def keep(self, dtype: str, lanes: int) -> str:
        name, mask, size = self.type(dtype, lanes), self.mask(lanes), ITEM_BYTES[dtype]
        text = _KEPT.format(name=name, mask=mask, bits=8 * size, bytes=size, lanes=self.lanes(lanes))
        return self.support.add(f"kept_{name}", text)

    def sum(self, dtype: str, lanes: int) -> str:
        name = self.type(dtype, lanes)
        text = _SUM.format(name=name, element=self.support.type(dtype), count=lanes)
        return self.support.add(f"sum{lanes}_{name}", text)

    def _instruction(self, table: dict[tuple[str, int], str], dtype: str, lanes: int) -> str:
        """The lines with which a processor does at once what the loop behind them does lane by lane."""
        if self.few(lanes) is not None:
            return ""
        return table.get((dtype, self.item_bytes), "")


_LOADS = {
    (dtype, item): f"{AVX512}\n  return {instruction}((const void*)p, ({name}){{0}}, kept);\n#endif\n"
    for dtype, item, name, instruction in (
        ("float64", 8, "f64v", "__builtin_ia32_loadupd512_mask"),
        ("float32", 4, "f32v", "__builtin_ia32_loadups512_mask"),
        ("float32", 8, "f32v", "__builtin_ia32_loadups256_mask"),
        ("int32", 4, "i32v", "__builtin_ia32_loaddqusi512_mask"),
        ("int32", 8, "i32v", "__builtin_ia32_loaddqusi256_mask"),
    )
}
"""By element, and by the bytes of the widest one: what loads the lanes of a mask, as gcc and clang both name it."""

_GATHERS_KEPT = {
    ("float64", 8): f"{AVX512}\n  return __builtin_ia32_gathersiv8df((f64v){{0}}, x, at, kept, 8);\n#endif\n",
    ("float32", 4): f"{AVX512}\n  return __builtin_ia32_gathersiv16sf((f32v){{0}}, x, at, kept, 4);\n#endif\n",
    ("float32", 8): f"{AVX512}\n  return __builtin_ia32_gather3siv8sf((f32v){{0}}, x, at, kept, 4);\n#endif\n",
}
_GATHERS = {
    ("float64", 8): f"{AVX512}\n  return __builtin_ia32_gathersiv8df((f64v){{0}}, x, at, -1, 8);\n#endif\n",
    ("float32", 4): f"{AVX512}\n  return __builtin_ia32_gathersiv16sf((f32v){{0}}, x, at, -1, 4);\n#endif\n",
    ("float32", 8): f"{AVX512}\n  return __builtin_ia32_gather3siv8sf((f32v){{0}}, x, at, -1, 4);\n#endif\n",
}
"""Those of AVX-512 that gather by 32-bit subscripts. Gathers of AVX2 are left out: loads one by one are as fast."""
