#pragma once
// Debian builds the library for floats, and its header must be told.
#define kiss_fft_scalar float
#define KISS_FFT_SHARED 1
#include <kissfft/kiss_fftr.h>

// The header frees plans by a macro, which Swift cannot import.
static inline void recorder_kiss_free(void *plan) { kiss_fft_free(plan); }

// The pure floors have no C library module; these are the few of its functions that windows and
// spectra take.
static inline double recorder_cos(double x) { return __builtin_cos(x); }
static inline double recorder_sin(double x) { return __builtin_sin(x); }
static inline double recorder_exp(double x) { return __builtin_exp(x); }
static inline double recorder_log(double x) { return __builtin_log(x); }
static inline float recorder_logf(float x) { return __builtin_logf(x); }
static inline double recorder_erfc(double x) { return __builtin_erfc(x); }
