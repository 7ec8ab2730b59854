"""Policies of the user's own: a class in Python, or functions in C.

The library calls both through the functions of `evictionlab_policy.h`. Those of a class are made here: they keep the
account of what is in the cache, so that a wrong answer or an exception of the class ends the call with its reason.
"""

import contextlib
import ctypes
import dataclasses
import functools
import hashlib
import json
import operator
import os
import pathlib
import random
import re
import shlex
import struct
import subprocess
import tempfile
import threading
import traceback
import weakref
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, NoReturn, Optional, Sequence, Set, Tuple, Type, Union

from . import _columns, _forks, _library
from ._errors import ArgumentError, EvictionError, MissingFileError
from ._library import lib
from ._progress import ProgressOption, run


class Request(NamedTuple):
    """One request, as far as it is known. A policy reads size, slot and the fields that are among its `needs`; reading
    another raises EvictionError.

    - size: the room that the object takes: 1, or its bytes in a sized run.
    - cost: the penalty of a miss.
    - key_hash: a hash of the key of 64 bits, the same in every run.
    - time: nanoseconds.
    - index: the number of the request.
    - next_use: the number of the next request for this key, 2**63 - 1 for none.
    - expiry: the time in nanoseconds at which the object expires, 2**63 - 1 for never.
    - key_length: the bytes of the key.
    - slot: an integer that stands for the key while the policy knows it.
    """

    size: int
    cost: float
    key_hash: int
    time: int
    index: int
    next_use: int
    expiry: int
    key_length: int
    slot: int


#: A request as it lies in memory.
_REQUEST = struct.Struct("@qdQqqqqqI")
_unpack = _REQUEST.unpack_from
#: The fields of a request that a policy has to name, and their bits.
_NEEDS = {
    "key_hash": 1, "time": 2, "index": 4, "next_use": 4, "expiry": 8, "key_length": 16, "cost": 32}


@functools.lru_cache(maxsize=None)
def request_maker(policy: str, needs: int) -> Callable[[Tuple[Any, ...]], Request]:
    """What makes the requests of a policy of these needs: `Request._make`, which would be slower than the rest of a hit, of a
    class whose other fields cannot be read."""

    def hidden(name: str) -> property:
        def refuse(request: Request) -> NoReturn:
            raise EvictionError(
                f"{policy} reads request.{name}, which is not among its needs: write needs = ({name!r},) in the class")
        return property(refuse)

    fields = {name: hidden(name) for name, bit in _NEEDS.items() if not needs & bit}
    kind = type("Request", (Request,), {"__slots__": (), "__doc__": Request.__doc__, **fields})
    return functools.partial(tuple.__new__, kind)


_HITS_REORDER, _MAY_REFUSE = 1, 2
_ADMITTED, _REJECTED, _REMEMBERED = range(3)


