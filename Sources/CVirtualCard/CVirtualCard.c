#define _GNU_SOURCE
// The entry's symbol is made for a shared library only where PIC is set before ALSA's headers.
#ifndef PIC
#define PIC 1
#endif
#include "CVirtualCard.h"

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>

#include "crystal.h"
#include "scene.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

struct card {
  snd_pcm_ioplug_t io;
  struct crystal crystal;
  struct scene scene;
  snd_pcm_format_t format;
  unsigned rate;
  unsigned channels;
  double delay_s;
  double channel_delay_s;
  double noise;
  uint64_t seed;
  bool busy;
  unsigned buffer_frames;
  int timer;
  /// The crystal's count when the stream was started.
  int64_t grid;
  bool running;
};

static double elapsed(const struct card *card) { return crystal_elapsed_s(&card->crystal); }

static int card_start(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  int64_t period_ns = (int64_t)(1e9 * (double)io->period_size / card->rate);
  struct itimerspec pace = {
    .it_value = {period_ns / 1000000000, period_ns % 1000000000},
    .it_interval = {period_ns / 1000000000, period_ns % 1000000000},
  };
  card->grid = (int64_t)floor(crystal_count(&card->crystal, elapsed(card)));
  card->running = true;
  return timerfd_settime(card->timer, 0, &pace, NULL) < 0 ? -errno : 0;
}

static int card_stop(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  struct itimerspec never = {0};
  card->running = false;
  return timerfd_settime(card->timer, 0, &never, NULL) < 0 ? -errno : 0;
}

/// How many frames the stream has captured; the plugin layer wraps at its boundary.
static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  if (!card->running) return 0;
  return (int64_t)floor(crystal_count(&card->crystal, elapsed(card))) - card->grid;
}

static void put_sample(uint8_t *to, snd_pcm_format_t format, double value) {
  if (value > 1) value = 1;
  if (value < -1) value = -1;
  if (format == SND_PCM_FORMAT_S16_LE) {
    int32_t whole = (int32_t)lrint(value * 32767);
    to[0] = whole & 0xff;
    to[1] = (whole >> 8) & 0xff;
  } else if (format == SND_PCM_FORMAT_S24_3LE) {
    int32_t whole = (int32_t)lrint(value * 8388607);
    to[0] = whole & 0xff;
    to[1] = (whole >> 8) & 0xff;
    to[2] = (whole >> 16) & 0xff;
  } else {
    int32_t whole = (int32_t)llrint(value * 2147483647);
    memcpy(to, &whole, 4);
  }
}

static snd_pcm_sframes_t card_transfer(
  snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
  snd_pcm_uframes_t size) {
  struct card *card = io->private_data;
  for (snd_pcm_uframes_t frame = 0; frame < size; frame++) {
    int64_t tick = card->grid + 1 + (int64_t)(io->appl_ptr + frame);
    double taken = crystal_time(&card->crystal, (double)tick);
    for (unsigned channel = 0; channel < card->channels; channel++) {
      double heard = taken - card->delay_s - channel * card->channel_delay_s;
      double value = scene_at(&card->scene, heard)
                     + card->noise * scene_noise(card->seed + channel * 7919, tick);
      uint8_t *to = (uint8_t *)areas[channel].addr
                    + (areas[channel].first + areas[channel].step * (offset + frame)) / 8;
      put_sample(to, card->format, value);
    }
  }
  return (snd_pcm_sframes_t)size;
}

static int card_poll_revents(
  snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned count, unsigned short *revents) {
  struct card *card = io->private_data;
  uint64_t beats;
  (void)descriptors;
  (void)count;
  if (read(card->timer, &beats, sizeof beats) < 0 && errno != EAGAIN) return -errno;
  *revents = snd_pcm_avail_update(io->pcm) >= (snd_pcm_sframes_t)io->period_size ? POLLIN : 0;
  return 0;
}

static int card_close(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  close(card->timer);
  scene_free(&card->scene);
  free(card);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
  .start = card_start,
  .stop = card_stop,
  .pointer = card_pointer,
  .transfer = card_transfer,
  .poll_revents = card_poll_revents,
  .close = card_close,
};

static int constrain(struct card *card) {
  const unsigned access[] = {SND_PCM_ACCESS_RW_INTERLEAVED};
  const unsigned format[] = {(unsigned)card->format};
  unsigned width = (unsigned)snd_pcm_format_physical_width(card->format) / 8 * card->channels;
  unsigned buffer = width * (card->buffer_frames ? card->buffer_frames : card->rate * 2);
  snd_pcm_ioplug_t *io = &card->io;
  int status = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 1, access);
  if (status >= 0) status = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 1, format);
  if (status >= 0)
    status = snd_pcm_ioplug_set_param_minmax(
      io, SND_PCM_IOPLUG_HW_CHANNELS, card->channels, card->channels);
  if (status >= 0)
    status = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, card->rate, card->rate);
  if (status >= 0)
    status = snd_pcm_ioplug_set_param_minmax(
      io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, width * 16, buffer / 2);
  if (status >= 0)
    status = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, width * 64, buffer);
  if (status >= 0) status = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 4096);
  return status;
}

