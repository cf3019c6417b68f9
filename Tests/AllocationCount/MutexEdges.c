// What the thread sanitizer cannot see by itself: how Swift's Mutex changes hands when several wait.
//
// That happens in the runtime's library, which is not instrumented, and in the kernel. The sanitizer
// would report all that a contended Mutex guards. So the library's three calls are taken here, and
// what they do is told. Without that sanitizer this file is empty.
#define _GNU_SOURCE

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void edge_lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool edge_try_lock(SELF) __asm__(TRY_LOCK);
SWIFT void edge_unlock(SELF) __asm__(UNLOCK);

SWIFT void edge_lock(uint32_t thread, SELF) {
  SWIFT void (*lock)(uint32_t, SELF) = (SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK);
  lock(thread, self);
  __tsan_acquire(self);
}

SWIFT bool edge_try_lock(SELF) {
  SWIFT bool (*try_lock)(SELF) = (SWIFT bool (*)(SELF))dlsym(RTLD_NEXT, TRY_LOCK);
  bool got = try_lock(self);
  if (got) __tsan_acquire(self);
  return got;
}

SWIFT void edge_unlock(SELF) {
  SWIFT void (*unlock)(SELF) = (SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK);
  __tsan_release(self);
  unlock(self);
}

#endif
#endif
