"""FIFO that tries every system call by which something stays behind, reaches another process, or begins one. One that is
not refused ends it."""

import collections
import ctypes
import errno
import platform

import evictionlab

FILE, OWN = -100, 0x45564C
#: The numbers of a call on x86-64 and aarch64, and arguments that are right where nothing is lost by that.
CALLS = {
    "shmget": (29, 194, OWN, 4096, 0o1666), "shmat": (30, 196), "shmctl": (31, 195), "msgget": (68, 186, OWN, 0o1666),
    "msgsnd": (69, 189), "semget": (64, 190, OWN, 1, 0o1666), "semop": (65, 193), "mq_open": (240, 180, b"evictionlab", 0o102, 0o600, 0),
    "add_key": (248, 217, b"user", b"evictionlab", b"1", 1, -4), "request_key": (249, 218, b"user", b"evictionlab", 0, 0),
    "keyctl": (250, 219, 0, -4, 0), "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "fchmod": (91, 52),
    "fchmodat": (268, 53), "fchown": (93, 55), "fchownat": (260, 54), "utimensat": (280, 88), "getpriority": (140, 141),
    "setpriority": (141, 140, 0, 0, 5), "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119),
    "ioprio_set": (251, 30), "sethostname": (170, 161, b"evictionlab", 11), "setdomainname": (171, 162), "chroot": (161, 51, b"/"),
    "chdir": (80, 49, b"/"), "mount": (165, 40), "fsopen": (430, 430, b"tmpfs", 0), "open_tree": (428, 428), "unshare": (272, 97),
    "setns": (308, 268), "execve": (59, 221, b"/usr/bin/true", 0, 0), "execveat": (322, 281), "memfd_create": (319, 279, b"kept", 0),
    "socket": (41, 198, 1, 1, 0), "socketpair": (53, 199), "pipe2": (293, 59), "clone": (56, 220), "kill": (62, 129, 1, 0),
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "pidfd_open": (434, 434), "ptrace": (101, 117), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "bpf": (321, 280), "perf_event_open": (298, 241), "io_uring_setup": (425, 425),
    "userfaultfd": (323, 282), "prctl": (157, 167, 1, 0), "seccomp": (317, 277), "prlimit64": (302, 261), "mknodat": (259, 33),
    "mkdirat": (258, 34, FILE, b"/tmp/evictionlab-keeper", 0o700), "unlinkat": (263, 35), "renameat2": (316, 276), "linkat": (265, 37),
    "symlinkat": (266, 36), "truncate": (76, 45), "ftruncate": (77, 46), "fallocate": (285, 47), "flock": (73, 32, 0, 1),
    "inotify_init1": (294, 26), "fanotify_init": (300, 262), "timer_create": (222, 107), "timerfd_create": (283, 85),
    "eventfd2": (290, 19), "sync": (162, 81), "setsid": (112, 157), "setpgid": (109, 154), "umask": (95, 166), "personality": (135, 92),
    "sysinfo": (99, 179), "statfs": (137, 43), "sendmsg": (46, 211), "recvmsg": (47, 212), "openat2": (437, 437),
    "openat to write": (257, 56, FILE, b"/dev/null", 1), "openat to cut": (257, 56, FILE, b"/dev/null", 0o1000),
    "open_by_handle_at": (304, 265), "fcntl of a lease": (72, 25, 0, 1024, 1), "fcntl of a lock": (72, 25, 0, 6, 0),
    "ioctl of a file's flags": (16, 29, 0, 0x40086602, 0), "madvise of the machine's pages": (28, 233, 0, 4096, 101),
    "futex of others": (202, 98, 0, 1, 1), "mmap of huge pages": (9, 222, 0, 1 << 21, 3, 0x40022, -1, 0),
}
MACHINES = {"x86_64": 0, "aarch64": 1}


def reach():
    system = ctypes.CDLL(None, use_errno=True).syscall
    for name, numbers in CALLS.items():
        arguments = [
            argument if isinstance(argument, bytes) else ctypes.c_long(argument)
            for argument in (numbers[MACHINES[platform.machine()]], *numbers[2:], *(6 * [0]))][:7]
        ctypes.set_errno(0)
        if system(*arguments) != -1 or ctypes.get_errno() != errno.EPERM:
            raise SystemExit(f"is not refused {name}: {errno.errorcode.get(ctypes.get_errno())}")


reach()


class FIFO(evictionlab.Policy):
    def __init__(self, capacity):
        self.order = collections.OrderedDict()
        reach()

    def insert(self, request):
        self.order[request.slot] = None

    def victim(self):
        return next(iter(self.order))

    def remove(self, slot):
        del self.order[slot]
