// Sorts coordinates, and hash maps by their keys: KEY is what an element is compared by.
//
// Ranges are as a row of a sparse result has them: short, often sorted, often near each other. The first of these that
// suits is taken: nothing to do, a bit for each integer, radix sort, introsort.
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "memory.c"

#ifdef BITS
// Rows of a product lie near each other, and shorter ranges have few inversions, which introsort's last step undoes as
// fast.
// @begin bits
// A bit for each integer, read back in order; false when they are few, far apart or not distinct. What is stored in
// turns of a known number is not known to be there: a processor need not guess where the bits of a word end.
static bool BITS(TYPE* a, int64_t n, uint64_t base, uint64_t range) {
  const uint64_t last = UINT64_C(1) << 63;
  uint64_t words[2048], used = range / 64 + 1, repeated = 0;
  if (n <= 16 || used > 2048 || used > 16 * (uint64_t)n) return false;
  memset(words, 0, used * sizeof(uint64_t));
  if (used <= (uint64_t)n) {
    for (int64_t p = 0; p < n; p++) {
      uint64_t offset = (uint64_t)a[p] - base, bit = UINT64_C(1) << (offset & 63);
      repeated |= words[offset >> 6] & bit;
      words[offset >> 6] |= bit;
    }
    if (repeated) return false;
    int64_t count = 0;
    for (uint64_t word = 0; word < used; word++) {
      uint64_t bits = words[word], first = base + 64 * word;
      int64_t end = count + __builtin_popcountll(bits);
      for (; count < end && count + 4 <= n; count += 4) {
        for (int64_t turn = 0; turn < 4; turn++, bits &= bits - 1) {
          a[count + turn] = (TYPE)(first + (uint64_t)__builtin_ctzll(bits | last));
        }
      }
      for (; bits; bits &= bits - 1) a[count++] = (TYPE)(first + (uint64_t)__builtin_ctzll(bits));
      count = end;
    }
    return true;
  }
  uint64_t groups[33] = {0};  // a bit for each word that has some
  for (int64_t p = 0; p < n; p++) {
    uint64_t offset = (uint64_t)a[p] - base, word = offset >> 6, bit = UINT64_C(1) << (offset & 63);
    repeated |= words[word] & bit;
    words[word] |= bit;
    groups[word >> 6] |= UINT64_C(1) << (word & 63);
  }
  if (repeated) return false;
  int64_t count = 0;
  for (uint64_t group = 0; group <= used / 64; group++) {
    for (uint64_t some = groups[group]; some; some &= some - 1) {
      uint64_t word = 64 * group + (uint64_t)__builtin_ctzll(some), first = base + 64 * word, bits = words[word];
      a[count++] = (TYPE)(first + (uint64_t)__builtin_ctzll(bits));
      if (count == n) return true;
      bits &= bits - 1;
      a[count] = (TYPE)(first + (uint64_t)__builtin_ctzll(bits | last));
      count += bits != 0;
      for (bits &= bits - 1; bits; bits &= bits - 1) a[count++] = (TYPE)(first + (uint64_t)__builtin_ctzll(bits));
    }
  }
  return true;
}

// @end
#endif

// The partition has no branch that depends on the data: mispredicted ones would cost more than the swaps.
// @begin sort
static void SORT_heap(TYPE* a, int64_t n) {
  for (int64_t start = n / 2, end = n; end > 1;) {
    TYPE x;
    if (start > 0) x = a[--start];
    else { x = a[--end]; a[end] = a[0]; }
    int64_t hole = start;
    for (int64_t child; (child = 2 * hole + 1) < end; hole = child) {
      if (child + 1 < end && KEY(a[child]) < KEY(a[child + 1])) child++;
      if (!(KEY(x) < KEY(a[child]))) break;
      a[hole] = a[child];
    }
    a[hole] = x;
  }
}

static void SORT_parts(TYPE* a, int64_t n, int depth) {
  while (n > 24) {
    if (depth-- == 0) { SORT_heap(a, n); return; }
    TYPE low = a[0], pivot = a[n / 2], high = a[n - 1], swap;
    if (KEY(pivot) < KEY(low)) { swap = low; low = pivot; pivot = swap; }
    if (KEY(high) < KEY(pivot)) { swap = high; high = pivot; pivot = swap; }
    if (KEY(pivot) < KEY(low)) { swap = low; low = pivot; pivot = swap; }
    a[n / 2] = low;
    a[n - 1] = high;
    a[0] = pivot;
    int64_t less = 0;
    for (int64_t p = 1; p < n; p++) {
      TYPE x = a[p];
      a[p] = a[less + 1];
      a[less + 1] = x;
      less += KEY(x) < KEY(pivot);
    }
    a[0] = a[less];
    a[less] = pivot;
    if (less < n - 1 - less) {
      SORT_parts(a, less, depth);
      a += less + 1;
      n -= less + 1;
    } else {
      SORT_parts(a + less + 1, n - 1 - less, depth);
      n = less;
    }
  }
  for (int64_t p = 1; p < n; p++) {
    TYPE x = a[p];
    int64_t hole = p;
    for (; hole > 0 && KEY(x) < KEY(a[hole - 1]); hole--) a[hole] = a[hole - 1];
    a[hole] = x;
  }
}

// Radix sort, from the lowest digit up; false when its passes or its memory would cost too much.
static bool SORT_radix(TYPE* a, int64_t n, uint64_t base, uint64_t range) {
  TYPE local[1024];
  int bits = range ? 64 - __builtin_clzll(range) : 1;
  int widest = n < 8192 ? 8 : 11, passes = (bits + widest - 1) / widest, width = (bits + passes - 1) / passes;
  if (passes > 4) return false;
  TYPE* scratch = n <= 1024 ? local : allocate(n, sizeof(TYPE));
  if (!scratch) return false;
  TYPE* from = a;
  TYPE* to = scratch;
  for (int shift = 0; shift < bits; shift += width) {
    int64_t places[2048], total = 0;
    uint64_t mask = (UINT64_C(1) << width) - 1;
    memset(places, 0, (mask + 1) * sizeof(int64_t));
    for (int64_t p = 0; p < n; p++) places[((uint64_t)KEY(from[p]) - base) >> shift & mask]++;
    for (uint64_t digit = 0; digit <= mask; digit++) {
      int64_t count = places[digit];
      places[digit] = total;
      total += count;
    }
    for (int64_t p = 0; p < n; p++) to[places[((uint64_t)KEY(from[p]) - base) >> shift & mask]++] = from[p];
    TYPE* swap = from;
    from = to;
    to = swap;
  }
  if (from != a) memcpy(a, from, (size_t)n * sizeof(TYPE));
  if (scratch != local) free(scratch);
  return true;
}

static void SORT(TYPE* a, int64_t n) {
  int64_t p = 1;
  while (p < n && !(KEY(a[p]) < KEY(a[p - 1]))) p++;
  if (p >= n) return;
  TYPE low = a[0], high = a[0];
  for (p = 1; p < n; p++) {
    low = KEY(a[p]) < KEY(low) ? a[p] : low;
    high = KEY(high) < KEY(a[p]) ? a[p] : high;
  }
  uint64_t base = (uint64_t)KEY(low), range = (uint64_t)KEY(high) - base;
#ifdef BITS
  if (BITS(a, n, base, range)) return;
#endif
  if (n > 160 && SORT_radix(a, n, base, range)) return;
  int depth = 0;
  for (int64_t m = n; m > 1; m /= 2) depth += 2;
  SORT_parts(a, n, depth);
}
// @end
