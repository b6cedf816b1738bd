/* What gcc calls for OpenMP, on threads that ThreadSanitizer watches: it does not see how libgomp's threads wait for each
   other, and would report every loop. Threads meet at barriers alone: chunks of loops are dealt out in turn, whatever the
   schedule, since a lock would hide that two of them touch the same memory. No nested regions, no tasks. A region has as
   many threads as it asks for, else as OMP_NUM_THREADS says. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST_THREADS = 64 };

typedef struct { long next, end, step, chunk; } Loop;
typedef struct { void (*body)(void*); void* data; int threads; pthread_barrier_t barrier; } Team;
typedef struct { Team* team; int number; Loop loop; } Thread;

static __thread Thread self;
static pthread_mutex_t critical = PTHREAD_MUTEX_INITIALIZER;

int omp_get_thread_num(void) { return self.number; }
int omp_get_num_threads(void) { return self.team ? self.team->threads : 1; }
int omp_get_max_threads(void) {
  const char* wanted = getenv("OMP_NUM_THREADS");
  return wanted ? atoi(wanted) : 2;
}

static void start_loop(Loop loop) {
  self.loop = loop;
  self.loop.next += omp_get_thread_num() * loop.step * loop.chunk;
}

static bool next_chunk(long* from, long* to) {
  Loop* loop = &self.loop;
  if (loop->step < 1) abort();
  if (loop->next >= loop->end) return false;
  *from = loop->next;
  *to = loop->end - loop->next < loop->step * loop->chunk ? loop->end : loop->next + loop->step * loop->chunk;
  loop->next += omp_get_num_threads() * loop->step * loop->chunk;
  return true;
}

static void* run(void* thread) {
  self = *(Thread*)thread;
  start_loop(self.loop);
  self.team->body(self.team->data);
  return NULL;
}

static void parallel(void (*body)(void*), void* data, unsigned wanted, Loop loop) {
  pthread_t threads[MOST_THREADS];
  Thread members[MOST_THREADS];
  const int count = wanted ? (int)wanted : omp_get_max_threads();
  if (self.team || count > MOST_THREADS) abort();
  Team team = {.body = body, .data = data, .threads = count};
  pthread_barrier_init(&team.barrier, NULL, (unsigned)count);
  for (int number = 0; number < count; number++) members[number] = (Thread){&team, number, loop};
  for (int number = 1; number < count; number++)
    if (pthread_create(&threads[number], NULL, run, &members[number])) abort();
  run(&members[0]);
  self = (Thread){0};
  for (int number = 1; number < count; number++) pthread_join(threads[number], NULL);
  pthread_barrier_destroy(&team.barrier);
}

void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags) {
  (void)flags;
  parallel(body, data, threads, (Loop){0, 0, 1, 1});
}

void GOMP_barrier(void) {
  if (self.team) pthread_barrier_wait(&self.team->barrier);
}

bool GOMP_single_start(void) { return self.number == 0; }

#define SCHEDULE(name)                                                                                       \
  void GOMP_parallel_loop_##name(void (*body)(void*), void* data, unsigned threads, long start, long end,    \
                                 long step, long chunk, unsigned flags) {                                    \
    (void)flags;                                                                                             \
    parallel(body, data, threads, (Loop){start, end, step, chunk});                                          \
  }                                                                                                          \
  bool GOMP_loop_##name##_start(long start, long end, long step, long chunk, long* from, long* to) {         \
    start_loop((Loop){start, end, step, chunk});                                                             \
    return next_chunk(from, to);                                                                             \
  }                                                                                                          \
  bool GOMP_loop_##name##_next(long* from, long* to) { return next_chunk(from, to); }

SCHEDULE(dynamic)
SCHEDULE(nonmonotonic_dynamic)
SCHEDULE(guided)
SCHEDULE(nonmonotonic_guided)

void GOMP_loop_end(void) { GOMP_barrier(); }
void GOMP_loop_end_nowait(void) {}

void GOMP_atomic_start(void) { pthread_mutex_lock(&critical); }
void GOMP_atomic_end(void) { pthread_mutex_unlock(&critical); }
