#define _GNU_SOURCE
#include "card.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct settings {
  const char *scene, *control, *truth, *playback;
  double scene_rate;
  double noise_dbfs;
  double delay_ns, channel_delay_ns;
  /// Each further channel's own delay, where it is told.
  double delays_ns[MOST_CHANNELS];
  unsigned delay_count;
};

/// Numbers or names with blanks or commas between them.
static int read_list(const char *text, unsigned *to, unsigned *count, bool names) {
  char *copy = strdup(text), *rest = NULL;
  if (!copy) return -ENOMEM;
  *count = 0;
  for (char *word = strtok_r(copy, " ,", &rest); word; word = strtok_r(NULL, " ,", &rest)) {
    if (*count == MOST_CHOICES) break;
    int value = names ? (int)snd_pcm_format_value(word) : atoi(word);
    if (value < 0) break;
    to[(*count)++] = (unsigned)value;
  }
  bool whole = *count > 0 && strtok_r(NULL, " ,", &rest) == NULL;
  free(copy);
  return whole ? 0 : -EINVAL;
}

static int read_delays(const char *text, struct settings *settings) {
  char *end = NULL;
  settings->delay_count = 0;
  while (settings->delay_count < MOST_CHANNELS) {
    text += strspn(text, " ,");
    if (!*text) return 0;
    settings->delays_ns[settings->delay_count++] = strtod(text, &end);
    if (end == text) return -EINVAL;
    text = end;
  }
  return 0;
}

static int read_number(
  struct card *card, struct settings *settings, const char *id, const char *text) {
  double value = strtod(text, NULL);
  if (!strcmp(id, "scene_rate")) settings->scene_rate = value;
  else if (!strcmp(id, "origin_ns")) card->crystal.origin_ns = strtoll(text, NULL, 10);
  else if (!strcmp(id, "ppm")) card->crystal.excess = value * 1e-6;
  else if (!strcmp(id, "wander_ppm")) card->crystal.wander = value * 1e-6;
  else if (!strcmp(id, "wander_period_s")) card->crystal.wander_period_s = value;
  else if (!strcmp(id, "delay_ns")) settings->delay_ns = value;
  else if (!strcmp(id, "channel_delay_ns")) settings->channel_delay_ns = value;
  else if (!strcmp(id, "noise_dbfs")) settings->noise_dbfs = value;
  else if (!strcmp(id, "buffer_frames")) card->buffer_frames = (unsigned)value;
  else if (!strcmp(id, "least_period_frames")) card->least_period_frames = (unsigned)value;
  else if (!strcmp(id, "significant_bits")) card->significant_bits = (unsigned)value;
  else if (!strcmp(id, "step_frames")) card->pointer.step_frames = (int64_t)value;
  else if (!strcmp(id, "lateness_us")) card->pointer.lateness_s = value * 1e-6;
  else if (!strcmp(id, "stops_at_overrun")) card->stops_at_overrun = value != 0;
  else if (!strcmp(id, "busy")) card->busy = value != 0;
  else if (!strcmp(id, "channels_max")) card->most_channels = (unsigned)value;
  else if (!strcmp(id, "seed")) card->seed = card->pointer.seed = strtoull(text, NULL, 10);
  else {
    SNDERR("the virtual card knows no setting named %s", id);
    return -EINVAL;
  }
  return 0;
}

static int read_setting(struct card *card, struct settings *settings, snd_config_t *node) {
  const char *id;
  char *text = NULL;
  if (snd_config_get_id(node, &id) < 0) return 0;
  if (!strcmp(id, "comment") || !strcmp(id, "type") || !strcmp(id, "hint")) return 0;
  if (!strcmp(id, "scene")) return snd_config_get_string(node, &settings->scene);
  if (!strcmp(id, "control")) return snd_config_get_string(node, &settings->control);
  if (!strcmp(id, "truth")) return snd_config_get_string(node, &settings->truth);
  if (!strcmp(id, "playback")) return snd_config_get_string(node, &settings->playback);
  int status = snd_config_get_ascii(node, &text);
  if (status < 0) return status;
  if (!strcmp(id, "rate")) status = read_list(text, card->rates, &card->rate_count, false);
  else if (!strcmp(id, "format")) status = read_list(text, card->formats, &card->format_count, true);
  else if (!strcmp(id, "delays_ns")) status = read_delays(text, settings);
  else if (!strcmp(id, "channels")) card->least_channels = (unsigned)atoi(text);
  else status = read_number(card, settings, id, text);
  free(text);
  return status < 0 ? status : 0;
}

