/// Says what this process reads from its clocks, and what truly is, side by side.
///
/// Lines `NAME raw before reading after`, all in nanoseconds: a reading of the clock NAME between
/// two true ones of it, which are made by bare system calls, and the true CLOCK_MONOTONIC_RAW just
/// before. `stamp` is the kernel's stamp of a packet sent between two readings of CLOCK_REALTIME.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static int64_t whole(struct timespec time) { return time.tv_sec * 1000000000LL + time.tv_nsec; }

static int64_t truth(clockid_t clock) {
  struct timespec time;
  syscall(SYS_clock_gettime, clock, &time);
  return whole(time);
}

static int64_t reading(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return whole(time);
}

static void line(const char *name, clockid_t clock) {
  int64_t raw = truth(CLOCK_MONOTONIC_RAW);
  int64_t before = truth(clock);
  int64_t read = reading(clock);
  int64_t after = truth(clock);
  printf("%s %lld %lld %lld %lld\n", name, (long long)raw, (long long)before, (long long)read,
         (long long)after);
}

static int64_t received_stamp(int fd) {
  char byte, room[256];
  struct iovec data = {&byte, 1};
  struct msghdr message = {
    .msg_iov = &data, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  struct pollfd wait = {fd, POLLIN, 0};
  if (poll(&wait, 1, 1000) != 1 || recvmsg(fd, &message, 0) < 0) return 0;
  for (struct cmsghdr *part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SO_TIMESTAMPNS) continue;
    struct timespec stamp;
    memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
    return whole(stamp);
  }
  return 0;
}

static void stamp_line(int fd, const struct sockaddr_in *self) {
  int64_t raw = truth(CLOCK_MONOTONIC_RAW);
  int64_t before = truth(CLOCK_REALTIME);
  sendto(fd, "x", 1, 0, (const struct sockaddr *)self, sizeof *self);
  int64_t after = truth(CLOCK_REALTIME);
  printf("stamp %lld %lld %lld %lld\n", (long long)raw, (long long)before,
         (long long)received_stamp(fd), (long long)after);
}

int main(void) {
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof self;
  int on = 1, fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  bind(fd, (struct sockaddr *)&self, sizeof self);
  getsockname(fd, (struct sockaddr *)&self, &length);
  setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  // The first packets are stamped late: the kernel switches its stamps on meanwhile.
  usleep(20000);
  for (int round = 0; round < 40; round++) {
    line("raw", CLOCK_MONOTONIC_RAW);
    line("real", CLOCK_REALTIME);
    line("mono", CLOCK_MONOTONIC);
    stamp_line(fd, &self);
    usleep(2000);
  }
  return 0;
}
