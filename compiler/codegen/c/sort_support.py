"""The C functions that sort coordinates and the keys of hash maps.

Ranges are as a row of a sparse result has them: short, often sorted, often near each other. The first of these that
suits is taken: nothing to do, a bit for each integer, radix sort, introsort.
"""

from __future__ import annotations

from compiler.codegen.c import memory_support
from compiler.codegen.support import Support

# The partition has no branch that depends on the data: mispredicted ones would cost more than the swaps.
_SORT = """\
static void {name}_heap({type}* a, int64_t n) {{
  for (int64_t start = n / 2, end = n; end > 1;) {{
    {type} x;
    if (start > 0) x = a[--start];
    else {{ x = a[--end]; a[end] = a[0]; }}
    int64_t hole = start;
    for (int64_t child; (child = 2 * hole + 1) < end; hole = child) {{
      if (child + 1 < end && a[child]{key} < a[child + 1]{key}) child++;
      if (!(x{key} < a[child]{key})) break;
      a[hole] = a[child];
    }}
    a[hole] = x;
  }}
}}

static void {name}_parts({type}* a, int64_t n, int depth) {{
  while (n > 24) {{
    if (depth-- == 0) {{ {name}_heap(a, n); return; }}
    {type} low = a[0], pivot = a[n / 2], high = a[n - 1], swap;
    if (pivot{key} < low{key}) {{ swap = low; low = pivot; pivot = swap; }}
    if (high{key} < pivot{key}) {{ swap = high; high = pivot; pivot = swap; }}
    if (pivot{key} < low{key}) {{ swap = low; low = pivot; pivot = swap; }}
    a[n / 2] = low;
    a[n - 1] = high;
    a[0] = pivot;
    int64_t less = 0;
    for (int64_t p = 1; p < n; p++) {{
      {type} x = a[p];
      a[p] = a[less + 1];
      a[less + 1] = x;
      less += x{key} < pivot{key};
    }}
    a[0] = a[less];
    a[less] = pivot;
    if (less < n - 1 - less) {{
      {name}_parts(a, less, depth);
      a += less + 1;
      n -= less + 1;
    }} else {{
      {name}_parts(a + less + 1, n - 1 - less, depth);
      n = less;
    }}
  }}
  for (int64_t p = 1; p < n; p++) {{
    {type} x = a[p];
    int64_t hole = p;
    for (; hole > 0 && x{key} < a[hole - 1]{key}; hole--) a[hole] = a[hole - 1];
    a[hole] = x;
  }}
}}

// Radix sort, from the lowest digit up; false when its passes or its memory would cost too much.
static bool {name}_radix({type}* a, int64_t n, uint64_t base, uint64_t range) {{
  {type} local[1024];
  int bits = range ? 64 - __builtin_clzll(range) : 1;
  int widest = n < 8192 ? 8 : 11, passes = (bits + widest - 1) / widest, width = (bits + passes - 1) / passes;
  if (passes > 4) return false;
  {type}* scratch = n <= 1024 ? local : allocate(n, sizeof({type}));
  if (!scratch) return false;
  {type}* from = a;
  {type}* to = scratch;
  for (int shift = 0; shift < bits; shift += width) {{
    int64_t places[2048], total = 0;
    uint64_t mask = (UINT64_C(1) << width) - 1;
    memset(places, 0, (mask + 1) * sizeof(int64_t));
    for (int64_t p = 0; p < n; p++) places[((uint64_t)from[p]{key} - base) >> shift & mask]++;
    for (uint64_t digit = 0; digit <= mask; digit++) {{
      int64_t count = places[digit];
      places[digit] = total;
      total += count;
    }}
    for (int64_t p = 0; p < n; p++) to[places[((uint64_t)from[p]{key} - base) >> shift & mask]++] = from[p];
    {type}* swap = from;
    from = to;
    to = swap;
  }}
  if (from != a) memcpy(a, from, (size_t)n * sizeof({type}));
  if (scratch != local) free(scratch);
  return true;
}}

static void {name}({type}* a, int64_t n) {{
  int64_t p = 1;
  while (p < n && !(a[p]{key} < a[p - 1]{key})) p++;
  if (p >= n) return;
  {type} low = a[0], high = a[0];
  for (p = 1; p < n; p++) {{
    low = a[p]{key} < low{key} ? a[p] : low;
    high = high{key} < a[p]{key} ? a[p] : high;
  }}
  uint64_t base = (uint64_t)low{key}, range = (uint64_t)high{key} - base;
  {bits}if (n > 160 && {name}_radix(a, n, base, range)) return;
  int depth = 0;
  for (int64_t m = n; m > 1; m /= 2) depth += 2;
  {name}_parts(a, n, depth);
}}
"""

# Rows of a product lie near each other: that of a 27-point stencil takes 0.58 times as long. Shorter ranges have few
# inversions, which introsort's last step undoes as fast.
_BITS = """\
// A bit for each integer, read back in order; false when they are few, far apart or not distinct.
static bool {name}_bits({type}* a, int64_t n, uint64_t base, uint64_t range) {{
  uint64_t words[1024], used = range / 64 + 1, repeated = 0;
  if (n <= 16 || used > 1024 || used > 4 * (uint64_t)n) return false;
  memset(words, 0, used * sizeof(uint64_t));
  for (int64_t p = 0; p < n; p++) {{
    uint64_t offset = (uint64_t)a[p] - base, bit = UINT64_C(1) << (offset & 63);
    repeated |= words[offset >> 6] & bit;
    words[offset >> 6] |= bit;
  }}
  if (repeated) return false;
  for (uint64_t word = 0; word < used; word++) {{
    for (uint64_t bits = words[word]; bits; bits &= bits - 1) {{
      *a++ = ({type})(base + 64 * word + (uint64_t)__builtin_ctzll(bits));
    }}
  }}
  return true;
}}

"""


def sort(support: Support, dtype: str) -> str:
    """``sort(array, count)`` for integers of ``dtype``."""
    name, type = f"sort_{dtype}", support.type(dtype)
    bits = support.add(f"{name}_bits", _BITS.format(name=name, type=type))
    return _sort(support, name, type, "", f"if ({bits}(a, n, base, range)) return;\n  ")


def sort_by_key(support: Support, type: str) -> str:
    """``sort(array, count)`` for structures of ``type``, by their member ``key``."""
    return _sort(support, f"sort_{type}", type, ".key", "")


def _sort(support: Support, name: str, type: str, key: str, bits: str) -> str:
    support.header("stdbool.h")
    support.header("string.h")
    memory_support.allocate(support)
    return support.add(name, _SORT.format(name=name, type=type, key=key, bits=bits))
