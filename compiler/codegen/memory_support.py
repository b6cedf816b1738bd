"""The C functions behind workspaces, allocated results, prefix sums, sorting and hash maps."""

from __future__ import annotations

from compiler.codegen.support import Support

_ALLOCATE = """\
static inline void* allocate(int64_t count, size_t size) {
  if (count < 0 || (uint64_t)count > SIZE_MAX / size) return NULL;
  return malloc(count > 0 ? (size_t)count * size : 1);
}
"""

_ALLOCATE_ZERO = """\
static inline void* allocate_zero(int64_t count, size_t size) {
  if (count < 0) return NULL;
  return calloc(count > 0 ? (size_t)count : 1, size);
}
"""

# Strict C99 does not declare aligned_alloc. The last 64 bytes are for vector code that reads beyond the end. The two
# pointers are the runtime's pool (runtime/obtained.py): fresh pages cost as much as the arithmetic.
_ALLOCATE_RESULT = """\
extern void* aligned_alloc(size_t alignment, size_t size);
// Where the memory of results comes from and goes back to; NULL: the C library.
void* (*obtain_memory)(size_t size) = NULL;
void (*release_memory)(void* memory) = NULL;
static inline void* allocate_result(int64_t count, size_t size) {
  if (count < 0 || (uint64_t)count > (SIZE_MAX - 128) / size) return NULL;
  size_t bytes = ((size_t)count * size + 127) / 64 * 64;
  return obtain_memory ? obtain_memory(bytes) : aligned_alloc(64, bytes);
}
static inline void free_result(void* memory) {
  if (release_memory) release_memory(memory);
  else free(memory);
}
"""

_MORE = """\
// A capacity of at least `needed`, and of at least twice the old one.
static inline int64_t more(int64_t capacity, int64_t needed) {
  return capacity > needed / 2 && capacity <= INT64_MAX / 2 ? 2 * capacity : needed;
}
"""

_GROW = """\
static inline void* grow(void* array, int64_t count, size_t size) {
  return (uint64_t)count > SIZE_MAX / size ? NULL : realloc(array, (size_t)count * size);
}
"""

_GROW_RESULT = """\
static inline void* grow_result(void* array, int64_t old, int64_t count, size_t size) {
  void* grown = allocate_result(count, size);
  if (!grown) return NULL;
  memcpy(grown, array, (size_t)old * size);
  free_result(array);
  return grown;
}
"""

_SCAN = """\
// Every element becomes the sum of those up to it; false when a sum does not fit.
static inline bool {name}({type}* array, int64_t size) {{
  {type} sum = 0;
  for (int64_t p = 0; p < size; p++) {{
    if (__builtin_add_overflow(sum, array[p], &sum)) return false;
    array[p] = sum;
  }}
  return true;
}}
"""

# Radix sort for long ranges of near integers, else introsort. Its partition has no branch that depends on the data:
# mispredicted ones would cost more than the swaps.
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
static bool {name}_radix({type}* a, int64_t n) {{
  {type} local[1024], low = a[0], high = a[0];
  for (int64_t p = 1; p < n; p++) {{
    if (a[p]{key} < low{key}) low = a[p];
    if (high{key} < a[p]{key}) high = a[p];
  }}
  uint64_t base = (uint64_t)low{key}, range = (uint64_t)high{key} - base;
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
  if (p >= n || (n > 160 && {name}_radix(a, n))) return;
  int depth = 0;
  for (int64_t m = n; m > 1; m /= 2) depth += 2;
  {name}_parts(a, n, depth);
}}
"""

_MAP = """\
// A hash table: keys and values by slot, found through linear probing. `cells` are the table's cells in use.
typedef struct {{
  int64_t* keys;
  {type}* vals;
  int64_t* cells;
  map_cell* table;
  map_cell* sorted;
  {type}* spare;
  int64_t size, capacity;
  int shift;
}} {name};

static inline uint64_t {name}_find(const {name}* map, int64_t key) {{
  uint64_t mask = 2 * (uint64_t)map->capacity - 1;
  uint64_t cell = (uint64_t)key * UINT64_C(0x9E3779B97F4A7C15) >> map->shift;
  while (map->table[cell].slot >= 0 && map->table[cell].key != key) cell = (cell + 1) & mask;
  return cell;
}}

