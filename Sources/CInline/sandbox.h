/// A process that gives up what it needs no more: files, sockets, other processes (Landlock and seccomp of Linux).
#ifndef EVICTIONLAB_SANDBOX_H
#define EVICTIONLAB_SANDBOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

/// Sends a message whole, without a signal where nobody reads; -1 for an error.
static inline ssize_t evl_send(int channel, const void *bytes, size_t count) {
#ifdef __linux__
  return send(channel, bytes, count, MSG_NOSIGNAL);
#else
  return send(channel, bytes, count, 0);
#endif
}

/// Makes the two ends of a channel for whole messages, which no program inherits; nonzero where that can't be done.
static inline int evl_make_channel(int ends[2]) {
#ifdef __linux__
  return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
#else
  return -1;
#endif
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Headers may be older than the kernel: numbers and structures of Landlock are the same on all its processors.
struct evl_landlock_ruleset {
  uint64_t files, network, scopes;
};

struct evl_landlock_rule {
  uint64_t files;
  int32_t parent;
} __attribute__((packed));

enum {
  EVL_LANDLOCK_CREATE = 444,
  EVL_LANDLOCK_ADD = 445,
  EVL_LANDLOCK_RESTRICT = 446,
  EVL_FILE_EXECUTE = 1,
  EVL_FILE_WRITE = 2,
  EVL_FILE_READ = 4,
  EVL_FOLDER_READ = 8
};

/// The version of Landlock, if filters of system calls are there, too; 0 where one of both is not.
static inline int evl_sandbox_version(void) {
  long version = syscall(EVL_LANDLOCK_CREATE, NULL, 0, 1);
  uint32_t action = SECCOMP_RET_ERRNO;
  if (version < 1 || syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) != 0) return 0;
  return (int)version;
}

/// Has the system end this process with the thread that has started it; nonzero if that has ended already.
static inline int evl_end_with(pid_t parent) {
  return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || getppid() != parent;
}

/// Takes away all files but those at or below `readable`, which may be read and run, and those below `writable`. Paths that
/// are not there are passed over. Nonzero where that can't be done.
static inline int evl_limit_files(
    const char *const *readable, size_t count, const char *writable) {
  int version = evl_sandbox_version();
  if (version < 1) return -1;
  // Rights of files that the version knows; moving to another folder, cutting, and devices came one by one.
  uint64_t all = (1u << 13) - 1;
  if (version >= 2) all |= 1 << 13;
  if (version >= 3) all |= 1 << 14;
  if (version >= 5) all |= 1 << 15;
  struct evl_landlock_ruleset rules = {all, version >= 4 ? 3 : 0, version >= 6 ? 3 : 0};
  size_t size = version >= 6 ? sizeof rules : version >= 4 ? 16 : 8;
  int ruleset = (int)syscall(EVL_LANDLOCK_CREATE, &rules, size, 0);
  if (ruleset < 0) return -1;
  for (size_t index = 0; index <= count; index++) {
    const char *path = index < count ? readable[index] : writable;
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) continue;
    struct stat status;
    int is_folder = fstat(file, &status) == 0 && S_ISDIR(status.st_mode);
    struct evl_landlock_rule rule = {EVL_FILE_READ | EVL_FILE_EXECUTE, file};
    if (is_folder) rule.files |= EVL_FOLDER_READ;
    if (index == count) rule.files = is_folder ? all : all & (EVL_FILE_READ | EVL_FILE_WRITE | 1 << 14);
    syscall(EVL_LANDLOCK_ADD, ruleset, 1, &rule, 0);
    close(file);
  }
  int code = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(EVL_LANDLOCK_RESTRICT, ruleset, 0);
  close(ruleset);
  return code;
}

