/// What the executable says of its allocations, if it counts them.
#ifndef EVICTIONLAB_ALLOCATIONS_H
#define EVICTIONLAB_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__GLIBC__)
/// Defined by executables that are linked with `AllocationCounter`.
extern bool allocations_are_counted(void) __attribute__((weak));
extern uint64_t allocations_of_this_thread(void) __attribute__((weak));
extern void on_memory_exhaustion(void (*handler)(void)) __attribute__((weak));
#endif

/// Calls `handler` when an allocation finds no memory; never where nobody counts allocations.
static inline void evl_on_memory_exhaustion(void (*handler)(void)) {
#if defined(__GLIBC__)
  if (on_memory_exhaustion) on_memory_exhaustion(handler);
#endif
}

/// How often the calling thread has allocated memory since it started; -1 where nobody counts.
static inline int64_t evl_allocations(void) {
#if defined(__GLIBC__)
  if (allocations_are_counted && allocations_of_this_thread && allocations_are_counted())
    return (int64_t)allocations_of_this_thread();
#endif
  return -1;
}

#endif
