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

static double work(int64_t steps, double value) {
  for (int64_t step = 0; step < steps; step++) value = value * 0.999999 + 1e-9;
  return value;
}

// As much work in `parts` for each of so many regions on so many threads, with the same pause before it. Parts of threads
// that come late may be taken over, as in a kernel. What each region took is added to `total`.
int32_t shared_work(int64_t count, int64_t threads, int64_t parts, int64_t steps, double pause,
                    double* restrict values, double* restrict total) {
  for (int64_t region = 0; region < count; region++) {
    double begin = seconds();
    while (seconds() < begin + pause) {}
    begin = seconds();
    #pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t part = 0; part < parts; part++) values[8 * part] = work(steps / parts, values[8 * part]);
    *total += seconds() - begin;
  }
  return 0;
}

// Keeps a core busy for so many seconds.
int32_t keep_busy(double length) {
  const double end = seconds() + length;
  while (seconds() < end) {}
  return 0;
}
