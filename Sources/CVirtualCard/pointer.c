#define _GNU_SOURCE
#include "pointer.h"

#include <errno.h>
#include <math.h>

static double lateness(const struct pointer *pointer, int64_t packet) {
  uint64_t bits = pointer->seed + (uint64_t)packet * 0x9e3779b97f4a7c15ULL;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
  return pointer->lateness_s * (double)((bits ^ (bits >> 31)) >> 11) / 9007199254740992.0;
}

void pointer_start(struct pointer *pointer, int64_t grid) {
  pointer->grid = grid;
  pointer->drop_count = 0;
  pointer->held_until_s = 0;
  pointer->last = 0;
}

/// The frames that ticks up to `tick` make, without those that are dropped.
static int64_t kept(const struct pointer *pointer, int64_t tick) {
  int64_t frames = tick - pointer->grid;
  for (int place = 0; place < pointer->drop_count; place++) {
    int64_t past = tick + 1 - pointer->drops[place].tick;
    if (past <= 0) break;
    frames -= past < pointer->drops[place].frames ? past : pointer->drops[place].frames;
  }
  return frames;
}

int64_t pointer_at(struct pointer *pointer, const struct crystal *crystal, double elapsed_s) {
  if (elapsed_s < pointer->held_until_s) return pointer->last;
  int64_t tick = (int64_t)floor(crystal_count(crystal, elapsed_s));
  if (pointer->step_frames > 1 || pointer->lateness_s > 0) {
    int64_t packet = (tick - pointer->grid) / pointer->step_frames;
    int64_t whole = pointer->grid + packet * pointer->step_frames;
    double shown = crystal_time(crystal, (double)whole) + lateness(pointer, packet);
    tick = elapsed_s >= shown ? whole : whole - pointer->step_frames;
  }
  int64_t frames = kept(pointer, tick);
  if (frames > pointer->last) pointer->last = frames;
  return pointer->last;
}

int64_t pointer_tick(const struct pointer *pointer, int64_t frame) {
  int64_t tick = pointer->grid + 1 + frame;
  for (int place = 0; place < pointer->drop_count && tick >= pointer->drops[place].tick; place++)
    tick += pointer->drops[place].frames;
  return tick;
}

int pointer_drop(struct pointer *pointer, int64_t tick, int64_t frames) {
  if (frames <= 0) return -EINVAL;
  if (pointer->drop_count > 0) {
    int64_t before = pointer->drops[pointer->drop_count - 1].tick;
    int64_t before_end = before + pointer->drops[pointer->drop_count - 1].frames;
    if (tick <= before_end) {
      // Both as one, from where the earlier begins.
      int64_t end = tick + frames > before_end ? tick + frames : before_end;
      pointer->drop_count--;
      tick = tick < before ? tick : before;
      frames = end - tick;
    }
  }
  if (pointer->drop_count == MOST_DROPS) return -EINVAL;
  pointer->drops[pointer->drop_count].tick = tick;
  pointer->drops[pointer->drop_count].frames = frames;
  pointer->drop_count++;
  return 0;
}

void pointer_hold(struct pointer *pointer, double until_s) { pointer->held_until_s = until_s; }
