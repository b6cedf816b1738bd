#include <stdint.h>
#include <string.h>

enum { BLOCK = 512, BUCKET_BITS = 10, BUCKETS = 1 << BUCKET_BITS, BUCKET_ENTRIES = 4096, LARGEST_DIGIT = 11, SPARE = 3,
       FEW = 16 };

/* KEY holds the coordinates of an entry, the first ones in the highest bits: uint64_t or unsigned __int128. */
typedef struct { KEY* restrict keys; VALUE* restrict values; } Entries;

static int bits_of(KEY number) {
  const uint64_t high = sizeof(KEY) > 8 ? (uint64_t)(number >> (sizeof(KEY) * 8 - 64)) : 0;
  if (high) return 128 - __builtin_clzll(high);
  return (uint64_t)number ? 64 - __builtin_clzll((uint64_t)number) : 0;
}

/* The bits of each of two digits that nearly always tell `count` entries apart which differ in `width` bits. */
static int digit_bits(int64_t count, int width) {
  const int digits = bits_of((KEY)count) + SPARE, digit = (digits < width ? digits + 1 : width + 1) / 2;
  return digit < LARGEST_DIGIT ? digit : LARGEST_DIGIT;
}

/* The coordinates of `count` entries behind those of the dimensions before. */
static void append(KEY* restrict keys, int64_t count, int bits, const char* column, int64_t stride, int64_t width) {
  if (width == 4 && stride == 4) {
    const int32_t* restrict coordinates = (const int32_t*)column;
    for (int64_t e = 0; e < count; e++) keys[e] = keys[e] << bits | (KEY)(uint32_t)coordinates[e];
  } else if (width == 8 && stride == 8) {
    const int64_t* restrict coordinates = (const int64_t*)column;
    for (int64_t e = 0; e < count; e++) keys[e] = keys[e] << bits | (KEY)(uint64_t)coordinates[e];
  } else {
    for (int64_t e = 0; e < count; e++, column += stride) {
      const int64_t coordinate = width == 4 ? *(const int32_t*)column : *(const int64_t*)column;
      keys[e] = keys[e] << bits | (KEY)(uint64_t)coordinate;
    }
  }
}

/* The keys of all entries. Returns 1 where they do not ascend, and 2 more where neighbours are equal; `different` gets
   the bits in which any differ. */
int32_t compose(int64_t parts, int64_t count, int64_t dimensions, const int64_t* restrict bits,
                const int64_t* restrict columns, const int64_t* restrict strides, const int64_t* restrict widths,
                KEY* restrict keys, KEY* restrict different) {
  int unordered = 0, repeated = 0;
  KEY differing = 0;
  #pragma omp parallel for schedule(static, 1) num_threads(parts) reduction(| : unordered, repeated)
  for (int64_t part = 0; part < parts; part++) {
    const int64_t start = count * part / parts, stop = count * (part + 1) / parts;
    int descends = 0, repeats = 0;
    KEY changes = 0;
    for (int64_t first = start; first < stop; first += BLOCK) {
      const int64_t here = first + BLOCK < stop ? BLOCK : stop - first;
      KEY* restrict block = keys + first;
      memset(block, 0, (size_t)here * sizeof(KEY));
      for (int64_t d = 0; d < dimensions; d++)
        append(block, here, (int)bits[d], (const char*)(intptr_t)columns[d] + first * strides[d], strides[d], widths[d]);
      for (int64_t e = first > start ? 0 : 1; e < here; e++) {
        descends |= block[e] < block[e - 1];
        repeats |= block[e] == block[e - 1];
        changes |= block[e] ^ block[e - 1];
      }
    }
    unordered |= descends, repeated |= repeats;
    different[1 + part] = changes;
  }
  for (int64_t part = 0; part < parts; part++) {
    const int64_t start = count * part / parts;
    if (start > 0 && start < count) {
      unordered |= keys[start] < keys[start - 1], repeated |= keys[start] == keys[start - 1];
      differing |= keys[start] ^ keys[start - 1];
    }
    differing |= different[1 + part];
  }
  *different = differing;
  return unordered | repeated << 1;
}

/* Stable, for a few entries. */
static void insert(Entries here, int64_t begin, int64_t end) {
  for (int64_t e = begin + 1; e < end; e++) {
    const KEY key = here.keys[e];
    const VALUE value = here.values[e];
    int64_t place = e;
    for (; place > begin && here.keys[place - 1] > key; place--)
      here.keys[place] = here.keys[place - 1], here.values[place] = here.values[place - 1];
    here.keys[place] = key, here.values[place] = value;
  }
}

/* Stable, by one digit, with the places where its entries go. */
static void by_digit(Entries from, Entries to, int64_t begin, int64_t end, int shift, int64_t mask,
                     int64_t* restrict next) {
  int64_t sum = begin;
  for (int64_t d = 0; d <= mask; d++) {
    const int64_t here = next[d];
    next[d] = sum;
    sum += here;
  }
  for (int64_t e = begin; e < end; e++) {
    const KEY key = from.keys[e];
    const int64_t place = next[(int64_t)(key >> shift) & mask]++;
    to.keys[place] = key, to.values[place] = from.values[e];
  }
}

/* Stable, by the bits from `high` on and then by those from `low` to there, no more than `digit` each, where entries
   differ. Of its own, for its counts shall not lie on the stack while buckets of buckets are sorted. */
