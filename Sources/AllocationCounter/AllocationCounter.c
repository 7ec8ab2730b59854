// Counts allocations by standing in for the allocator's entry points: an executable's own definitions
// come before those of the C library, which stay reachable under their internal names.
#include "AllocationCounter.h"

#include <errno.h>
#include <stddef.h>

#if defined(__GLIBC__) && !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)

#include <malloc.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static __thread uint64_t count __attribute__((tls_model("initial-exec")));
static __thread int64_t held __attribute__((tls_model("initial-exec")));

bool allocations_are_counted(void) { return true; }
uint64_t allocations_of_this_thread(void) { return count; }
int64_t bytes_held_by_this_thread(void) { return held; }

static void (*exhaustion_handler)(void);

void on_memory_exhaustion(void (*handler)(void)) { exhaustion_handler = handler; }

static void *counted(void *block) {
  if (block == NULL && exhaustion_handler != NULL) exhaustion_handler();
  count++;
  held += (int64_t)malloc_usable_size(block);
  return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t number, size_t size) { return counted(__libc_calloc(number, size)); }

void *realloc(void *block, size_t size) {
  size_t before = malloc_usable_size(block);
  void *moved = __libc_realloc(block, size);
  if (moved != NULL || size == 0) held -= (int64_t)before;
  return size == 0 ? moved : counted(moved);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return counted(__libc_memalign(alignment, size));
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = counted(__libc_memalign(alignment, size));
  return *block == NULL ? ENOMEM : 0;
}

void free(void *block) {
  held -= (int64_t)malloc_usable_size(block);
  __libc_free(block);
}

#else

bool allocations_are_counted(void) { return false; }
uint64_t allocations_of_this_thread(void) { return 0; }
int64_t bytes_held_by_this_thread(void) { return 0; }
void on_memory_exhaustion(void (*handler)(void)) { (void)handler; }

#endif
