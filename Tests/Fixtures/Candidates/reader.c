// Reads files, when it is loaded and while it runs. A success is printed, and ends the process by a signal.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void read_file(const char *path) {
  char byte;
  const int file = open(path, O_RDONLY);
  if (file < 0 || read(file, &byte, 1) != 1) return;
  fprintf(stderr, "has read %s\n", path);
  abort();
}

static void read_all(void) {
  char memory[64];
  snprintf(memory, sizeof memory, "/proc/%d/maps", (int)getppid());
  read_file("/etc/passwd");
  read_file("/proc/self/environ");
  read_file(memory);
  read_file("/proc/self/maps");
}

// As it is loaded, the libraries of the system can be read, and no more.
__attribute__((constructor)) static void at_start(void) { read_all(); }

static void on_insert(void) {
  read_all();
  read_file("/usr/lib/os-release");
}
