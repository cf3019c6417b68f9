#define _GNU_SOURCE
#include "disk_log.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int log_descriptor = -1;
static pthread_once_t open_once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void open_log(void) {
  const char *path = getenv("FAULTY_DISK_LOG");
  // By the bare system call, past the library itself.
  if (path) {
    log_descriptor = (int)syscall(
      SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0644);
  }
}

void disk_log(
  enum faulty_disk_kind kind, int descriptor, int64_t place, const char *first, const char *second,
  const void *data, size_t data_bytes, bool is_new) {
  pthread_once(&open_once, open_log);
  if (log_descriptor < 0) return;
  struct faulty_disk_record record = {
    .kind = kind,
    .descriptor = descriptor,
    .place = place,
    .first_path_bytes = first ? (uint32_t)strlen(first) : 0,
    .second_path_bytes = second ? (uint32_t)strlen(second) : 0,
    .data_bytes = (uint32_t)data_bytes,
    .is_new = is_new,
  };
  struct iovec parts[] = {
    {&record, sizeof record},
    {(void *)first, record.first_path_bytes},
    {(void *)second, record.second_path_bytes},
    {(void *)data, data_bytes},
  };
  pthread_mutex_lock(&lock);
  syscall(SYS_writev, log_descriptor, parts, 4);
  pthread_mutex_unlock(&lock);
}
