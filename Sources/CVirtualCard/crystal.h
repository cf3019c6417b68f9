/// What paces a virtual card: a count of true time, with a rate and a slow wander of its own.
#pragma once

#include <stdint.h>

struct crystal {
  /// The true time of count 0, in nanoseconds.
  int64_t origin_ns;
  /// Nominal counts a second.
  double rate;
  /// By how much it is fast, as a fraction.
  double excess;
  /// How far the rate swings, as a fraction, and over how long.
  double wander;
  double wander_period_s;
};

/// Seconds of true time since the origin, now.
double crystal_elapsed_s(const struct crystal *crystal);
/// The count after `elapsed_s` seconds of true time.
double crystal_count(const struct crystal *crystal, double elapsed_s);
/// When the count is reached, in seconds of true time since the origin.
double crystal_time(const struct crystal *crystal, double count);
