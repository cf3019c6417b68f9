#define _GNU_SOURCE
#include "CFaultyDisk.h"

#include "disk_log.h"
#include "fault_plan.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// Which descriptors are of files below the folder.
enum { DESCRIPTORS = 4096 };
static unsigned char watched[DESCRIPTORS];
static const char *folder;

#define TRUE_CALL(result, name, ...) \
  static result (*true_##name)(__VA_ARGS__); \
  if (!true_##name) true_##name = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static bool is_below(const char *path) {
  if (!folder) folder = getenv("FAULTY_DISK_FOLDER");
  if (!folder || !*folder || !path) return false;
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || !path[length]);
}

static bool is_watched(int fd) { return fd >= 0 && fd < DESCRIPTORS && watched[fd]; }

/// Waits as long as the disk hangs.
static void wait_while_hung(void) {
  const char *sign = getenv("FAULTY_DISK_HANG");
  while (sign && *sign && syscall(SYS_faccessat, AT_FDCWD, sign, F_OK) == 0) usleep(5000);
}

/// Whether `path` is below the folder, once its disk answers.
static bool reaches(const char *path) {
  if (!is_below(path)) return false;
  wait_while_hung();
  return true;
}

static int open_at(int at, const char *path, int flags, mode_t mode) {
  TRUE_CALL(int, openat, int, const char *, int, ...);
  bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_DIRECTORY);
  if (!reaches(path) || !writes) return true_openat(at, path, flags, mode);
  struct fault fault = fault_next(FAULTY_DISK_OPEN);
  if (fault.error) return errno = fault.error, -1;
  bool is_new = access(path, F_OK) != 0;
  int fd = true_openat(at, path, flags, mode);
  if (fd >= 0 && fd < DESCRIPTORS) {
    watched[fd] = 1;
    disk_log(FAULTY_DISK_OPEN, fd, flags, path, NULL, NULL, 0, is_new && (flags & O_CREAT));
  }
  fault_done(fault);
  return fd;
}

static mode_t mode_of(int flags, va_list list) {
  return flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
}

#define OPEN(name, ...) \
  va_list list; \
  va_start(list, flags); \
  mode_t mode = mode_of(flags, list); \
  va_end(list); \
  return open_at(__VA_ARGS__, flags, mode)

int open(const char *path, int flags, ...) { OPEN(open, AT_FDCWD, path); }
int open64(const char *path, int flags, ...) { OPEN(open64, AT_FDCWD, path); }
int openat(int at, const char *path, int flags, ...) { OPEN(openat, at, path); }
int openat64(int at, const char *path, int flags, ...) { OPEN(openat64, at, path); }
int creat(const char *path, mode_t mode) {
  return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

static ssize_t write_at(int fd, const void *bytes, size_t count, off_t place, bool moves) {
  TRUE_CALL(ssize_t, pwrite, int, const void *, size_t, off_t);
  TRUE_CALL(ssize_t, write, int, const void *, size_t);
  if (!is_watched(fd)) {
    return moves ? true_write(fd, bytes, count) : true_pwrite(fd, bytes, count, place);
  }
  wait_while_hung();
  struct fault fault = fault_next(FAULTY_DISK_WRITE);
  if (fault.error) return errno = fault.error, -1;
  if (fault.is_half && count > 1) count /= 2;
  off_t from = moves ? lseek(fd, 0, SEEK_CUR) : place;
  ssize_t done =
    moves ? true_write(fd, bytes, count) : true_pwrite(fd, bytes, count, place);
  if (done > 0) disk_log(FAULTY_DISK_WRITE, fd, from, NULL, NULL, bytes, (size_t)done, false);
  fault_done(fault);
  return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t place) {
  return write_at(fd, bytes, count, place, false);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t place) {
  return write_at(fd, bytes, count, place, false);
}
ssize_t write(int fd, const void *bytes, size_t count) {
  return write_at(fd, bytes, count, 0, true);
}

#define ON_DESCRIPTOR(kind, place, call) \
  if (!is_watched(fd)) return call; \
  wait_while_hung(); \
  struct fault fault = fault_next(kind); \
  if (fault.error) return errno = fault.error, -1; \
  int status = call; \
  if (status == 0) disk_log(kind, fd, place, NULL, NULL, NULL, 0, false); \
  fault_done(fault); \
  return status

int fsync(int fd) {
  TRUE_CALL(int, fsync, int);
  ON_DESCRIPTOR(FAULTY_DISK_SYNC, 0, true_fsync(fd));
}
int fdatasync(int fd) {
  TRUE_CALL(int, fdatasync, int);
  ON_DESCRIPTOR(FAULTY_DISK_SYNC, 0, true_fdatasync(fd));
}
int ftruncate(int fd, off_t length) {
  TRUE_CALL(int, ftruncate, int, off_t);
  ON_DESCRIPTOR(FAULTY_DISK_TRUNCATE, length, true_ftruncate(fd, length));
}
int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }

