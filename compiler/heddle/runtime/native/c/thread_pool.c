/* The threads of kernels: what gcc calls for OpenMP, on a pool whose threads spin for about what waking one costs and then
   sleep, so that the threads of another library find a core. Each thread that begins parallel regions has a pool of its
   own, as with other OpenMP runtimes. A forked child begins with no pool and makes its own. No nested regions (they run
   on the thread that meets them), no tasks.

   What a member of a region does depends on its number, and not on the thread that does it. So a thread that a busy
   machine wakes late is not waited for: the owner of the region, when it is through with its own part, takes over that
   of each member that no thread has begun. The parts stay the same, and so do the sums. */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { LOOPS = 16, THREAD_BITS = 12, MOST_THREADS = (1 << THREAD_BITS) - 1 };
enum { FUTEX_WAIT_HERE = 128, FUTEX_WAKE_HERE = 129 };  /* FUTEX_WAIT and FUTEX_WAKE, FUTEX_PRIVATE_FLAG */

/* Nanoseconds that a thread waits awake for the next region. LONG is about what waking it costs, and pays where regions
   follow each other closely. It does not where another library's threads need the core meanwhile: there the next region
   comes only when they had it, so that regions miss the spinning, and threads wait for SHORT until it is worth a try
   again. Nobody yields the core while it spins: a busy machine then gives it away for milliseconds. */
static const long LONG = 50000, SHORT = 5000, ENDLESS = LONG_MAX;
enum { MISSES = 2, FIRST_REST = 16, LONGEST_REST = 4096 };  /* in regions */

typedef void Body(void*);
typedef struct { long from, end, step, chunk; bool guided; } Range;

/* A loop of a region whose parts go to whichever thread asks. The place is used again by the loop LOOPS later. */
typedef struct {
  _Alignas(64) atomic_ulong turn;  /* the loop that is set up here next */
  atomic_ulong ready;              /* 1 + the loop that is set up */
  atomic_uint left;                /* threads that are through */
  Range range;
  _Alignas(64) atomic_long next;
} Loop;

typedef struct {
  _Alignas(64) atomic_uint region;  /* its number, and how many threads it has: what threads wait for */
  atomic_uint sleepers;
  atomic_uint members;              /* of the last region; threads beyond sleep until there are more */
  atomic_bool ends;
  Body* body;
  void* data;
  unsigned long loops, singles;     /* before this region */
  unsigned threads;                 /* begun, with the one that owns the pool */
  atomic_long spin;
  long ended;                       /* when the last region did */
  unsigned misses, rest, rests;     /* in a row; regions until LONG is tried again, and how many those were at first */
  struct member** others;           /* by number, from 1 on: only the owner looks here */
  long taken_over;                  /* parts of members, since the pool began */
  _Alignas(64) atomic_uint working; /* threads of the region that are not through, but for its owner */
  atomic_uint owner_sleeps;
  _Alignas(64) atomic_uint arrived; /* at a barrier */
  atomic_uint passed, waiting;      /* barriers, and who sleeps at one */
  atomic_ulong single;
  Loop loop[LOOPS];
} Pool;

/* What a thread is doing. Without a team it is on its own, and `alone` is the rest of its loop. */
typedef struct {
  Pool* team;
  unsigned number, threads;
  unsigned long loop, single;
  Range alone;
} Place;

/* A thread beside the owner. `open` is the region whose part waits for somebody to begin it: 0 once that was done. */
typedef struct member {
  _Alignas(64) atomic_uint open;
  Pool* pool;
  pthread_t handle;
  unsigned number, region;          /* the last region before it was begun */
} Member;

static __thread Place self = {.threads = 1};
static __thread Pool* owned;
static __thread int threads_here;  /* that this thread asks for; 0 leaves it to all */
static atomic_int threads_of_all;
static enum { ADAPTING, ASLEEP, AWAKE } waiting = ADAPTING;
static pthread_key_t at_thread_end;
static pthread_mutex_t critical = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* ------------------------------------------------------------------------------------------------- waiting */

