#define _GNU_SOURCE
#include "AllocationCount.h"

#include <errno.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

static _Thread_local bool counts;
static _Thread_local int64_t taken;

void allocation_count_begin(void) {
  taken = 0;
  counts = true;
}

int64_t allocation_count_end(void) {
  counts = false;
  return taken;
}

#ifdef SANITIZED
bool allocation_count_works(void) { return false; }
#else
bool allocation_count_works(void) { return true; }

// The GNU C library's own heap, under the names that it keeps for this purpose.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static void note(void) {
  if (counts) taken++;
}

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  note();
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  note();
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  void *made = memalign(alignment, size);
  if (!made) return ENOMEM;
  *result = made;
  return 0;
}

void free(void *memory) {
  if (memory) note();
  __libc_free(memory);
}
#endif
