#define _GNU_SOURCE
#include "card.h"

#include <math.h>
#include <string.h>

/// The bits of a format that carry sound, at most.
static unsigned width(snd_pcm_format_t format) {
  switch (format) {
  case SND_PCM_FORMAT_S16_LE: return 16;
  case SND_PCM_FORMAT_S32_LE: return 32;
  default: return 24;
  }
}

UNWATCHED void sample_put(uint8_t *to, snd_pcm_format_t format, unsigned bits, double value) {
  if (value > 1) value = 1;
  if (value < -1) value = -1;
  if (format == SND_PCM_FORMAT_FLOAT_LE) {
    float number = (float)value;
    memcpy(to, &number, 4);
    return;
  }
  unsigned whole = width(format);
  if (!bits || bits > whole) bits = whole;
  // What a converter of fewer bits gives stands at the top of the word.
  int64_t level = llrint(value * (double)((1LL << (bits - 1)) - 1)) * (1LL << (whole - bits));
  int bytes = snd_pcm_format_physical_width(format) / 8;
  for (int part = 0; part < bytes; part++) to[part] = (uint8_t)((uint64_t)level >> (8 * part));
}

double sample_get(const uint8_t *from, snd_pcm_format_t format) {
  if (format == SND_PCM_FORMAT_FLOAT_LE) {
    float number;
    memcpy(&number, from, 4);
    return number;
  }
  unsigned whole = width(format);
  uint64_t bits = 0;
  for (unsigned part = 0; part < whole / 8; part++) bits |= (uint64_t)from[part] << (8 * part);
  int64_t level = (int64_t)(bits << (64 - whole)) >> (64 - whole);
  return (double)level / (double)(1LL << (whole - 1));
}