class Policy:
    """An eviction policy in Python: a subclass is passed wherever a simulation takes the name of a policy.

        class LRU(evictionlab.Policy):
            def __init__(self, capacity):
                self.order = collections.OrderedDict()

            def hit(self, request):
                self.order.move_to_end(request.slot)

            def insert(self, request):
                self.order[request.slot] = None

            def victim(self):
                return next(iter(self.order))

            def remove(self, slot):
                del self.order[slot]

        evictionlab.simulate(keys, LRU, 1000).hit_ratio

    A policy never sees a key. It sees a slot, an integer that stands for one; slots that it has forgotten are given to other
    keys. Each simulation of a cache makes an instance: `LRU(capacity)`, with the values of `with_parameters`. The
    capacity is in objects, or in bytes in a sized run.

    An exception in a method ends the call that simulates, and is raised by it. So does a victim that is not in the cache.
    Equal calls must have equal results: `self.random` is the source of all that is random.

    - name: the policy's name in results; that of the class by default.
    - needs: fields of `Request` that are read beyond slot and size, such as ("time", "key_hash").
    - hits_reorder: False if the order of hits decides nothing, as in CLOCK; by default True if there is a `hit`.
    - minimum_capacity: the smallest capacity in objects.
    - random: a generator whose seed is that of the simulation; there before `__init__` is called, as is the next.
    - is_sized: True if objects count their bytes.
    """

    name: str = ""
    needs: Sequence[str] = ()
    hits_reorder: Optional[bool] = None
    minimum_capacity: int = 1
    random: random.Random
    is_sized: bool
    _account: Optional["_Account"]

    def __new__(cls, *arguments: Any, **parameters: Any) -> "Policy":
        policy = super().__new__(cls)
        policy.random, policy.is_sized, policy._account = random.Random(0), False, None
        return policy

    def __init__(self, capacity: int) -> None:
        pass

    def hit(self, request: Request) -> None:
        """A request found its object in the cache. By default nothing is learned from it."""

    def admit(self, request: Request) -> bool:
        """Returns True to admit the object of a miss, False to refuse it. Called before room is made; by default all are
        admitted."""
        return True

    def insert(self, request: Request) -> None:
        """The object of a miss enters: there is room for it now. Its slot may be that of a ghost, which it is no more."""
        raise NotImplementedError(f"{type(self).__name__} has no insert(request)")

    def victim(self) -> int:
        """The slot in the cache that leaves next. It stays in the policy's own records: `remove` follows, unless an
        admission filter refuses the newcomer."""
        raise NotImplementedError(f"{type(self).__name__} has no victim()")

    def remove(self, slot: int) -> None:
        """A slot is forgotten: evicted, removed by the user, or expired. If it is a ghost, too."""
        raise NotImplementedError(f"{type(self).__name__} has no remove(slot)")

    def evicted(self, slot: int) -> Optional[bool]:
        """The victim leaves. By default it is forgotten, by `remove`. Returns True to keep it as a ghost: then its slot
        keeps standing for its key until `forget`."""
        self.remove(slot)
        return None

    def resize(self, capacity: int) -> None:
        """The capacity changed. By default nothing is learned from it."""

    def forget(self, slot: int) -> None:
        """Gives up a ghost: the policy calls it, in any of its methods, and has no record of the slot from then on."""
        if self._account is None:
            raise EvictionError(f"{type(self).__name__}.forget({slot!r}) outside a simulation: there are no ghosts")
        self._account.forget(slot)

    @classmethod
    def with_parameters(cls, **parameters: Any) -> "ConfiguredPolicy":
        """The policy with values for parameters of its `__init__`: `sweep(keys, [P, P.with_parameters(window=0.2)])`."""
        return ConfiguredPolicy(cls, parameters)

    @staticmethod
    def from_c(source: Union[str, "os.PathLike[str]"], name: Optional[str] = None) -> "CPolicy":
        """Compiles a policy in C, and loads it: `simulate(keys, Policy.from_c("mine.c"), 1000)`.

        - source: the path of a C file, or its text; or the path of a shared library (.so, .dylib).
        - name: the policy's name in results; by default that of the file, such as "mine.c".

        The compiler is `CC`, or else `cc`, with -O2. `evictionlab_policy.h` and `evictionlab_lists.h` are found. A source that
        has not changed is compiled once in a process. If it fails, EvictionError has the compiler's words. A path
        without a file raises MissingFileError. The code runs inside this process: a fault in it, such as an index out
        of range, ends the process.
        """
        return CPolicy(*_compiled(source), name)


class ConfiguredPolicy:
    """A policy with values for its parameters, as `with_parameters` returns it; usable as the policy is."""

    def __init__(self, policy: Union[Type[Policy], "CPolicy"], parameters: Dict[str, Any]) -> None:
        self.policy, self.parameters = policy, dict(parameters)

    def __repr__(self) -> str:
        return f"<{_name(self)}>"


