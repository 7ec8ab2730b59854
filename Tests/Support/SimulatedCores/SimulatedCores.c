// The executable's own definitions of what asks for the processors come before those of the C library.
#include "SimulatedCores.h"

#include "../../../Sources/CInline/inline.h"

#include <stdlib.h>
#include <string.h>

static int cores;
static volatile uint8_t marks[most_phases * most_cores];
static volatile uint8_t end;

void simulate_cores(int count) { cores = count; }

void begin_request(int phase, int core) {
  evl_own_thread_number = (uint32_t)core + 1;
  marks[phase * most_cores + core] = 1;
}

void end_request(void) { end = 1; }
uintptr_t first_mark(void) { return (uintptr_t)marks; }
uintptr_t last_mark(void) { return (uintptr_t)&end; }

#if defined(__GLIBC__)

#include <malloc.h>
#include <unistd.h>

extern long __sysconf(int);
extern const char __executable_start;

long sysconf(int name) { return name == _SC_NPROCESSORS_ONLN && cores > 0 ? cores : __sysconf(name); }

int sched_getaffinity(int process, size_t bytes, void *processors) {
  memset(processors, 0, bytes);
  for (int core = 0; core < cores; core++) ((uint8_t *)processors)[core / 8] |= (uint8_t)(1 << core % 8);
  return 0;
}

uintptr_t program_base(void) { return (uintptr_t)&__executable_start; }
size_t block_size(const void *object) { return malloc_usable_size((void *)object); }

#else

uintptr_t program_base(void) { return 0; }
size_t block_size(const void *object) { return 0; }

#endif

static const size_t stack_bytes = 4 << 20;
static void *stack;

uintptr_t apart_start(void) { return (uintptr_t)stack; }
uintptr_t apart_end(void) { return (uintptr_t)stack + stack_bytes; }

static void *run(void *body) {
  ((void (*)(void))body)();
  return NULL;
}

void run_apart(void (*body)(void)) {
  pthread_t thread;
  pthread_attr_t attributes;
  if (posix_memalign(&stack, 1 << 16, stack_bytes) || pthread_attr_init(&attributes)) abort();
  if (pthread_attr_setstack(&attributes, stack, stack_bytes)) abort();
  if (pthread_create(&thread, &attributes, run, (void *)body)) abort();
  pthread_join(thread, NULL);
}