static inline void pause_a_little(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (long)time.tv_sec * 1000000000L + time.tv_nsec;
}

static void sleep_while(atomic_uint* word, unsigned value) {
  syscall(SYS_futex, word, FUTEX_WAIT_HERE, value, NULL, NULL, 0);
}

static void wake_all(atomic_uint* word) { syscall(SYS_futex, word, FUTEX_WAKE_HERE, INT_MAX, NULL, NULL, 0); }

/* What `word` is once it is no longer `old`, or `old` where it stays so for as many nanoseconds. */
static unsigned spun(atomic_uint* word, unsigned old, long nanoseconds) {
  unsigned value = atomic_load_explicit(word, memory_order_acquire);
  if (value != old || nanoseconds == 0) return value;
  const long begin = now();
  do {
    for (int round = 0; round < 8 && value == old; round++) {
      pause_a_little();
      value = atomic_load_explicit(word, memory_order_acquire);
    }
  } while (value == old && now() - begin < nanoseconds);
  return value;
}

static unsigned changed(atomic_uint* word, unsigned old, atomic_uint* sleepers, long nanoseconds) {
  unsigned value = spun(word, old, nanoseconds);
  if (value != old) return value;
  atomic_fetch_add(sleepers, 1);
  while ((value = atomic_load(word)) == old) sleep_while(word, old);
  atomic_fetch_sub(sleepers, 1);
  return value;
}

static void change(atomic_uint* word, unsigned value, atomic_uint* sleepers) {
  atomic_store(word, value);
  if (atomic_load(sleepers)) wake_all(word);
}

/* For how long threads wait awake behind the next region, from how the last wait went. */
static void adapt(Pool* pool) {
  if (waiting != ADAPTING) return;
  const long gap = now() - pool->ended;
  if (atomic_load_explicit(&pool->spin, memory_order_relaxed) == LONG) {
    if (gap < LONG) {
      pool->misses = pool->rests = 0;
    } else if (++pool->misses >= MISSES) {
      pool->rests = pool->rests ? (pool->rests < LONGEST_REST ? 2 * pool->rests : LONGEST_REST) : FIRST_REST;
      pool->rest = pool->rests;
      atomic_store_explicit(&pool->spin, SHORT, memory_order_relaxed);
    }
  } else if (gap < LONG && pool->rest-- == 0) {
    pool->misses = 0;
    atomic_store_explicit(&pool->spin, LONG, memory_order_relaxed);
  }
}

/* -------------------------------------------------------------------------------------------------- threads */

static void work(Pool* pool, unsigned number, unsigned threads) {
  self = (Place){.team = pool, .number = number, .threads = threads, .loop = pool->loops, .single = pool->singles};
  pool->body(pool->data);
}

/* Whether the part of `member` in this region waited for somebody to begin it, who is the caller from now on. */
static bool begins(Member* member, unsigned region) {
  return atomic_load_explicit(&member->open, memory_order_relaxed) == region &&
         atomic_compare_exchange_strong(&member->open, &region, 0);
}

/* Woken threads do not put others off their core: where a busy machine has no free one, the scheduler may put the thread
   on the core of the owner, in whose place it then lets another program run for milliseconds. The owner does the part
   instead, and the thread comes with the next tick. A free core is taken at once. */
static void come_after_others(void) {
#ifdef SCHED_BATCH
  if (sched_getscheduler(0) == SCHED_OTHER) sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0});
#endif
}

/* What a thread finds that was woken late may be another region than it was woken for, or none: it has a part there only
   where that is open. */
static void* serve(void* begun) {
  Member* const member = begun;
  Pool* const pool = member->pool;
  const unsigned number = member->number;
  unsigned region = member->region, members;
  come_after_others();
  for (;;) {
    region = changed(&pool->region, region, &pool->sleepers, atomic_load_explicit(&pool->spin, memory_order_relaxed));
    if (atomic_load(&pool->ends)) return NULL;
    if (number < (region & MOST_THREADS)) {
      if (!begins(member, region)) continue;
      work(pool, number, region & MOST_THREADS);
      if (atomic_fetch_sub(&pool->working, 1) == 1 && atomic_load(&pool->owner_sleeps)) wake_all(&pool->working);
    } else {
      while ((members = atomic_load(&pool->members)) <= number) sleep_while(&pool->members, members);
    }
  }
}

