#define _GNU_SOURCE
#include "crystal.h"

#include <math.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

double crystal_elapsed_s(const struct crystal *crystal) {
  struct timespec now;
  // The bare call: a preloaded library that skews the process's clocks does not see it.
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC_RAW, &now);
  int64_t ns = now.tv_sec * 1000000000LL + now.tv_nsec;
  return (double)(ns - crystal->origin_ns) * 1e-9;
}

double crystal_count(const struct crystal *crystal, double elapsed_s) {
  double turn = 2 * M_PI / crystal->wander_period_s;
  double swung = crystal->wander / turn * (1 - cos(turn * elapsed_s));
  return crystal->rate * ((1 + crystal->excess) * elapsed_s + swung);
}

double crystal_time(const struct crystal *crystal, double count) {
  double turn = 2 * M_PI / crystal->wander_period_s;
  double elapsed = count / (crystal->rate * (1 + crystal->excess));
  // Newton's steps: the rate is known to parts in a million, so two reach the last bit.
  for (int step = 0; step < 3; step++) {
    double rate =
      crystal->rate * (1 + crystal->excess + crystal->wander * sin(turn * elapsed));
    elapsed -= (crystal_count(crystal, elapsed) - count) / rate;
  }
  return elapsed;
}