class CPolicy:
    """A policy in C, as `Policy.from_c` returns it; usable as a class is, and in a `Cache`."""

    def __init__(self, library: ctypes.CDLL, usual_name: str, name: Optional[str]) -> None:
        try:
            table = library.evictionlab_policy
        except AttributeError:
            raise EvictionError(
                f"{usual_name} exports no evictionlab_policy(): define it with EVL_EXPORT, see evictionlab_policy.h"
            ) from None
        table.restype = ctypes.c_void_p
        self.name = name or usual_name
        self._named = _Named(self.name, table())
        self._library = library

    @property
    def text(self) -> str:
        """The policy as texts name it, as long as this object lives: "plugin:…"."""
        return f"plugin:{self._named.name}"

    def with_parameters(self, **parameters: Any) -> ConfiguredPolicy:
        """The policy with values for the parameters that it declares."""
        return ConfiguredPolicy(self, parameters)

    def __repr__(self) -> str:
        return f"<CPolicy {self.name}>"


#: A policy: a text such as "lru" or "slru:protected=0.8", a class in Python, one in C, or one of these with parameters.
PolicyOption = Union[str, Type[Policy], CPolicy, ConfiguredPolicy]


@dataclasses.dataclass(frozen=True)
class Violation:
    """A property that every policy must have, and that one lacks.

    - property: the property, in words.
    - message: the first operation that shows it, and the seed.
    - breaks_contract: True if the policy told its host something wrong: then no later property was checked.
    """

    property: str
    message: str
    breaks_contract: bool

    def __str__(self) -> str:
        return self.message


def check(
    policy: PolicyOption, *, seed: int = 42, rounds: int = 10, operations: int = 200, progress: ProgressOption = "auto",
) -> List[Violation]:
    """Runs the conformance suite on a policy, and returns what does not hold: an empty list if all does.

    - policy: a text, a class or one in C, also with parameters, but without an admission filter.
    - seed: the seed of the first workload.
    - rounds: the seeds for each property.
    - operations: the operations of each workload.
    - progress: see `simulate`.

    A message ends with its workload: the seed, the features that it has beside requests for objects that count one ("none",
    "removals+sizes"), and the capacity.

    The suite is that of `evict policies check`: random workloads with removals, sizes, refusals and changes of the capacity.
    An exception of a class in Python is raised. A fault in C, such as an index out of range, ends the process.
    """
    numbers = (
        _columns.whole(seed, "seed", 0, 2**63 - 1), _columns.whole(rounds, "rounds", 1, 1_000_000),
        _columns.whole(operations, "operations", 1, 1_000_000))
    found = ctypes.c_void_p()
    with named([policy], is_checked=True) as names:
        names.run(
            lambda callback, error: lib.evl_policy_check(
                _library.text(names.texts[0]), *numbers, callback, None, found, error),
            progress, "check", " properties")
        try:
            report = json.loads(ctypes.string_at(found))
        finally:
            lib.evl_free(found)
        return [
            Violation(entry["property"], names.shown(entry["message"]), entry["breaksContract"])
            for entry in report["violations"]]


# MARK: Names of policies for the time of a call.