static void end_pool(void* ended) {
  Pool* const pool = ended;
  atomic_store(&pool->ends, true);
  atomic_store(&pool->members, MOST_THREADS + 1);
  wake_all(&pool->members);
  atomic_fetch_xor(&pool->region, 1u << THREAD_BITS);
  wake_all(&pool->region);
  for (unsigned number = 1; number < pool->threads; number++) {
    pthread_join(pool->others[number]->handle, NULL);
    free(pool->others[number]);
  }
  free(pool->others);
  free(pool);
}

static Pool* new_pool(void) {
  Pool* pool = aligned_alloc(64, sizeof(Pool));
  if (pool == NULL) return NULL;
  *pool = (Pool){.threads = 1, .spin = waiting == AWAKE ? ENDLESS : waiting == ASLEEP ? 0 : LONG};
  for (unsigned long place = 0; place < LOOPS; place++) atomic_init(&pool->loop[place].turn, place);
  if (pthread_setspecific(at_thread_end, pool)) {
    free(pool);
    return NULL;
  }
  return pool;
}

/* How many of `wanted` threads there are, begun now where there were fewer. Signals stay with the threads that there
   were before. */
static unsigned begun(unsigned wanted) {
  if (owned == NULL) owned = new_pool();
  if (owned == NULL) return 1;
  if (wanted <= owned->threads) return wanted;
  Member** others = realloc(owned->others, wanted * sizeof *others);
  if (others == NULL) return owned->threads;
  owned->others = others;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (; owned->threads < wanted; owned->threads++) {
    Member* member = aligned_alloc(64, sizeof *member);
    if (member == NULL) break;
    *member = (Member){.pool = owned, .number = owned->threads, .region = atomic_load(&owned->region)};
    if (pthread_create(&member->handle, NULL, serve, member)) {
      free(member);
      break;
    }
    others[owned->threads] = member;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return owned->threads;
}

int omp_get_max_threads(void) {
  return threads_here ? threads_here : atomic_load_explicit(&threads_of_all, memory_order_relaxed);
}

static void set_up(Loop* loop, unsigned long number, Range range) {
  loop->range = range;
  atomic_store_explicit(&loop->next, range.from, memory_order_relaxed);
  atomic_store_explicit(&loop->left, 0, memory_order_relaxed);
  atomic_store_explicit(&loop->ready, number + 1, memory_order_release);
}

static void on_threads(Pool* pool, unsigned threads, Body* body, void* data) {
  const unsigned members = atomic_load_explicit(&pool->members, memory_order_relaxed);
  const unsigned before = atomic_load_explicit(&pool->region, memory_order_relaxed);
  const unsigned region = ((before >> THREAD_BITS) + 1) << THREAD_BITS | threads;
  adapt(pool);
  pool->body = body;
  pool->data = data;
  atomic_store_explicit(&pool->working, threads - 1, memory_order_relaxed);
  if (members != threads) {
    atomic_store(&pool->members, threads);
    if (members < threads) wake_all(&pool->members);
  }
  for (unsigned number = 1; number < threads; number++)
    atomic_store_explicit(&pool->others[number]->open, region, memory_order_release);
  change(&pool->region, region, &pool->sleepers);
  work(pool, 0, threads);
  for (unsigned number = 1; number < threads; number++) {
    if (!begins(pool->others[number], region)) continue;
    work(pool, number, threads);
    atomic_fetch_sub(&pool->working, 1);
    pool->taken_over++;
  }
  for (unsigned left; (left = atomic_load_explicit(&pool->working, memory_order_acquire)) > 0;) {
    if (spun(&pool->working, left, waiting == ASLEEP ? 0 : LONG) != left) continue;
    atomic_store(&pool->owner_sleeps, 1);
    while ((left = atomic_load(&pool->working)) > 0) sleep_while(&pool->working, left);
    atomic_store(&pool->owner_sleeps, 0);
  }
  pool->loops = self.loop;
  pool->singles = self.single;
  if (waiting == ADAPTING) pool->ended = now();
}

static void parallel(Body* body, void* data, unsigned wanted, const Range* range) {
  const Place before = self;
  unsigned threads = wanted ? wanted : (unsigned)omp_get_max_threads();
  if (threads > MOST_THREADS) threads = MOST_THREADS;
  if (before.team != NULL) threads = 1;
  if (threads > 1) threads = begun(threads);
  if (threads > 1) {
    if (range) set_up(&owned->loop[owned->loops % LOOPS], owned->loops, *range);
    on_threads(owned, threads, body, data);
  } else {
    self = (Place){.threads = 1};
    if (range) self.alone = *range;
    body(data);
  }
  self = before;
}

/* ---------------------------------------------------------------------------------------------------- loops */

static long ahead(Range range, long from) {
  const long last = range.step > 0 ? range.end - 1 : range.end + 1;
  return (range.step > 0 ? from > last : from < last) ? 0 : (last - from) / range.step + 1;
}

static bool next_part(long* from, long* to) {
  if (self.team == NULL) {
    *from = self.alone.from, *to = self.alone.end;
    const bool some = ahead(self.alone, *from) > 0;
    self.alone.from = self.alone.end;
    return some;
  }
  Loop* loop = &self.team->loop[self.loop % LOOPS];
  const Range range = loop->range;
  long start = atomic_load_explicit(&loop->next, memory_order_relaxed), end;
  do {
    const long iterations = ahead(range, start);
    if (iterations == 0) return false;
    long part = range.guided ? (iterations + (long)self.threads - 1) / (long)self.threads : range.chunk;
    if (part < range.chunk) part = range.chunk;
    end = part >= iterations ? range.end : start + part * range.step;
  } while (!atomic_compare_exchange_weak_explicit(&loop->next, &start, end, memory_order_relaxed, memory_order_relaxed));
  *from = start, *to = end;
  return true;
}

static bool start_loop(Range range, long* from, long* to) {
  if (self.team == NULL) {
    self.alone = range;
    return next_part(from, to);
  }
  Loop* loop = &self.team->loop[self.loop % LOOPS];
  while (atomic_load_explicit(&loop->ready, memory_order_acquire) != self.loop + 1) {
    unsigned long turn = self.loop;
    if (atomic_compare_exchange_strong(&loop->turn, &turn, ULONG_MAX)) set_up(loop, self.loop, range);
    else sched_yield();
  }
  return next_part(from, to);
}

static void end_loop(void) {
  if (self.team != NULL) {
    Loop* loop = &self.team->loop[self.loop % LOOPS];
    if (atomic_fetch_add(&loop->left, 1) + 1 == self.threads) atomic_store(&loop->turn, self.loop + LOOPS);
  }
  self.loop++;
}

/* ------------------------------------------------------------------------------------------ what gcc calls */

void GOMP_parallel(Body* body, void* data, unsigned threads, unsigned flags) {
  (void)flags;
  parallel(body, data, threads, NULL);
}

void GOMP_barrier(void) {
  Pool* pool = self.team;
  if (pool == NULL) return;
  const unsigned passed = atomic_load(&pool->passed);
  if (atomic_fetch_add(&pool->arrived, 1) + 1 == self.threads) {
    atomic_store(&pool->arrived, 0);
    change(&pool->passed, passed + 1, &pool->waiting);
  } else {
    changed(&pool->passed, passed, &pool->waiting, waiting == ASLEEP ? 0 : LONG);
  }
}

bool GOMP_single_start(void) {
  unsigned long before = self.single++;
  return self.team == NULL || atomic_compare_exchange_strong(&self.team->single, &before, before + 1);
}

#define SCHEDULE(name, is_guided)                                                                            \
  void GOMP_parallel_loop_##name(Body* body, void* data, unsigned threads, long from, long end, long step,   \
                                 long chunk, unsigned flags) {                                               \
    (void)flags;                                                                                             \
    parallel(body, data, threads, &(Range){from, end, step, chunk > 0 ? chunk : 1, is_guided});              \
  }                                                                                                          \
  bool GOMP_loop_##name##_start(long from, long end, long step, long chunk, long* first, long* last) {       \
    return start_loop((Range){from, end, step, chunk > 0 ? chunk : 1, is_guided}, first, last);              \
  }                                                                                                          \
  bool GOMP_loop_##name##_next(long* first, long* last) { return next_part(first, last); }

