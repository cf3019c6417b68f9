#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int result(int status) { return status < 0 ? -errno : status; }

int linux_eventfd(void) { return result(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)); }

int linux_eventfd_signal(int fd) {
  uint64_t one = 1;
  return write(fd, &one, sizeof one) < 0 ? -errno : 0;
}

int linux_eventfd_drain(int fd) {
  uint64_t count = 0;
  return read(fd, &count, sizeof count) < 0 ? 0 : (int)count;
}

int linux_epoll_create(void) { return result(epoll_create1(EPOLL_CLOEXEC)); }

int linux_epoll_watch(int epoll, int fd, uint64_t tag, bool input, bool output, bool change) {
  struct epoll_event event = {0};
  event.events = (input ? EPOLLIN : 0) | (output ? EPOLLOUT : 0);
  event.data.u64 = tag;
  return result(epoll_ctl(epoll, change ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event));
}

int linux_epoll_forget(int epoll, int fd) {
  return result(epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL));
}

/// Kernels before 5.11 lack epoll_pwait2; there the wait is rounded up to milliseconds.
static int wait_for_events(int epoll, struct epoll_event *events, int count, int64_t timeout_ns) {
  static atomic_bool coarse;
  if (timeout_ns < 0) return epoll_wait(epoll, events, count, -1);
  if (!atomic_load(&coarse)) {
    struct timespec wait = {timeout_ns / 1000000000, timeout_ns % 1000000000};
    int found = (int)syscall(SYS_epoll_pwait2, epoll, events, count, &wait, NULL, 0);
    if (found >= 0 || errno != ENOSYS) return found;
    atomic_store(&coarse, true);
  }
  return epoll_wait(epoll, events, count, (int)((timeout_ns + 999999) / 1000000));
}

int linux_epoll_wait(int epoll, struct linux_event *events, int capacity, int64_t timeout_ns) {
  struct epoll_event found[64];
  int room = capacity < 64 ? capacity : 64;
  int count = wait_for_events(epoll, found, room, timeout_ns);
  if (count < 0) return errno == EINTR ? 0 : -errno;
  for (int place = 0; place < count; place++) {
    uint32_t what = found[place].events;
    events[place].tag = found[place].data.u64;
    events[place].readable = what & EPOLLIN;
    events[place].writable = what & EPOLLOUT;
    events[place].hung_up = what & (EPOLLHUP | EPOLLERR);
  }
  return count;
}

int linux_timerfd(void) {
  return result(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
}

int linux_timerfd_set(int fd, int64_t first_ns, int64_t interval_ns) {
  struct itimerspec spec = {
    .it_value = {first_ns / 1000000000, first_ns % 1000000000},
    .it_interval = {interval_ns / 1000000000, interval_ns % 1000000000},
  };
  return result(timerfd_settime(fd, 0, &spec, NULL));
}

static atomic_int signal_events[65];

static void pass_signal_on(int signal) {
  int saved = errno;
  linux_eventfd_signal(atomic_load(&signal_events[signal]));
  errno = saved;
}

int linux_signal_to_eventfd(int signal, int fd) {
  if (signal < 1 || signal > 64) return -EINVAL;
  atomic_store(&signal_events[signal], fd);
  struct sigaction action = {.sa_handler = pass_signal_on, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  return result(sigaction(signal, &action, NULL));
}

int linux_ignore_signal(int signal) {
  struct sigaction action = {.sa_handler = SIG_IGN};
  sigemptyset(&action.sa_mask);
  return result(sigaction(signal, &action, NULL));
}

int linux_unblock_signal(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return -pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}
