// y(i) = A(i,j) * x(j)
// A: csr
// parallelize(j, CPUVector, ParallelReduction)

#include <stdbool.h>
#include <stdint.h>

typedef double f64x8 __attribute__((vector_size(64)));
static inline f64x8 load_f64x8(const double* p) { f64x8 v; __builtin_memcpy(&v, p, sizeof v); return v; }
static inline void store_f64x8(double* p, f64x8 v) { __builtin_memcpy(p, &v, sizeof v); }

typedef int32_t i32x8 __attribute__((vector_size(32)));
static inline i32x8 load_i32x8(const int32_t* p) { i32x8 v; __builtin_memcpy(&v, p, sizeof v); return v; }
static inline void store_i32x8(int32_t* p, i32x8 v) { __builtin_memcpy(p, &v, sizeof v); }

// Which of 8 lanes are kept.
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
typedef uint8_t kept_x8;
static inline kept_x8 keep_x8(i32x8 v) { return __builtin_ia32_cvtd2mask256(v); }
static inline i32x8 lanes_of_kept_x8(kept_x8 kept) { return __builtin_ia32_cvtmask2d256(kept); }
static inline bool in_kept_x8(kept_x8 kept, int lane) { return kept >> lane & 1; }
#else
typedef i32x8 kept_x8;
static inline kept_x8 keep_x8(i32x8 v) { return v; }
static inline i32x8 lanes_of_kept_x8(kept_x8 kept) { return kept; }
static inline bool in_kept_x8(kept_x8 kept, int lane) { return kept[lane]; }
#endif

// Keeps the lanes that are left when there are so many steps to go.
static inline kept_x8 first_of_kept_x8(int64_t steps) {
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return steps < 8 ? (1u << steps) - 1 : 255;
#else
  return (i32x8){0, 1, 2, 3, 4, 5, 6, 7} < (int32_t)(steps < 8 ? steps : 8);
#endif
}

// The elements at p in the lanes that are kept, the first ones; 0 in the others, whose elements are not read.
static inline i32x8 load_kept_i32x8(const int32_t* p, kept_x8 kept) {
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return __builtin_ia32_loaddqusi256_mask((const void*)p, (i32x8){0}, kept);
#else
  if (kept[7]) return load_i32x8(p);
  i32x8 v = {0};
  for (int lane = 0; kept[lane]; lane++) v[lane] = p[lane];
  return v;
#endif
}

// The elements at p in the lanes that are kept, the first ones; 0 in the others, whose elements are not read.
static inline f64x8 load_kept_f64x8(const double* p, kept_x8 kept) {
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return __builtin_ia32_loadupd512_mask((const void*)p, (f64x8){0}, kept);
#else
  if (kept[7]) return load_f64x8(p);
  f64x8 v = {0};
  for (int lane = 0; kept[lane]; lane++) v[lane] = p[lane];
  return v;
#endif
}

// The elements of x at the subscripts of the lanes that are kept; 0 in the others, whose elements are not read.
static inline f64x8 gather_f64x8(const double* x, i32x8 at, kept_x8 kept) {
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return __builtin_ia32_gathersiv8df((f64x8){0}, x, at, kept, 8);
#endif
  f64x8 v = {0};
  for (int lane = 0; lane < 8; lane++) if (in_kept_x8(kept, lane)) v[lane] = x[at[lane]];
  return v;
}

// The sum of all lanes: halves are added until one lane is left.
static inline double sum_f64x8(f64x8 v) {
#if defined(__clang__) || __GNUC__ >= 12
  typedef double half __attribute__((vector_size(32)));
  half a = __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
  return (a[0] + a[2]) + (a[1] + a[3]);
#else
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
#endif
}

int32_t kernel(
    double* restrict y_vals, int64_t A1_dimension, const int32_t* restrict A2_pos,
    const int32_t* restrict A2_crd, const double* restrict A_vals, const double* restrict x_vals) {
  for (int64_t i = 0; i < A1_dimension; i++) {
    double y_sum = 0.0;
    f64x8 y_sum_lanes = {0};
    for (int64_t jA = A2_pos[i]; jA < A2_pos[i + 1]; jA += 8) {  // 8 lanes
      kept_x8 kept = first_of_kept_x8(A2_pos[i + 1] - jA);
      i32x8 j_0 = load_kept_i32x8(&A2_crd[jA], kept);
      y_sum_lanes += load_kept_f64x8(&A_vals[jA], kept) * gather_f64x8(x_vals, j_0, kept);
    }
    y_sum += sum_f64x8(y_sum_lanes);
    y_vals[i] = y_sum;
  }
  return 0;
}
