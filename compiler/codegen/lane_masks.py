"""Which lanes of a vector are kept, in C: a bit for each where instructions take masks, else a vector of -1 and 0.

Kernels on AVX-512 would otherwise turn bits into vectors and back: 5 to 9 % of SpMV in lanes.
"""

from __future__ import annotations

from compiler.codegen.support import Support

AVX512 = "#if defined(__AVX512DQ__) && defined(__AVX512VL__)"

_BITS = (8, 16)
"""Numbers of lanes with 32 bits each that a register of AVX-512 has, whole or half."""

_VECTOR = """\
typedef {index} {name};
static inline {name} keep_x{lanes}({index} v) {{ return v; }}
static inline {index} lanes_of_{name}({name} kept) {{ return kept; }}
static inline bool in_{name}({name} kept, int lane) {{ return kept[lane]; }}
"""

_MASK = """\
{avx512}
typedef uint{lanes}_t {name};
static inline {name} keep_x{lanes}({index} v) {{ return __builtin_ia32_cvtd2mask{bits}(v); }}
static inline {index} lanes_of_{name}({name} kept) {{ return __builtin_ia32_cvtmask2d{bits}(kept); }}
static inline bool in_{name}({name} kept, int lane) {{ return kept >> lane & 1; }}
#else
{vector}#endif
"""

_FIRST = """\
// Keeps the lanes that are left when there are so many steps to go.
static inline {name} first_of_{name}(int64_t steps) {{
{avx512}
  return steps < 8 ? (1u << steps) - 1 : 255;
#else
  return ({index}){{0, 1, 2, 3, 4, 5, 6, 7}} < (int32_t)(steps < 8 ? steps : 8);
#endif
}}
"""


def kept_type(support: Support, index: str, lanes: int) -> str:
    """The type of what says which of ``lanes`` are kept; ``index`` is that of as many 32-bit integers. With it come
    ``keep_x<lanes>(index)``, which keeps the lanes with -1, and its inverse ``lanes_of_<type>``, and
    ``in_<type>(kept, lane)``."""
    name = f"kept_x{lanes}"
    support.header("stdbool.h")
    text = _VECTOR.format(index=index, name=name, lanes=lanes)
    if lanes in _BITS:
        text = _MASK.format(avx512=AVX512, index=index, name=name, lanes=lanes, bits=32 * lanes, vector=text)
    return support.add(name, f"// Which of {lanes} lanes are kept.\n{text}")


def first_lanes(support: Support, index: str) -> str:
    """``first(steps)`` keeps the first of 8 lanes, as many as there are steps."""
    name = kept_type(support, index, 8)
    return support.add(f"first_of_{name}", _FIRST.format(name=name, index=index, avx512=AVX512))
