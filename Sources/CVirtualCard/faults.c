#define _GNU_SOURCE
#include "faults.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
  const char *word;
  enum fault_kind kind;
} words[] = {
  {"xrun", FAULT_XRUN},     {"stall", FAULT_STALL},   {"drop", FAULT_DROP},
  {"suspend", FAULT_SUSPEND}, {"unplug-xrun", FAULT_UNPLUG_XRUN}, {"unplug", FAULT_UNPLUG},
  {"replug", FAULT_REPLUG}, {"busy", FAULT_BUSY},     {"free", FAULT_FREE},
  {"slow", FAULT_SLOW},     {"late", FAULT_LATE},
};

int faults_open(struct faults *faults, const char *control, const char *truth) {
  if (control) {
    faults->control = open(control, O_RDONLY | O_CREAT | O_CLOEXEC, 0644);
    if (faults->control < 0) return -errno;
  }
  if (truth) {
    faults->truth = open(truth, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (faults->truth < 0) return -errno;
  }
  return 0;
}

void faults_close(struct faults *faults) {
  if (faults->control >= 0) close(faults->control);
  if (faults->truth >= 0) close(faults->truth);
  faults->control = faults->truth = -1;
}

/// `[@TICK] [!]WORD [AMOUNT]`; false for what is none of it.
static bool parse(char *line, struct fault *fault) {
  char *rest = NULL;
  char *word = strtok_r(line, " \t\r", &rest);
  *fault = (struct fault){0};
  if (word && word[0] == '@') {
    fault->tick = strtoll(word + 1, NULL, 10);
    word = strtok_r(NULL, " \t\r", &rest);
  }
  if (!word) return false;
  fault->amid_reading = word[0] == '!';
  if (fault->amid_reading) word++;
  char *amount = strtok_r(NULL, " \t\r", &rest);
  fault->amount = amount ? strtoll(amount, NULL, 10) : 0;
  for (unsigned place = 0; place < sizeof words / sizeof *words; place++) {
    fault->kind = words[place].kind;
    if (!strcmp(word, words[place].word)) return true;
  }
  return false;
}

/// Reads whole lines from where reading ended last.
static void read_new(struct faults *faults) {
  char text[4096];
  if (faults->control < 0 || faults->count == MOST_ORDERS) return;
  ssize_t length = pread(faults->control, text, sizeof text - 1, faults->read);
  if (length <= 0) return;
  text[length] = 0;
  char *line = text, *end;
  while ((end = strchr(line, '\n')) && faults->count < MOST_ORDERS) {
    *end = 0;
    faults->read += end + 1 - line;
    if (parse(line, &faults->orders[faults->count])) faults->count++;
    line = end + 1;
  }
}

void faults_replay(struct faults *faults, int64_t tick, bool *plugged, bool *busy) {
  int before;
  do {
    before = faults->count;
    read_new(faults);
    int left = 0;
    for (int place = 0; place < faults->count; place++) {
      enum fault_kind kind = faults->orders[place].kind;
      // What waits for a tick is yet to come; what befell a stream is over.
      if (faults->orders[place].tick > tick && left < MOST_ORDERS / 2) {
        faults->orders[left++] = faults->orders[place];
        continue;
      }
      if (kind == FAULT_UNPLUG || kind == FAULT_UNPLUG_XRUN) *plugged = false;
      if (kind == FAULT_REPLUG) *plugged = true;
      if (kind == FAULT_BUSY || kind == FAULT_FREE) *busy = kind == FAULT_BUSY;
    }
    before = faults->count - left;
    faults->count = left;
  } while (before > 0);
}

bool faults_next(struct faults *faults, int64_t tick, bool amid_reading, struct fault *fault) {
  read_new(faults);
  for (int place = 0; place < faults->count; place++) {
    if (faults->orders[place].tick > tick) continue;
    if (faults->orders[place].amid_reading != amid_reading) continue;
    *fault = faults->orders[place];
    faults->count--;
    memmove(
      &faults->orders[place], &faults->orders[place + 1],
      (size_t)(faults->count - place) * sizeof *fault);
    return true;
  }
  return false;
}

void faults_tell(
  struct faults *faults, const char *kind, int64_t true_ns, int64_t tick, int64_t frames) {
  char line[192];
  if (faults->truth < 0) return;
  int length = snprintf(
    line, sizeof line,
    "{\"kind\":\"%s\",\"true_ns\":%" PRId64 ",\"tick\":%" PRId64 ",\"frames\":%" PRId64 "}\n", kind,
    true_ns, tick, frames);
  ssize_t written = write(faults->truth, line, (size_t)length);
  (void)written;
}