class Names:
    """The texts that name policies to the library during a call, and what went wrong in those in Python."""

    def __init__(self, policies: Sequence[PolicyOption], is_checked: bool) -> None:
        self.texts: List[str] = []
        self._labels: Dict[str, str] = {}
        self._adapters: List[_Adapter] = []
        known: Dict[Any, str] = {}
        for policy in policies:
            refuse_instance(policy)
            if policy not in known:
                known[policy] = self._text(policy, is_checked)
            self.texts.append(known[policy])
        labels = [self.shown(text) for text in known.values()]
        for label in labels:
            if labels.count(label) > 1:
                self.close()
                raise ArgumentError(f"two policies are named {label}: give one another `name`")

    def _text(self, policy: PolicyOption, is_checked: bool) -> str:
        if isinstance(policy, str):
            return policy
        base, parameters = policy, {}
        if isinstance(policy, ConfiguredPolicy):
            base, parameters = policy.policy, policy.parameters
        if isinstance(base, CPolicy):
            self._labels[base.text] = base.name
            return ":".join([base.text, *_given(parameters)])
        own = {key: value for key, value in parameters.items() if not _is_of_host(key)}
        adapter = _Adapter(base, own, is_checked)
        self._adapters.append(adapter)
        text = f"plugin:{adapter.named.name}"
        self._labels[text] = _name(ConfiguredPolicy(base, own))
        return ":".join([text, *_given({key: value for key, value in parameters.items() if key not in own})])

    @property
    def are_slow(self) -> bool:
        """True if a policy is in Python, whose threads take turns."""
        return bool(self._adapters)

    def shown(self, text: str) -> str:
        """A text of the library with the policies' own names."""
        if not self._labels:
            return text
        # The longest first: the name of a library may begin as that of a class does.
        names = "|".join(map(re.escape, sorted(self._labels, key=len, reverse=True)))
        return re.sub(rf"(?:{names})(?![\w-])", lambda found: self._labels[found[0]], text)

    def run(self, call: Callable[[Any, ctypes.c_void_p], int], progress: ProgressOption, title: str, unit: str) -> None:
        """Calls the library as `_progress.run` does, and raises the exception of a policy in Python."""
        problem: Optional[EvictionError] = None
        try:
            run(call, progress, title, unit, stop=self._stop, is_stopped=self._has_failed)
        except EvictionError as failure:
            problem = failure
        # What a class raised is the reason of what the library says.
        self._raise_failure()
        if problem is not None:
            raise type(problem)(self.shown(str(problem)))

    def close(self) -> None:
        """Takes the names away."""
        for adapter in self._adapters:
            adapter.close()

    def _has_failed(self) -> bool:
        return any(adapter.failure is not None for adapter in self._adapters)

    def _stop(self) -> None:
        """Lets what still runs come to its end soon, and ends what has not since the last time."""
        for adapter in self._adapters:
            if adapter.failure is not None:
                adapter.interrupt()
            adapter.fail(EvictionError("the call was stopped"))

    def _raise_failure(self) -> None:
        for adapter in self._adapters:
            if adapter.failure is not None:
                # The adapter lives as long as the exception's traceback otherwise.
                failure, adapter.failure = adapter.failure, None
                raise failure


@contextlib.contextmanager
def named(policies: Sequence[PolicyOption], is_checked: bool = False) -> Iterator[Names]:
    """Names policies to the library for the time of a call."""
    names = Names(policies, is_checked)
    try:
        yield names
    finally:
        names.close()


def named_for_cache(policy: Union[str, "CPolicy", ConfiguredPolicy]) -> str:
    """The text of a policy that a cache takes. One in C is there as long as the caller keeps it."""
    if isinstance(policy, str):
        return policy
    base = policy.policy if isinstance(policy, ConfiguredPolicy) else policy
    if isinstance(base, CPolicy):
        return ":".join([base.text, *_given(policy.parameters if isinstance(policy, ConfiguredPolicy) else {})])
    if isinstance(base, Policy):
        base = type(base)
    if is_own(base):
        raise TypeError(
            f"{_name(base)} is a policy in Python, which a cache cannot call: it is locked while its policy works, and a class "
            "in Python lets other threads run then, or may use the cache itself; write it in C (Policy.from_c), or simulate it")
    raise TypeError(f"policy is {policy!r}: pass a text such as 'lru'")


def refuse_instance(policy: Any) -> None:
    """Refuses an instance of a class where the class is meant."""
    if isinstance(policy, Policy):
        name = type(policy).__name__
        raise TypeError(
            f"policy is an instance of {name}: pass the class {name}, or {name}.with_parameters(…), as each simulation "
            "makes its own instance")


def is_own(policy: Any) -> bool:
    """True for a policy that is no text."""
    return isinstance(policy, (CPolicy, ConfiguredPolicy)) or isinstance(policy, type) and issubclass(policy, Policy)


def _name(policy: Any) -> str:
    """The name of a policy in results, with its parameters."""
    if isinstance(policy, ConfiguredPolicy):
        return ":".join([_name(policy.policy), *_given(policy.parameters)])
    return policy.name if isinstance(policy, CPolicy) or policy.name else policy.__name__


def _given(parameters: Dict[str, Any]) -> List[str]:
    return [f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in parameters.items()]


def _is_of_host(parameter: str) -> bool:
    """True for a parameter that any policy has: an admission filter before it."""
    return parameter.split(".")[0] == "admission"


