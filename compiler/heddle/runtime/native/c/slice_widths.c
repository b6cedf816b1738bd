#include <stdint.h>
#include <string.h>

#include "threads.h"

/* Sorts the rows of each window by their entries, most first, equal ones as they were, and finds how wide each slice of
   `height` places is. Without windows order is NULL. counts: `most` + 1 for each thread. total: of all widths, and the
   largest. */
int32_t widths(int64_t parts, int64_t rows, int64_t height, int64_t window, int64_t most, const INDEX* restrict pos,
               INDEX* restrict order, INDEX* restrict starts, INDEX* restrict counts, int64_t* restrict total) {
  int64_t widest = 0;
  #pragma omp parallel num_threads(parts) reduction(max : widest)
  {
    INDEX* restrict next = counts + omp_get_thread_num() * (most + 1);
    #pragma omp for schedule(static)
    for (int64_t w = 0; w < (rows + window - 1) / window; w++) {
      const int64_t first = w * window, end = first + window < rows ? first + window : rows;
      if (order) {
        INDEX longest = 0;
        for (int64_t r = first; r < end; r++) longest = pos[r + 1] - pos[r] > longest ? pos[r + 1] - pos[r] : longest;
        memset(next, 0, ((size_t)longest + 1) * sizeof(INDEX));
        for (int64_t r = first; r < end; r++) next[longest - (pos[r + 1] - pos[r])]++;
        INDEX place = (INDEX)first;
        for (INDEX shorter = 0; shorter <= longest; shorter++) {
          const INDEX here = next[shorter];
          next[shorter] = place;
          place += here;
        }
        for (int64_t r = first; r < end; r++) order[next[longest - (pos[r + 1] - pos[r])]++] = (INDEX)r;
      }
      for (int64_t slice = first; slice < end; slice += height) {
        const int64_t last = order ? slice + 1 : slice + height < end ? slice + height : end;
        INDEX width = 0;
        for (int64_t place = slice; place < last; place++) {
          const int64_t r = order ? order[place] : place;
          width = pos[r + 1] - pos[r] > width ? pos[r + 1] - pos[r] : width;
        }
        starts[slice / height + 1] = width;
        widest = width > widest ? width : widest;
      }
    }
  }
  int64_t sum = 0;
  starts[0] = 0;
  for (int64_t slice = 0; slice < (rows + height - 1) / height; slice++) {
    sum += starts[slice + 1];
    starts[slice + 1] = (INDEX)sum;
  }
  total[0] = sum, total[1] = widest;
  return 0;
}
