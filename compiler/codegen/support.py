"""The small C functions that a kernel may call: searches, minimum and maximum, atomic updates.

A printer asks for a function by what it does; only functions that were asked for are emitted, in that order.
"""

from __future__ import annotations

from collections.abc import Mapping

from compiler.loop_ir.dtypes import FLOATS
from compiler.loop_ir.nodes import BOOL, SearchKind

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

_BEFORE = """\
// The largest p in [lower, upper) with array[p] <= value, lower when there is none.
static inline int64_t {name}(const {type}* array, int64_t lower, int64_t upper, int64_t value) {{
  while (upper - lower > 1) {{
    int64_t middle = lower + (upper - lower) / 2;
    if (array[middle] <= value) lower = middle;
    else upper = middle;
  }}
  return lower;
}}
"""

_AT_LEAST = """\
// The smallest p in [lower, upper) with array[p] >= value, upper when there is none.
static inline int64_t {name}(const {type}* array, int64_t lower, int64_t upper, int64_t value) {{
  while (lower < upper) {{
    int64_t middle = lower + (upper - lower) / 2;
    if (array[middle] < value) lower = middle + 1;
    else upper = middle;
  }}
  return lower;
}}
"""

_GALLOP = """\
// The smallest p in [lower, upper) with array[p] >= value, upper when there is none: in doubling steps from lower.
static inline int64_t {name}(const {type}* array, int64_t lower, int64_t upper, int64_t value) {{
  int64_t probe = lower;
  for (int64_t step = 1; probe < upper && array[probe] < value; step *= 2) {{
    lower = probe + 1;
    probe += step;
  }}
  if (probe < upper) upper = probe;
  while (lower < upper) {{
    int64_t middle = lower + (upper - lower) / 2;
    if (array[middle] < value) lower = middle + 1;
    else upper = middle;
  }}
  return lower;
}}
"""

VECTOR_BYTES = """\
// The bytes of a vector register.
#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
"""

REGISTERS_HOLD = """\
// Whether half of the vector registers hold so many bytes.
#if defined(__AVX512F__) || defined(__aarch64__)
#define VECTOR_REGISTERS 32
#else
#define VECTOR_REGISTERS 16
#endif
#define REGISTERS_HOLD(bytes) (VECTOR_REGISTERS * VECTOR_BYTES >= 2 * (bytes))
"""

VECTOR_MASKS = """\
// Whether instructions mask vectors.
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
#define VECTOR_MASKS 1
#else
#define VECTOR_MASKS 0
#endif
"""

SEARCHES = {SearchKind.BEFORE: _BEFORE, SearchKind.AT_LEAST: _AT_LEAST, SearchKind.GALLOP: _GALLOP}

_SELECT = """\
static inline {type} {name}({type} a, {type} b) {{ return {condition} ? a : b; }}
"""

_ABSOLUTE = """\
static inline {type} {name}({type} a) {{ return a < 0 ? ({type})-a : a; }}
"""

# Relaxed order is enough: the barrier at the end of the parallel loop publishes the result.
_ATOMIC = """\
static inline void {name}({type}* address, {type} value) {{
  {type} old, update;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  do {{
    update = {combined};
  }} while (!__atomic_compare_exchange(address, &old, &update, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}}
"""

_DECLARE_REDUCTION = """\
#pragma omp declare reduction({name} : {type} : omp_out = {name}(omp_out, omp_in)) initializer(omp_priv = {identity})
"""


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

    @property
    def headers(self) -> list[str]:
        return sorted(self._headers)

    @property
    def functions(self) -> list[str]:
        return list(self._functions.values())

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
        template = SEARCHES[kind]
        return self._add(f"search_{kind.value}_{dtype}", template, type=self.type(dtype))

    def select(self, operator: str, dtype: str) -> str:
        """``min`` or ``max``. For floats a NaN on either side gives NaN, as in NumPy."""
        condition = "a < b" if operator == "min" else "a > b"
        if dtype in FLOATS:
            condition += " || a != a"
        return self._add(f"{operator}_{dtype}", _SELECT, type=self.type(dtype), condition=condition)

    def absolute(self, dtype: str) -> str:
        """``abs`` of a signed integer."""
        return self._add(f"abs_{dtype}", _ABSOLUTE, type=self.type(dtype))

    def atomic(self, operator: str, dtype: str) -> str:
        """An atomic update by a compare-and-exchange loop, for operators that OpenMP's ``atomic`` does not take."""
        operator = spelled_operator(operator, dtype)
        if operator in ("min", "max"):
            combined = f"{self.select(operator, dtype)}(old, value)"
        else:
            combined = f"old {operator} value"
        word = {"&&": "and", "||": "or"}.get(operator, operator)
        return self._add(f"atomic_{word}_{dtype}", _ATOMIC, type=self.type(dtype), combined=combined)

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
        text = _DECLARE_REDUCTION.format(name=name, type=self.type(dtype), identity=identity)
        self._functions.setdefault(f"declare reduction {name}", text)
        return name

    def _add(self, name: str, template: str, **values: str) -> str:
        if name not in self._functions:
            self._functions[name] = template.format(name=name, **values)
        return name
