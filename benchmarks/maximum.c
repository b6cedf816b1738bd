/* What a check of coordinates is measured against (operand_checks.py): the largest one. */
#include <stdint.h>

int32_t maximum(int64_t parts, int64_t count, const int32_t* restrict crd, int32_t* out) {
  int32_t most = -1;
  #pragma omp parallel for num_threads(parts) schedule(static) reduction(max : most) if (parts > 1)
  for (int64_t e = 0; e < count; e++) most = crd[e] > most ? crd[e] : most;
  *out = most;
  return 0;
}
