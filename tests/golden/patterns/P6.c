// rows whose first one begins at 0
// nFun(n => fun(offset:[int]n+1 => fun(values:[i -> [float]_{toNat(offset@(i+1)) - (i == 0 ? 0 : toNat(offset@i))}]n => values :>> map(reduce(+, 0.0)))))

#include <stdint.h>

int32_t kernel(
    float* restrict result, const int32_t* restrict offset, const float* restrict values, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    float total = 0.0f;
    int64_t offset_at = (int64_t)offset[i];
    int64_t offset_at2 = (int64_t)offset[i + 1];
    for (int64_t i2 = 0; i2 < offset_at2 - (i == 0 ? 0 : offset_at); i2++) {
      total += values[i2 + (i == 0 ? 0 : offset_at)];
    }
    result[i] = total;
  }
  return 0;
}
