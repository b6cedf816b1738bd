#define _GNU_SOURCE
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

/* Lines of COORDINATES whole numbers and NUMBERS values, which are of the type NUMBER: `double` or, with WHOLE_VALUES,
   `int64_t`. Whatever is out of the ordinary is left to a reader that says what is wrong with it. */
enum { MOST_DIGITS = 19, LONGEST = 200, LARGEST_POWER = 27 };

typedef unsigned __int128 Wide;

static int is_blank(char c) { return c == ' ' || c == '\t' || (c >= '\v' && c <= '\r'); }

static int is_digit(char c) { return (unsigned char)(c - '0') < 10; }

static const char* skip_blanks(const char* at) {
  while (is_blank(*at)) at++;
  return at;
}

/* The digits at `at` and what follows them; NULL where there are none, or more than `most`. */
static const char* read_digits(const char* at, int most, uint64_t* number) {
  const char* const start = at;
  uint64_t sum = 0;
  for (; is_digit(*at); at++) sum = sum * 10 + (uint64_t)(*at - '0');
  *number = sum;
  return at == start || at - start > most ? NULL : at;
}

static const char* read_coordinate(const char* at, int64_t size, int64_t* coordinate) {
  uint64_t number;
  at = read_digits(skip_blanks(at), MOST_DIGITS - 1, &number);
  if (!at || number < 1 || number > (uint64_t)size || !(is_blank(*at) || *at == '\n')) return NULL;
  *coordinate = (int64_t)number - 1;
  return at;
}

#if WHOLE_VALUES

static const char* read_number(const char* at, const char* end, NUMBER* value) {
  (void)end;
  uint64_t number;
  at = skip_blanks(at);
  const int negative = *at == '-';
  at = read_digits(at + (negative || *at == '+'), MOST_DIGITS - 1, &number);
  if (!at || !(is_blank(*at) || *at == '\n')) return NULL;
  *value = negative ? -(int64_t)number : (int64_t)number;
  return at;
}

#else

static const double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Powers of 5: the largest has 63 bits. */
static const uint64_t FIVES[LARGEST_POWER + 1] = {
    1U, 5U, 25U, 125U, 625U, 3125U, 15625U, 78125U, 390625U, 1953125U, 9765625U, 48828125U, 244140625U,
    1220703125U, 6103515625U, 30517578125U, 152587890625U, 762939453125U, 3814697265625U, 19073486328125U,
    95367431640625U, 476837158203125U, 2384185791015625U, 11920928955078125U, 59604644775390625U,
    298023223876953125U, 1490116119384765625U, 7450580596923828125U};

/* Eight digits at once, where there are so many (D. Lemire, Number parsing at a gigabyte per second, 2021). */
static int read_eight(const char* at, const char* end, uint64_t* number) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  const uint64_t high = 0xF0F0F0F0F0F0F0F0u, zeros = 0x3030303030303030u;
  uint64_t text;
  if (end - at < 8) return 0;
  memcpy(&text, at, sizeof text);
  if ((text & high) != zeros || ((text + 0x0606060606060606u) & high) != zeros) return 0;
  text -= zeros;
  text = text * 10 + (text >> 8);
  const uint64_t pairs = 0x000000FF000000FFu;
  *number = ((text & pairs) * 0x000F424000000064u + (text >> 16 & pairs) * 0x0000271000000001u) >> 32;
  return 1;
#else
  (void)at, (void)end, (void)number;
  return 0;
#endif
}

/* bits * 2^exponent, and a little more where `more`; bits has its highest bit or the one below. Half to even. */
static double rounded(uint64_t bits, int more, int exponent) {
  const int shift = __builtin_clzll(bits);
  bits <<= shift, exponent -= shift;
  const uint64_t mantissa = bits >> 11, rest = bits & 0x7ff;
  const int up = rest > 0x400 || (rest == 0x400 && (more || (mantissa & 1)));
  /* The highest bit of the mantissa adds 1 to the exponent, as does a carry. */
  const uint64_t pattern = ((uint64_t)(exponent + 63 + 1022) << 52) + mantissa + (uint64_t)up;
  double value;
  memcpy(&value, &pattern, sizeof value);
  return value;
}

/* digits * 10^exponent where that takes integers of 128 bits at most, rounded once. */
static double scaled(uint64_t digits, int exponent) {
  const uint64_t power = FIVES[exponent < 0 ? -exponent : exponent];
  if (exponent >= 0) {
    const Wide product = (Wide)digits * power;
    const uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
    if (!high) return rounded(low, 0, exponent);
    const int shift = __builtin_clzll(high);
    const Wide shifted = product << shift;
    return rounded((uint64_t)(shifted >> 64), (uint64_t)shifted != 0, exponent + 64 - shift);
  }
  const int up = __builtin_clzll(digits) - 1, width = __builtin_clzll(power);
  const Wide dividend = up < 0 ? (Wide)digits << 63 : (Wide)(digits << up) << 64;
  const uint64_t divisor = power << width, quotient = (uint64_t)(dividend / divisor);
  return rounded(quotient, quotient * (Wide)divisor != dividend, (up < 0 ? -63 : -64 - up) + width + exponent);
}

