/// A disk that keeps writers waiting, refuses them, or is nearly full, as a test wants it: the test
/// program's own pwrite, fdatasync and statvfs stand before the C library's.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// From now on whatever is written to files below `folder` waits until `milliseconds` have passed,
/// or another call has said otherwise (0: no more).
void faulty_disk_stall(const char *folder, int milliseconds);
/// From now on whatever is written to files below `folder` is refused with `error` (0: no more).
void faulty_disk_fail(const char *folder, int error);
/// From now on the disk of `folder` is said to have `bytes` left (negative: the truth).
void faulty_disk_say_free(const char *folder, int64_t bytes);
/// All disks are well again.
void faulty_disk_heal(void);
/// How many calls have waited.
int faulty_disk_waits(void);
/// Whether faults work in this build: a sanitizer brings functions of its own.
bool faulty_disk_works(void);