/// Refuses (EPERM) calls of the kernel from here on. A filter is added to those before. The privileges of programs that it may
/// become were given up with the files.
static inline int evl_add_filter(struct sock_filter *filter, size_t length) {
  struct sock_fprog program = {(unsigned short)length, filter};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

#if defined(__x86_64__)
#define EVL_ARCHITECTURE AUDIT_ARCH_X86_64
// The same calls under other numbers, for pointers of 32 bits.
#define EVL_LEAST_FOREIGN 0x40000000u
#else
#define EVL_ARCHITECTURE AUDIT_ARCH_AARCH64
#define EVL_LEAST_FOREIGN 0xffffffffu
#endif

#define EVL_LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define EVL_RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define EVL_IF(comparison, value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_##comparison | BPF_K, value, then, otherwise)
#define EVL_REFUSED (SECCOMP_RET_ERRNO | EPERM)
#define EVL_BEGIN                                                                                    \
  EVL_LOAD(arch), EVL_IF(JEQ, EVL_ARCHITECTURE, 1, 0), EVL_RETURN(EVL_REFUSED), EVL_LOAD(nr),        \
      EVL_IF(JGE, EVL_LEAST_FOREIGN, 0, 1), EVL_RETURN(EVL_REFUSED)
#define EVL_ON(call, action) EVL_IF(JEQ, SYS_##call, 0, 1), EVL_RETURN(action)
#define EVL_ALLOW(call) EVL_ON(call, SECCOMP_RET_ALLOW)
#define EVL_REFUSE(call) EVL_ON(call, EVL_REFUSED)
/// Allows a call if one of the bits is set in an argument.
#define EVL_ALLOW_WITH(call, argument, bits)                                                         \
  EVL_IF(JEQ, SYS_##call, 0, 4), EVL_LOAD(args[argument]), EVL_IF(JSET, bits, 1, 0), EVL_RETURN(EVL_REFUSED), \
      EVL_RETURN(SECCOMP_RET_ALLOW)
/// Allows a call if none of the bits is set in an argument.
#define EVL_ALLOW_WITHOUT(call, argument, bits)                                                      \
  EVL_IF(JEQ, SYS_##call, 0, 4), EVL_LOAD(args[argument]), EVL_IF(JSET, bits, 0, 1), EVL_RETURN(EVL_REFUSED), \
      EVL_RETURN(SECCOMP_RET_ALLOW)
/// Allows a call with one of four values of an argument.
#define EVL_ALLOW_OF(call, argument, a, b, c, d)                                                     \
  EVL_IF(JEQ, SYS_##call, 0, 7), EVL_LOAD(args[argument]), EVL_IF(JEQ, a, 3, 0), EVL_IF(JEQ, b, 2, 0), \
      EVL_IF(JEQ, c, 1, 0), EVL_IF(JEQ, d, 0, 1), EVL_RETURN(SECCOMP_RET_ALLOW), EVL_RETURN(EVL_REFUSED)

// As the kernel has them: the headers that do would not go together with those of the C library.
enum {
  EVL_FUTEX_PRIVATE = 128,
  EVL_IS_TERMINAL = 0x5401,
  EVL_CLOSE_ON_EXEC = 0x5451,
  EVL_DUPLICATE = 1030,
  EVL_HUGE_PAGES = 0x40000
};

#define EVL_NOT_READING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)
#ifdef SYS_open
#define EVL_ALLOW_OLD                                                                                \
  EVL_ALLOW_WITHOUT(open, 1, EVL_NOT_READING), EVL_ALLOW(stat), EVL_ALLOW(access), EVL_ALLOW(readlink), \
      EVL_ALLOW(arch_prctl),
#define EVL_REFUSE_OLD EVL_REFUSE(open), EVL_REFUSE(stat), EVL_REFUSE(access), EVL_REFUSE(readlink),
#else
#define EVL_ALLOW_OLD
#define EVL_REFUSE_OLD
#endif

/// The calls with which a library is loaded and memory is managed. None leaves something behind when the process ends, or
/// wakes another process: files are only read, a futex is of the own memory and not of a file that others have mapped, and
/// advice about memory is not about the machine's. C libraries try clone() where there is no clone3(), whose flags a filter
/// does not see.
#define EVL_ALLOW_LOADING                                                                            \
  EVL_ALLOW(read), EVL_ALLOW(write), EVL_ALLOW(pread64), EVL_ALLOW(close), EVL_ALLOW(fstat), EVL_ALLOW(lseek), \
      EVL_ALLOW(recvfrom), EVL_ALLOW(sendto), EVL_ALLOW_WITHOUT(openat, 2, EVL_NOT_READING),         \
      EVL_ALLOW(newfstatat), EVL_ALLOW(readlinkat), EVL_ALLOW(faccessat), EVL_ALLOW(getcwd),         \
      EVL_ALLOW_WITHOUT(mmap, 3, EVL_HUGE_PAGES), EVL_ALLOW(munmap), EVL_ALLOW(mprotect), EVL_ALLOW(mremap), \
      EVL_ALLOW_OF(madvise, 2, MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE, MADV_NOHUGEPAGE), EVL_ALLOW(brk), \
      EVL_ALLOW_WITH(futex, 1, EVL_FUTEX_PRIVATE), EVL_ALLOW(rt_sigaction), EVL_ALLOW(rt_sigprocmask), \
      EVL_ALLOW(rt_sigreturn), EVL_ALLOW(sigaltstack), EVL_ALLOW(getrandom), EVL_ALLOW(clock_gettime), \
      EVL_ALLOW(clock_getres), EVL_ALLOW(gettimeofday), EVL_ALLOW(nanosleep), EVL_ALLOW(clock_nanosleep), \
      EVL_ALLOW(exit), EVL_ALLOW(exit_group), EVL_ALLOW(getpid), EVL_ALLOW(gettid), EVL_ALLOW(sched_yield), \
      EVL_ALLOW(sched_getaffinity), EVL_ALLOW(uname), EVL_ALLOW(seccomp), EVL_ALLOW_OLD              \
      EVL_ON(clone3, SECCOMP_RET_ERRNO | ENOSYS)

/// Allows signals to the process itself, and refuses all that was not allowed before.
#define EVL_REFUSE_OTHERS                                                                            \
  EVL_IF(JEQ, SYS_tgkill, 0, 3), EVL_LOAD(args[0]), EVL_IF(JEQ, (uint32_t)getpid(), 0, 1),           \
      EVL_RETURN(SECCOMP_RET_ALLOW), EVL_RETURN(EVL_REFUSED)

/// Leaves the calls with which a library is loaded and memory is managed: no sockets, no other processes, no threads, no
/// programs.
static inline int evl_limit_calls_to_loading(void) {
  struct sock_filter filter[] = {EVL_BEGIN, EVL_ALLOW_LOADING, EVL_REFUSE_OTHERS};
  return evl_add_filter(filter, sizeof filter / sizeof *filter);
}

/// Takes away what only loading needed: files by any name.
static inline int evl_limit_calls_to_running(void) {
  struct sock_filter filter[] = {
      EVL_BEGIN,
      EVL_REFUSE(openat), EVL_REFUSE(newfstatat), EVL_REFUSE(readlinkat), EVL_REFUSE(faccessat), EVL_REFUSE(getcwd),
      EVL_REFUSE(seccomp), EVL_REFUSE_OLD EVL_RETURN(SECCOMP_RET_ALLOW)};
  return evl_add_filter(filter, sizeof filter / sizeof *filter);
}

/// Takes away what no compiler needs: sockets, and the memory of other processes.
static inline int evl_limit_calls_to_compiling(void) {
  struct sock_filter filter[] = {
      EVL_BEGIN,
      EVL_REFUSE(socket), EVL_REFUSE(ptrace), EVL_REFUSE(process_vm_readv), EVL_REFUSE(process_vm_writev),
      EVL_REFUSE(bpf), EVL_REFUSE(perf_event_open), EVL_REFUSE(io_uring_setup), EVL_REFUSE(mount), EVL_REFUSE(unshare),
      EVL_RETURN(SECCOMP_RET_ALLOW)};
  return evl_add_filter(filter, sizeof filter / sizeof *filter);
}

/// Leaves what CPython needs to take this program's place, to start, and to load modules and libraries.
static inline int evl_limit_calls_to_interpreting(void) {
  struct sock_filter filter[] = {
      EVL_BEGIN, EVL_ALLOW_LOADING,
      EVL_ALLOW(getdents64), EVL_ALLOW(dup), EVL_ALLOW_OF(fcntl, 1, F_GETFD, F_SETFD, F_GETFL, EVL_DUPLICATE),
      EVL_ALLOW_OF(ioctl, 1, EVL_IS_TERMINAL, EVL_CLOSE_ON_EXEC, EVL_IS_TERMINAL, EVL_CLOSE_ON_EXEC),
#ifdef SYS_lstat
      EVL_ALLOW(lstat),
#endif
      EVL_ALLOW(execve), EVL_ALLOW(prctl), EVL_ALLOW(prlimit64), EVL_ALLOW(set_tid_address),
      EVL_ALLOW(set_robust_list), EVL_ALLOW(rseq), EVL_REFUSE_OTHERS};
  return evl_add_filter(filter, sizeof filter / sizeof *filter);
}

/// The filter that an interpreter adds before it reads a candidate, as bytes: no other program, and nothing else that only its
/// start needed.
///
/// Returns their number; 0 if there is no room.
static inline size_t evl_filter_after_start(void *bytes, size_t room) {
  struct sock_filter filter[] = {
      EVL_BEGIN,
      EVL_REFUSE(execve), EVL_REFUSE(prctl), EVL_REFUSE(seccomp), EVL_REFUSE(prlimit64), EVL_REFUSE(set_tid_address),
      EVL_REFUSE(set_robust_list), EVL_REFUSE(rseq), EVL_RETURN(SECCOMP_RET_ALLOW)};
  if (room < sizeof filter) return 0;
  memcpy(bytes, filter, sizeof filter);
  return sizeof filter;
}

/// Closes all files but the first `kept`; limits memory, processor time and the size of files, in bytes and seconds.
static inline void evl_limit_resources(int kept, uint64_t memory, uint64_t seconds, uint64_t file) {
  if (syscall(SYS_close_range, kept, ~0u, 0) != 0)
    for (int number = kept; number < 1024; number++) close(number);
  struct rlimit limits[] = {{memory, memory}, {seconds, seconds + 1}, {file, file}, {0, 0}};
  setrlimit(RLIMIT_AS, &limits[0]);
  setrlimit(RLIMIT_CPU, &limits[1]);
  setrlimit(RLIMIT_FSIZE, &limits[2]);
  setrlimit(RLIMIT_CORE, &limits[3]);
}

#else

static inline int evl_sandbox_version(void) { return 0; }
static inline int evl_end_with(pid_t parent) { return 0; }
static inline int evl_limit_files(const char *const *readable, size_t count, const char *writable) { return -1; }
static inline int evl_limit_calls_to_loading(void) { return -1; }
static inline int evl_limit_calls_to_running(void) { return -1; }
static inline int evl_limit_calls_to_compiling(void) { return -1; }
static inline int evl_limit_calls_to_interpreting(void) { return -1; }
static inline size_t evl_filter_after_start(void *bytes, size_t room) { return 0; }
static inline void evl_limit_resources(int kept, uint64_t memory, uint64_t seconds, uint64_t file) {}

#endif

#endif
