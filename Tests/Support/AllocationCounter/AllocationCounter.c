// Counts allocations by standing in for the allocator's entry points: an executable's own definitions
// come before those of the C library, which stay reachable under their internal names.
#include "AllocationCounter.h"

#include <errno.h>
#include <stddef.h>

#if defined(__GLIBC__) && !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static __thread uint64_t count __attribute__((tls_model("initial-exec")));

bool allocations_are_counted(void) { return true; }
uint64_t allocations_of_this_thread(void) { return count; }

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count++;
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  count++;
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  count++;
  *block = __libc_memalign(alignment, size);
  return *block == NULL ? ENOMEM : 0;
}

#else

bool allocations_are_counted(void) { return false; }
uint64_t allocations_of_this_thread(void) { return 0; }

#endif
