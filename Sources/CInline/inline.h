/// Header-only inline functions that Swift has no spelling for: cache prefetch and cheap clocks.
#ifndef EVICTIONLAB_INLINE_H
#define EVICTIONLAB_INLINE_H

#include <stdint.h>
#include <time.h>

/// Asks the processor to bring the cache line at `address` closer, for writing.
static inline __attribute__((always_inline)) void evl_prefetch(const void *address) {
  __builtin_prefetch(address, 1, 3);
}

/// Asks the processor to take the cache line at `address` from other cores, so that a later write to it
/// does not wait. Processors that have no such instruction ignore it.
static inline __attribute__((always_inline)) void evl_prefetch_own(const void *address) {
#if defined(__x86_64__)
  __asm__ volatile("prefetchw %0" : : "m"(*(const char *)address));
#else
  __builtin_prefetch(address, 1, 3);
#endif
}

/// Tells the processor that this thread waits for another one.
static inline __attribute__((always_inline)) void evl_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Nanoseconds of the monotonic clock.
static inline __attribute__((always_inline)) uint64_t evl_monotonic_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