/* The number whose text begins at `at` by the C library, which rounds correctly, too. */
static const char* read_any(const char* at, double* value) {
  static locale_t plain;
  char text[LONGEST + 1];
  int length = 0;
  for (; length < LONGEST && !is_blank(at[length]) && at[length] != '\n'; length++) text[length] = at[length];
  text[length] = '\0';
  if (length == LONGEST) return NULL;
  locale_t here = __atomic_load_n(&plain, __ATOMIC_ACQUIRE);
  if (!here) {
    here = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    __atomic_store_n(&plain, here, __ATOMIC_RELEASE);
  }
  char* end;
  *value = strtod_l(text, &end, here);
  return *end == '\0' && isfinite(*value) ? at + length : NULL;
}

static const char* read_number(const char* at, const char* end, NUMBER* value) {
  const char* const start = skip_blanks(at);
  const int negative = *start == '-';
  uint64_t digits = 0;
  int count = 0, exponent = 0, any = 0;
  at = start + (negative || *start == '+');
  for (; is_digit(*at); at++, any = 1) {
    digits = digits * 10 + (uint64_t)(*at - '0');
    count += count || digits;
  }
  if (*at == '.') {
    at++;
    for (uint64_t eight; is_digit(*at); at++, any = 1, exponent--) {
      for (; digits && read_eight(at, end, &eight); at += 8, count += 8, exponent -= 8) digits = digits * 100000000 + eight;
      if (!is_digit(*at)) break;
      digits = digits * 10 + (uint64_t)(*at - '0');
      count += count || digits;
    }
  }
  if (!any) return NULL;
  if (*at == 'e' || *at == 'E') {
    uint64_t power;
    const int minus = at[1] == '-';
    at = read_digits(at + 1 + (minus || at[1] == '+'), 4, &power);
    if (!at) return NULL;
    exponent += minus ? -(int)power : (int)power;
  }
  if (!(is_blank(*at) || *at == '\n')) return NULL;
  if (count > MOST_DIGITS) return read_any(start, value);
  double magnitude;
  if (digits == 0) magnitude = 0;
  else if (digits <= (uint64_t)1 << 53 && exponent >= -22 && exponent <= 22)
    magnitude = exponent < 0 ? (double)digits / POWERS[-exponent] : (double)digits * POWERS[exponent];
  else if (exponent >= -LARGEST_POWER && exponent <= LARGEST_POWER) magnitude = scaled(digits, exponent);
  else return read_any(start, value);
  *value = negative ? -magnitude : magnitude;
  return at;
}

#endif

/* Where part `part` of the text begins: with a line. */
static int64_t start_of(int64_t parts, int64_t bytes, const char* text, int64_t part) {
  const int64_t about = bytes * part / parts;
  if (about == 0 || part == parts) return about;
  const char* end = memchr(text + about - 1, '\n', (size_t)(bytes - about + 1));
  return end ? end - text + 1 : bytes;
}

/* How many lines end in each part of the text. */
int32_t count_lines(int64_t parts, int64_t bytes, const char* restrict text, int64_t* restrict counts) {
  #pragma omp parallel for schedule(static, 1) num_threads(parts)
  for (int64_t part = 0; part < parts; part++) {
    const int64_t stop = start_of(parts, bytes, text, part + 1);
    int64_t count = 0;
    for (int64_t b = start_of(parts, bytes, text, part); b < stop; b++) count += text[b] == '\n';
    counts[part] = count;
  }
  return 0;
}

/* The coordinates, from 0 and below `sizes`, and the values of the lines of a text that ends with a line: by dimension
   `stride` apart, the values of a line side by side. Returns 1 where a line is blank, a comment or anything else. */
int32_t read_lines(int64_t parts, int64_t bytes, int64_t stride, const char* restrict text,
                   const int64_t* restrict counts, const int64_t* restrict sizes, int64_t* restrict coordinates,
                   NUMBER* restrict values) {
  int failed = 0;
  #pragma omp parallel for schedule(static, 1) num_threads(parts) reduction(| : failed)
  for (int64_t part = 0; part < parts; part++) {
    const char* at = text + start_of(parts, bytes, text, part);
    int64_t line = 0;
    for (int64_t before = 0; before < part; before++) line += counts[before];
    for (const int64_t stop = line + counts[part]; at && line < stop; line++) {
      for (int d = 0; at && d < COORDINATES; d++) at = read_coordinate(at, sizes[d], coordinates + d * stride + line);
      for (int n = 0; at && n < NUMBERS; n++) at = read_number(at, text + bytes, values + line * NUMBERS + n);
      if (at) {
        at = skip_blanks(at);
        at = *at == '\n' ? at + 1 : NULL;
      }
    }
    failed |= !at;
  }
  return failed;
}
