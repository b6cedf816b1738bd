"""A wall clock that can be set for one server, by a small library before the C library; nobody else's clock moves.

The monotonic clock stays what it is, as it does when an operator or NTP sets the clock of a machine.
"""

from __future__ import annotations

from pathlib import Path

from heddle.runtime.native import cache, toolchain

HOUR = 3600

_LIBRARY = """#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long offset(void) {
  const char* path = getenv("HEDDLE_TEST_CLOCK");
  FILE* file = path ? fopen(path, "r") : NULL;
  long seconds = 0;
  if (file) {
    if (fscanf(file, "%ld", &seconds) != 1) seconds = 0;
    fclose(file);
  }
  return seconds;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += offset();
  return result;
}

time_t time(time_t* out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return 0;
}
"""


class Clock:
    """``environment`` is for the process whose clock it is; Linux with glibc alone."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "clock"
        self.set(0)
        library = cache.shared_library(_LIBRARY, cache.GENERATOR_VERSION, toolchain.discover())
        self.environment = {"LD_PRELOAD": str(library), "HEDDLE_TEST_CLOCK": str(self._file)}

    def set(self, seconds: int) -> None:
        """From now on the clock is so far from the machine's."""
        new = self._file.with_suffix(".new")
        new.write_text(str(seconds))
        new.replace(self._file)
