// a triangle
// nFun(n => fun(L:[i -> [float]_{i+1}]n => fun(xs:[float]n => L :>> mapi(fun(i => fun(r => zip(r, take(i+1)(xs)) :>> map(*) :>> reduce(+,0)))))))

#include <stdint.h>

int32_t kernel(float* restrict result, const float* restrict L, const float* restrict xs, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    float total = 0.0f;
    int64_t count = (i * i + i) / 2;
    for (int64_t i2 = 0; i2 < i + 1; i2++) {
      total += L[i2 + count] * xs[i2];
    }
    result[i] = total;
  }
  return 0;
}
