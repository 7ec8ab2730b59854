/// The processor's own counter of time.
#ifndef EVICTIONLAB_COUNTER_H
#define EVICTIONLAB_COUNTER_H

#include <stdint.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

/// True if the counter runs at one rate in every state of the processor.
static inline int evl_counter_is_invariant(void) {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  // rdtscp, and the invariant time-stamp counter.
  if (!__get_cpuid(0x80000001u, &a, &b, &c, &d) || !(d & (1u << 27))) return 0;
  return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & (1u << 8)) != 0;
#elif defined(__aarch64__)
  return 1;
#else
  return 0;
#endif
}

/// The counter before something that is timed: nothing that follows has begun.
static inline __attribute__((always_inline)) uint64_t evl_counter_start(void) {
#if defined(__x86_64__)
  _mm_lfence();
  uint64_t count = __rdtsc();
  _mm_lfence();
  return count;
#elif defined(__aarch64__)
  uint64_t count;
  __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(count) : : "memory");
  return count;
#else
  return 0;
#endif
}

/// The counter after something that is timed: all that precedes is done.
static inline __attribute__((always_inline)) uint64_t evl_counter_end(void) {
#if defined(__x86_64__)
  unsigned processor;
  uint64_t count = __rdtscp(&processor);
  _mm_lfence();
  return count;
#elif defined(__aarch64__)
  uint64_t count;
  __asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(count) : : "memory");
  return count;
#else
  return 0;
#endif
}

#endif