SCHEDULE(dynamic, false)
SCHEDULE(nonmonotonic_dynamic, false)
SCHEDULE(guided, true)
SCHEDULE(nonmonotonic_guided, true)

void GOMP_loop_end_nowait(void) { end_loop(); }
void GOMP_loop_end(void) {
  end_loop();
  GOMP_barrier();
}

/* One lock for all sections and updates of their kind: it is rarely taken, and with one there is no order to keep. */
void GOMP_critical_start(void) { pthread_mutex_lock(&critical); }
void GOMP_critical_end(void) { pthread_mutex_unlock(&critical); }
void GOMP_critical_name_start(void** name) {
  (void)name;
  pthread_mutex_lock(&critical);
}
void GOMP_critical_name_end(void** name) {
  (void)name;
  pthread_mutex_unlock(&critical);
}
void GOMP_atomic_start(void) { pthread_mutex_lock(&critical); }
void GOMP_atomic_end(void) { pthread_mutex_unlock(&critical); }

/* ------------------------------------------------------------------------------------ what programs may ask */

int omp_get_thread_num(void) { return (int)self.number; }
int omp_get_num_threads(void) { return (int)self.threads; }
int omp_in_parallel(void) { return self.team != NULL; }
void omp_set_num_threads(int threads) {
  if (threads > 0) atomic_store(&threads_of_all, threads);
}

