// Atomic updates and reductions that OpenMP lacks. COMBINE: the operator on two values.
#include <stdbool.h>
#include <stdint.h>

#ifdef MIN
#include "select.h"
#endif

// Relaxed order is enough: the barrier at the end of the parallel loop publishes the result.
// @begin atomic
static inline void ATOMIC(TYPE* address, TYPE value) {
  TYPE old, update;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  do {
    update = COMBINE(old, value);
  } while (!__atomic_compare_exchange(address, &old, &update, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}
// @end

#ifdef IDENTITY
// @begin reduction
#pragma omp declare reduction(SELECT : TYPE : omp_out = SELECT(omp_out, omp_in)) initializer(omp_priv = IDENTITY)
// @end
#endif
