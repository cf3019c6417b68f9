/// A library to be preloaded that puts a faulty disk under one folder of a process.
///
/// Every call that changes a file below the folder, or makes it last, is numbered from 1 in the
/// order in which it is made: open (of a file to write, or of a folder), write, sync, rename,
/// truncate, link, unlink, mkdir, close. A call may fail, do only a part of its work, or be the
/// process's last; and each may be written down, with its data, so that what a disk would hold
/// at any moment can be worked out afterwards.
///
/// Environment:
///
///     FAULTY_DISK_FOLDER  whose files are meant; without it nothing is done
///     FAULTY_DISK_FAULT   KIND@N=WHAT or KIND@N+=WHAT, several with commas between
///         KIND  open, write, sync, rename, truncate, mkdir, or any: what is counted
///         N     the how-manieth of the kind; with + that one and all after it
///         WHAT  EIO, ENOSPC, EROFS, EACCES, EDQUOT: it fails with that
///               EINTR: it fails so, and the next one does not
///               short: a write does half of its work (at least a byte)
///               crash: the process dies before it; half: a write dies half done;
///               after: the process dies as soon as it is done
///     FAULTY_DISK_HANG    a file: while it is there no call of a path or a file below the folder
///                         returns, not even one that only asks, but for close and read
///     FAULTY_DISK_FREE    BYTES or BYTES-STEP: what the disk is said to have left, STEP less each
///                         time that it is asked
///     FAULTY_DISK_LOG     where the calls are written down (see faulty_disk_record)
///
/// The library takes the place of open, openat, creat, pwrite, write, fsync, fdatasync, rename,
/// renameat2, ftruncate, link, unlink, mkdir, close, access, stat, lstat, opendir and statvfs, and
/// of their kin with 64 in the name where it is another function.
#pragma once
#include <stdint.h>

enum faulty_disk_kind {
  FAULTY_DISK_OPEN = 1,
  FAULTY_DISK_WRITE = 2,
  FAULTY_DISK_SYNC = 3,
  FAULTY_DISK_RENAME = 4,
  FAULTY_DISK_TRUNCATE = 5,
  FAULTY_DISK_MKDIR = 6,
  FAULTY_DISK_LINK = 7,
  FAULTY_DISK_UNLINK = 8,
  FAULTY_DISK_CLOSE = 9,
};

/// What stands in the log for each call that succeeded, in the machine's own byte order, followed
/// by the bytes of two paths (where there are) and the data that was written.
struct faulty_disk_record {
  uint32_t kind;
  int32_t descriptor;
  /// Where a write went; the new length of a truncation; the flags of an open.
  int64_t place;
  uint32_t first_path_bytes;
  uint32_t second_path_bytes;
  uint32_t data_bytes;
  /// Whether an open made the file, and whether a descriptor is a folder's.
  uint32_t is_new;
};
