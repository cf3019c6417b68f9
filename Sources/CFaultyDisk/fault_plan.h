/// Which calls fail, and how.
#pragma once
#include "CFaultyDisk.h"

#include <stdbool.h>

struct fault {
  /// What the call fails with; 0: it does not.
  int error;
  /// Whether a write does half of its work.
  bool is_half;
  /// Whether the process dies once the call is done.
  bool is_last;
};

/// Counts a call, and says what becomes of it. Does not return where the process dies before it.
struct fault fault_next(enum faulty_disk_kind kind);
/// To be called behind the call, while its log is written.
void fault_done(struct fault fault);
