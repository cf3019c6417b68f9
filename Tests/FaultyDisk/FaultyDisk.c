#define _GNU_SOURCE
#include "FaultyDisk.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

struct fault {
  char folder[256];
  int64_t stalled_until_ns;
  int error;
  int64_t free_bytes;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fault faults[4];
static int fault_count;
static int waits;

static int64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// The fault of `folder`, made where there is none; called with the lock held.
static struct fault *fault_of(const char *folder) {
  for (int place = 0; place < fault_count; place++)
    if (!strcmp(faults[place].folder, folder)) return &faults[place];
  if (fault_count == sizeof faults / sizeof *faults) return &faults[0];
  struct fault *made = &faults[fault_count++];
  memset(made, 0, sizeof *made);
  snprintf(made->folder, sizeof made->folder, "%s", folder);
  made->free_bytes = -1;
  return made;
}

void faulty_disk_stall(const char *folder, int milliseconds) {
  pthread_mutex_lock(&lock);
  fault_of(folder)->stalled_until_ns = now_ns() + (int64_t)milliseconds * 1000000;
  pthread_mutex_unlock(&lock);
}

void faulty_disk_fail(const char *folder, int error) {
  pthread_mutex_lock(&lock);
  fault_of(folder)->error = error;
  pthread_mutex_unlock(&lock);
}

void faulty_disk_say_free(const char *folder, int64_t bytes) {
  pthread_mutex_lock(&lock);
  fault_of(folder)->free_bytes = bytes;
  pthread_mutex_unlock(&lock);
}

void faulty_disk_heal(void) {
  pthread_mutex_lock(&lock);
  fault_count = 0;
  waits = 0;
  pthread_mutex_unlock(&lock);
}

int faulty_disk_waits(void) {
  pthread_mutex_lock(&lock);
  int count = waits;
  pthread_mutex_unlock(&lock);
  return count;
}

#ifdef SANITIZED
bool faulty_disk_works(void) { return false; }
#else
bool faulty_disk_works(void) { return true; }

static bool is_below(const char *path, const char *folder) {
  size_t length = strlen(folder);
  return !strncmp(path, folder, length) && (path[length] == '/' || path[length] == 0);
}

/// Waits as long as the file's disk is stalled; the error that it has, or 0.
static int suffer(int fd) {
  if (fault_count == 0) return 0;
  char link[64], path[1024];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  bool has_waited = false;
  while (true) {
    int64_t until = 0;
    int error = 0;
    pthread_mutex_lock(&lock);
    for (int place = 0; place < fault_count; place++) {
      if (!is_below(path, faults[place].folder)) continue;
      until = faults[place].stalled_until_ns;
      error = faults[place].error;
    }
    bool is_stalled = now_ns() < until;
    if (is_stalled && !has_waited) waits++;
    pthread_mutex_unlock(&lock);
    if (!is_stalled) return error;
    has_waited = true;
    usleep(5000);
  }
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  int error = suffer(fd);
  if (error) {
    errno = error;
    return -1;
  }
  return syscall(SYS_pwrite64, fd, bytes, count, offset);
}

int fdatasync(int fd) {
  int error = suffer(fd);
  if (error) {
    errno = error;
    return -1;
  }
  return (int)syscall(SYS_fdatasync, fd);
}

int statvfs(const char *path, struct statvfs *found) {
  int (*real)(const char *, struct statvfs *) =
    (int (*)(const char *, struct statvfs *))dlsym(RTLD_NEXT, "statvfs");
  int status = real(path, found);
  if (status < 0) return status;
  pthread_mutex_lock(&lock);
  for (int place = 0; place < fault_count; place++)
    if (is_below(path, faults[place].folder) && faults[place].free_bytes >= 0)
      found->f_bavail = (fsblkcnt_t)(faults[place].free_bytes / (int64_t)found->f_frsize);
  pthread_mutex_unlock(&lock);
  return 0;
}
#endif
