#include "lanes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>


// Without the error number that keeps sqrtf out of vectors.
INLINE float root(float x) { return __builtin_elementwise_sqrt(x); }

// Bins between two exact factors of a turn.
enum { block = 64 };

// A float's bits are about its logarithm.
INLINE float whitening(float power) {
  int32_t bits;
  memcpy(&bits, &power, sizeof bits);
  const int32_t root = 0x3F800000 + (int32_t)((float)(bits - 0x3F800000) * -0.4f);
  float result;
  memcpy(&result, &root, sizeof result);
  return result;
}

float recorder_whitening(float power) { return whitening(power); }

MANY void recorder_cross_whitened(const float *restrict a, const float *restrict b,
                                  float *restrict out, int first, int end) {
  for (int bin = first; bin < end; bin++) {
    const float ar = a[2 * bin], ai = a[2 * bin + 1], br = b[2 * bin], bi = b[2 * bin + 1];
    const float re = ar * br + ai * bi, im = ai * br - ar * bi;
    const float weight = whitening(re * re + im * im);
    out[2 * bin] = re * weight;
    out[2 * bin + 1] = im * weight;
  }
}

MANY void recorder_whitened(const float *restrict a, float *restrict out, int first, int end) {
  for (int bin = first; bin < end; bin++) {
    const float re = a[2 * bin], im = a[2 * bin + 1];
    const float weight = whitening(re * re + im * im);
    out[2 * bin] = re * weight;
    out[2 * bin + 1] = im * weight;
  }
}

MANY void recorder_cross_sum(const float *restrict a, const float *restrict b,
                             float *restrict out, int first, int end) {
  for (int bin = first; bin < end; bin++) {
    const float ar = a[2 * bin], ai = a[2 * bin + 1], br = b[2 * bin], bi = b[2 * bin + 1];
    out[2 * bin] += ar * br + ai * bi;
    out[2 * bin + 1] += ai * br - ar * bi;
  }
}

MANY float recorder_power(const float *a, int first, int end) {
  float sums[16] = {0};
  int place = 2 * first;
  for (; place + 16 <= 2 * end; place += 16)
    for (int lane = 0; lane < 16; lane++) sums[lane] += a[place + lane] * a[place + lane];
  for (; place < 2 * end; place++) sums[0] += a[place] * a[place];
  float sum = 0;
  for (int lane = 0; lane < 16; lane++) sum += sums[lane];
  return sum;
}

// The factors of a turn: those of one block, and that of a block's first bin.
typedef struct {
  float re[block], im[block];
  double angle;
} turning;

static turning turned(double turn, int count) {
  turning t;
  t.angle = 2 * M_PI * turn / count;
  const double stepRe = cos(t.angle), stepIm = sin(t.angle);
  double re = 1, im = 0;
  for (int i = 0; i < block; i++) {
    t.re[i] = (float)re;
    t.im[i] = (float)im;
    const double next = re * stepRe - im * stepIm;
    im = re * stepIm + im * stepRe;
    re = next;
  }
  return t;
}

MANY static void addBlock(const float *restrict a, const float *restrict b, float scale,
                          const turning *restrict t, float re, float im, float *restrict cross,
                          float *restrict one, float *restrict other, int count) {
  for (int i = 0; i < count; i++) {
    const float c = t->re[i] * re - t->im[i] * im, s = t->re[i] * im + t->im[i] * re;
    const float ar = a[2 * i], ai = a[2 * i + 1], br = b[2 * i], bi = b[2 * i + 1];
    const float x = (ar * br + ai * bi) * scale, y = (ai * br - ar * bi) * scale;
    cross[2 * i] += x * c - y * s;
    cross[2 * i + 1] += x * s + y * c;
    one[i] += (ar * ar + ai * ai) * scale;
    other[i] += (br * br + bi * bi) * scale;
  }
}

void recorder_cross_add(const float *a, const float *b, float scale, double turn, int count,
                        float *cross, float *one, float *other, int first, int end) {
  const turning t = turned(turn, count);
  for (int bin = first; bin < end; bin += block) {
    const float re = (float)cos(t.angle * bin), im = (float)sin(t.angle * bin);
    addBlock(a + 2 * bin, b + 2 * bin, scale, &t, re, im, cross + 2 * bin, one + bin, other + bin,
             end - bin < block ? end - bin : block);
  }
}

