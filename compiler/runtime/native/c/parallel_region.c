#include <stdint.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// The time of each of so many regions in which threads do nothing but wait for each other, with a pause before it in
// which this thread works. Without the barrier, threads that come late would not be waited for.
int32_t regions(int64_t count, int64_t threads, double pause, int64_t* restrict places, double* restrict times) {
  for (int64_t region = 0; region < count; region++) {
    double begin = seconds();
    while (seconds() < begin + pause) {}
    begin = seconds();
    #pragma omp parallel num_threads(threads)
    {
      #pragma omp for schedule(static) nowait
      for (int64_t thread = 0; thread < threads; thread++) places[8 * thread] = region;
      #pragma omp barrier
    }
    times[region] = seconds() - begin;
  }
  return 0;
}
