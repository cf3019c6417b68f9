#define _GNU_SOURCE
// The entry's symbol is made for a shared library only where PIC is set before ALSA's headers.
#ifndef PIC
#define PIC 1
#endif
#include "CVirtualCard.h"

#include "card.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int64_t tick_at(const struct card *card, double elapsed_s) {
  return (int64_t)floor(crystal_count(&card->crystal, elapsed_s));
}

static int set_pace(struct card *card, int64_t ns) {
  struct itimerspec pace = {
    .it_value = {ns / 1000000000, ns % 1000000000},
    .it_interval = {ns / 1000000000, ns % 1000000000},
  };
  return timerfd_settime(card->timer, 0, &pace, NULL) < 0 ? -errno : 0;
}

/// The stream gives nothing any more: what was not handed over is lost.
static void end_stream(struct card *card) {
  card->running = false;
  if (!card->begun) return;
  card_look_behind(card, card->pointer.last);
  card->begun = false;
  card_tell(card, "end", card->handed, 0);
}

static void fall(struct card *card, snd_pcm_state_t state) {
  card->running = false;
  // What is suspended may go on; all else begins anew.
  if (state != SND_PCM_STATE_SUSPENDED) end_stream(card);
  snd_pcm_ioplug_set_state(&card->io, state);
}

static void obey(struct card *card, const struct fault *fault, double now) {
  int64_t tick = fault->tick ? fault->tick : tick_at(card, now) + 1;
  switch (fault->kind) {
  case FAULT_XRUN:
    card_tell(card, "xrun", tick, 0);
    fall(card, SND_PCM_STATE_XRUN);
    break;
  case FAULT_STALL:
    card_tell(card, "stall", tick, fault->amount * (int64_t)card->crystal.rate / 1000);
    pointer_hold(&card->pointer, now + (double)fault->amount * 1e-3);
    break;
  case FAULT_DROP:
    if (pointer_drop(&card->pointer, tick, fault->amount) >= 0)
      card_tell(card, "drop", tick, fault->amount);
    break;
  case FAULT_SUSPEND:
    card_tell(card, "suspend", tick, 0);
    card->resumable_s = fault->amount ? now + (double)fault->amount * 1e-3 : INFINITY;
    fall(card, SND_PCM_STATE_SUSPENDED);
    break;
  case FAULT_UNPLUG:
  case FAULT_UNPLUG_XRUN:
    card_tell(card, "unplug", tick, 0);
    card->gone = true;
    fall(
      card, fault->kind == FAULT_UNPLUG ? SND_PCM_STATE_DISCONNECTED : SND_PCM_STATE_XRUN);
    break;
  // These are for whoever opens the card next.
  case FAULT_REPLUG: card_tell(card, "replug", tick, 0); break;
  case FAULT_LATE: card->late_s = (double)fault->amount * 1e-3; break;
  case FAULT_BUSY:
  case FAULT_FREE:
  case FAULT_SLOW: break;
  }
}

/// Carries out what is due, of a stream that runs or of a device that is only open.
static void look_for_faults(struct card *card) {
  struct fault fault;
  double now = card_elapsed_s(card);
  // A loss is told ahead of its tick, so that no frame of it shows.
  int64_t ahead = (int64_t)(card->crystal.rate / 4);
  while (!card->gone && faults_next(&card->faults, tick_at(card, now), false, &fault))
    obey(card, &fault, now);
  for (int place = 0; place < card->faults.count; place++) {
    struct fault *order = &card->faults.orders[place];
    if (order->kind != FAULT_DROP || order->tick > tick_at(card, now) + ahead) continue;
    fault = *order;
    order->kind = FAULT_FREE;
    obey(card, &fault, now);
  }
}

static int card_prepare(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  look_for_faults(card);
  if (card->gone) return -ENODEV;
  end_stream(card);
  card->pointer.last = 0;
  return set_pace(card, 0);
}

static int card_start(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  if (card->gone) return -ENODEV;
  double now = card_elapsed_s(card);
  int64_t grid = tick_at(card, now);
  pointer_start(&card->pointer, grid);
  pointer_hold(&card->pointer, now + card->late_s);
  card->late_s = 0;
  card->handed = grid + 1;
  card->fresh_frames = 0;
  card->running = card->begun = true;
  card_tell(card, "start", grid + 1, 0);
  return set_pace(card, (int64_t)(1e9 * (double)io->period_size / card->crystal.rate));
}

static int card_stop(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  end_stream(card);
  return set_pace(card, 0);
}

/// How many frames the stream has captured, or played; the plugin layer wraps at its boundary.
static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  look_for_faults(card);
  int64_t frames = card->pointer.last;
  if (card->running) frames = pointer_at(&card->pointer, &card->crystal, card_elapsed_s(card));
  card_look_behind(card, frames);
  if (!card->running) return frames;
  int64_t filled = io->stream == SND_PCM_STREAM_PLAYBACK
                     ? frames - (int64_t)io->appl_ptr + (int64_t)io->buffer_size
                     : frames - (int64_t)io->appl_ptr;
  bool stops = card->stops_at_overrun || io->stream == SND_PCM_STREAM_PLAYBACK;
  if (stops && io->state == SND_PCM_STATE_RUNNING && filled > (int64_t)io->buffer_size) {
    card_tell(card, "xrun", pointer_tick(&card->pointer, frames), 0);
    fall(card, SND_PCM_STATE_XRUN);
  }
  return frames;
}

