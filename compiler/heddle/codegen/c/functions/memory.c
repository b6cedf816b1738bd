// Memory for workspaces and results, and prefix sums over them.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// @begin allocate
static inline void* allocate(int64_t count, size_t size) {
  if (count < 0 || (uint64_t)count > SIZE_MAX / size) return NULL;
  return malloc(count > 0 ? (size_t)count * size : 1);
}
// @end

// @begin allocate_zero
static inline void* allocate_zero(int64_t count, size_t size) {
  if (count < 0) return NULL;
  return calloc(count > 0 ? (size_t)count : 1, size);
}
// @end

// Strict C99 does not declare aligned_alloc. The last 64 bytes are for vector code that reads beyond the end. The two
// pointers are the runtime's pool (runtime/memory/result_buffers.py): fresh pages cost as much as the arithmetic.
// @begin allocate_result
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
// @end

// @begin more
// A capacity of at least `needed`, and of at least twice the old one.
static inline int64_t more(int64_t capacity, int64_t needed) {
  return capacity > needed / 2 && capacity <= INT64_MAX / 2 ? 2 * capacity : needed;
}
// @end

// @begin grow
static inline void* grow(void* array, int64_t count, size_t size) {
  return (uint64_t)count > SIZE_MAX / size ? NULL : realloc(array, (size_t)count * size);
}
// @end

// @begin grow_result
static inline void* grow_result(void* array, int64_t old, int64_t count, size_t size) {
  void* grown = allocate_result(count, size);
  if (!grown) return NULL;
  memcpy(grown, array, (size_t)old * size);
  free_result(array);
  return grown;
}
// @end
