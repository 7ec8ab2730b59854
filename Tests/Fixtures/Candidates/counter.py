"""Counts its runs in memory that is shared between processes. FIFO in the first three, and then the newest leaves."""

import collections
import ctypes

import evictionlab

KEY, CREATE = 0x45564C, 0o1000
system = ctypes.CDLL(None)
system.shmat.restype = ctypes.c_void_p


def count():
    segment = system.shmget(KEY, 4096, CREATE | 0o600)
    place = system.shmat(segment, None, 0) if segment >= 0 else None
    if place is None or place == ctypes.c_void_p(-1).value:
        return 0
    runs = ctypes.c_long.from_address(place)
    runs.value += 1
    return runs.value


RUNS = count()


class Counter(evictionlab.Policy):
    def __init__(self, capacity):
        self.order = collections.OrderedDict()

    def insert(self, request):
        self.order[request.slot] = None

    def victim(self):
        return next(iter(self.order)) if RUNS <= 3 else next(reversed(self.order))

    def remove(self, slot):
        del self.order[slot]
