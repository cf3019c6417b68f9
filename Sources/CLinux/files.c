#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

int linux_reserve(int fd, int64_t offset, int64_t length) {
  return fallocate(fd, FALLOC_FL_KEEP_SIZE, offset, length) < 0 ? -errno : 0;
}

int linux_lock_file(int fd) { return flock(fd, LOCK_EX | LOCK_NB) < 0 ? -errno : 0; }

int linux_unlock_file(int fd) { return flock(fd, LOCK_UN) < 0 ? -errno : 0; }

/// File systems without RENAME_NOREPLACE (FAT on old kernels) get a link, then an unlink.
int linux_rename_new(const char *from, const char *to) {
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -errno;
  if (link(from, to) == 0) return unlink(from) < 0 ? -errno : 0;
  if (errno != EPERM && errno != EOPNOTSUPP) return -errno;
  if (access(to, F_OK) == 0) return -EEXIST;
  return rename(from, to) < 0 ? -errno : 0;
}
