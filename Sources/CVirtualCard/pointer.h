/// How far a virtual card says that it is: steps, lateness, stalls and frames dropped in silence.
#pragma once

#include "crystal.h"

#include <stdint.h>

#define MOST_DROPS 1024

struct pointer {
  /// Frames by which the pointer moves: 1, or a packet's.
  int64_t step_frames;
  /// By how much a step shows late, at most: evenly spread, from `seed`.
  double lateness_s;
  uint64_t seed;
  /// The crystal's count when the stream was started.
  int64_t grid;
  /// The pointer stands still until then, and catches up.
  double held_until_s;
  /// What it said last: it never goes back.
  int64_t last;
  /// Ticks that are never handed over.
  struct {
    int64_t tick, frames;
  } drops[MOST_DROPS];
  int drop_count;
};

/// Begins a stream at the crystal's count `grid`.
void pointer_start(struct pointer *pointer, int64_t grid);
/// How many frames the stream has captured by `elapsed_s`.
int64_t pointer_at(struct pointer *pointer, const struct crystal *crystal, double elapsed_s);
/// Which tick of the crystal the stream's frame `frame` (from 0) is.
int64_t pointer_tick(const struct pointer *pointer, int64_t frame);
/// Loses `frames` ticks from `tick` on, together with a loss that they touch; 0, or -errno.
int pointer_drop(struct pointer *pointer, int64_t tick, int64_t frames);
/// Stands still until `until_s`.
void pointer_hold(struct pointer *pointer, double until_s);
