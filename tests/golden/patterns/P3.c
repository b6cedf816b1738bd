// compressed rows
// nFun(n => nFun(m => fun(offset:[int]_{n+1} => fun(cols:[i -> [int]toNat(offset@(i+1) - offset@i)]n => fun(vals:[i -> [float]toNat(offset@(i+1) - offset@i)]n => fun(xs:[float]_m => zip(cols, vals) :>> map(fun(r => zip(r.1, r.2) :>> map(fun(x => x.2 * (xs@x.1))) :>> reduce(+, 0)))))))))

#include <stdint.h>

// In front of a loop that takes longer in vectors. Only gcc makes vectors of a sum whose order stays.
#if defined(__GNUC__) && !defined(__clang__)
#define ONE_BY_ONE _Pragma("omp simd simdlen(1)")
#else
#define ONE_BY_ONE
#endif

int32_t kernel(
    float* restrict result, const int32_t* restrict offset, const int32_t* restrict cols,
    const float* restrict vals, const float* restrict xs, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    float total = 0.0f;
    int64_t offset_at = (int64_t)offset[i];
    int64_t offset_at2 = (int64_t)offset[i + 1];
    ONE_BY_ONE
    for (int64_t i2 = offset_at; i2 < offset_at2; i2++) {
      int64_t cols_at = (int64_t)cols[i2];
      total += vals[i2] * xs[cols_at];
    }
    result[i] = total;
  }
  return 0;
}
