#include "lanes.h"

#include <math.h>

typedef double quad __attribute__((vector_size(32), aligned(8)));

// Where an output lies among the inputs and among the table's rows.
typedef struct {
  const double *values;
  int phase;
  double part;
} spot;

INLINE spot spotted(const double *values, double position, int taps, int phases) {
  const double low = floor(position);
  const double exact = (position - low) * phases;
  const int phase = exact < phases - 1 ? (int)exact : phases - 1;
  return (spot){values + (long)low - taps / 2 + 1, phase, exact - phase};
}

#define LOAD(place) (*(const quad *)(place))
// What two sums along neighbouring rows give between them.
#define READ(s, one, other) \
  ((one)[0] + (one)[1] + (one)[2] + (one)[3] + (s).part * ((other)[0] - (one)[0] + (other)[1] - (one)[1] + (other)[2] - (one)[2] + (other)[3] - (one)[3]))

INLINE double single(const spot *s, const double *row, int taps) {
  quad a = {0}, b = {0}, c = {0}, d = {0};
  const double *next = row + taps;
  for (int tap = 0; tap < taps; tap += 8) {
    const quad v = LOAD(s->values + tap), w = LOAD(s->values + tap + 4);
    a += v * LOAD(row + tap);
    b += v * LOAD(next + tap);
    c += w * LOAD(row + tap + 4);
    d += w * LOAD(next + tap + 4);
  }
  a += c;
  b += d;
  return READ(*s, a, b);
}

// Four outputs that lie between the same two rows, which are fetched once for all of them.
INLINE void four(const spot s[4], const double *row, int taps, double *out, int stride) {
  quad a = {0}, b = {0}, c = {0}, d = {0}, e = {0}, f = {0}, g = {0}, h = {0};
  const double *next = row + taps;
  for (int tap = 0; tap < taps; tap += 4) {
    const quad x = LOAD(row + tap), y = LOAD(next + tap);
    const quad p = LOAD(s[0].values + tap), q = LOAD(s[1].values + tap);
    const quad r = LOAD(s[2].values + tap), t = LOAD(s[3].values + tap);
    a += p * x;
    b += p * y;
    c += q * x;
    d += q * y;
    e += r * x;
    f += r * y;
    g += t * x;
    h += t * y;
  }
  out[0] = READ(s[0], a, b);
  out[stride] = READ(s[1], c, d);
  out[2 * stride] = READ(s[2], e, f);
  out[3 * stride] = READ(s[3], g, h);
}

MANY void recorder_between(const double *restrict values, double place, double step,
                           const double *restrict table, int taps, int phases, double *restrict out,
                           int stride, int count) {
  for (int i = 0; i < count;) {
    spot spots[4];
    const int here = count - i < 4 ? count - i : 4;
    for (int k = 0; k < here; k++) spots[k] = spotted(values, place + (i + k) * step, taps, phases);
    const double *row = table + (long)spots[0].phase * taps;
    if (here == 4 && spots[3].phase == spots[0].phase && spots[1].phase == spots[0].phase && spots[2].phase == spots[0].phase) {
      four(spots, row, taps, out + (long)i * stride, stride);
      i += 4;
    } else {
      out[(long)i * stride] = single(&spots[0], row, taps);
      i++;
    }
  }
}