class _Named:
    """A table that the library knows by a name, until this object is gone."""

    _lock: Any = threading.RLock()
    _taken: Set[str] = set()

    def __init__(self, wanted: str, table: Optional[int]) -> None:
        with _Named._lock:
            name, number = wanted, 1
            while name in _Named._taken:
                number += 1
                name = f"{wanted}-{number}"
            error = ctypes.c_void_p()
            _library.check(lib.evl_policy_add(_library.text(name), table, error), error)
            _Named._taken.add(name)
        self.name = name
        self.close = weakref.finalize(self, _Named._remove, name)

    @staticmethod
    def _remove(name: str) -> None:
        with _Named._lock:
            lib.evl_policy_remove(name.encode())
            _Named._taken.discard(name)


_forks.renew_locks_of(_Named)


# MARK: Classes in Python, as the library calls them.


class _Host(ctypes.Structure):
    """`evl_host`."""

    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("context", "evict", "forget", "size", "may_evict", "is_pinned")),
        *((name, ctypes.c_uint32) for name in ("has_room", "has_refused", "is_sized", "asks_filter", "pins_slots"))]


class _Configuration(ctypes.Structure):
    """`evl_configuration`."""

    _fields_ = [
        ("capacity", ctypes.c_int64), ("seed", ctypes.c_uint64), ("slots", ctypes.c_uint32), ("is_sized", ctypes.c_uint32),
        ("parameters", ctypes.c_void_p), ("context", ctypes.c_void_p), ("problem", ctypes.c_void_p)]


_PROBLEM_BYTES = 256
_Evict = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32)
_Forget = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32)
_MayEvict = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p, ctypes.c_uint32)

#: The functions of `evl_policy` that are given: what each returns, and its arguments after the state.
_CALLS: Dict[str, Any] = {
    "create": ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p),
    "destroy": ctypes.CFUNCTYPE(None, ctypes.c_void_p),
    "hit": ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p),
    "insert": ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p),
    "evict": ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p),
    "remove": ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32),
    "remove_all": ctypes.CFUNCTYPE(None, ctypes.c_void_p),
    "resize": ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64),
}


class _Table(ctypes.Structure):
    """`evl_policy`."""

    _fields_ = [
        *((name, ctypes.c_uint32) for name in ("version", "needs", "flags", "parameter_count")),
        ("minimum_capacity", ctypes.c_int64), ("bytes_per_slot", ctypes.c_int64), ("summary", ctypes.c_char_p),
        ("paper", ctypes.c_char_p), ("parameters", ctypes.c_void_p), ("context", ctypes.c_void_p),
        *((name, _CALLS.get(name, ctypes.c_void_p)) for name in (
            "create", "destroy", "reserve", "hit", "insert", "evict", "remove", "contains", "remove_all", "resize",
            "change_size", "change_expiry", "ignores_hit", "visit_state", "show_internals", "prefetch",
            "prefetch_further", "run"))]


_POLICY_VERSION = 1
#: The memory that a slot takes in a dictionary and two sets, roughly.
_BYTES_PER_SLOT = 300