__attribute__((noinline)) static void by_two_digits(Entries here, Entries other, int64_t begin, int64_t end, int high,
                                                    int low, int digit) {
  const int64_t mask = ((int64_t)1 << digit) - 1, low_mask = ((int64_t)1 << (high - low)) - 1;
  int64_t places[1 << LARGEST_DIGIT], low_places[1 << LARGEST_DIGIT];
  memset(places, 0, (size_t)(mask + 1) * sizeof(int64_t));
  memset(low_places, 0, (size_t)(low_mask + 1) * sizeof(int64_t));
  for (int64_t e = begin; e < end; e++) {
    places[(int64_t)(here.keys[e] >> high) & mask]++;
    low_places[(int64_t)(here.keys[e] >> low) & low_mask]++;
  }
  by_digit(here, other, begin, end, low, low_mask, low_places);
  by_digit(other, here, begin, end, high, mask, places);
}

/* Stable: by two digits that begin with the highest bit in which entries differ, so wide that most entries then are
   alone; those that are not are sorted by what is left. */
static void sort_bucket(Entries here, Entries other, int64_t begin, int64_t end) {
  if (end - begin <= FEW) {
    insert(here, begin, end);
    return;
  }
  KEY different = 0;
  for (int64_t e = begin; e < end; e++) different |= here.keys[e] ^ here.keys[begin];
  const int width = bits_of(different), digit = digit_bits(end - begin, width);
  if (width == 0) return;
  const int high = width - digit, low = high > digit ? high - digit : 0;
  by_two_digits(here, other, begin, end, high, low, digit);
  for (int64_t start = begin, e = begin + 1; low > 0 && start < end; start = e++) {
    while (e < end && here.keys[e] >> low == here.keys[start] >> low) e++;
    if (e - start > 1) sort_bucket(here, other, start, e);
  }
}

/* The coordinates of the entries [begin, end) from their keys. Returns 1 where neighbours have the same. */
static int decode(const KEY* restrict keys, int64_t begin, int64_t end, int64_t dimensions, const int64_t* restrict bits,
                  const int64_t* restrict columns) {
  int repeated = 0;
  for (int64_t first = begin; first < end; first += BLOCK) {
    const int64_t stop = first + BLOCK < end ? first + BLOCK : end;
    int shift = 0;
    for (int64_t d = dimensions - 1; d >= 0; shift += (int)bits[d--]) {
      INDEX* restrict column = (INDEX*)(intptr_t)columns[d];
      const KEY mask = ((KEY)1 << bits[d]) - 1;
      if (bits[d] == 0) memset(column + first, 0, (size_t)(stop - first) * sizeof(INDEX));
      else
        for (int64_t e = first; e < stop; e++) column[e] = (INDEX)(keys[e] >> shift & mask);
    }
    for (int64_t e = first > begin ? first : first + 1; e < stop; e++) repeated |= keys[e] == keys[e - 1];
  }
  return repeated;
}

/* Sorts entries whose `keys` differ in the bits of `different`: one pass brings those with the same highest bits
   together, and each such bucket is sorted where the cache holds it. `scratch_keys` and `scratch_values` have room for
   the entries, `next` for BUCKETS numbers of each part; `keys` are lost. Returns 1 where coordinates repeat. */
int32_t sort(int64_t parts, int64_t count, int64_t dimensions, const int64_t* restrict bits,
             const KEY* restrict different, KEY* restrict keys, const VALUE* restrict values,
             KEY* restrict scratch_keys, VALUE* restrict scratch_values, int64_t* restrict next,
             const int64_t* restrict columns, VALUE* restrict sorted) {
  const Entries here = {scratch_keys, sorted}, other = {keys, scratch_values};
  const int width = bits_of(*different);
  int digit = width < BUCKET_BITS ? width : BUCKET_BITS;
  while (digit > 1 && count >> digit < BUCKET_ENTRIES) digit--;
  const int shift = width - digit;
  const int64_t buckets = (int64_t)1 << digit, mask = buckets - 1;
  int64_t begin[BUCKETS + 1];
  int repeated = 0;
  #pragma omp parallel num_threads(parts)
  {
    #pragma omp for schedule(static, 1)
    for (int64_t part = 0; part < parts; part++) {
      int64_t counts[BUCKETS] = {0};
      const int64_t stop = count * (part + 1) / parts;
      for (int64_t e = count * part / parts; e < stop; e++) counts[(int64_t)(keys[e] >> shift) & mask]++;
      memcpy(next + part * BUCKETS, counts, sizeof counts);
    }
    #pragma omp single
    {
      int64_t sum = 0;
      for (int64_t b = 0; b < buckets; b++) {
        begin[b] = sum;
        for (int64_t part = 0; part < parts; part++) {
          const int64_t in_part = next[part * BUCKETS + b];
          next[part * BUCKETS + b] = sum;
          sum += in_part;
        }
      }
      begin[buckets] = sum;
    }
    #pragma omp for schedule(static, 1)
    for (int64_t part = 0; part < parts; part++) {
      const int64_t stop = count * (part + 1) / parts;
      int64_t places[BUCKETS];
      memcpy(places, next + part * BUCKETS, sizeof places);
      for (int64_t e = count * part / parts; e < stop; e++) {
        const KEY key = keys[e];
        const int64_t place = places[(int64_t)(key >> shift) & mask]++;
        scratch_keys[place] = key, sorted[place] = values[e];
      }
    }
    #pragma omp for schedule(dynamic, 1) reduction(| : repeated)
    for (int64_t b = 0; b < buckets; b++) {
      sort_bucket(here, other, begin[b], begin[b + 1]);
      repeated |= decode(scratch_keys, begin[b], begin[b + 1], dimensions, bits, columns);
    }
  }
  return repeated;
}
