#define _GNU_SOURCE
#include "card.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

double card_elapsed_s(const struct card *card) { return crystal_elapsed_s(&card->crystal); }

void card_tell(struct card *card, const char *kind, int64_t tick, int64_t frames) {
  int64_t true_ns = card->crystal.origin_ns + (int64_t)(card_elapsed_s(card) * 1e9);
  faults_tell(&card->faults, kind, true_ns, tick, frames);
}

/// How many of the stream's frames from `first` on the buffer no longer holds once `frames` have
/// been captured: later ones stand in their places.
static int64_t written_over(const struct card *card, int64_t first, int64_t frames) {
  int64_t over = frames - (int64_t)card->io.buffer_size - first;
  return over > 0 ? over : 0;
}

void card_look_behind(struct card *card, int64_t frames) {
  int64_t over = written_over(card, card->fresh, frames);
  if (over > card->fresh_frames) over = card->fresh_frames;
  card->fresh_frames = 0;
  if (over == 0) return;
  int64_t tick = pointer_tick(&card->pointer, card->fresh);
  int64_t last = pointer_tick(&card->pointer, card->fresh + over - 1);
  card_tell(card, "missing", tick, last + 1 - tick);
}

static uint8_t *place_of(const snd_pcm_channel_area_t *area, snd_pcm_uframes_t frame) {
  return (uint8_t *)area->addr + (area->first + area->step * frame) / 8;
}

static void hear(
  struct card *card, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t frame, int64_t tick) {
  double taken = crystal_time(&card->crystal, (double)tick);
  double value = 0, delay = NAN;
  for (unsigned channel = 0; channel < card->io.channels; channel++) {
    if (card->delay_s[channel] != delay) {
      delay = card->delay_s[channel];
      value = scene_at(&card->scene, taken - delay);
    }
    double own = card->noise ? card->noise * scene_noise(card->seed + channel * 7919, tick) : 0;
    sample_put(
      place_of(&areas[channel], frame), card->io.format, card->significant_bits, value + own);
  }
}

snd_pcm_sframes_t card_play(
  struct card *card, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
  snd_pcm_uframes_t size) {
  for (snd_pcm_uframes_t frame = 0; frame < size; frame++) {
    float value = (float)sample_get(place_of(&areas[0], offset + frame), card->io.format);
    if (write(card->speaker, &value, sizeof value) != sizeof value) return -EIO;
  }
  return (snd_pcm_sframes_t)size;
}

void card_hand_over(
  struct card *card, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
  snd_pcm_uframes_t size, int64_t first, int64_t slow_ms) {
  for (snd_pcm_uframes_t frame = 0; frame < size; frame++) {
    int64_t tick = pointer_tick(&card->pointer, first + (int64_t)frame);
    // Frames that were left out by a call, or dropped in silence.
    if (tick > card->handed) card_tell(card, "missing", card->handed, tick - card->handed);
    hear(card, areas, offset + frame, tick);
    card->handed = tick + 1;
  }
  card->fresh = first;
  card->fresh_frames = (int64_t)size;
  if (slow_ms > 0) usleep((useconds_t)(slow_ms * 1000));
  // What the card has written over meanwhile is read as what stands there now.
  int64_t captured = pointer_at(&card->pointer, &card->crystal, card_elapsed_s(card));
  int64_t over = written_over(card, first, captured);
  for (int64_t frame = 0; frame < over && frame < (int64_t)size; frame++) {
    int64_t later = first + frame + (int64_t)card->io.buffer_size;
    hear(
      card, areas, offset + (snd_pcm_uframes_t)frame, pointer_tick(&card->pointer, later));
  }
}