class _Account:
    """One instance of a class at work, and what is in its cache."""

    def __init__(self, policy: Policy, name: str, is_checked: bool) -> None:
        self.policy, self.name, self.is_checked = policy, name, is_checked
        self.residents: Set[int] = set()
        self.ghosts: Set[int] = set()
        self.thread = threading.get_ident()
        self._newcomer: Optional[int] = None
        #: The address of the host, set in each call.
        self.host_address = 0
        self._seen_host_address = self._request_address = 0
        self._seen_host: Any = None
        self._view: Any = b""
        self._functions: Dict[Any, Any] = {}
        self._refuses = type(policy).admit is not Policy.admit
        self.new_request = request_maker(name, needs_of(type(policy)))

    def request(self, address: int) -> Request:
        if address != self._request_address:
            self._request_address = address
            self._view = (ctypes.c_char * _REQUEST.size).from_address(address)
        return self.new_request(_unpack(self._view))

    @property
    def _host(self) -> Any:
        """The host of the call."""
        if self.host_address != self._seen_host_address:
            self._seen_host_address, self._seen_host = self.host_address, _Host.from_address(self.host_address)
        return self._seen_host

    def _function(self, kind: Any, address: int) -> Any:
        key = kind, address
        if key not in self._functions:
            self._functions[key] = kind(address)
        return self._functions[key]

    def insert(self, request: Request) -> int:
        policy, slot, host = self.policy, request.slot, self._host
        self._newcomer = slot
        try:
            if self._refuses:
                is_admitted = policy.admit(request)
                if is_admitted is None:
                    raise TypeError(f"{self.name}: admit(request) is None: return True to admit the object, False to refuse it")
                if not is_admitted:
                    return self.refusal(slot)
            while not host.has_room:
                if not self.evict():
                    return self.refusal(slot)
            self.ghosts.discard(slot)
            policy.insert(request)
        finally:
            self._newcomer = None
        self.residents.add(slot)
        return _ADMITTED

    def refusal(self, slot: int) -> int:
        """A ghost stays one."""
        return _REMEMBERED if slot in self.ghosts else _REJECTED

    def evict(self) -> bool:
        """Evicts one object. Returns False if none may leave."""
        slot, host = self.policy.victim(), self._host
        if slot not in self.residents or slot.__class__ is not int:
            slot = self._slot(slot, "victim()")
            if slot not in self.residents:
                if not self.is_checked:
                    kind = "a ghost" if slot in self.ghosts else "not in the cache"
                    raise EvictionError(
                        f"{self.name}: victim() returned slot {slot}, which is {kind}: return one that was inserted and "
                        "has not been removed")
                # The suite notes it, with the operation.
                self._function(_Evict, host.evict)(host.context, slot, 0)
                return False
        if host.asks_filter and not self._function(_MayEvict, host.may_evict)(host.context, slot):
            return False
        keeps_ghost = bool(self.policy.evicted(slot))
        self.residents.discard(slot)
        if keeps_ghost:
            self.ghosts.add(slot)
        self._function(_Evict, host.evict)(host.context, slot, keeps_ghost)
        return True

    def evict_any(self) -> None:
        """Evicts some object, for a policy that has failed."""
        host = self._host
        if self.residents:
            self._function(_Evict, host.evict)(host.context, self.residents.pop(), 0)

    def forget(self, slot: Any) -> None:
        slot = self._slot(slot, "forget(…)")
        if slot not in self.ghosts and not self.is_checked:
            kind = "in the cache" if slot in self.residents else "unknown"
            raise EvictionError(f"{self.name}: forget({slot}), which is {kind}: forget ghosts only, once")
        self.ghosts.discard(slot)
        # The host forgets a newcomer by the answer to `insert`.
        if slot != self._newcomer:
            self._function(_Forget, self._host.forget)(self._host.context, slot)

    def _slot(self, value: Any, what: str) -> int:
        try:
            slot = operator.index(value)
        except TypeError:
            raise TypeError(f"{self.name}: {what} is {value!r}: a slot is an integer") from None
        if not 0 <= slot < 2**32 - 1:
            raise EvictionError(f"{self.name}: {what} is {slot}: a slot is one that a request has had")
        return slot


