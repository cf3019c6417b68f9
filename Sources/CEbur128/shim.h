#pragma once
#include <ebur128.h>
#include <math.h>

// Floors 1 and 2 have no module with the logarithm.
static inline double ebur128_decimal_logarithm(double value) { return log10(value); }
