#include <stdint.h>

// Where the entries of each row stand when they are counted into rows, in their own order: pos[row] … pos[row + 1] are
// the places of a row, perm[place] is the number of an entry.
int32_t places(int64_t count, int64_t rows, const INDEX* restrict row, INDEX* restrict pos, INDEX* restrict perm) {
  for (int64_t r = 0; r <= rows; r++) pos[r] = 0;
  for (int64_t entry = 0; entry < count; entry++) pos[row[entry] + 1]++;
  for (int64_t r = 0; r < rows; r++) pos[r + 1] += pos[r];
  for (int64_t entry = 0; entry < count; entry++) perm[pos[row[entry]]++] = (INDEX)entry;
  for (int64_t r = rows; r > 0; r--) pos[r] = pos[r - 1];
  if (rows > 0) pos[0] = 0;
  return 0;
}