class _Adapter:
    """The table of a class in Python, for the time of a call."""

    def __init__(self, policy: Type[Policy], parameters: Dict[str, Any], is_checked: bool) -> None:
        self.failure: Optional[BaseException] = None
        self._policy, self._parameters, self._is_checked = policy, parameters, is_checked
        self._name = _name(policy)
        self._accounts: Dict[int, _Account] = {}
        self._next = 0
        reorders = policy.hits_reorder
        if reorders is None:
            reorders = policy.hit is not Policy.hit
        needs = needs_of(policy)
        for method in ("insert(request)", "victim()", "remove(slot)"):
            name = method.partition("(")[0]
            if getattr(policy, name) is getattr(Policy, name):
                raise ArgumentError(f"{self._name} has no {method}: every policy defines it, see help(evictionlab.Policy)")
        self._table = _Table(
            version=_POLICY_VERSION, needs=needs,
            flags=_HITS_REORDER * bool(reorders) + _MAY_REFUSE * (policy.admit is not Policy.admit),
            minimum_capacity=_columns.whole(policy.minimum_capacity, f"{self._name}.minimum_capacity", 1, 2**56),
            bytes_per_slot=_BYTES_PER_SLOT, summary=_summary(policy),
            **{name: kind(getattr(self, f"_{name}")) for name, kind in _CALLS.items()})
        self.named = _Named(self._name, ctypes.addressof(self._table))

    def close(self) -> None:
        self.named.close()
        # The functions refer to this object, and it to them.
        self._table = None

    def fail(self, failure: BaseException) -> None:
        """Notes the first failure. From then on the policy's methods are not called."""
        if self.failure is None:
            self.failure = failure

    def interrupt(self) -> None:
        """Raises an exception in the methods that are at work, which may loop for ever."""
        for account in list(self._accounts.values()):
            _raise_in(account.thread, KeyboardInterrupt)

    # The functions. None of them lets an exception out.

    def _create(self, address: int) -> int:
        configuration = _Configuration.from_address(address)
        try:
            if self.failure is not None:
                raise EvictionError("stopped")
            policy = self._policy.__new__(self._policy)
            policy.random = random.Random(configuration.seed)
            policy.is_sized = bool(configuration.is_sized)
            policy.__init__(configuration.capacity, **self._parameters)  # type: ignore[misc]
            policy._account = account = _Account(policy, self._name, self._is_checked)
        except BaseException as failure:
            self.fail(failure)
            words = traceback.format_exception_only(type(failure), failure)[-1].strip().encode()
            ctypes.memmove(configuration.problem, words[:_PROBLEM_BYTES - 1] + b"\0", min(len(words) + 1, _PROBLEM_BYTES))
            return 0
        # A thread of the library has a state in Python during each call only, which is dear: it keeps one.
        _keep_thread()
        self._next += 1
        handle = self._next
        self._accounts[handle] = account
        return handle

    def _destroy(self, handle: int) -> None:
        account = self._accounts.pop(handle)
        account.policy._account = None
        if account.thread == threading.get_ident():
            _release_thread(0)

    def _hit(self, handle: int, host: int, request: int) -> None:
        if self.failure is not None:
            return
        try:
            account = self._accounts[handle]
            account.host_address = host
            account.policy.hit(account.request(request))
        except BaseException as failure:
            self.fail(failure)

    def _insert(self, handle: int, host: int, request: int) -> int:
        account = self._accounts[handle]
        told = account.request(request)
        account.host_address = host
        if self.failure is None:
            try:
                return account.insert(told)
            except BaseException as failure:
                self.fail(failure)
        return account.refusal(told.slot)

    def _evict(self, handle: int, host: int, request: Optional[int]) -> None:
        account = self._accounts[handle]
        account.host_address = host
        if self.failure is None:
            try:
                account.evict()
                return
            except BaseException as failure:
                self.fail(failure)
        account.evict_any()

    def _remove(self, handle: int, host: int, slot: int) -> None:
        account = self._accounts[handle]
        account.residents.discard(slot)
        account.ghosts.discard(slot)
        account.host_address = host
        if self.failure is None:
            try:
                account.policy.remove(slot)
            except BaseException as failure:
                self.fail(failure)

    def _remove_all(self, handle: int) -> None:
        account = self._accounts[handle]
        slots = [*account.residents, *account.ghosts]
        account.residents.clear()
        account.ghosts.clear()
        try:
            for slot in slots if self.failure is None else ():
                account.policy.remove(slot)
        except BaseException as failure:
            self.fail(failure)

    def _resize(self, handle: int, host: int, capacity: int) -> None:
        if self.failure is None:
            try:
                account = self._accounts[handle]
                account.host_address = host
                account.policy.resize(capacity)
            except BaseException as failure:
                self.fail(failure)


def needs_of(policy: Type[Policy]) -> int:
    """The bits of the fields that a class reads beyond slot and size."""
    unknown = [name for name in policy.needs if name not in _NEEDS]
    if unknown or isinstance(policy.needs, str):
        raise ArgumentError(f"{_name(policy)}: needs are {policy.needs!r}: name some of {', '.join(_NEEDS)} in a tuple")
    return sum({_NEEDS[name] for name in policy.needs})


