/// One thread that plays the threads of many cores, for a tracer of memory accesses.
#ifndef EVICTIONLAB_SIMULATED_CORES_H
#define EVICTIONLAB_SIMULATED_CORES_H

#include <stddef.h>
#include <stdint.h>

/// The most cores, and the most phases of requests.
enum { most_cores = 64, most_phases = 4 };

/// Lets this process see that many processors.
void simulate_cores(int count);

/// From here to the end of the request, the calling thread is that of this core: it has the core's number plus 1. The
/// last instruction writes the byte `first_mark() + phase * most_cores + core`.
void begin_request(int phase, int core);

/// The first instruction writes the byte `last_mark()`.
void end_request(void);

uintptr_t first_mark(void);
uintptr_t last_mark(void);

/// The address at which the program lies.
uintptr_t program_base(void);

/// The bytes that were allocated for an object.
size_t block_size(const void *object);

/// Runs `body` in a thread that has its stack and its thread-local variables, which cores do not share, in
/// `[apart_start(), apart_end())`; returns when it has ended.
void run_apart(void (*body)(void));

uintptr_t apart_start(void);
uintptr_t apart_end(void);

#endif
