#pragma once

/* Declared here: <omp.h> does not come with every compiler. */
#ifdef _OPENMP
int omp_get_max_threads(void);
int omp_get_thread_num(void);
#else
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_thread_num(void) { return 0; }
#endif
