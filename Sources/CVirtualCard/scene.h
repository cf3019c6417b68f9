/// The sound that a virtual card hears: samples of a file, repeated for ever, at any instant.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Before what makes sound, sample by sample, of what no other thread writes: under the sanitizer of
/// threads it would be slower than time.
#if defined(__clang__)
#define UNWATCHED __attribute__((no_sanitize("thread")))
#else
#define UNWATCHED
#endif

struct scene {
  float *samples;
  int64_t length;
  /// Samples per second of true time.
  double rate;
};

/// Reads a file of float32 samples; 0, or -errno.
int scene_load(struct scene *scene, const char *path, double rate);
void scene_free(struct scene *scene);
/// The pressure at `time_s` after the scene's first sample, between samples by a windowed sinc.
double scene_at(const struct scene *scene, double time_s);
/// White noise of rms 1: the same for the same seed and place.
double scene_noise(uint64_t seed, int64_t place);
