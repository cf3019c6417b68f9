/// What a virtual card is told to do wrong while it runs, and the log of what is true.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define MOST_ORDERS 64

enum fault_kind {
  FAULT_XRUN,
  FAULT_STALL,
  FAULT_DROP,
  FAULT_SUSPEND,
  FAULT_UNPLUG,
  FAULT_UNPLUG_XRUN,
  FAULT_REPLUG,
  FAULT_BUSY,
  FAULT_FREE,
  FAULT_SLOW,
  FAULT_LATE,
};

struct fault {
  enum fault_kind kind;
  /// At which of the crystal's counts; 0: as soon as it is read.
  int64_t tick;
  /// Frames, or milliseconds; 0 where none is told.
  int64_t amount;
  /// It waits for a reading, and comes in the middle of that.
  bool amid_reading;
};

struct faults {
  /// The control file: -1 where there is none.
  int control;
  /// The truth log: -1 where there is none.
  int truth;
  int64_t read;
  struct fault orders[MOST_ORDERS];
  int count;
};

/// Opens both files, either of which may be null; 0, or -errno.
int faults_open(struct faults *faults, const char *control, const char *truth);
void faults_close(struct faults *faults);
/// Goes through all orders that are there, as a card that is opened only now, at `tick`: whether
/// it is plugged in and free.
void faults_replay(struct faults *faults, int64_t tick, bool *plugged, bool *busy);
/// Reads what is new, and takes out the first order that is due at `tick`, of those that come
/// amid a reading or of the others; whether there is one.
bool faults_next(struct faults *faults, int64_t tick, bool amid_reading, struct fault *fault);
/// Writes a line of truth: what happened at `true_ns`, from `tick` on, to `frames` frames.
void faults_tell(
  struct faults *faults, const char *kind, int64_t true_ns, int64_t tick, int64_t frames);
