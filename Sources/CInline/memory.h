/// Large memory: on huge pages, and grown without copying it (`mremap` is variadic, which Swift can't call).
#ifndef EVICTIONLAB_MEMORY_H
#define EVICTIONLAB_MEMORY_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/// A private anonymous mapping of `bytes` zeroed bytes, on huge pages where the system grants
/// them; null when memory is short.
static inline void *evl_map(size_t bytes) {
  void *address = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) return NULL;
#ifdef MADV_HUGEPAGE
  if (bytes >= (2u << 20)) madvise(address, bytes, MADV_HUGEPAGE);
#endif
  return address;
}

/// As `malloc`; from four megabytes on, where a page of four kilobytes for each few records would cost a walk of
/// the page table for most, on huge pages where the system grants them. Returned with `free`.
static inline void *evl_allocate(size_t bytes) {
#ifdef MADV_HUGEPAGE
  const size_t huge = 2u << 20;
  if (bytes >= 2 * huge) {
    void *address;
    if (posix_memalign(&address, huge, bytes)) return NULL;
    madvise(address, bytes & ~(huge - 1), MADV_HUGEPAGE);
    return address;
  }
#endif
  return malloc(bytes);
}

/// Resizes a mapping made by `evl_map`; null (and the old mapping intact) when memory is short.
static inline void *evl_remap(void *address, size_t old_bytes, size_t bytes) {
#ifdef __linux__
#ifndef MREMAP_MAYMOVE
#define MREMAP_MAYMOVE 1
  extern void *mremap(void *, size_t, size_t, int, ...);
#endif
  void *moved = mremap(address, old_bytes, bytes, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) return NULL;
#ifdef MADV_HUGEPAGE
  if (bytes >= (2u << 20) && bytes > old_bytes) madvise(moved, bytes, MADV_HUGEPAGE);
#endif
  return moved;
#else
  void *moved = evl_map(bytes);
  if (moved == NULL) return NULL;
  memcpy(moved, address, old_bytes < bytes ? old_bytes : bytes);
  munmap(address, old_bytes);
  return moved;
#endif
}

/// Returns to the system what the allocator holds of memory that was freed, where it can.
static inline void evl_release_free_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

/// The bytes of all blocks of the allocator that are in use; 0 where it does not say.
static inline size_t evl_bytes_in_use(void) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

/// Returns a mapping made by `evl_map` to the system.
static inline void evl_unmap(void *address, size_t bytes) { munmap(address, bytes); }

#endif
