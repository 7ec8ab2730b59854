#ifndef EVICTIONLAB_ALLOCATION_COUNTER_H
#define EVICTIONLAB_ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Whether allocations are counted here: on glibc, without a sanitizer.
bool allocations_are_counted(void);

/// How often the calling thread has allocated memory since it started.
uint64_t allocations_of_this_thread(void);

/// The bytes that the calling thread has allocated, less those that it has freed.
int64_t bytes_held_by_this_thread(void);

/// Calls `handler` when an allocation finds no memory, on the thread that asked for it, before it fails.
void on_memory_exhaustion(void (*handler)(void));

#endif
