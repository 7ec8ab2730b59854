// Takes a fifth of a millisecond for each newcomer.
#include <time.h>

static void on_insert(void) {
  const struct timespec pause = {.tv_nsec = 200 * 1000};
  nanosleep(&pause, 0);
}
