// Ends the process as if all were well.
#include <stdlib.h>

static void on_insert(void) {
  static int newcomers;
  if (++newcomers == 100) exit(0);
}
