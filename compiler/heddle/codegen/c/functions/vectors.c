// Types as wide as the registers of the machine that compiles them, and what moves lanes.
//
// REGISTER holds LANES values of type ELEMENT; SUBSCRIPTS as many 32-bit integers; MASK says which of the lanes are kept.
// INSTRUCTION does at once what the loop behind it does lane by lane, on processors with AVX-512.
#include <stdbool.h>
#include <stdint.h>

#include "../../functions/registers.c"

// @begin lanes
#define VECTOR_LANES (VECTOR_BYTES / ITEM_BYTES)
// @end

// @begin few_lanes
#define FEW_LANES (VECTOR_LANES < MOST ? VECTOR_LANES : MOST)
// @end

// @begin each_register
// For each of so many registers.
#define EACH_REGISTER(r, count) _Pragma("GCC unroll 64") for (int r = 0; r < (count); r++)
// @end

// @begin register
typedef ELEMENT REGISTER __attribute__((vector_size(LANES * BYTES)));
static inline REGISTER load_REGISTER(const ELEMENT* p) { REGISTER v; __builtin_memcpy(&v, p, sizeof v); return v; }
static inline void store_REGISTER(ELEMENT* p, REGISTER v) { __builtin_memcpy(p, &v, sizeof v); }
// @end

// Only for compilers that see this file alone: in a kernel this is another REGISTER.
typedef int32_t SUBSCRIPTS __attribute__((vector_size(LANES * 4)));

#if defined(MASK_BITS) && VECTOR_MASKS
// @begin mask_of_bits
typedef MASK_BITS MASK;
static inline MASK keep_SUBSCRIPTS(SUBSCRIPTS v) { return TO_BITS(v); }
static inline SUBSCRIPTS lanes_of_MASK(MASK kept) { return FROM_BITS(kept); }
static inline bool in_MASK(MASK kept, int lane) { return kept >> lane & 1; }
static inline bool every_MASK(MASK kept) { return kept == (MASK_BITS)-1; }
// @end
#else
// @begin mask_of_lanes
typedef SUBSCRIPTS MASK;
static inline MASK keep_SUBSCRIPTS(SUBSCRIPTS v) { return v; }
static inline SUBSCRIPTS lanes_of_MASK(MASK kept) { return kept; }
static inline bool in_MASK(MASK kept, int lane) { return kept[lane]; }
static inline bool every_MASK(MASK kept) {
  uint64_t words[sizeof kept / 8], every = ~UINT64_C(0);
  __builtin_memcpy(words, &kept, sizeof kept);
  for (int word = 0; word < (int)(sizeof kept / 8); word++) every &= words[word];
  return every == ~UINT64_C(0);
}
// @end
#endif

// @begin first
// Keeps the lanes in front of so many steps.
static inline MASK first_of_MASK(int64_t steps) {
#ifdef MASK_BITS
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return steps <= 0 ? 0 : steps < MOST ? (1u << steps) - 1 : (MASK_BITS)-1;
#endif
#endif
  SUBSCRIPTS v = {0};
  for (int lane = 0; lane < LANES; lane++) v[lane] = lane;
  return keep_SUBSCRIPTS(v < (int32_t)(steps < 0 ? 0 : steps < MOST ? steps : MOST));
}
// @end

// @begin load_kept
// The elements at p in the lanes that are kept; 0 in the others, whose elements are not read.
static inline REGISTER load_kept_REGISTER(const ELEMENT* p, MASK kept) {
#ifdef LOAD_KEPT
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return LOAD_KEPT((const void*)p, (REGISTER){0}, kept);
#endif
#endif
  REGISTER v = {0};
  if (every_MASK(kept)) return load_REGISTER(p);
  for (int lane = 0; lane < LANES; lane++) if (in_MASK(kept, lane)) v[lane] = p[lane];
  return v;
}
// @end

// @begin gather
// The elements of x at the subscripts of the lanes.
static inline REGISTER gather_REGISTER(const ELEMENT* x, SUBSCRIPTS at) {
#ifdef GATHER
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return GATHER((REGISTER){0}, x, at, -1, BYTES);
#endif
#endif
  REGISTER v = {0};
  for (int lane = 0; lane < LANES; lane++) v[lane] = x[at[lane]];
  return v;
}
// @end

// @begin gather_kept
// The elements of x at the subscripts of the lanes that are kept; 0 in the others, whose elements are not read.
static inline REGISTER gather_kept_REGISTER(const ELEMENT* x, SUBSCRIPTS at, MASK kept) {
#ifdef GATHER
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return GATHER((REGISTER){0}, x, at, kept, BYTES);
#endif
#endif
  REGISTER v = {0};
  if (every_MASK(kept)) {
    for (int lane = 0; lane < LANES; lane++) v[lane] = x[at[lane]];
    return v;
  }
  for (int lane = 0; lane < LANES; lane++) if (in_MASK(kept, lane)) v[lane] = x[at[lane]];
  return v;
}
// @end

// @begin scatter
// Each lane of v to the element of y at its subscript.
static inline void SCATTER(ELEMENT* y, SUBSCRIPTS at, REGISTER v) {
  for (int lane = 0; lane < LANES; lane++) y[at[lane]] ASSIGN v[lane];
}
// @end

// @begin keep
// v in the lanes that are kept, 0 in the others.
static inline REGISTER kept_REGISTER(REGISTER v, MASK kept) {
  typedef INTEGER wide __attribute__((vector_size(LANES * BYTES)));
  return (REGISTER)((wide)v & __builtin_convertvector(lanes_of_MASK(kept), wide));
}
// @end

// @begin sum
// The sum of COUNT lanes: halves are added until one lane is left.
static inline __attribute__((always_inline)) ELEMENT SUM(const REGISTER* v) {
  ELEMENT part[COUNT];
  __builtin_memcpy(part, v, sizeof part);
  _Pragma("GCC unroll 64") for (int half = COUNT / 2; half > 0; half /= 2) {
    _Pragma("GCC unroll 64") for (int lane = 0; lane < half; lane++) part[lane] += part[lane + half];
  }
  return part[0];
}
// @end
