/// A place that a profiler finds by name.
#ifndef EVICTIONLAB_REGION_H
#define EVICTIONLAB_REGION_H

/// Calls `body`; never inlined, so that a tool that counts instructions can be told to count in here.
static __attribute__((noinline)) void evl_measured_region(void (*body)(void *), void *context) {
  body(context);
  __asm__ volatile("" ::: "memory");
}

#endif
