#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <sys/timex.h>

int linux_read_discipline(struct linux_discipline *discipline) {
  struct timex state = {0};
  int status = adjtimex(&state);
  if (status < 0) return -errno;
  discipline->synchronized = !(state.status & STA_UNSYNC);
  // TIME_ERROR hides what is to come of a leap second; the flags still tell.
  if (status == TIME_ERROR)
    status = state.status & STA_INS ? TIME_INS : state.status & STA_DEL ? TIME_DEL : TIME_ERROR;
  discipline->state = status;
  discipline->estimated_error_ns = (int64_t)state.esterror * 1000;
  discipline->maximum_error_ns = (int64_t)state.maxerror * 1000;
  discipline->tai_offset_s = state.tai;
  return 0;
}
