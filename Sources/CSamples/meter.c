#include "CSamples.h"

#include "many.h"

#include <string.h>

/// So many places of a row are summed up at once, in registers.
#define LANES 16

typedef float floats __attribute__((vector_size(4 * LANES)));
typedef int32_t ints __attribute__((vector_size(4 * LANES)));
typedef int16_t shorts __attribute__((vector_size(2 * LANES)));

typedef uint8_t bytes __attribute__((vector_size(16)));

/// Four samples of three bytes each in the upper bytes of four, from the byte `skip` on.
#define SPREAD(from, skip)                                                                        \
  __builtin_shufflevector(                                                                        \
    from, (bytes){0}, 16, skip, skip + 1, skip + 2, 16, skip + 3, skip + 4, skip + 5, 16,         \
    skip + 6, skip + 7, skip + 8, 16, skip + 9, skip + 10, skip + 11)

INLINE void spread(const uint8_t *from, ints *to) {
  uint8_t *at = (uint8_t *)to;
  bytes part;
  for (int four = 0; four < LANES / 4 - 1; four++) {
    memcpy(&part, from + 12 * four, sizeof part);
    part = SPREAD(part, 0);
    memcpy(at + 16 * four, &part, sizeof part);
  }
  // Not a byte beyond the last sample.
  memcpy(&part, from + 3 * LANES - 16, sizeof part);
  part = SPREAD(part, 4);
  memcpy(at + 4 * LANES - 16, &part, sizeof part);
}

INLINE void load(const uint8_t *from, enum samples_format format, floats *value) {
  const float scale = 1.0f / 2147483648.0f;
  ints whole;
  shorts half;
  switch (format) {
  case SAMPLES_S32:
    memcpy(&whole, from, sizeof whole);
    *value = __builtin_convertvector(whole, floats) * scale;
    break;
  case SAMPLES_S24:
    memcpy(&whole, from, sizeof whole);
    *value = __builtin_convertvector(whole << 8, floats) * scale;
    break;
  case SAMPLES_S24_3:
    spread(from, &whole);
    *value = __builtin_convertvector(whole, floats) * scale;
    break;
  case SAMPLES_S16:
    memcpy(&half, from, sizeof half);
    *value = __builtin_convertvector(half, floats) * (1.0f / 32768.0f);
    break;
  case SAMPLES_FLOAT: memcpy(value, from, sizeof *value); break;
  }
}

/// A part of a vector, which is filled up with silence: for the rows' ends.
INLINE void load_some(
  const uint8_t *from, enum samples_format format, long length, floats *value) {
  uint8_t room[4 * LANES] = {0};
  memcpy(room, from, (size_t)length);
  load(room, format, value);
}

INLINE void add(const floats *sample, float clip, floats *peaks, floats *energies, ints *clipped) {
  floats value = *sample;
  floats magnitude = (floats)((ints)value & 0x7fffffff);
  ints larger = magnitude > *peaks;
  *peaks = (floats)((larger & (ints)magnitude) | (~larger & (ints)*peaks));
  *energies += value * value;
  // What holds is -1 in each lane.
  *clipped -= magnitude >= clip;
}

/// Up to LANES places of each row, from `place` on.
INLINE void meter(
  const uint8_t *from, enum samples_format format, long size, long rows, long width, long place,
  float clip, float *peaks, float *energies, int32_t *clipped) {
  long count = width - place < LANES ? width - place : LANES;
  floats value, most = {0}, sum = {0};
  ints over = {0};
  memcpy(&most, peaks + place, (size_t)(4 * count));
  memcpy(&sum, energies + place, (size_t)(4 * count));
  memcpy(&over, clipped + place, (size_t)(4 * count));
  const uint8_t *at = from + size * place;
  if (count == LANES) {
    for (long row = 0; row < rows; row++, at += size * width) {
      load(at, format, &value);
      add(&value, clip, &most, &sum, &over);
    }
  } else {
    for (long row = 0; row < rows; row++, at += size * width) {
      load_some(at, format, size * count, &value);
      add(&value, clip, &most, &sum, &over);
    }
  }
  memcpy(peaks + place, &most, (size_t)(4 * count));
  memcpy(energies + place, &sum, (size_t)(4 * count));
  memcpy(clipped + place, &over, (size_t)(4 * count));
}

INLINE void meter_all(
  const uint8_t *from, enum samples_format format, long size, long rows, long width, float clip,
  float *peaks, float *energies, int32_t *clipped) {
  for (long place = 0; place < width; place += LANES)
    meter(from, format, size, rows, width, place, clip, peaks, energies, clipped);
}

MANY void samples_meter(
  const void *from, enum samples_format format, long rows, long width, float clip, float *peaks,
  float *energies, int32_t *clipped) {
  // Each with its format known, so that nothing is chosen within the loops.
  switch (format) {
  case SAMPLES_S32:
    return meter_all(from, SAMPLES_S32, 4, rows, width, clip, peaks, energies, clipped);
  case SAMPLES_S24:
    return meter_all(from, SAMPLES_S24, 4, rows, width, clip, peaks, energies, clipped);
  case SAMPLES_S24_3:
    return meter_all(from, SAMPLES_S24_3, 3, rows, width, clip, peaks, energies, clipped);
  case SAMPLES_S16:
    return meter_all(from, SAMPLES_S16, 2, rows, width, clip, peaks, energies, clipped);
  case SAMPLES_FLOAT:
    return meter_all(from, SAMPLES_FLOAT, 4, rows, width, clip, peaks, energies, clipped);
  }
}
