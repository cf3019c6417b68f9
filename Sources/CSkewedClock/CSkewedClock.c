#define _GNU_SOURCE
#include "CSkewedClock.h"

#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>

static int (*true_gettime)(clockid_t, struct timespec *);
static int (*true_adjtimex)(struct timex *);
static ssize_t (*true_recvmsg)(int, struct msghdr *, int);
static int (*true_recvmmsg)(int, struct mmsghdr *, unsigned, int, struct timespec *);

static struct {
  int64_t origin_ns, raw_offset_ns, offset_ns;
  double excess, wander_ns, period_ns, at_start;
  /// What the kernel is said to have been told of its clock's error; nothing: as it is.
  const char *discipline;
  long estimated_us, maximum_us;
  int tai_s, is_disciplined;
} skew;

static int64_t whole(const struct timespec *time) {
  return time->tv_sec * 1000000000LL + time->tv_nsec;
}

static void split(int64_t ns, struct timespec *time) {
  time->tv_sec = ns / 1000000000;
  time->tv_nsec = ns % 1000000000;
  if (time->tv_nsec < 0) {
    time->tv_nsec += 1000000000;
    time->tv_sec -= 1;
  }
}

static double deviation(int64_t raw) {
  double elapsed = (double)(raw - skew.origin_ns);
  return skew.excess * elapsed + skew.wander_ns * sin(2 * M_PI * elapsed / skew.period_ns);
}

/// A disciplined wall clock runs true, whatever the oscillator does.
static double wall_deviation(int64_t raw) { return skew.is_disciplined ? 0 : deviation(raw); }

static int64_t true_reading(clockid_t clock) {
  struct timespec time;
  true_gettime(clock, &time);
  return whole(&time);
}

static double number(const char *name, double otherwise) {
  const char *text = getenv(name);
  return text ? strtod(text, NULL) : otherwise;
}

static int64_t integer(const char *name) {
  const char *text = getenv(name);
  return text ? strtoll(text, NULL, 10) : 0;
}

/// Runs before anything else of the process, but other libraries' constructors may read a clock
/// even earlier: every entry below asks for it.
__attribute__((constructor)) static void prepare(void) {
  if (true_gettime) return;
  true_recvmsg = (ssize_t(*)(int, struct msghdr *, int))dlsym(RTLD_NEXT, "recvmsg");
  true_recvmmsg = (int (*)(int, struct mmsghdr *, unsigned, int, struct timespec *))dlsym(
    RTLD_NEXT, "recvmmsg");
  true_adjtimex = (int (*)(struct timex *))dlsym(RTLD_NEXT, "adjtimex");
  skew.discipline = getenv("SKEWED_CLOCK_DISCIPLINE");
  skew.is_disciplined = skew.discipline
    && sscanf(
         skew.discipline, "%ld,%ld,%d", &skew.estimated_us, &skew.maximum_us, &skew.tai_s)
      == 3;
  skew.origin_ns = integer("SKEWED_CLOCK_ORIGIN_NS");
  skew.raw_offset_ns = integer("SKEWED_CLOCK_RAW_OFFSET_NS");
  skew.offset_ns = integer("SKEWED_CLOCK_OFFSET_NS");
  skew.excess = number("SKEWED_CLOCK_PPM", 0) * 1e-6;
  skew.wander_ns = number("SKEWED_CLOCK_WANDER_NS", 0);
  skew.period_ns = number("SKEWED_CLOCK_WANDER_PERIOD_S", 60) * 1e9;
  true_gettime = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  skew.at_start = deviation(true_reading(CLOCK_MONOTONIC_RAW));
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  prepare();
  int status = true_gettime(clock, time);
  if (status != 0) return status;
  switch (clock) {
  case CLOCK_MONOTONIC_RAW: {
    int64_t raw = whole(time);
    split(raw + skew.raw_offset_ns + llrint(deviation(raw)), time);
    break;
  }
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_TAI: {
    double bent = wall_deviation(true_reading(CLOCK_MONOTONIC_RAW));
    split(whole(time) + skew.offset_ns + llrint(bent), time);
    break;
  }
  case CLOCK_MONOTONIC:
  case CLOCK_MONOTONIC_COARSE:
  case CLOCK_BOOTTIME: {
    double bent = deviation(true_reading(CLOCK_MONOTONIC_RAW)) - skew.at_start;
    split(whole(time) + llrint(bent), time);
    break;
  }
  default: break;
  }
  return 0;
}

int gettimeofday(struct timeval *time, void *zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

int adjtimex(struct timex *state) {
  prepare();
  int status = true_adjtimex(state);
  if (status < 0 || !skew.discipline) return status;
  if (!skew.is_disciplined) {
    state->status |= STA_UNSYNC;
    return TIME_ERROR;
  }
  state->status &= ~STA_UNSYNC;
  state->esterror = skew.estimated_us;
  state->maxerror = skew.maximum_us;
  state->tai = skew.tai_s;
  return TIME_OK;
}

time_t time(time_t *to) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (to) *to = now.tv_sec;
  return now.tv_sec;
}

/// What the process would have read from CLOCK_REALTIME when it truly read `real`.
static int64_t bend_stamp(int64_t real) {
  int64_t raw_now = true_reading(CLOCK_MONOTONIC_RAW);
  int64_t real_now = true_reading(CLOCK_REALTIME);
  return real + skew.offset_ns + llrint(wall_deviation(raw_now - (real_now - real)));
}

static void bend_message(struct msghdr *message) {
  for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
    if (part->cmsg_level != SOL_SOCKET) continue;
    // The "new" forms (64 to 66) have the same layout where time_t has 64 bits.
    int type = part->cmsg_type;
    if (type == SO_TIMESTAMPING || type == 65 || type == SO_TIMESTAMPNS || type == 64) {
      struct timespec stamp;
      memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
      if (stamp.tv_sec == 0) continue;
      split(bend_stamp(whole(&stamp)), &stamp);
      memcpy(CMSG_DATA(part), &stamp, sizeof stamp);
    } else if (type == SO_TIMESTAMP || type == 63) {
      struct timeval stamp;
      memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
      int64_t bent = bend_stamp(stamp.tv_sec * 1000000000LL + stamp.tv_usec * 1000LL);
      stamp.tv_sec = bent / 1000000000;
      stamp.tv_usec = bent % 1000000000 / 1000;
      memcpy(CMSG_DATA(part), &stamp, sizeof stamp);
    }
  }
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
  prepare();
  ssize_t length = true_recvmsg(fd, message, flags);
  if (length >= 0) bend_message(message);
  return length;
}

int recvmmsg(
  int fd, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout) {
  prepare();
  int received = true_recvmmsg(fd, messages, count, flags, timeout);
  for (int place = 0; place < received; place++) bend_message(&messages[place].msg_hdr);
  return received;
}
