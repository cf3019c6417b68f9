/// A virtual card as its parts share it.
#pragma once

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>

#include "crystal.h"
#include "faults.h"
#include "pointer.h"
#include "scene.h"

#include <stdbool.h>
#include <stdint.h>

#define MOST_CHANNELS 64
#define MOST_CHOICES 16

struct card {
  snd_pcm_ioplug_t io;
  struct crystal crystal;
  struct scene scene;
  struct pointer pointer;
  struct faults faults;
  unsigned formats[MOST_CHOICES], rates[MOST_CHOICES];
  unsigned format_count, rate_count;
  unsigned least_channels, most_channels;
  unsigned significant_bits;
  /// How long sound takes to each channel.
  double delay_s[MOST_CHANNELS];
  double noise;
  uint64_t seed;
  bool busy;
  /// Raises an overrun by itself, whatever the program's threshold says.
  bool stops_at_overrun;
  unsigned least_period_frames;
  unsigned buffer_frames;
  int timer;
  /// Where playback goes: float32, the first channel; -1: nowhere.
  int speaker;
  bool running;
  /// A stream was started, and its end has not been told.
  bool begun;
  /// The tick that follows the last one handed over; 0 before the first.
  int64_t handed;
  /// This handle's device was pulled out: it stays so.
  bool gone;
  /// When a suspended device can be resumed, in seconds; for ever where it cannot.
  double resumable_s;
};

/// Reads the card's settings; 0, or -errno.
int card_configure(struct card *card, snd_config_t *config);
/// Tells ALSA what the card can do; 0, or -errno.
int card_constrain(struct card *card);
/// Lets `params` say how many bits carry sound.
void card_tell_significant_bits(void *params, unsigned bits);
/// Writes one sample of full scale 1 in `format`, with `bits` of it in use.
void sample_put(uint8_t *to, snd_pcm_format_t format, unsigned bits, double value);
/// Reads one sample.
double sample_get(const uint8_t *from, snd_pcm_format_t format);
