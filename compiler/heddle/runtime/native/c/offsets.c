#include <stdint.h>

int32_t offsets(int64_t count, int64_t parents, const VALUE* restrict parent, INDEX* restrict pos) {
  int64_t next = 0;
  for (int64_t child = 0; child < count; child++)
    for (const int64_t here = (int64_t)parent[child]; next <= here; next++) pos[next] = (INDEX)child;
  for (; next <= parents; next++) pos[next] = (INDEX)count;
  return 0;
}