static bool {name}_grow({name}* map) {{
  int64_t capacity = map->capacity ? 2 * map->capacity : 16;
  void* memory;
  if (!(memory = grow(map->keys, capacity, sizeof(int64_t)))) return false;
  map->keys = memory;
  if (!(memory = grow(map->vals, capacity, sizeof({type})))) return false;
  map->vals = memory;
  if (!(memory = grow(map->cells, capacity, sizeof(int64_t)))) return false;
  map->cells = memory;
  if (!(memory = grow(map->sorted, capacity, sizeof(map_cell)))) return false;
  map->sorted = memory;
  if (!(memory = grow(map->spare, capacity, sizeof({type})))) return false;
  map->spare = memory;
  if (!(memory = allocate(2 * capacity, sizeof(map_cell)))) return false;
  free(map->table);
  map->table = memory;
  map->shift = map->capacity ? map->shift - 1 : 59;
  map->capacity = capacity;
  for (int64_t cell = 0; cell < 2 * capacity; cell++) map->table[cell].slot = -1;
  for (int64_t slot = 0; slot < map->size; slot++) {{
    uint64_t cell = {name}_find(map, map->keys[slot]);
    map->table[cell] = (map_cell){{map->keys[slot], slot}};
    map->cells[slot] = (int64_t)cell;
  }}
  return true;
}}

// The slot of `key`, which is added with the value zero where it is new; -1 when there is no memory.
static inline int64_t {name}_slot({name}* map, int64_t key) {{
  uint64_t cell = 0;
  if (map->capacity) {{
    cell = {name}_find(map, key);
    if (map->table[cell].slot >= 0) return map->table[cell].slot;
  }}
  if (map->size == map->capacity) {{
    if (!{name}_grow(map)) return -1;
    cell = {name}_find(map, key);
  }}
  int64_t slot = map->size++;
  map->table[cell] = (map_cell){{key, slot}};
  map->cells[slot] = (int64_t)cell;
  map->keys[slot] = key;
  map->vals[slot] = 0;
  return slot;
}}

static void {name}_sort({name}* map) {{
  for (int64_t slot = 0; slot < map->size; slot++) map->sorted[slot] = (map_cell){{map->keys[slot], slot}};
  {sort}(map->sorted, map->size);
  for (int64_t slot = 0; slot < map->size; slot++) {{
    map->keys[slot] = map->sorted[slot].key;
    map->spare[slot] = map->vals[map->sorted[slot].slot];
    map->table[{name}_find(map, map->keys[slot])].slot = slot;
  }}
  {type}* sorted = map->spare;
  map->spare = map->vals;
  map->vals = sorted;
}}

static inline void {name}_clear({name}* map) {{
  for (int64_t entry = 0; entry < map->size; entry++) map->table[map->cells[entry]].slot = -1;
  map->size = 0;
}}

static void {name}_free({name}* map) {{
  free(map->keys);
  free(map->vals);
  free(map->cells);
  free(map->table);
  free(map->sorted);
  free(map->spare);
}}
"""


def allocate(support: Support, zero: bool = False) -> str:
    support.header("stdlib.h")
    return support.add("allocate_zero", _ALLOCATE_ZERO) if zero else support.add("allocate", _ALLOCATE)


def allocate_result(support: Support) -> str:
    support.header("stdlib.h")
    return support.add("allocate_result", _ALLOCATE_RESULT)


def more(support: Support) -> str:
    return support.add("more", _MORE)


def grow(support: Support) -> str:
    support.header("stdlib.h")
    return support.add("grow", _GROW)


def grow_result(support: Support) -> str:
    allocate_result(support)
    support.header("string.h")
    return support.add("grow_result", _GROW_RESULT)


def scan(support: Support, dtype: str) -> str:
    support.header("stdbool.h")
    return support.add(f"scan_{dtype}", _SCAN.format(name=f"scan_{dtype}", type=support.type(dtype)))


def sort(support: Support, dtype: str) -> str:
    """``sort(array, count)`` for integers of ``dtype``."""
    return _sort(support, f"sort_{dtype}", support.type(dtype), "")


def _sort(support: Support, name: str, type: str, key: str) -> str:
    support.header("stdbool.h")
    support.header("string.h")
    allocate(support)
    return support.add(name, _SORT.format(name=name, type=type, key=key))


def map_type(support: Support, dtype: str) -> str:
    """The type of a map with values of ``dtype``; its functions are called ``<type>_slot`` and so on."""
    name = f"map_{dtype}"
    support.header("stdbool.h")
    allocate(support)
    grow(support)
    support.add("map_cell", "typedef struct {\n  int64_t key, slot;\n} map_cell;\n")
    by_key = _sort(support, "sort_map_cell", "map_cell", ".key")
    return support.add(name, _MAP.format(name=name, type=support.type(dtype), sort=by_key))
