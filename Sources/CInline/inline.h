/// Header-only inline functions that Swift has no spelling for: cache prefetch, threads, cheap
/// clocks, pipes.
#ifndef EVICTIONLAB_INLINE_H
#define EVICTIONLAB_INLINE_H

#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

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

// Weak, so that all modules into which the function below is inlined share one of each; with a value, as Swift
// emits no definition of those without.
__attribute__((weak)) uint32_t evl_latest_thread_number = 0;
__attribute__((weak)) _Thread_local uint32_t evl_own_thread_number = 0;

/// The number of this thread, from 1, given out in the order in which threads ask first.
static inline uint32_t evl_thread_number(void) {
  if (evl_own_thread_number == 0) {
    evl_own_thread_number = __atomic_add_fetch(&evl_latest_thread_number, 1, __ATOMIC_RELAXED);
  }
  return evl_own_thread_number;
}

/// The place of a pointer of this thread, null at first. Each module that calls it has one of its own.
static inline void **evl_thread_pointer(void) {
  static _Thread_local void *pointer;
  return &pointer;
}

__attribute__((weak)) _Thread_local void *evl_own_reporting = 0;

/// The place of the reports that caches make on this thread, null at first; one for all modules.
static inline void **evl_thread_reporting(void) { return &evl_own_reporting; }

/// Starts a thread that calls `body` and for which nobody waits; 0, or the number of the system's error.
static inline int evl_start_thread(void *(*body)(void *), void *context, size_t stack_bytes) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_t thread;
  int code = pthread_create(&thread, &attributes, body, context);
  pthread_attr_destroy(&attributes);
  return code;
}

/// Nanoseconds of the monotonic clock.
static inline __attribute__((always_inline)) uint64_t evl_monotonic_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/// Nanoseconds that this thread has spent on processors.
static inline uint64_t evl_thread_nanoseconds(void) {
  struct timespec used;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}

#if defined(CLOCK_MONOTONIC_COARSE)
#define EVL_COARSE CLOCK_MONOTONIC_COARSE
#define EVL_EXACT CLOCK_MONOTONIC
#elif defined(CLOCK_MONOTONIC_RAW_APPROX)
#define EVL_COARSE CLOCK_MONOTONIC_RAW_APPROX
#define EVL_EXACT CLOCK_MONOTONIC_RAW
#else
#define EVL_COARSE CLOCK_MONOTONIC
#define EVL_EXACT CLOCK_MONOTONIC
#endif

/// Nanoseconds of the monotonic clock as of the last tick of its timer, which costs least to ask.
static inline __attribute__((always_inline)) uint64_t evl_coarse_nanoseconds(void) {
  struct timespec now;
  clock_gettime(EVL_COARSE, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/// Nanoseconds of the same clock now.
static inline __attribute__((always_inline)) uint64_t evl_exact_nanoseconds(void) {
  struct timespec now;
  clock_gettime(EVL_EXACT, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/// Nanoseconds between two ticks of that timer.
static inline uint64_t evl_tick_nanoseconds(void) {
#if defined(CLOCK_MONOTONIC_COARSE)
  struct timespec tick;
  clock_getres(EVL_COARSE, &tick);
  return (uint64_t)tick.tv_sec * 1000000000u + (uint64_t)tick.tv_nsec;
#else
  return 10000000;  // Darwin tells the clock's unit; its readings are milliseconds old.
#endif
}

/// A pipe's ends for reading and for writing, with `O_CLOEXEC` from the start where the system can, and other flags;
/// -1 and `errno` if there is none.
static inline int evl_pipe(int *ends, int flags) {
#if defined(__linux__)
  extern int pipe2(int *, int);
  return pipe2(ends, flags);
#else
  if (pipe(ends) != 0) return -1;
  for (int end = 0; end < 2; end++) {
    if (flags & O_CLOEXEC) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
    if (flags & ~O_CLOEXEC) fcntl(ends[end], F_SETFL, flags & ~O_CLOEXEC);
  }
  return 0;
#endif
}

#endif
