#include <errno.h>
#include <malloc.h>

#include "CLinux.h"

int linux_hold_memory(int large, int idle) {
  return mallopt(M_MMAP_THRESHOLD, large) && mallopt(M_TRIM_THRESHOLD, idle) ? 0 : -EINVAL;
}
