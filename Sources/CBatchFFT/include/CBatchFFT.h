#pragma once

// The discrete Fourier transform of eight real sequences of one length at once, each in a lane of
// vectors: no instruction ever has to move values from lane to lane but at the two ends.

enum { recorder_batch_lanes = 8 };

// The tables for sequences of `count` samples, a power of two of at least 32. They are floats and
// integers that the caller owns, recorder_batch_table_floats(count) and count / 2 of them.
int recorder_batch_table_floats(int count);
void recorder_batch_plan(int count, float *table, int *order);

// The spectra of eight sequences that lie one behind the other: count / 2 + 1 bins each, real and
// imaginary parts in turn. The scratch is 8 * count floats, aligned to 32 bytes.
void recorder_batch_forward(int count, const float *table, const int *order, float *scratch,
                            const float *sequences, float *spectra);

// The sequences of eight spectra, scaled so that there and back is the identity.
void recorder_batch_inverse(int count, const float *table, const int *order, float *scratch,
                            const float *spectra, float *sequences);
