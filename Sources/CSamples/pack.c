#include "CSamples.h"

#include "many.h"

#include <string.h>

typedef uint8_t bytes __attribute__((vector_size(16)));

/// The three bytes of each of four samples that are kept, and four more that do not count.
INLINE bytes upper(bytes four) {
  return __builtin_shufflevector(
    four, four, 1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, 0, 0, 0, 0);
}

INLINE bytes lower(bytes four) {
  return __builtin_shufflevector(four, four, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 0, 0, 0, 0);
}

MANY void samples_pack24(const void *from, long count, int shift, void *to) {
  const uint8_t *source = from;
  uint8_t *target = to;
  long sample = 0;
  // Sixteen bytes are written where twelve are meant: the next ones lie over the rest, and the last
  // two samples and their like are left to the end.
  for (; count - sample >= 6; sample += 4) {
    bytes four;
    memcpy(&four, source + 4 * sample, sizeof four);
    four = shift ? upper(four) : lower(four);
    memcpy(target + 3 * sample, &four, sizeof four);
  }
  for (; sample < count; sample++) memcpy(target + 3 * sample, source + 4 * sample + shift / 8, 3);
}
