#include "lanes.h"

#include <math.h>

typedef float vec __attribute__((vector_size(32)));
typedef float loose __attribute__((vector_size(32), aligned(4)));

// One complex number in each lane.
typedef struct {
  vec re, im;
} cpx;

// Table: for each radix-4 pass, from the largest on, w^j, w^2j, w^3j in turn; then, for the real
// ends, w^k of the whole length.
int recorder_batch_table_floats(int count) {
  int floats = 0;
  for (int n = count / 2; n >= 4; n /= 4) floats += 6 * (n / 4);
  return floats + 2 * (count / 4 + 1);
}

// The place `turn` of `count` on the unit circle, the negative way round, from the first quarter of it.
static void on_circle(const float *quarter, int count, long turn, float *out) {
  const int fourth = count / 4, rest = (int)(turn % fourth), side = (int)(turn / fourth % 4);
  const float re = quarter[2 * rest], im = quarter[2 * rest + 1];
  out[0] = side == 0 ? re : side == 1 ? im : side == 2 ? -re : -im;
  out[1] = side == 0 ? im : side == 1 ? -re : side == 2 ? -im : re;
}

void recorder_batch_plan(int count, float *table, int *order) {
  const int half = count / 2;
  float *quarter = table + recorder_batch_table_floats(count) - 2 * (count / 4 + 1);
  for (int k = 0; k <= count / 4; k++) {
    const double angle = -2 * M_PI * k / count;
    quarter[2 * k] = (float)cos(angle);
    quarter[2 * k + 1] = (float)sin(angle);
  }
  for (int n = half; n >= 4; n /= 4)
    for (int j = 0; j < n / 4; j++)
      for (int power = 1; power <= 3; power++, table += 2)
        on_circle(quarter, count, (long)power * j * (count / n), table);
  // Where bin k comes to lie: its digits to the base of four, the last (or a bit) first.
  for (int k = 0; k < half; k++) {
    int rest = k, place = 0;
    for (int n = half; n >= 4; n /= 4) {
      place += (rest % 4) * (n / 4);
      rest /= 4;
      if (n / 4 == 2) place += rest % 2;
    }
    if (half == 2) place = k;
    order[k] = place;
  }
}

// Decimation in frequency, in place, the parts one after another so that they stay in the cache.
MANY static void decimate(cpx *z, int n, const float *table) {
  if (n == 2) {
    const cpx a = z[0], b = z[1];
    z[0] = (cpx){a.re + b.re, a.im + b.im};
    z[1] = (cpx){a.re - b.re, a.im - b.im};
    return;
  }
  if (n < 4) return;
  const int q = n / 4;
  const float *w = table;
  for (int j = 0; j < q; j++, w += 6) {
    const cpx a = z[j], b = z[j + q], c = z[j + 2 * q], d = z[j + 3 * q];
    const vec sr = a.re + c.re, si = a.im + c.im, tr = a.re - c.re, ti = a.im - c.im;
    const vec ur = b.re + d.re, ui = b.im + d.im, vr = b.re - d.re, vi = b.im - d.im;
    z[j] = (cpx){sr + ur, si + ui};
    const vec pr = tr + vi, pi = ti - vr;
    const vec qr = sr - ur, qi = si - ui;
    const vec rr = tr - vi, ri = ti + vr;
    z[j + q] = (cpx){pr * w[0] - pi * w[1], pr * w[1] + pi * w[0]};
    z[j + 2 * q] = (cpx){qr * w[2] - qi * w[3], qr * w[3] + qi * w[2]};
    z[j + 3 * q] = (cpx){rr * w[4] - ri * w[5], rr * w[5] + ri * w[4]};
  }
  if (q == 1) return;
  for (int part = 0; part < 4; part++) decimate(z + part * q, q, table + 6 * q);
}

#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

