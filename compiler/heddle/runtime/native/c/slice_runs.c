#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "threads.h"

typedef struct { INDEX* diagonal; INDEX* number; uint32_t mask; } Table;

static int ascending(const void* a, const void* b) {
  const INDEX x = *(const INDEX*)a, y = *(const INDEX*)b;
  return (x > y) - (x < y);
}

/* The place of a diagonal in the table, or a free one, which holds -1. */
static uint32_t place_of(Table table, INDEX diagonal) {
  uint32_t place = (uint32_t)diagonal * 2654435769u >> 7 & table.mask;
  while (table.diagonal[place] >= 0 && table.diagonal[place] != diagonal) place = (place + 1) & table.mask;
  return place;
}

/* The same for runs: an entry's slot is the number of its diagonal where the slice has a slot for each (it is aligned),
   else its number in the row. first: for each slot, the first of its columns where they follow one another, else -1.
   Slots of aligned slices get columns that do where these lie inside the matrix. Each thread's scratch: a table of
   `places` diagonals, a power of 2, and their numbers, and as many diagonals. */
int32_t fill_runs(int64_t parts, int64_t rows, int64_t height, int64_t columns, int64_t places,
                  const INDEX* restrict pos, const INDEX* restrict crd, const VALUE* restrict vals,
                  const INDEX* restrict order, const INDEX* restrict starts, const VALUE* restrict fill,
                  INDEX* restrict to_crd, VALUE* restrict to_vals, INDEX* restrict to_first, INDEX* scratch) {
  const int64_t slices = (rows + height - 1) / height;
  #pragma omp parallel num_threads(parts)
  {
    INDEX* const table_of_thread = scratch + omp_get_thread_num() * 3 * places;
    INDEX* const diagonals = table_of_thread + 2 * places;
    #pragma omp for schedule(dynamic, 64)
    for (int64_t s = 0; s < slices; s++) {
      const int64_t width = starts[s + 1] - starts[s], last = (s + 1) * height - 1;
      const int64_t end = last < rows ? last + 1 : rows;
      if (width == 0) continue;
      INDEX* const at_crd = to_crd + starts[s] * height;
      VALUE* const at_vals = to_vals + starts[s] * height;
      INDEX* const at_first = to_first + starts[s];
      uint32_t size = 2;
      while (size < 2 * width) size *= 2;
      const Table table = {table_of_thread, table_of_thread + places, size - 1};
      memset(table.diagonal, -1, size * sizeof(INDEX));
      int64_t count = 0;
      int aligned = 1;
      for (int64_t place = s * height; place < end && aligned; place++) {
        const int64_t r = order ? order[place] : place;
        for (INDEX p = pos[r]; p < pos[r + 1]; p++) {
          const INDEX d = crd[p] + (INDEX)(last - place);
          const uint32_t at = place_of(table, d);
          if (table.diagonal[at] >= 0) continue;
          if (count == width) {
            aligned = 0;
            break;
          }
          table.diagonal[at] = diagonals[count++] = d;
        }
      }
      if (aligned) {
        qsort(diagonals, (size_t)count, sizeof(INDEX), ascending);
        for (int64_t k = 0; k < count; k++) table.number[place_of(table, diagonals[k])] = (INDEX)k;
      }
      for (int64_t k = 0; k < width * height; k++) at_crd[k] = (INDEX)columns, at_vals[k] = *fill;
      for (int64_t place = s * height; place < end; place++) {
        const int64_t r = order ? order[place] : place;
        for (INDEX p = pos[r]; p < pos[r + 1]; p++) {
          const int64_t k = aligned ? table.number[place_of(table, crd[p] + (INDEX)(last - place))] : p - pos[r];
          at_crd[k * height + place - s * height] = crd[p];
          at_vals[k * height + place - s * height] = vals[p];
        }
      }
      for (int64_t k = 0; k < width; k++) {
        INDEX* const slot = at_crd + k * height;
        int follow = slot[0] + height - 1 < columns;
        for (int64_t inside = 1; inside < height; inside++) follow &= slot[inside] == slot[0] + inside;
        at_first[k] = follow ? slot[0] : -1;
        if (follow || !aligned || last >= rows) continue;
        int64_t start = columns;
        for (int64_t inside = 0; inside < height; inside++)
          if (slot[inside] < columns && slot[inside] - inside < start) start = slot[inside] - inside;
        if (start < 0 || start + height > columns) continue;
        at_first[k] = (INDEX)start;
        for (int64_t inside = 0; inside < height; inside++) slot[inside] = (INDEX)(start + inside);
      }
    }
  }
  return 0;
}