def _summary(policy: Type[Policy]) -> bytes:
    lines = (policy.__doc__ or "").strip().splitlines()
    own = lines[0] if lines and policy.__doc__ is not Policy.__doc__ else "A policy in Python."
    return own.replace("\0", "").encode("utf-8", "replace")


_keep_thread: Any = ctypes.pythonapi.PyGILState_Ensure
_keep_thread.restype = ctypes.c_int
_release_thread: Any = ctypes.pythonapi.PyGILState_Release
_release_thread.argtypes, _release_thread.restype = [ctypes.c_int], None
_raise_in: Any = ctypes.pythonapi.PyThreadState_SetAsyncExc
_raise_in.argtypes = [ctypes.c_ulong, ctypes.py_object]


# MARK: Policies in C.

#: The libraries that were compiled, by what went into them.
_libraries: Dict[Tuple[str, ...], ctypes.CDLL] = {}


def _compiled(source: Union[str, "os.PathLike[str]"]) -> Tuple[ctypes.CDLL, str]:
    """A shared library, and the name of the file that it is from."""
    text = os.fspath(source)
    is_text = isinstance(source, str) and _is_c(source)
    path = pathlib.Path("policy.c" if is_text else text)
    if not is_text and not path.is_file():
        is_missing = bool(text) and not path.exists()
        problem = f"{path} is {'missing' if is_missing else 'no file'}" if text else "the source is empty"
        raise (MissingFileError if is_missing else EvictionError)(
            f"{problem}: pass the path of a C file or of a shared library, or the text of a C file")
    if path.suffix in (".so", ".dylib"):
        return _loaded(path.resolve(), str(path)), path.name
    compiler = _compiler()
    with tempfile.TemporaryDirectory(prefix="evictionlab-") as folder:
        if is_text:
            path = pathlib.Path(folder) / path
            path.write_text(text, encoding="utf-8")
        includes = [f"-I{headers()}"]
        whole = _run([*compiler, "-E", "-P", *includes, str(path)])
        key = (*compiler, hashlib.sha256(whole.encode("utf-8", "surrogateescape")).hexdigest())
        if key not in _libraries:
            made = pathlib.Path(folder) / "policy.so"
            _run([*compiler, "-O2", "-shared", "-fPIC", *includes, str(path), "-o", str(made), "-lm"])
            _libraries[key] = _loaded(made, f"what {compiler[0]} made of {path.name}")
    return _libraries[key], path.name


def _is_c(source: str) -> bool:
    """True for the text of a C file, and False for a path."""
    if "\n" in source or "{" in source:
        return True
    # On one line only. A path may have a semicolon, too.
    is_path = source.endswith((".c", ".so", ".dylib")) or os.path.exists(source)
    return not is_path and (";" in source or source.lstrip().startswith("#"))


def _loaded(path: pathlib.Path, name: str) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise EvictionError(f"{name} cannot be loaded: {error}") from None


def _compiler() -> List[str]:
    """The words of the compiler's command."""
    command = os.environ.get("CC") or "cc"
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise EvictionError(f"CC={command} is no command: {error}") from None
    if not words:
        raise EvictionError("CC is blank: name a C compiler in it, or leave it out")
    return words


def _run(command: List[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="surrogateescape")
    except OSError as error:
        raise EvictionError(
            f"the C compiler {command[0]} cannot be run: {error.strerror}; install gcc or clang, or name one in CC"
        ) from None
    if done.returncode:
        raise EvictionError(f"{command[0]} failed:\n{done.stderr.strip() or f'exit code {done.returncode}'}")
    return done.stdout


def headers() -> pathlib.Path:
    """The folder of `evictionlab_policy.h`: that of the package, or in a checkout that of the sources."""
    package = pathlib.Path(__file__).resolve().parent
    if (package / "evictionlab_policy.h").exists():
        return package
    return package.parents[2] / "Sources/CEvictionLab"