// Rows to columns.
INLINE void transpose(vec r[8]) {
  vec t[8], u[8];
  for (int i = 0; i < 8; i += 2) {
    t[i] = SHUFFLE(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    t[i + 1] = SHUFFLE(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int i = 0; i < 8; i += 4) {
    u[i] = SHUFFLE(t[i], t[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
    u[i + 1] = SHUFFLE(t[i], t[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    u[i + 2] = SHUFFLE(t[i + 1], t[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
    u[i + 3] = SHUFFLE(t[i + 1], t[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (int i = 0; i < 4; i++) {
    r[i] = SHUFFLE(u[i], u[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    r[i + 4] = SHUFFLE(u[i], u[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

static const float *ends(int count, const float *table) {
  return table + recorder_batch_table_floats(count) - 2 * (count / 4 + 1);
}

// Bin k and half - k of the real transform from those of the complex one, or back.
INLINE void split(cpx *x, cpx *y, float wr, float wi) {
  const vec er = (x->re + y->re) * 0.5f, ei = (x->im - y->im) * 0.5f;
  const vec or = (x->im + y->im) * 0.5f, oi = (y->re - x->re) * 0.5f;
  const vec pr = or * wr - oi * wi, pi = or * wi + oi * wr;
  *x = (cpx){er + pr, ei + pi};
  *y = (cpx){er - pr, pi - ei};
}

MANY static void load(int half, const float *sequences, cpx *z) {
  for (int j = 0; j < half; j += 4) {
    vec r[8];
    for (int lane = 0; lane < 8; lane++) r[lane] = *(const loose *)(sequences + 2 * half * lane + 2 * j);
    transpose(r);
    for (int i = 0; i < 4; i++) z[j + i] = (cpx){r[2 * i], r[2 * i + 1]};
  }
}

// Four bins from k on of all lanes to their places.
INLINE void scatter(int half, int k, const cpx bins[4], float *spectra) {
  vec r[8];
  for (int i = 0; i < 4; i++) {
    r[2 * i] = bins[i].re;
    r[2 * i + 1] = bins[i].im;
  }
  transpose(r);
  for (int lane = 0; lane < 8; lane++) *(loose *)(spectra + (2 * half + 2) * lane + 2 * k) = r[lane];
}

MANY static void unpack(int half, const float *w, const int *order, const cpx *z,
                        float *spectra) {
  // Four bins at a time with the four that mirror them: each is fetched once.
  for (int k = 1; k <= half / 2; k += 4) {
    cpx low[4], high[4];
    for (int i = 0; i < 4; i++) {
      low[i] = z[order[k + i]];
      high[3 - i] = z[order[half - k - i]];
      split(&low[i], &high[3 - i], w[2 * (k + i)], w[2 * (k + i) + 1]);
    }
    scatter(half, k, low, spectra);
    scatter(half, half - k - 3, high, spectra);
  }
  for (int lane = 0; lane < 8; lane++) {
    float *spectrum = spectra + (2 * half + 2) * lane;
    spectrum[0] = z[0].re[lane] + z[0].im[lane];
    spectrum[1] = 0;
    spectrum[2 * half] = z[0].re[lane] - z[0].im[lane];
    spectrum[2 * half + 1] = 0;
  }
}

MANY static void pack(int half, const float *w, const float *spectra, cpx *z) {
  for (int k = 0; k < half; k += 4) {
    vec r[8];
    for (int lane = 0; lane < 8; lane++) r[lane] = *(const loose *)(spectra + (2 * half + 2) * lane + 2 * k);
    transpose(r);
    for (int i = 0; i < 4; i++) z[k + i] = (cpx){r[2 * i], r[2 * i + 1]};
  }
  vec last;
  for (int lane = 0; lane < 8; lane++) last[lane] = spectra[(2 * half + 2) * lane + 2 * half];
  z[0] = (cpx){(z[0].re + last) * 0.5f, (last - z[0].re) * 0.5f};
  for (int k = 1; k <= half / 2; k++) {
    const cpx x = z[k], y = z[half - k];
    const vec er = (x.re + y.re) * 0.5f, ei = (x.im - y.im) * 0.5f;
    const vec dr = (x.re - y.re) * 0.5f, di = (x.im + y.im) * 0.5f;
    const vec or = dr * w[2 * k] + di * w[2 * k + 1], oi = di * w[2 * k] - dr * w[2 * k + 1];
    z[k] = (cpx){er - oi, -(ei + or)};
    z[half - k] = (cpx){er + oi, ei - or};
  }
}

MANY static void store(int half, const int *order, const cpx *z, float *sequences) {
  const float scale = 1.0f / half;
  for (int j = 0; j < half; j += 4) {
    vec r[8];
    for (int i = 0; i < 4; i++) {
      r[2 * i] = z[order[j + i]].re * scale;
      r[2 * i + 1] = z[order[j + i]].im * -scale;
    }
    transpose(r);
    for (int lane = 0; lane < 8; lane++) *(loose *)(sequences + 2 * half * lane + 2 * j) = r[lane];
  }
}

// Frames of sound, shaped, as `load` takes sequences.
MANY static void loadFrames(int half, const float *sound, int hop, const float *window, cpx *z) {
  for (int j = 0; j < half; j += 4) {
    const vec shape = *(const loose *)(window + 2 * j);
    vec r[8];
    for (int lane = 0; lane < 8; lane++)
      r[lane] = *(const loose *)(sound + hop * lane + 2 * j) * shape;
    transpose(r);
    for (int i = 0; i < 4; i++) z[j + i] = (cpx){r[2 * i], r[2 * i + 1]};
  }
}

MANY static void sumBands(int half, const float *w, const int *order, cpx *z, const int *limits,
                          int bands, float *powers) {
  const int low = limits[0] < half - limits[bands] ? limits[0] : half - limits[bands];
  for (int k = low > 1 ? low : 1; k <= half / 2; k++)
    split(&z[order[k]], &z[order[half - k]], w[2 * k], w[2 * k + 1]);
  for (int band = 0; band < bands; band++) {
    vec sum = {0};
    for (int k = limits[band]; k < limits[band + 1]; k++) {
      const cpx value = z[order[k]];
      sum += value.re * value.re + value.im * value.im;
    }
    *(loose *)(powers + 8 * band) = sum * (1.0f / (limits[band + 1] - limits[band]));
  }
}

void recorder_batch_bands(int count, const float *table, const int *order, float *scratch,
                          const float *sound, int hop, const float *window, const int *limits,
                          int bands, float *powers) {
  cpx *z = (cpx *)scratch;
  loadFrames(count / 2, sound, hop, window, z);
  decimate(z, count / 2, table);
  sumBands(count / 2, ends(count, table), order, z, limits, bands, powers);
}

void recorder_batch_forward(int count, const float *table, const int *order, float *scratch,
                            const float *sequences, float *spectra) {
  cpx *z = (cpx *)scratch;
  load(count / 2, sequences, z);
  decimate(z, count / 2, table);
  unpack(count / 2, ends(count, table), order, z, spectra);
}

void recorder_batch_inverse(int count, const float *table, const int *order, float *scratch,
                            const float *spectra, float *sequences) {
  cpx *z = (cpx *)scratch;
  pack(count / 2, ends(count, table), spectra, z);
  decimate(z, count / 2, table);
  store(count / 2, order, z, sequences);
}
