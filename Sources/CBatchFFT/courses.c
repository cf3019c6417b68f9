#include "lanes.h"

// Frames that are made at once.
enum { piece = 2048 };

// Levels as what they count with, and the sums of all up to each.
static void look_up(const uint8_t *levels, const int32_t *table, int count, int32_t *values,
                    uint32_t *sums) {
  uint32_t sum = 0;
  sums[0] = 0;
  for (int i = 0; i < count; i++) {
    values[i] = table[levels[i]];
    sum += (uint32_t)values[i];
    sums[i + 1] = sum;
  }
}

MANY static void subtract(const int32_t *restrict values, const uint32_t *restrict low,
                          const uint32_t *restrict high, int frames, float *restrict out,
                          int count) {
  // In whole numbers, so that what does not change is nothing.
  const float share = 0x1p-12f / (float)frames;
  for (int i = 0; i < count; i++)
    out[i] = (float)(values[i] * frames - (int32_t)(high[i] - low[i])) * share;
}

INLINE int least(int a, int b) { return a < b ? a : b; }
INLINE int most(int a, int b) { return a > b ? a : b; }

static void quicken_piece(const uint8_t *levels, int count, const int32_t *table, int first, int end,
                          float *out) {
  enum { half = recorder_course_half };
  int32_t values[piece + 2 * half + 1];
  uint32_t sums[piece + 2 * half + 2];
  const int from = most(0, first - half), to = least(count, end + half);
  look_up(levels + from, table, to - from, values, sums);
  // Those whose neighbourhood is whole lie in the middle.
  const int inner = least(end, most(first, half)), outer = most(inner, least(end, count - half));
  for (int frame = first; frame < end; frame++) {
    if (frame == inner && outer > inner) {
      subtract(values + inner - from, sums + inner - half - from, sums + inner + half + 1 - from,
               2 * half + 1, out + inner - first, outer - inner);
      frame = outer - 1;
      continue;
    }
    const int low = most(0, frame - half), high = least(count, frame + half + 1);
    subtract(values + frame - from, sums + low - from, sums + high - from, high - low,
             out + frame - first, 1);
  }
}

void recorder_quicken(const uint8_t *levels, int count, const int32_t *table, int first, int end,
                      float *out) {
  for (int from = first; from < end; from += piece)
    quicken_piece(levels, count, table, from, least(end, from + piece), out + from - first);
}

MANY double recorder_squares(const float *values, int count) {
  float sums[16] = {0};
  int place = 0;
  for (; place + 16 <= count; place += 16)
    for (int lane = 0; lane < 16; lane++) sums[lane] += values[place + lane] * values[place + lane];
  for (; place < count; place++) sums[0] += values[place] * values[place];
  double sum = 0;
  for (int lane = 0; lane < 16; lane++) sum += sums[lane];
  return sum;
}

MANY void recorder_clip(float *values, float scale, float low, float high, float mean, int count) {
  for (int i = 0; i < count; i++) values[i] = within(values[i] * scale, low, high) - mean;
}

MANY double recorder_sum(const float *values, int count) {
  float sums[16] = {0};
  int place = 0;
  for (; place + 16 <= count; place += 16)
    for (int lane = 0; lane < 16; lane++) sums[lane] += values[place + lane];
  for (; place < count; place++) sums[0] += values[place];
  double sum = 0;
  for (int lane = 0; lane < 16; lane++) sum += sums[lane];
  return sum;
}

void recorder_smooth(const float *restrict values, int width, float *restrict out, int count) {
  // The mean over `width` places around each, as a sum that moves along.
  double sum = 0;
  const int half = width / 2;
  for (int i = 0; i < least(half, count); i++) sum += values[i];
  for (int i = 0; i < count; i++) {
    out[i] = (float)(sum / width);
    if (i + half < count) sum += values[i + half];
    if (i >= half) sum -= values[i - half];
  }
}

MANY void recorder_powers(const float *restrict bins, float *restrict out, int count) {
  for (int i = 0; i < count; i++)
    out[i] = bins[2 * i] * bins[2 * i] + bins[2 * i + 1] * bins[2 * i + 1];
}