static bool is_sound(const struct card *card) {
  for (unsigned place = 0; place < card->format_count; place++) {
    switch (card->formats[place]) {
    case SND_PCM_FORMAT_S16_LE:
    case SND_PCM_FORMAT_S24_LE:
    case SND_PCM_FORMAT_S24_3LE:
    case SND_PCM_FORMAT_S32_LE:
    case SND_PCM_FORMAT_FLOAT_LE: break;
    default: return false;
    }
  }
  for (unsigned place = 0; place < card->rate_count; place++)
    if (card->rates[place] < 1000 || card->rates[place] > 768000) return false;
  return card->least_channels >= 1 && card->most_channels <= MOST_CHANNELS
         && card->least_channels <= card->most_channels
         && (!card->buffer_frames || card->buffer_frames >= 64)
         && card->crystal.wander_period_s > 0 && card->pointer.step_frames >= 1
         && card->pointer.lateness_s >= 0
         && card->pointer.lateness_s * card->rates[0] <= (double)card->pointer.step_frames;
}

int card_configure(struct card *card, snd_config_t *config) {
  struct settings settings = {.scene_rate = 48000, .noise_dbfs = -200};
  snd_config_iterator_t place, next;
  snd_config_for_each(place, next, config) {
    int status = read_setting(card, &settings, snd_config_iterator_entry(place));
    if (status < 0) return status;
  }
  if (!card->most_channels) card->most_channels = card->least_channels;
  if (!is_sound(card)) return -EINVAL;
  card->noise = settings.noise_dbfs > -200 ? pow(10, settings.noise_dbfs / 20) : 0;
  for (unsigned channel = 0; channel < MOST_CHANNELS; channel++) {
    double own = channel < settings.delay_count ? settings.delays_ns[channel]
                                                : channel * settings.channel_delay_ns;
    card->delay_s[channel] = (settings.delay_ns + own) * 1e-9;
  }
  if (card->io.stream == SND_PCM_STREAM_PLAYBACK) {
    if (!settings.playback) return -ENODEV;
    card->speaker = open(settings.playback, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (card->speaker < 0) return -errno;
  } else {
    int status = scene_load(&card->scene, settings.scene, settings.scene_rate);
    if (status < 0) return status;
  }
  return faults_open(&card->faults, settings.control, settings.truth);
}

int card_constrain(struct card *card) {
  const unsigned access[] = {SND_PCM_ACCESS_RW_INTERLEAVED};
  unsigned widest = 0, narrowest = 8, fastest = 0;
  for (unsigned place = 0; place < card->format_count; place++) {
    unsigned bytes = (unsigned)snd_pcm_format_physical_width((snd_pcm_format_t)card->formats[place]) / 8;
    if (bytes > widest) widest = bytes;
    if (bytes < narrowest) narrowest = bytes;
  }
  for (unsigned place = 0; place < card->rate_count; place++)
    if (card->rates[place] > fastest) fastest = card->rates[place];
  unsigned most = widest * card->most_channels;
  unsigned least = narrowest * card->least_channels;
  unsigned frames = card->buffer_frames ? card->buffer_frames : fastest * 2;
  unsigned period = card->least_period_frames ? card->least_period_frames : 16;
  snd_pcm_ioplug_t *io = &card->io;
  int status = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 1, access);
  if (status >= 0)
    status = snd_pcm_ioplug_set_param_list(
      io, SND_PCM_IOPLUG_HW_FORMAT, card->format_count, card->formats);
  if (status >= 0)
    status = snd_pcm_ioplug_set_param_minmax(
      io, SND_PCM_IOPLUG_HW_CHANNELS, card->least_channels, card->most_channels);
  if (status >= 0)
    status =
      snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_RATE, card->rate_count, card->rates);
  if (status >= 0)
    status = snd_pcm_ioplug_set_param_minmax(
      io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, least * period, most * (frames / 2));
  if (status >= 0)
    status = snd_pcm_ioplug_set_param_minmax(
      io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, least * 64, most * frames);
  if (status >= 0) status = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 4096);
  return status;
}
