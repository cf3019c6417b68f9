#pragma once

#include "CBatchFFT.h"

// Compiled for what the processor has, which is found out when the program starts.
// The choice among clones is made before the thread sanitizer is there to watch it.
#if !defined(__x86_64__) || __has_feature(thread_sanitizer)
#define MANY
#else
#define MANY __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
#define INLINE static inline __attribute__((always_inline))

INLINE float within(float value, float low, float high) {
  value = value < low ? low : value;
  return value > high ? high : value;
}
