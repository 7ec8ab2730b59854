"""A class in Python as a candidate of `evict score mine.py`: the process that checks it, or answers the judge's requests.

The judge sends the requests up to the next miss in one message, all of them hits but the last, and waits for the answer: 1
if the newcomer was admitted, and the slots that were evicted. So nothing that is still to come is in this process.
"""

import ctypes
import importlib.util
import os
import pathlib
import random
import struct
import sys
import traceback
from typing import Any, List, NoReturn, Type

from . import _library
from ._policies import _ADMITTED, _BYTES_PER_SLOT, _NEEDS, _Account, Policy, check, needs_of

#: The descriptor of the channel to the judge, and the bytes of its longest message.
_CHANNEL, _MOST_BYTES = 3, 1 << 16
#: A request of a message: slot, hash of the key, time.
_MESSAGE = struct.Struct("@QQq")
_NEVER = 2**63 - 1


#: What prctl() calls the filter of system calls, and its kind.
_SET_FILTER, _FILTER = 22, 2


def show_places() -> None:
    """Prints what a judged process needs, each with a zero byte behind it: interpreter, folder of the package, library, and
    what the interpreter reads."""
    package = pathlib.Path(__file__).resolve().parent
    for place in (sys.executable, package.parent, _library.path().resolve(), sys.prefix, sys.base_prefix):
        sys.stdout.buffer.write(os.fsencode(place) + b"\0")


def main(words: List[str]) -> None:
    """Does a task: FILTER FILE check, or FILTER FILE run CAPACITY SEED. The filter is empty for none."""
    calls, file, task, *numbers = words
    try:
        _limit_calls(bytes.fromhex(calls))
        policy = _class(file)
        if task == "check":
            _check(policy)
        else:
            _serve(policy, int(numbers[0]), int(numbers[1]))
        # Without what runs at the end of an interpreter, which may take long.
        os._exit(0)
    except BaseException as failure:
        _fail(failure, file)


class _Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def _limit_calls(instructions: bytes) -> None:
    """Takes away the system calls that only the start of the interpreter needed. The others were never there."""
    if not instructions:
        return
    calls = ctypes.CDLL(None, use_errno=True)
    added = _Filter(len(instructions) // 8, instructions)
    if calls.prctl(_SET_FILTER, ctypes.c_ulong(_FILTER), ctypes.byref(added), ctypes.c_ulong(0), ctypes.c_ulong(0)):
        raise OSError(ctypes.get_errno(), "cannot be confined")


def _fail(failure: BaseException, file: str) -> NoReturn:
    words = traceback.format_exception_only(type(failure), failure)[-1].strip()
    lines = [frame.lineno for frame in traceback.extract_tb(failure.__traceback__) if frame.filename == file]
    os.write(2, (f"line {lines[-1]}: {words}\n" if lines else f"{words}\n").encode("utf-8", "replace"))
    os._exit(64)


def _class(file: str) -> Type[Policy]:
    """The class of a file that is a policy."""
    specification = importlib.util.spec_from_file_location("candidate", file)
    if specification is None or specification.loader is None:
        raise ImportError("is no file in Python")
    module = importlib.util.module_from_spec(specification)
    sys.modules["candidate"] = module
    specification.loader.exec_module(module)
    found = [value for value in vars(module).values()
             if isinstance(value, type) and issubclass(value, Policy) and value.__module__ == "candidate"]
    if len(found) != 1:
        raise TypeError(f"has {len(found)} classes that are an evictionlab.Policy; one is judged")
    return found[0]


def _send(text: str) -> None:
    os.write(_CHANNEL, text.encode("utf-8", "replace"))


def _check(policy: Type[Policy]) -> None:
    needs = needs_of(policy)
    _send(f"page {needs} {_BYTES_PER_SLOT} {int(bool(needs & _NEEDS['next_use']))}")
    _send("property the conformance suite")
    for violation in check(policy, rounds=2, operations=150, progress=False):
        _send(f"violation {violation.property}: {violation.message}")
    _send("end")


class _Host:
    """The host of a judged policy: objects count one, and evictions are passed on."""

    asks_filter, context = 0, None

    def __init__(self, capacity: int) -> None:
        self.capacity, self.used = capacity, 0
        #: 1 if the newcomer was admitted, and the evicted slots.
        self.answer = [0]

    @property
    def has_room(self) -> bool:
        return self.used < self.capacity

    def evict(self, context: None, slot: int, keeps_ghost: bool) -> None:
        self.used -= 1
        self.answer.append(slot)

    def forget(self, context: None, slot: int) -> None:
        pass


class _JudgedAccount(_Account):
    """An account whose host is in Python, too."""

    def __init__(self, policy: Policy, name: str, host: _Host) -> None:
        super().__init__(policy, name, is_checked=False)
        self._own_host = host

    @property
    def _host(self) -> Any:
        return self._own_host

    def _function(self, kind: Any, address: Any) -> Any:
        return address


def _serve(kind: Type[Policy], capacity: int, seed: int) -> None:
    policy = kind.__new__(kind)
    policy.random, policy.is_sized = random.Random(seed), False
    policy.__init__(capacity)  # type: ignore[misc]
    host = _Host(capacity)
    policy._account = account = _JudgedAccount(policy, kind.__name__, host)
    reads_hash, reads_time = "key_hash" in kind.needs, "time" in kind.needs
    while True:
        message = os.read(_CHANNEL, _MOST_BYTES)
        if not message:
            return
        host.answer = [0]
        for slot, key_hash, time in _MESSAGE.iter_unpack(message):
            request = account.new_request(
                (1, 1.0, key_hash if reads_hash else 0, time if reads_time else 0, 0, _NEVER, _NEVER, 0, slot))
            if slot in account.residents:
                policy.hit(request)
            elif account.insert(request) == _ADMITTED:
                host.used += 1
                host.answer[0] = 1
        os.write(_CHANNEL, struct.pack(f"@{len(host.answer)}I", *host.answer))