/* How many threads the regions of this thread have, whatever the others have; 0 for as many as theirs. Returns what
   it was. */
int heddle_threads_here(int threads) {
  const int before = threads_here;
  threads_here = threads;
  return before;
}

/* How many threads the pool of this thread has begun, itself included, and for how many nanoseconds they would wait
   awake now, at most. */
int heddle_threads_begun(void) { return owned ? (int)owned->threads : 1; }
long heddle_spin(void) { return owned ? atomic_load(&owned->spin) : 0; }

/* How many parts of members the owner did in their place, since its pool began. */
long heddle_taken_over(void) { return owned ? owned->taken_over : 0; }

static void in_forked_child(void) {
  self = (Place){.threads = 1};
  owned = NULL;  /* its threads are the parent's */
  pthread_setspecific(at_thread_end, NULL);
  critical = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
}

static int number_in(const char* variable, int otherwise) {
  const char* text = getenv(variable);
  const long number = text ? strtol(text, NULL, 10) : 0;
  return number > 0 && number <= MOST_THREADS ? (int)number : otherwise;
}

__attribute__((constructor)) static void set_out(void) {
  cpu_set_t cores;
  const int available = sched_getaffinity(0, sizeof cores, &cores) ? 1 : CPU_COUNT(&cores);
  const int wanted = number_in("OMP_NUM_THREADS", available), most = number_in("OMP_THREAD_LIMIT", MOST_THREADS);
  atomic_store(&threads_of_all, wanted < most ? wanted : most);
  const char* policy = getenv("OMP_WAIT_POLICY");
  if (policy && strcasecmp(policy, "passive") == 0) waiting = ASLEEP;
  if (policy && strcasecmp(policy, "active") == 0) waiting = AWAKE;
  pthread_key_create(&at_thread_end, end_pool);
  pthread_atfork(NULL, NULL, in_forked_child);
}
