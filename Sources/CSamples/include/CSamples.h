/// Loops over many samples, which the processor takes several at a time: what Swift has no means to
/// compile for more than one kind of processor in one program.
#pragma once

#include <stdint.h>

/// How samples lie in memory, low byte first: 32 bits, 24 in the lower bytes of four, 24 in three, 16,
/// and float32.
enum samples_format { SAMPLES_S32, SAMPLES_S24, SAMPLES_S24_3, SAMPLES_S16, SAMPLES_FLOAT };

/// Adds `rows` rows of `width` samples to what is known of each place of a row: the largest
/// magnitude, the sum of squares, and how many samples are at `clip` or beyond, full scale being 1.
void samples_meter(
  const void *from, enum samples_format format, long rows, long width, float clip, float *peaks,
  float *energies, int32_t *clipped);

/// Writes three bytes of each of `count` samples of four: those above the lowest `shift` bits, which are
/// 0 or 8. The target has room for just these.
void samples_pack24(const void *from, long count, int shift, void *to);
