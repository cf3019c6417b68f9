#pragma once

// The discrete Fourier transform of eight real sequences of one length at once, each in a lane of
// vectors: no instruction ever has to move values from lane to lane but at the two ends. And what
// is done with spectra bin by bin, compiled for the same vectors.

#include <stdint.h>

enum { recorder_batch_lanes = 8 };

// The tables for sequences of `count` samples, a power of two of at least 32. They are floats and
// integers that the caller owns, recorder_batch_table_floats(count) and count / 2 of them.
int recorder_batch_table_floats(int count);
void recorder_batch_plan(int count, float *table, int *order);

// The spectra of eight sequences that lie one behind the other: count / 2 + 1 bins each, real and
// imaginary parts in turn, which may take the sequences' place. The scratch is 8 * count floats, aligned to 32 bytes.
void recorder_batch_forward(int count, const float *table, const int *order, float *scratch,
                            const float *sequences, float *spectra);

// The sequences of eight spectra, scaled so that there and back is the identity.
void recorder_batch_inverse(int count, const float *table, const int *order, float *scratch,
                            const float *spectra, float *sequences);

// The mean power in each of `bands` bands of eight frames of `sound`, each `hop` samples behind the
// one before and shaped by `window`: 8 * bands floats, band by band. Band b has the bins
// limits[b] to limits[b + 1] - 1, of 1 to count / 2 - 1.
void recorder_batch_bands(int count, const float *table, const int *order, float *scratch,
                          const float *sound, int hop, const float *window, const int *limits,
                          int bands, float *powers);

// Eight frames' powers as levels, frame by frame: in steps of 0.75 dB above -140 dB, within 0.05 dB.
// At most 32 bands.
void recorder_levels(const float *powers, int bands, uint8_t *levels);

// What follows goes over spectra of interleaved real and imaginary parts, from bin `first` to before
// bin `end`; a and b are whole spectra.

// About `power` to the power -0.4, which is the magnitude to the power -0.8; within 9 %.
float recorder_whitening(float power);

// out = a * conj(b), whitened.
void recorder_cross_whitened(const float *a, const float *b, float *out, int first, int end);

// out = a, whitened.
void recorder_whitened(const float *a, float *out, int first, int end);

// out += a * conj(b).
void recorder_cross_sum(const float *a, const float *b, float *out, int first, int end);

// The sum of the bins' powers.
float recorder_power(const float *a, int first, int end);

// cross += scale * a * conj(b), turned by `turn` samples of `count`; one and other, which hold a
// value a bin, += scale * |a|^2 and scale * |b|^2.
void recorder_cross_add(const float *a, const float *b, float scale, double turn, int count,
                        float *cross, float *one, float *other, int first, int end);

// cross turned by `turn` samples of `count`.
void recorder_turn(float *cross, double turn, int count, int first, int end);

// How likely each delay of `own` is against what `sum` holds beside it: own * conj(sum - own),
// weighted by `likely` and whitened by both magnitudes; the last two hold a value a bin.
void recorder_matched(const float *own, const float *sum, const float *likely,
                      const float *magnitudes, float *out, int first, int end);

// sums[i] += values[i].
void recorder_add(const float *values, float *sums, int count);

// The sum of the magnitudes.
float recorder_size(const float *values, int count);

// sums[i] += scale * values[i], within -ceiling...ceiling.
void recorder_add_clipped(const float *values, float scale, float ceiling, float *sums, int count);

// sums[i] += x within -4...ceiling, and the square root of what is above, for x = scale * values[i].
void recorder_add_damped(const float *values, float scale, float ceiling, float *sums, int count);

// out[i] = values[i] * shape[i].
void recorder_shaped(const float *values, const float *shape, float *out, int count);

// `count` values between `values`, from `place` on, every `step`-th: by a kernel of `taps` samples,
// a multiple of 32, whose rows in `table` are `phases` to a sample and one more. Every `stride`-th of
// `out` is written. Around each place there are taps / 2 values to each side.
void recorder_between(const double *values, double place, double step, const double *table, int taps,
                      int phases, double *out, int stride, int count);

// Integers of 2, 3 or 4 bytes, low byte first, full scale 1.
void recorder_floats_of_integers(const uint8_t *bytes, int width, float *out, int count);
void recorder_doubles_of_integers(const uint8_t *bytes, int width, double *out, int count);

// Samples, full scale 1, as integers of `steps` steps on either side, with triangular dither of one
// step, whose noise follows from `state` and the place. Returns how many were beyond full scale.
int recorder_dithered(const double *samples, double steps, uint64_t state, int32_t *out, int count);

// The three low bytes of each word, low byte first.
void recorder_pack24(const int32_t *words, uint8_t *bytes, int count);

// out[i] = shape[i] * the sound at i + slope * (i - count / 2), read between its samples by cubics.
// There are `margin` samples before and behind it, enough for that and two more.
void recorder_stretched(const float *sound, int margin, const float *shape, double slope, float *out,
                        int count);

// Frames to each side that a frame of a course is held against.
enum { recorder_course_half = 200 };

// For the frames first to end - 1 of `count` levels: what their level counts with in `table`, in
// parts of 4096, less the mean over recorder_course_half frames to each side, as many as there are.
void recorder_quicken(const uint8_t *levels, int count, const int32_t *table, int first, int end,
                      float *out);

// The sum, and the sum of the squares.
double recorder_sum(const float *values, int count);
double recorder_squares(const float *values, int count);

// values[i] = values[i] * scale, within low...high, less `mean`.
void recorder_clip(float *values, float scale, float low, float high, float mean, int count);

// The mean over `width` values around each, nothing counting beyond the ends.
void recorder_smooth(const float *values, int width, float *out, int count);

// The power of each of `count` bins of interleaved real and imaginary parts.
void recorder_powers(const float *bins, float *out, int count);

// The elementary functions that windows, spectra and probabilities take: the pure floors have no C
// library module.
static inline double recorder_cos(double x) { return __builtin_cos(x); }
static inline double recorder_sin(double x) { return __builtin_sin(x); }
static inline double recorder_exp(double x) { return __builtin_exp(x); }
static inline double recorder_log(double x) { return __builtin_log(x); }
static inline double recorder_erfc(double x) { return __builtin_erfc(x); }
