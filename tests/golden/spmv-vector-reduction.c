// y(i) = A(i,j) * x(j)
// A: csr
// parallelize(j, CPUVector, ParallelReduction)

#include <stdbool.h>
#include <stdint.h>

// The bytes of a vector register.
#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

#define VECTOR_LANES (VECTOR_BYTES / 8)

typedef double f64v __attribute__((vector_size(VECTOR_LANES * 8)));
static inline f64v load_f64v(const double* p) { f64v v; __builtin_memcpy(&v, p, sizeof v); return v; }
static inline void store_f64v(double* p, f64v v) { __builtin_memcpy(p, &v, sizeof v); }

// For each of so many registers.
#define EACH_REGISTER(r, count) _Pragma("GCC unroll 64") for (int r = 0; r < (count); r++)

// Whether instructions mask vectors.
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
#define VECTOR_MASKS 1
#else
#define VECTOR_MASKS 0
#endif

typedef int32_t i32v __attribute__((vector_size(VECTOR_LANES * 4)));
static inline i32v load_i32v(const int32_t* p) { i32v v; __builtin_memcpy(&v, p, sizeof v); return v; }
static inline void store_i32v(int32_t* p, i32v v) { __builtin_memcpy(p, &v, sizeof v); }

// Which lanes are kept: a bit for each where instructions take masks, else a vector of -1 and 0.
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
typedef uint8_t kept_v;
static inline kept_v keep_i32v(i32v v) { return __builtin_ia32_cvtd2mask256(v); }
static inline i32v lanes_of_kept_v(kept_v kept) { return __builtin_ia32_cvtmask2d256(kept); }
static inline bool in_kept_v(kept_v kept, int lane) { return kept >> lane & 1; }
static inline bool every_kept_v(kept_v kept) { return kept == (uint8_t)-1; }
#else
typedef i32v kept_v;
static inline kept_v keep_i32v(i32v v) { return v; }
static inline i32v lanes_of_kept_v(kept_v kept) { return kept; }
static inline bool in_kept_v(kept_v kept, int lane) { return kept[lane]; }
static inline bool every_kept_v(kept_v kept) {
  uint64_t words[sizeof kept / 8], every = ~UINT64_C(0);
  __builtin_memcpy(words, &kept, sizeof kept);
  for (int word = 0; word < (int)(sizeof kept / 8); word++) every &= words[word];
  return every == ~UINT64_C(0);
}
#endif

// Keeps the lanes in front of so many steps.
static inline kept_v first_of_kept_v(int64_t steps) {
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return steps <= 0 ? 0 : steps < 8 ? (1u << steps) - 1 : (uint8_t)-1;
#endif
  i32v v = {0};
  for (int lane = 0; lane < VECTOR_LANES; lane++) v[lane] = lane;
  return keep_i32v(v < (int32_t)(steps < 0 ? 0 : steps < 8 ? steps : 8));
}

// The elements at p in the lanes that are kept; 0 in the others, whose elements are not read.
static inline i32v load_kept_i32v(const int32_t* p, kept_v kept) {
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return __builtin_ia32_loaddqusi256_mask((const void*)p, (i32v){0}, kept);
#endif
  i32v v = {0};
  if (every_kept_v(kept)) return load_i32v(p);
  for (int lane = 0; lane < VECTOR_LANES; lane++) if (in_kept_v(kept, lane)) v[lane] = p[lane];
  return v;
}

// The elements at p in the lanes that are kept; 0 in the others, whose elements are not read.
static inline f64v load_kept_f64v(const double* p, kept_v kept) {
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return __builtin_ia32_loadupd512_mask((const void*)p, (f64v){0}, kept);
#endif
  f64v v = {0};
  if (every_kept_v(kept)) return load_f64v(p);
  for (int lane = 0; lane < VECTOR_LANES; lane++) if (in_kept_v(kept, lane)) v[lane] = p[lane];
  return v;
}

// The elements of x at the subscripts of the lanes that are kept; 0 in the others, whose elements are not read.
static inline f64v gather_kept_f64v(const double* x, i32v at, kept_v kept) {
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return __builtin_ia32_gathersiv8df((f64v){0}, x, at, kept, 8);
#endif
  f64v v = {0};
  if (every_kept_v(kept)) {
    for (int lane = 0; lane < VECTOR_LANES; lane++) v[lane] = x[at[lane]];
    return v;
  }
  for (int lane = 0; lane < VECTOR_LANES; lane++) if (in_kept_v(kept, lane)) v[lane] = x[at[lane]];
  return v;
}

// The elements of x at the subscripts of the lanes.
static inline f64v gather_f64v(const double* x, i32v at) {
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return __builtin_ia32_gathersiv8df((f64v){0}, x, at, -1, 8);
#endif
  f64v v = {0};
  for (int lane = 0; lane < VECTOR_LANES; lane++) v[lane] = x[at[lane]];
  return v;
}

// The sum of 8 lanes: halves are added until one lane is left.
static inline __attribute__((always_inline)) double sum8_f64v(const f64v* v) {
  double part[8];
  __builtin_memcpy(part, v, sizeof part);
  _Pragma("GCC unroll 64") for (int half = 8 / 2; half > 0; half /= 2) {
    _Pragma("GCC unroll 64") for (int lane = 0; lane < half; lane++) part[lane] += part[lane + half];
  }
  return part[0];
}

int32_t kernel(
    double* restrict y_vals, int64_t A1_dimension, const int32_t* restrict A2_pos,
    const int32_t* restrict A2_crd, const double* restrict A_vals, const double* restrict x_vals) {
  for (int64_t i = 0; i < A1_dimension; i++) {
    double y_sum = 0.0;
    {
      f64v y_sum_lanes[8 / VECTOR_LANES];
      EACH_REGISTER(r, 8 / VECTOR_LANES) y_sum_lanes[r] = (f64v){0};
      if (VECTOR_MASKS) {
        for (int64_t jA = A2_pos[i]; jA < A2_pos[i + 1]; jA += 8) {
          {  // 8 lanes of jA
            EACH_REGISTER(r, 8 / VECTOR_LANES) {
              kept_v kept = first_of_kept_v(A2_pos[i + 1] - jA - r * VECTOR_LANES);
              i32v j = load_kept_i32v(&A2_crd[jA + r * VECTOR_LANES], kept);
              y_sum_lanes[r] += load_kept_f64v(&A_vals[jA + r * VECTOR_LANES], kept) * gather_kept_f64v(x_vals, j, kept);
            }
          }
        }
      } else {
        int64_t jA_begin = A2_pos[i];
        int64_t jA_full = jA_begin + (A2_pos[i + 1] - jA_begin) / 8 * 8;
        for (int64_t jA = jA_begin; jA < jA_full; jA += 8) {
          {  // 8 lanes of jA
            EACH_REGISTER(r, 8 / VECTOR_LANES) {
              i32v j = load_i32v(&A2_crd[jA + r * VECTOR_LANES]);
              y_sum_lanes[r] += load_f64v(&A_vals[jA + r * VECTOR_LANES]) * gather_f64v(x_vals, j);
            }
          }
        }
        for (int64_t jA = jA_full; jA < A2_pos[i + 1]; jA++) {
          int64_t j = A2_crd[jA];
          y_sum += A_vals[jA] * x_vals[j];
        }
      }
      y_sum += sum8_f64v(y_sum_lanes);
    }
    y_vals[i] = y_sum;
  }
  return 0;
}
