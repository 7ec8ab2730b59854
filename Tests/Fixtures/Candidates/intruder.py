"""FIFO that reaches for files, the network and other processes as it is loaded and while it runs. A success ends it."""

import os
import socket
import subprocess

import evictionlab


def reach():
    reached = {
        "has read /etc/passwd": lambda: open("/etc/passwd").read(),
        "has read the judge's memory": lambda: open(f"/proc/{os.getppid()}/maps").read(),
        "has written a file": lambda: open("/tmp/evictionlab-intruder", "w").write("a"),
        "has a socket": socket.socket,
        "has a process": os.fork,
        "has a program": lambda: subprocess.run(["true"]),
        "has sent a signal": lambda: os.kill(os.getppid(), 0),
    }
    for gain, attempt in reached.items():
        try:
            attempt()
        except OSError:
            continue
        raise SystemExit(gain)


reach()


class FIFO(evictionlab.Policy):
    def __init__(self, capacity):
        self.order = {}
        reach()

    def insert(self, request):
        self.order[request.slot] = None

    def victim(self):
        return next(iter(self.order))

    def remove(self, slot):
        del self.order[slot]
