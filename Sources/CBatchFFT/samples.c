#include "lanes.h"

#include <math.h>
#include <string.h>

// A sample of 24 bits takes three bytes, low byte first, wherever they lie.
INLINE int32_t three(const uint8_t *bytes) {
  return (int32_t)((uint32_t)bytes[0] << 8 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 24);
}

INLINE int32_t two(const uint8_t *bytes) {
  return (int32_t)((uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 24);
}

INLINE int32_t four(const uint8_t *bytes) {
  int32_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

#define UNPACK(name, type, scale)                                                             \
  MANY void name(const uint8_t *restrict bytes, int width, type *restrict out, int count) {   \
    if (width == 2)                                                                           \
      for (int i = 0; i < count; i++) out[i] = (type)two(bytes + 2 * i) * scale;              \
    else if (width == 3)                                                                      \
      for (int i = 0; i < count; i++) out[i] = (type)three(bytes + 3 * i) * scale;            \
    else                                                                                      \
      for (int i = 0; i < count; i++) out[i] = (type)four(bytes + 4 * i) * scale;             \
  }

UNPACK(recorder_floats_of_integers, float, 0x1p-31f)
UNPACK(recorder_doubles_of_integers, double, 0x1p-31)

// SplitMix64 (Steele, Lea and Flood, 2014): each number follows from its place alone.
INLINE uint64_t mixed(uint64_t state) {
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9u;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EBu;
  return state ^ (state >> 31);
}

// One and a half times 2^52: added, it leaves no room for parts.
static const double whole = 6755399441055744.0;

MANY int recorder_dithered(const double *restrict samples, double steps, uint64_t state,
                           int32_t *restrict out, int count) {
  int clipped = 0;
  for (int i = 0; i < count; i++) {
    const uint64_t random = mixed(state + (uint64_t)(i + 1) * 0x9E3779B97F4A7C15u);
    const double noise =
        ((double)(int32_t)(random >> 32) - (double)(int32_t)random) * 0x1p-32;
    double value = samples[i] * steps + noise;
    clipped += fabs(samples[i]) > 1;
    value = value < -steps ? -steps : value;
    value = value > steps - 1 ? steps - 1 : value;
    out[i] = (int32_t)(value + whole - whole);
  }
  return clipped;
}

MANY void recorder_pack24(const int32_t *restrict words, uint8_t *restrict bytes, int count) {
  for (int i = 0; i < count; i++) {
    const uint32_t word = (uint32_t)words[i];
    bytes[3 * i] = (uint8_t)word;
    bytes[3 * i + 1] = (uint8_t)(word >> 8);
    bytes[3 * i + 2] = (uint8_t)(word >> 16);
  }
}

// Between samples by the cubic through the four around (Lagrange).
MANY static void between(const float *restrict sound, const float *restrict shape, float part,
                         float slope, float *restrict out, int count) {
  for (int i = 0; i < count; i++) {
    const float f = part + slope * (float)i;
    const float a = sound[i - 1], b = sound[i], c = sound[i + 1], d = sound[i + 2];
    const float first = c - a * (1.0f / 3) - b * 0.5f - d * (1.0f / 6);
    const float second = (a + c) * 0.5f - b;
    const float third = (d - a) * (1.0f / 6) + (b - c) * 0.5f;
    out[i] = shape[i] * (b + f * (first + f * (second + f * third)));
  }
}

void recorder_stretched(const float *sound, int margin, const float *shape, double slope,
                        float *out, int count) {
  for (int first = 0; first < count;) {
    const double place = slope * (first - count / 2);
    const double low = floor(place);
    // As far as the whole part stays; the cubic bears a little beyond.
    const double room = slope == 0 ? count : slope > 0 ? (low + 1 - place) / slope : (low - place) / slope;
    int last = room < count - first ? first + (int)room + 1 : count;
    if (last > count) last = count;
    between(sound + margin + first + (int)low, shape + first, (float)(place - low), (float)slope,
            out + first, last - first);
    first = last;
  }
}
