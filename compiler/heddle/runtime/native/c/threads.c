#include <stdint.h>

#include "threads.h"

/* How many threads a parallel region has. */
int32_t threads(void) { return omp_get_max_threads(); }
