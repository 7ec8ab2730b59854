/// Processes that are killed, signals, threads bound to a core, and the size of an allocation.
#ifndef EVICTIONLAB_PROCESS_H
#define EVICTIONLAB_PROCESS_H

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef __linux__
#include <malloc.h>
#include <sys/syscall.h>
#else
#include <malloc/malloc.h>
#endif

/// Starts a process that writes versions of `size` equal bytes to `path`, in pages: in place, or to
/// `temporary` with a rename. Returns its identifier, or -1. After the fork it only makes system calls.
static inline pid_t evl_fork_writer(const char *path, const char *temporary, size_t size, int atomic) {
  pid_t child = fork();
  if (child != 0) return child;
  char page[4096];
  for (unsigned char version = 0;; version++) {
    memset(page, version, sizeof page);
    int file = open(atomic ? temporary : path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) _exit(1);
    for (size_t done = 0; done < size; done += sizeof page)
      if (write(file, page, sizeof page) != (ssize_t)sizeof page) _exit(1);
    close(file);
    if (atomic && rename(temporary, path) != 0) _exit(1);
  }
}

/// True if a signal has its default effect.
static inline int evl_signal_is_default(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && !(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_DFL;
}

/// True if a program has sent a signal, and no terminal.
static inline int evl_signal_was_sent(const siginfo_t *information) {
  return information->si_code <= 0 || information->si_code == SI_USER;
}

/// Has a signal handled by a function that learns where it comes from.
static inline void evl_handle_signal(int number, void (*handler)(int, siginfo_t *, void *)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(number, &action, NULL);
}

/// Binds the calling thread to the first core that it may use; nonzero where that can't be done.
static inline int evl_bind_to_one_core(void) {
#ifdef __linux__
  unsigned long cores[16] = {0};
  if (syscall(SYS_sched_getaffinity, 0, sizeof cores, cores) < 0) return -1;
  int kept = 0;
  for (int word = 0; word < 16; word++) {
    cores[word] = kept ? 0 : cores[word] & -cores[word];
    kept |= cores[word] != 0;
  }
  return (int)syscall(SYS_sched_setaffinity, 0, sizeof cores, cores);
#else
  return -1;
#endif
}

/// Gives the calling thread the lowest priority (on Linux; elsewhere the process); nonzero where that can't be done.
static inline int evl_lower_priority(void) { return setpriority(PRIO_PROCESS, 0, 19); }

/// The bytes that an allocation takes.
static inline size_t evl_allocated_bytes(const void *allocation) {
#ifdef __linux__
  return malloc_usable_size((void *)allocation);
#else
  return malloc_size(allocation);
#endif
}

#endif
