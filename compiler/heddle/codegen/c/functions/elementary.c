// Functions without branches, so that a compiler computes them for all lanes of a vector at once: it calls those of the
// C library for one lane after the other.
#include <stdint.h>

// @begin exp_float32
// e^x, within 1.1 units in the last place: 2^n e^r with the integer n nearest to x / log 2. A NaN stays one.
static inline float exp_float32(float x) {
  union { float value; uint32_t bits; } shifted, half, rest;
  float y = x < -105.0f ? -105.0f : x;
  y = y > 90.0f ? 90.0f : y;
  shifted.value = y * 1.44269504f + 12582912.0f;  // 1.5 * 2^23: n stands in the lowest bits
  float n = shifted.value - 12582912.0f;
  float r = y - n * 0.693145752f - n * 1.4286068e-6f;
  float q = 0.5f + r * (0.16666576f + r * (0.041666556f + r * (0.008363179f + r * 0.0013926184f)));
  uint32_t power = shifted.bits - 0x4b400000u + 256u;
  half.bits = ((power >> 1) - 1u) << 23;  // 2^n as two factors, since 2^-151 is no float
  rest.bits = (power - (power >> 1) - 1u) << 23;
  return (1.0f + (r + r * r * q)) * half.value * rest.value;
}
// @end

// @begin exp_float64
// e^x, within 1.1 units in the last place: 2^n e^r with the integer n nearest to x / log 2. A NaN stays one.
static inline double exp_float64(double x) {
  union { double value; uint64_t bits; } shifted, half, rest;
  double y = x < -746.0 ? -746.0 : x;
  y = y > 710.0 ? 710.0 : y;
  shifted.value = y * 1.4426950408889634 + 6755399441055744.0;  // 1.5 * 2^52: n stands in the lowest bits
  double n = shifted.value - 6755399441055744.0;
  double r = y - n * 0x1.62e42fefa3000p-1 - n * 2.8235290563031577e-13;
  double q = 2.7557267459997064e-06 + r * (2.7620088445409746e-07 + r * 2.510038549551032e-08);
  q = 0.0013888888917213717 + r * (0.00019841269863053618 + r * (2.4801521295954376e-05 + r * q));
  q = 0.5000000000000001 + r * (0.16666666666666669 + r * (0.041666666666624130 + r * (0.008333333333330062 + r * q)));
  uint64_t power = shifted.bits - 0x4338000000000000u + 2048u;
  half.bits = ((power >> 1) - 1u) << 52;  // 2^n as two factors, since 2^-1076 is no double
  rest.bits = (power - (power >> 1) - 1u) << 52;
  return (1.0 + (r + r * r * q)) * half.value * rest.value;
}
// @end
