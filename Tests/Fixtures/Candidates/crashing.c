// Writes where there is no memory.
#include <stdint.h>

static void on_insert(void) {
  static int newcomers;
  if (++newcomers == 100) *(volatile int *)(uintptr_t)newcomers = 1;
}
