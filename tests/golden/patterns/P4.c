// compressed rows of pairs
// nFun(n => nFun(m => fun(offset:[int]n+1 => fun(rows:[i -> [(int,float)]toNat(offset@(i+1) - offset@i)]n => fun(xs:[float]m => rows |> map(map(fun(x => x.2 * (xs@x.1))) :>> reduce(+, 0)))))))

#include <stdint.h>

// In front of a loop that takes longer in vectors. Only gcc makes vectors of a sum whose order stays.
#if defined(__GNUC__) && !defined(__clang__)
#define ONE_BY_ONE _Pragma("omp simd simdlen(1)")
#else
#define ONE_BY_ONE
#endif

int32_t kernel(
    float* restrict result, const int32_t* restrict offset, const int32_t* restrict rows_1,
    const float* restrict rows_2, const float* restrict xs, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    float total = 0.0f;
    int64_t offset_at = (int64_t)offset[i];
    int64_t offset_at2 = (int64_t)offset[i + 1];
    ONE_BY_ONE
    for (int64_t i2 = offset_at; i2 < offset_at2; i2++) {
      int64_t rows_1_at = (int64_t)rows_1[2 * i2];
      total += rows_2[2 * i2 + 1] * xs[rows_1_at];
    }
    result[i] = total;
  }
  return 0;
}