static int card_delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *frames) {
  *frames = io->stream == SND_PCM_STREAM_PLAYBACK ? (long)(io->appl_ptr - io->hw_ptr)
                                                  : (long)(io->hw_ptr - io->appl_ptr);
  return 0;
}

static int card_resume(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  if (card->gone || card_elapsed_s(card) < card->resumable_s) return -EAGAIN;
  // A device that can be resumed goes on with what was there, and lost what came meanwhile.
  int64_t next = pointer_tick(&card->pointer, card->pointer.last);
  pointer_drop(&card->pointer, next, tick_at(card, card_elapsed_s(card)) + 1 - next);
  card->running = true;
  return snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING);
}

static snd_pcm_sframes_t card_transfer(
  snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
  snd_pcm_uframes_t size) {
  struct card *card = io->private_data;
  if (io->stream == SND_PCM_STREAM_PLAYBACK) return card_play(card, areas, offset, size);
  // It may have stopped since the caller looked: a driver looks again before it copies.
  if (card->gone) return -ENODEV;
  if (!card->running) return io->state == SND_PCM_STATE_SUSPENDED ? -ESTRPIPE : -EPIPE;
  struct fault fault;
  double now = card_elapsed_s(card);
  bool is_broken = faults_next(&card->faults, tick_at(card, now), true, &fault);
  // As far as it came.
  bool is_slow = is_broken && fault.kind == FAULT_SLOW;
  if (is_broken && !is_slow && size > 1) size /= 2;
  int64_t slow_ms = is_slow ? fault.amount : 0;
  card_hand_over(card, areas, offset, size, (int64_t)io->appl_ptr, slow_ms);
  if (is_broken) obey(card, &fault, now);
  return (snd_pcm_sframes_t)size;
}

static int card_poll_revents(
  snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned count, unsigned short *revents) {
  struct card *card = io->private_data;
  uint64_t beats;
  (void)descriptors;
  (void)count;
  if (read(card->timer, &beats, sizeof beats) < 0 && errno != EAGAIN) return -errno;
  snd_pcm_sframes_t ready = snd_pcm_avail_update(io->pcm);
  if (card->gone || io->state != SND_PCM_STATE_RUNNING) {
    *revents = io->state == SND_PCM_STATE_PREPARED ? 0 : POLLERR;
    return 0;
  }
  short due = io->stream == SND_PCM_STREAM_PLAYBACK ? POLLOUT : POLLIN;
  *revents = ready >= (snd_pcm_sframes_t)io->period_size ? (unsigned short)due : 0;
  return 0;
}

static int card_hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *params) {
  struct card *card = io->private_data;
  card->crystal.rate = io->rate;
  card_tell_significant_bits(params, card->significant_bits);
  return 0;
}

static void card_free(struct card *card) {
  if (card->timer >= 0) close(card->timer);
  if (card->speaker >= 0) close(card->speaker);
  faults_close(&card->faults);
  scene_free(&card->scene);
  free(card);
}

static int card_close(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  end_stream(card);
  card_free(card);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
  .start = card_start,
  .stop = card_stop,
  .pointer = card_pointer,
  .transfer = card_transfer,
  .close = card_close,
  .hw_params = card_hw_params,
  .prepare = card_prepare,
  .resume = card_resume,
  .poll_revents = card_poll_revents,
  .delay = card_delay,
};

static struct card *card_make(snd_pcm_stream_t stream) {
  struct card *card = calloc(1, sizeof *card);
  if (!card) return NULL;
  card->rates[0] = 48000;
  card->formats[0] = SND_PCM_FORMAT_S32_LE;
  card->rate_count = card->format_count = card->least_channels = 1;
  card->crystal.wander_period_s = 60;
  card->pointer.step_frames = 1;
  card->timer = card->speaker = card->faults.control = card->faults.truth = -1;
  card->io.stream = stream;
  card->io.version = SND_PCM_IOPLUG_VERSION;
  card->io.name = "virtual card";
  card->io.callback = &callbacks;
  card->io.private_data = card;
  card->io.poll_events = POLLIN;
  card->io.flags = SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
  return card;
}

/// Whether the card can be opened now, with its timer; 0, or -errno.
static int card_attach(struct card *card) {
  bool plugged = true;
  card->crystal.rate = card->rates[0];
  faults_replay(&card->faults, tick_at(card, card_elapsed_s(card)), &plugged, &card->busy);
  if (!plugged) return -ENODEV;
  if (card->busy) return -EBUSY;
  card->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (card->timer < 0) return -errno;
  card->io.poll_fd = card->timer;
  return 0;
}

SND_PCM_PLUGIN_DEFINE_FUNC(recorder_virtual) {
  (void)root;
  struct card *card = card_make(stream);
  if (!card) return -ENOMEM;
  int status = card_configure(card, conf);
  if (status >= 0) status = card_attach(card);
  if (status >= 0) status = snd_pcm_ioplug_create(&card->io, name, stream, mode);
  if (status < 0) {
    card_free(card);
    return status;
  }
  status = card_constrain(card);
  if (status < 0) {
    snd_pcm_ioplug_delete(&card->io);
    return status;
  }
  *pcmp = card->io.pcm;
  return 0;
}

SND_PCM_PLUGIN_SYMBOL(recorder_virtual);
