/// Writes down what was done to the disk.
#pragma once
#include "CFaultyDisk.h"

#include <stdbool.h>
#include <stddef.h>

void disk_log(
  enum faulty_disk_kind kind, int descriptor, int64_t place, const char *first, const char *second,
  const void *data, size_t data_bytes, bool is_new);
