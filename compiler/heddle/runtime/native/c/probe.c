#include <stdint.h>

/* What a compiler must be able to build; with OPENMP it must also find the run-time library. */
#ifdef OPENMP
int omp_get_max_threads(void);
#endif

int32_t kernel(int64_t n, double* restrict y) {
  #pragma omp parallel for schedule(guided)
  for (int64_t i = 0; i < n; i++) y[i] = 1.0;
#ifdef OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}
