#include <stdint.h>

/* The first of LEVELS columns in which entry e, which is not the first, differs from the one before: the last one where
   no other does, since no two entries are equal. */
static int64_t first_change(const INDEX* const* columns, int64_t e) {
  int64_t level = 0;
  while (level < LEVELS - 1 && columns[level][e] == columns[level][e - 1]) level++;
  return level;
}

static void point(const INDEX** arrays, const int64_t* addresses) {
  for (int64_t level = 0; level < LEVELS; level++) arrays[level] = (const INDEX*)(intptr_t)addresses[level];
}

/* counts[l]: how many positions level l has, one for each entry that differs from the one before in one of the columns
   up to l. The entries are in order. */
int32_t count(int64_t entries, const int64_t* restrict column_addresses, int64_t* restrict counts) {
  const INDEX* columns[LEVELS];
  int64_t changes[LEVELS] = {0};
  point(columns, column_addresses);
  for (int64_t e = 1; e < entries; e++) changes[first_change(columns, e)]++;
  changes[0] += entries > 0;
  for (int64_t level = 0, sum = 0; level < LEVELS; level++) counts[level] = sum += changes[level];
  return 0;
}

/* The coordinates of all levels but the last, whose are its column, and where the children of each position of the
   level above begin in all levels but the first. */
int32_t fill(int64_t entries, const int64_t* restrict column_addresses, const int64_t* restrict crd_addresses,
             const int64_t* restrict pos_addresses) {
  const INDEX *columns[LEVELS], *crd[LEVELS], *pos[LEVELS];
  int64_t next[LEVELS] = {0};
  point(columns, column_addresses), point(crd, crd_addresses), point(pos, pos_addresses);
  for (int64_t e = 0; e < entries; e++) {
    next[LEVELS - 1] = e;
    for (int64_t level = e ? first_change(columns, e) : 0; level < LEVELS - 1; level++) {
      ((INDEX*)crd[level])[next[level]] = columns[level][e];
      ((INDEX*)pos[level + 1])[next[level]++] = (INDEX)next[level + 1];
    }
  }
  next[LEVELS - 1] = entries;
  for (int64_t level = 1; level < LEVELS; level++) ((INDEX*)pos[level])[next[level - 1]] = (INDEX)next[level];
  return 0;
}
