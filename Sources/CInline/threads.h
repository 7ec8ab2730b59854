/// Threads and what the system knows of them: processors, priorities, context switches.
#ifndef EVICTIONLAB_THREADS_H
#define EVICTIONLAB_THREADS_H

#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>

// Headers declare these for GNU sources only, which Swift's are not.
extern int evl_setaffinity(int, size_t, const void *) __asm__("sched_setaffinity");
extern int evl_getaffinity(int, size_t, void *) __asm__("sched_getaffinity");

/// Sleeps until a thread wakes those that sleep at `word`; returns at once if it does not hold `value`, and
/// perhaps for no reason.
static inline void evl_sleep_while(const void *word, uint32_t value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

/// Wakes that many of the threads that sleep at `word`, those that came first first.
static inline void evl_wake(const void *word, int count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}
#endif

/// Keeps the calling thread on the processor of that rank among those that it may use; whether the system
/// allows that.
static inline int evl_pin_thread(unsigned rank) {
#if defined(__linux__)
  uint64_t allowed[128], chosen[128];
  memset(allowed, 0, sizeof allowed);
  memset(chosen, 0, sizeof chosen);
  if (evl_getaffinity(0, sizeof allowed, allowed) < 0) return 0;
  for (unsigned processor = 0; processor < 128 * 64; processor++) {
    if (!(allowed[processor / 64] >> (processor % 64) & 1)) continue;
    if (rank-- > 0) continue;
    chosen[processor / 64] = (uint64_t)1 << (processor % 64);
    return evl_setaffinity(0, sizeof chosen, chosen) == 0;
  }
  return 0;
#else
  (void)rank;
  return 0;
#endif
}

/// Lets the calling thread run before all ordinary ones; whether the system allows that.
static inline int evl_raise_priority(void) {
#if defined(__linux__)
  struct sched_param lowest;
  memset(&lowest, 0, sizeof lowest);
  lowest.sched_priority = 1;
  return pthread_setschedparam(pthread_self(), SCHED_RR, &lowest) == 0;
#else
  return 0;
#endif
}

/// Involuntary context switches of this process's threads.
static inline int64_t evl_preemptions(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (int64_t)usage.ru_nivcsw : 0;
}

/// The number of processors that this process may use.
static inline long evl_processor_count(void) {
#if defined(__linux__)
  uint64_t allowed[128];
  memset(allowed, 0, sizeof allowed);
  if (evl_getaffinity(0, sizeof allowed, allowed) >= 0) {
    long count = 0;
    for (int word = 0; word < 128; word++) count += __builtin_popcountll(allowed[word]);
    return count;
  }
#endif
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? count : 1;
}

#endif
