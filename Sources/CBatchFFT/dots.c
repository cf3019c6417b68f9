#include "CBatchFFT.h"

// Compiled for what the processor has, which is found out when the program starts.
#define MANY __attribute__((target_clones("avx2", "default")))

MANY void recorder_two_dots(const double *restrict values, int stride, const double *restrict one,
                            const double *restrict other, int count, double *restrict first,
                            double *restrict second) {
  enum { lanes = 16 };
  double a[lanes] = {0}, b[lanes] = {0};
  int place = 0;
  if (stride == 1) {
    for (; place + lanes <= count; place += lanes)
      for (int lane = 0; lane < lanes; lane++) {
        a[lane] += values[place + lane] * one[place + lane];
        b[lane] += values[place + lane] * other[place + lane];
      }
  }
  for (; place < count; place++) {
    a[place % lanes] += values[place * stride] * one[place];
    b[place % lanes] += values[place * stride] * other[place];
  }
  *first = *second = 0;
  for (int lane = 0; lane < lanes; lane++) {
    *first += a[lane];
    *second += b[lane];
  }
}
