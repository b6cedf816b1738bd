// rows by their lengths, whose sums are kept
// nFun(n => nFun(m => fun(lengths:[int]n => fun(cols:[i -> [int]toNat(lengths@i)]n => fun(vals:[i ↦ [float]toNat(lengths@i)]n => fun(xs:[float]m => zip(cols, vals) :>> map(fun(r => zip(r.1, r.2) :>> map(fun(x => x.2 * (xs@x.1))) :>> reduce(+, 0)))))))))

#include <stdint.h>

// In front of a loop that takes longer in vectors. Only gcc makes vectors of a sum whose order stays.
#if defined(__GNUC__) && !defined(__clang__)
#define ONE_BY_ONE _Pragma("omp simd simdlen(1)")
#else
#define ONE_BY_ONE
#endif

int32_t kernel(
    float* restrict result, const int32_t* restrict lengths, const int32_t* restrict cols,
    const float* restrict vals, const float* restrict xs, const int64_t* restrict cols_start, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    float total = 0.0f;
    int64_t lengths_at = (int64_t)lengths[i];
    int64_t cols_start_at = cols_start[i];
    ONE_BY_ONE
    for (int64_t i2 = cols_start_at; i2 < cols_start_at + lengths_at; i2++) {
      total += vals[i2] * xs[(int64_t)cols[i2]];
    }
    result[i] = total;
  }
  return 0;
}