/// Not counted among the calls that may fail: who closes has synced before.
int close(int fd) {
  TRUE_CALL(int, close, int);
  if (is_watched(fd)) {
    watched[fd] = 0;
    disk_log(FAULTY_DISK_CLOSE, fd, 0, NULL, NULL, NULL, 0, false);
  }
  return true_close(fd);
}

#define ON_PATHS(kind, first, second, call) \
  struct fault fault = fault_next(kind); \
  if (fault.error) return errno = fault.error, -1; \
  int status = call; \
  if (status == 0) disk_log(kind, -1, 0, first, second, NULL, 0, false); \
  fault_done(fault); \
  return status

int rename(const char *from, const char *to) {
  TRUE_CALL(int, rename, const char *, const char *);
  if (!reaches(to)) return true_rename(from, to);
  ON_PATHS(FAULTY_DISK_RENAME, from, to, true_rename(from, to));
}
int renameat2(int at, const char *from, int to_at, const char *to, unsigned flags) {
  TRUE_CALL(int, renameat2, int, const char *, int, const char *, unsigned);
  if (!reaches(to)) return true_renameat2(at, from, to_at, to, flags);
  ON_PATHS(FAULTY_DISK_RENAME, from, to, true_renameat2(at, from, to_at, to, flags));
}
int link(const char *from, const char *to) {
  TRUE_CALL(int, link, const char *, const char *);
  if (!reaches(to)) return true_link(from, to);
  ON_PATHS(FAULTY_DISK_LINK, from, to, true_link(from, to));
}
int unlink(const char *path) {
  TRUE_CALL(int, unlink, const char *);
  if (!reaches(path)) return true_unlink(path);
  ON_PATHS(FAULTY_DISK_UNLINK, path, NULL, true_unlink(path));
}
int mkdir(const char *path, mode_t mode) {
  TRUE_CALL(int, mkdir, const char *, mode_t);
  if (!reaches(path)) return true_mkdir(path, mode);
  ON_PATHS(FAULTY_DISK_MKDIR, path, NULL, true_mkdir(path, mode));
}

// What only asks. It waits for the disk as all does, and never fails.

int access(const char *path, int mode) {
  TRUE_CALL(int, access, const char *, int);
  reaches(path);
  return true_access(path, mode);
}
int stat(const char *path, struct stat *found) {
  TRUE_CALL(int, stat, const char *, struct stat *);
  reaches(path);
  return true_stat(path, found);
}
int lstat(const char *path, struct stat *found) {
  TRUE_CALL(int, lstat, const char *, struct stat *);
  reaches(path);
  return true_lstat(path, found);
}
DIR *opendir(const char *path) {
  TRUE_CALL(DIR *, opendir, const char *);
  reaches(path);
  return true_opendir(path);
}

/// What FAULTY_DISK_FREE says is left; -1: the truth.
static long long free_bytes(void) {
  static long long asked;
  const char *text = getenv("FAULTY_DISK_FREE");
  long long first, step = 0;
  if (!text || sscanf(text, "%lld-%lld", &first, &step) < 1) return -1;
  long long left = first - step * __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
  return left > 0 ? left : 0;
}

int statvfs(const char *path, struct statvfs *found) {
  TRUE_CALL(int, statvfs, const char *, struct statvfs *);
  bool is_here = reaches(path);
  int status = true_statvfs(path, found);
  long long left = is_here && status == 0 ? free_bytes() : -1;
  if (left >= 0) found->f_bavail = (fsblkcnt_t)left / found->f_frsize;
  return status;
}
