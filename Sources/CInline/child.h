/// A child process for work that may trap or never return: the fork, and the memory in which it says how far it is.
#ifndef EVICTIONLAB_CHILD_H
#define EVICTIONLAB_CHILD_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <stdio_ext.h>
#include <sys/syscall.h>
#endif

#define EVL_MARK_BYTES 2048

/// The end of a child's work.
enum { EVL_UNFINISHED = 0, EVL_FINISHED = 1, EVL_OUT_OF_MEMORY = 2 };

/// A child's account of itself, in memory that it shares with its parent.
typedef struct evl_life {
  /// Grows while the work goes on.
  uint32_t signs;
  /// EVL_UNFINISHED …
  uint32_t end;
  /// The work that is done.
  int64_t done;
} evl_life;

/// A text that says what is being done, and a zero: behind the rest of the memory.
static inline char *evl_mark_in_life(evl_life *life) { return (char *)(life + 1); }

/// Memory that a child will share; null when memory is short.
static inline evl_life *evl_map_life(void) {
  void *life = mmap(
      NULL, sizeof(evl_life) + EVL_MARK_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
      -1, 0);
  return life == MAP_FAILED ? NULL : (evl_life *)life;
}

static inline void evl_unmap_life(evl_life *life) { munmap(life, sizeof *life + EVL_MARK_BYTES); }

/// A sign of life after that much work.
static inline void evl_show_life(evl_life *life, int64_t done) {
  __atomic_store_n(&life->done, done, __ATOMIC_RELAXED);
  __atomic_add_fetch(&life->signs, 1, __ATOMIC_RELAXED);
}

static inline uint32_t evl_signs_of_life(evl_life *life) {
  return __atomic_load_n(&life->signs, __ATOMIC_RELAXED);
}

static inline int64_t evl_done_in_life(evl_life *life) {
  return __atomic_load_n(&life->done, __ATOMIC_RELAXED);
}

static inline uint32_t evl_end_of_life(evl_life *life) {
  return __atomic_load_n(&life->end, __ATOMIC_RELAXED);
}

/// Ends the calling process with nothing run at its end: neither what its parent has registered, nor destructors.
static inline __attribute__((noreturn)) void evl_end_life(evl_life *life, uint32_t end) {
  __atomic_store_n(&life->end, end, __ATOMIC_RELAXED);
  _exit(0);
}

/// Writes a part of the mark, at `place`; what is too long is cut. Returns the place behind it. It is in memory
/// before the next step of the work.
static inline uint32_t evl_write_mark(
    evl_life *life, uint32_t place, const char *text, size_t count) {
  if (place >= EVL_MARK_BYTES) place = EVL_MARK_BYTES - 1;
  if (count > EVL_MARK_BYTES - 1 - place) count = EVL_MARK_BYTES - 1 - place;
  memcpy(evl_mark_in_life(life) + place, text, count);
  evl_mark_in_life(life)[place + count] = 0;
  __asm__ volatile("" ::: "memory");
  return place + (uint32_t)count;
}

/// Lets the calling process have `bytes` of memory more than it has; nonzero where that can't be done.
static inline int evl_limit_memory(uint64_t bytes) {
#ifdef __linux__
  char text[256];
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  if (count <= 0) return -1;
  text[count] = 0;
  // Total, resident, shared, text, library, data: what RLIMIT_DATA limits, in pages.
  unsigned long long data;
  if (sscanf(text, "%*u %*u %*u %*u %*u %llu", &data) != 1) return -1;
  struct rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return -1;
  rlim_t wanted = (rlim_t)data * (rlim_t)sysconf(_SC_PAGESIZE) + (rlim_t)bytes;
  if (limit.rlim_max == RLIM_INFINITY || wanted < limit.rlim_max) limit.rlim_max = wanted;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_DATA, &limit);
#else
  (void)bytes;
  return -1;
#endif
}

#ifdef __GLIBC__
/// Runs first of all that runs at the end of a process, and ends it.
static void evl_exit_at_once(int status, void *context) {
  (void)context;
  _exit(status);
}
#else
// Handlers are not told the code.
static void evl_exit_at_once(void) { _exit(1); }
#endif

/// Runs before a child forks: what it does would be done twice from there on, and answered twice.
static void evl_refuse_fork(void) {
  static const char reason[] = "starts a process\n";
  ssize_t count = write(2, reason, sizeof reason - 1);
  (void)count;
  abort();
}

/// Closes all files but the three streams and `kept`: ends of other children's pipes would keep these open.
static inline void evl_close_files(int kept) {
#if defined(__linux__) && defined(SYS_close_range)
  if ((kept <= 3 || syscall(SYS_close_range, 3u, (unsigned)kept - 1, 0u) == 0) &&
      syscall(SYS_close_range, (unsigned)kept + 1, ~0u, 0u) == 0)
    return;
#endif
  struct rlimit files;
  int most = 65536;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < 65536) most = (int)files.rlim_cur;
  for (int file = 3; file < most; file++)
    if (file != kept) close(file);
}

/// Starts a child that calls `body` on a thread of its own, for which this thread may hold what it likes: the thread
/// that forks does nothing more in the child but end it when its parent has gone. The child has a process group of its
/// own, no signal of its parent's is handled in it, its input is empty, and what it prints goes to `output`.
///
/// Returns its number, or -1.
static inline pid_t evl_fork_child(
    void *(*body)(void *), void *context, size_t stack_bytes, evl_life *life, int answer,
    int output) {
  pid_t parent = getpid();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = fork();
  if (child != 0) {
    int code = errno;
    if (child > 0) setpgid(child, child);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return child;
  }
  setpgid(0, 0);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigemptyset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  int null = open("/dev/null", O_RDONLY);
  if (null >= 0) dup2(null, 0);
  dup2(output, 1);
  dup2(output, 2);
  evl_close_files(answer);
  // No copy of what the parent has printed and not written yet; and what is printed before a trap is not lost.
#ifdef __linux__
  __fpurge(stdout);
#else
  fpurge(stdout);
#endif
#ifdef __GLIBC__
  on_exit(evl_exit_at_once, NULL);
#else
  atexit(evl_exit_at_once);
#endif
  setvbuf(stdout, NULL, _IONBF, 0);
  pthread_atfork(evl_refuse_fork, NULL, NULL);
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, body, context) != 0)
    evl_end_life(life, EVL_OUT_OF_MEMORY);
  while (getppid() == parent) {
    struct timespec moment = {0, 50000000};
    nanosleep(&moment, NULL);
  }
  kill(0, SIGKILL);
  _exit(1);
}

/// Returns 1 once a child has ended, which is still to be waited for.
static inline int evl_child_has_ended(pid_t child) {
  siginfo_t information;
  memset(&information, 0, sizeof information);
  int code = waitid(P_PID, (id_t)child, &information, WEXITED | WNOWAIT | WNOHANG);
  return code != 0 ? errno != EINTR : information.si_pid == child;
}

/// Ends a child and all that it has started, and waits for it.
///
/// Returns its status: the exit code, or 256 and the number of the signal that ended it.
static inline int evl_end_child(pid_t child) {
  // No other process has its number before it is waited for.
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}

#endif
