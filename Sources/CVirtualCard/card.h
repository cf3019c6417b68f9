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
  /// The stream's frames that were read last, while nobody has looked behind that reading.
  int64_t fresh, fresh_frames;
  /// This handle's device was pulled out: it stays so.
  bool gone;
  /// For how long the next stream that starts gives nothing at first.
  double late_s;
  /// When a suspended device can be resumed, in seconds; for ever where it cannot.
  double resumable_s;
};

/// The true time since the card's origin.
double card_elapsed_s(const struct card *card);
/// Writes a line of truth: what happened now, from `tick` on, to `frames` frames.
void card_tell(struct card *card, const char *kind, int64_t tick, int64_t frames);
/// Plays `size` frames; how many, or -errno.
snd_pcm_sframes_t card_play(
  struct card *card, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
  snd_pcm_uframes_t size);
/// Hands over `size` frames from the stream's frame `first` on, which takes `slow_ms` longer than
/// it should.
void card_hand_over(
  struct card *card, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
  snd_pcm_uframes_t size, int64_t first, int64_t slow_ms);
/// The first look behind a reading, when `frames` have been captured. What was written over by then
/// may have been so while it was read: no program can tell, so it was not handed over.
void card_look_behind(struct card *card, int64_t frames);
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