struct settings {
  const char *scene;
  double scene_rate;
  double noise_dbfs;
};

static int read_setting(struct card *card, struct settings *settings, snd_config_t *node) {
  const char *id;
  char *text = NULL;
  if (snd_config_get_id(node, &id) < 0) return 0;
  if (!strcmp(id, "comment") || !strcmp(id, "type") || !strcmp(id, "hint")) return 0;
  if (!strcmp(id, "scene")) return snd_config_get_string(node, &settings->scene);
  int status = snd_config_get_ascii(node, &text);
  if (status < 0) return status;
  double value = strtod(text, NULL);
  if (!strcmp(id, "scene_rate")) settings->scene_rate = value;
  else if (!strcmp(id, "origin_ns")) card->crystal.origin_ns = strtoll(text, NULL, 10);
  else if (!strcmp(id, "rate")) card->rate = (unsigned)value;
  else if (!strcmp(id, "channels")) card->channels = (unsigned)value;
  else if (!strcmp(id, "format")) card->format = snd_pcm_format_value(text);
  else if (!strcmp(id, "ppm")) card->crystal.excess = value * 1e-6;
  else if (!strcmp(id, "wander_ppm")) card->crystal.wander = value * 1e-6;
  else if (!strcmp(id, "wander_period_s")) card->crystal.wander_period_s = value;
  else if (!strcmp(id, "delay_ns")) card->delay_s = value * 1e-9;
  else if (!strcmp(id, "channel_delay_ns")) card->channel_delay_s = value * 1e-9;
  else if (!strcmp(id, "noise_dbfs")) settings->noise_dbfs = value;
  else if (!strcmp(id, "buffer_frames")) card->buffer_frames = (unsigned)value;
  else if (!strcmp(id, "busy")) card->busy = value != 0;
  else if (!strcmp(id, "seed")) card->seed = strtoull(text, NULL, 10);
  else {
    SNDERR("the virtual card knows no setting named %s", id);
    status = -EINVAL;
  }
  free(text);
  return status < 0 ? status : 0;
}

static int configure(struct card *card, snd_config_t *config) {
  struct settings settings = {.scene_rate = 48000, .noise_dbfs = -200};
  snd_config_iterator_t place, next;
  snd_config_for_each(place, next, config) {
    int status = read_setting(card, &settings, snd_config_iterator_entry(place));
    if (status < 0) return status;
  }
  if (card->rate < 1000 || (card->buffer_frames && card->buffer_frames < 64) || card->channels < 1 || card->channels > 64) return -EINVAL;
  if (!(card->crystal.wander_period_s > 0)) return -EINVAL;
  if (card->format != SND_PCM_FORMAT_S16_LE && card->format != SND_PCM_FORMAT_S24_3LE
      && card->format != SND_PCM_FORMAT_S32_LE)
    return -EINVAL;
  card->crystal.rate = card->rate;
  card->noise = pow(10, settings.noise_dbfs / 20);
  return scene_load(&card->scene, settings.scene, settings.scene_rate);
}

SND_PCM_PLUGIN_DEFINE_FUNC(recorder_virtual) {
  (void)root;
  if (stream != SND_PCM_STREAM_CAPTURE) return -ENODEV;
  struct card *card = calloc(1, sizeof *card);
  if (!card) return -ENOMEM;
  card->rate = 48000;
  card->channels = 1;
  card->format = SND_PCM_FORMAT_S32_LE;
  card->crystal.wander_period_s = 60;
  card->timer = -1;
  int status = configure(card, conf);
  if (status >= 0 && card->busy) status = -EBUSY;
  if (status >= 0) {
    card->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (card->timer < 0) status = -errno;
  }
  if (status >= 0) {
    card->io.version = SND_PCM_IOPLUG_VERSION;
    card->io.name = "virtual card";
    card->io.callback = &callbacks;
    card->io.private_data = card;
    card->io.poll_fd = card->timer;
    card->io.poll_events = POLLIN;
    card->io.mmap_rw = 0;
    card->io.flags = SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
    status = snd_pcm_ioplug_create(&card->io, name, stream, mode);
  }
  if (status < 0) {
    if (card->timer >= 0) close(card->timer);
    scene_free(&card->scene);
    free(card);
    return status;
  }
  status = constrain(card);
  if (status < 0) {
    snd_pcm_ioplug_delete(&card->io);
    return status;
  }
  *pcmp = card->io.pcm;
  return 0;
}

SND_PCM_PLUGIN_SYMBOL(recorder_virtual);
