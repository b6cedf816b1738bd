"""The C functions that allocate workspaces and results, and prefix sums over them."""

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
# pointers are the runtime's pool (runtime/memory/result_buffers.py): fresh pages cost as much as the arithmetic.
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
