// Reaches for the network, other processes and threads. A success is printed, and ends the process by a signal.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static void succeeded(int has, const char *deed) {
  if (!has) return;
  fprintf(stderr, "%s\n", deed);
  abort();
}

static void *nothing(void *unused) { return unused; }

static void intrude(void) {
  char byte;
  pthread_t thread;
  struct iovec here = {&byte, 1}, there = {(void *)0x400000, 1};
  succeeded(socket(AF_INET, SOCK_STREAM, 0) >= 0, "has a socket");
  succeeded(kill(getppid(), 0) == 0, "may send signals to the judge");
  succeeded(process_vm_readv(getppid(), &here, 1, &there, 1, 0) == 1, "reads the judge's memory");
  succeeded(ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0, "traces the judge");
  succeeded(pthread_create(&thread, 0, nothing, 0) == 0, "has a thread");
  int word = 0;
  succeeded(syscall(SYS_futex, &word, FUTEX_WAKE, 1) >= 0, "wakes other processes");
  succeeded(prctl(PR_SET_PDEATHSIG, 0) == 0, "outlives the judge");
  void *pages = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  succeeded(madvise(pages, 4096, MADV_COLD) == 0, "gives advice about the machine's memory");
  const pid_t child = fork();
  if (child == 0) _exit(0);
  succeeded(child > 0, "has a child");
}

__attribute__((constructor)) static void at_start(void) { intrude(); }

static void on_insert(void) { intrude(); }