MANY static void turnBlock(const turning *restrict t, float re, float im, float *restrict cross,
                           int count) {
  for (int i = 0; i < count; i++) {
    const float c = t->re[i] * re - t->im[i] * im, s = t->re[i] * im + t->im[i] * re;
    const float x = cross[2 * i], y = cross[2 * i + 1];
    cross[2 * i] = x * c - y * s;
    cross[2 * i + 1] = x * s + y * c;
  }
}

void recorder_turn(float *cross, double turn, int count, int first, int end) {
  const turning t = turned(turn, count);
  for (int bin = first; bin < end; bin += block)
    turnBlock(&t, (float)cos(t.angle * bin), (float)sin(t.angle * bin), cross + 2 * bin,
              end - bin < block ? end - bin : block);
}

MANY void recorder_matched(const float *restrict own, const float *restrict sum,
                           const float *restrict likely, const float *restrict magnitudes,
                           float *restrict out, int first, int end) {
  for (int bin = first; bin < end; bin++) {
    const float x = own[2 * bin], y = own[2 * bin + 1];
    const float u = sum[2 * bin] - x, v = sum[2 * bin + 1] - y;
    const float size = root(u * u + v * v) + 1e-20f;
    const float ownSize = root(x * x + y * y);
    const float weight = likely[bin] / (root(ownSize * magnitudes[bin] + 1e-30f) * size);
    out[2 * bin] = (x * u + y * v) * weight;
    out[2 * bin + 1] = (y * u - x * v) * weight;
  }
}

MANY void recorder_add(const float *restrict values, float *restrict sums, int count) {
  for (int i = 0; i < count; i++) sums[i] += values[i];
}

MANY float recorder_size(const float *values, int count) {
  float sums[16] = {0};
  int place = 0;
  for (; place + 16 <= count; place += 16)
    for (int lane = 0; lane < 16; lane++) sums[lane] += fabsf(values[place + lane]);
  for (; place < count; place++) sums[0] += fabsf(values[place]);
  float sum = 0;
  for (int lane = 0; lane < 16; lane++) sum += sums[lane];
  return sum;
}

MANY void recorder_add_clipped(const float *restrict values, float scale, float ceiling,
                               float *restrict sums, int count) {
  for (int i = 0; i < count; i++) sums[i] += within(values[i] * scale, -ceiling, ceiling);
}

MANY void recorder_add_damped(const float *restrict values, float scale, float ceiling,
                              float *restrict sums, int count) {
  for (int i = 0; i < count; i++) {
    const float value = values[i] * scale;
    const float excess = value - ceiling;
    sums[i] += within(value, -4, ceiling) + root(excess > 0 ? excess : 0);
  }
}

MANY void recorder_shaped(const float *restrict values, const float *restrict shape,
                          float *restrict out, int count) {
  for (int i = 0; i < count; i++) out[i] = values[i] * shape[i];
}

// The logarithm to the base of 2, within 0.01.
INLINE float logarithm(float x) {
  int32_t bits;
  memcpy(&bits, &x, sizeof bits);
  const int32_t exponent = (bits >> 23) - 127;
  const int32_t mantissaBits = (bits & 0x7FFFFF) | 0x3F800000;
  float mantissa;
  memcpy(&mantissa, &mantissaBits, sizeof mantissa);
  return (float)exponent + (-0.33582878f * mantissa + 2.0f) * mantissa - 1.65871759f;
}

MANY void recorder_levels(const float *restrict powers, int bands, uint8_t *restrict levels) {
  enum { lanes = recorder_batch_lanes, most = 32 };
  uint8_t column[lanes * most];
  for (int i = 0; i < lanes * bands; i++) {
    const float decibels = 3.0103f * logarithm(powers[i] + 1e-14f);
    column[i] = (uint8_t)within((decibels + 140) / 0.75f + 0.5f, 0, 255);
  }
  for (int lane = 0; lane < lanes; lane++)
    for (int band = 0; band < bands; band++) levels[lane * bands + band] = column[band * lanes + lane];
}
