"""A cache for Python's objects, and a decorator for functions: the policy is the library's."""

import array
import ctypes
import dataclasses
import functools
import inspect
import itertools
import math
import numbers
import struct
import sys
import threading
import weakref
from typing import Any, Callable, Dict, Hashable, Iterator, List, MutableMapping, NamedTuple, Optional, Tuple, Union

from . import _columns, _forks, _library
from ._errors import ArgumentError
from ._library import cache_lib as lib
from ._policies import ConfiguredPolicy, CPolicy, named_for_cache

_MASK = 2**64 - 1
_ABSENT: Any = object()

# The functions of the hot paths.
_touch, _touch_all, _run_batch = lib.evl_cache_touch, lib.evl_cache_touch_all, lib.evl_cache_run_batch
#: The most gets that wait for the library, and the values that a set takes from it at once.
_MOST_GETS, _MOST_LEFT = 64, 32
#: A batch before its gets, as the library takes it.
_pack_batch = struct.Struct("PqQQQPQQ").pack


class CacheInfo(NamedTuple):
    """The counts of a cached function, as those of `functools.lru_cache`."""

    hits: int
    misses: int
    maxsize: Optional[int]
    currsize: int


@dataclasses.dataclass(frozen=True)
class CacheStatistics:
    """The counts of a cache since it was made.

    - hits, misses: lookups that found a value, and that found none.
    - insertions, evictions, expirations: entries that came, that the policy evicted, and whose time was over.
    - replacements, rejections: values that replaced another, and that were refused.
    - removals: entries that were deleted.
    - count, cost: the entries now, and the sum of their costs.
    """

    hits: int
    misses: int
    insertions: int
    evictions: int
    expirations: int
    replacements: int
    rejections: int
    removals: int
    count: int
    cost: int

    def to_dict(self) -> Dict[str, int]:
        """The members by their names."""
        return dataclasses.asdict(self)


class _Left(NamedTuple):
    """Room for the numbers of values that left."""

    address: int
    numbers: Any


def _room() -> _Left:
    numbers = array.array("q", bytes(8 * _MOST_LEFT))
    return _Left(numbers.buffer_info()[0], numbers)


class Cache(MutableMapping[Any, Any]):
    """A mapping with at most `maxsize` entries, whose policy decides which of them stay.

        cache = Cache(1000, policy="s3fifo")
        cache["a"] = 1
        cache.get("a")

    - maxsize: the most entries; with `getsizeof`, the largest sum of sizes. None for no limit.
    - policy: as on the command line, such as "lru", "sieve" or "slru:protected=0.8"; or one in C (`Policy.from_c`). One in
      Python is refused: it would run while the cache is locked.
    - getsizeof: a function that returns the size of a value, an integer of 0 or more.
    - ttl: the seconds after which a value expires.
    - seed: the random seed of policies that draw; None draws it, too.

    Keys are anything that can be hashed; values are any objects, which are kept and not copied. The policy is the
    library's: it sees the hash of a key, and a number in place of the value. `cache[key]`, `get` and `setdefault` are
    requests, of which the policy learns before its next decision; `in`, `len` and iteration are not. A cache may refuse a
    value, as some policies do, and as it does where a value is larger than `maxsize`: `cache[key] = value` then stores
    nothing, and an older value of the key is gone.

    A cache may be used by several threads at once, and by a child after fork, which has its own copy.
    """

    def __init__(
        self, maxsize: Optional[int], policy: Union[str, CPolicy, ConfiguredPolicy] = "s3fifo",
        getsizeof: Optional[Callable[[Any], int]] = None, ttl: Optional[float] = None, seed: Optional[int] = None,
    ) -> None:
        limit = _library.NO_LIMIT if maxsize is None else _columns.whole(maxsize, "maxsize", 0, 2**56)
        text = named_for_cache(policy)
        if getsizeof is not None and not callable(getsizeof):
            raise TypeError(f"getsizeof is {getsizeof!r}: pass a function that returns the size of a value")
        self.maxsize, self.policy, self.ttl = maxsize, policy, ttl
        self._size_of = getsizeof
        self._ttl = _nanoseconds(ttl)
        # 0 means a random seed to the library.
        self._seed = 0 if seed is None else _columns.whole(seed, "seed", 1, _MASK)
        self._limits = (limit, _library.NO_LIMIT) if getsizeof is None else (_library.NO_LIMIT, limit)
        self._lock = threading.RLock()
        found, error = ctypes.c_void_p(), ctypes.c_void_p()
        _library.check(
            lib.evl_cache_create(
                _library.text(text), _library.CacheOptions(*self._limits, self._seed, 1), found, error),
            error)
        # Each value is a number to the library, by which _keys has its key. Numbers that are free are in _free.
        self._entries: Dict[Any, Tuple[Any, int]] = {}
        self._keys: List[Any] = []
        self._free: List[int] = []
        # A hit evicts nothing: gets wait here until the next set, or until there are many. Where values expire, the
        # library is asked at once.
        self._gets = array.array("q")
        self._expires = ttl is not None
        self._left: Optional[_Left] = _room()
        self._address = found.value
        self._handle = found
        weakref.finalize(self, lib.evl_cache_free, found.value)
        _forks.renew_locks_of(self)

    # The mapping.

    def __getitem__(self, key: Hashable) -> Any:
        value = self.get(key, _ABSENT)
        if value is _ABSENT:
            raise KeyError(key)
        return value

    def get(self, key: Hashable, default: Any = None) -> Any:
        """The value of a key, or `default`: a request, which the policy sees."""
        number = hash(key)
        if number == -2:
            number = _number(key)
        # Without an entry, a key that the library has is another with the same hash.
        entry = self._entries.get(key)
        if self._expires:
            if _touch(self._handle, number) != 1:
                return default
        else:
            gets = self._gets
            gets.append(number)
            if len(gets) >= _MOST_GETS:
                with self._lock:
                    self._tell()
        return default if entry is None else entry[0]

    def __setitem__(self, key: Hashable, value: Any) -> None:
        self.set(key, value)

    def set(self, key: Hashable, value: Any, ttl: Optional[float] = None) -> bool:
        """Stores a value, which expires after `ttl` seconds (by default the cache's). Returns False if it was refused."""
        number = hash(key)
        if number == -2:
            number = _number(key)
        size = 1
        if self._size_of is not None:
            size = _columns.whole(self._size_of(value), "the size of a value", 0, 2**56)
        life = self._ttl if ttl is None else _nanoseconds(ttl)
        entries, keys, gets = self._entries, self._keys, self._gets
        with self._lock:
            if life:
                self._expires = True
            if self._free:
                token = self._free.pop()
                keys[token] = key
            else:
                token = len(keys)
                keys.append(key)
            entry = (value, token)
            # A finalizer that uses the cache may run between any two lines: it has a room of its own, and leaves the gets.
            left, self._left = self._left, None
            address, gone = left or _room()
            try:
                told = len(gets) if left else 0
                if told > _MOST_GETS:
                    told = _MOST_GETS
                batch = _pack_batch(self._address, number, token, size, life, address, _MOST_LEFT, told)
                if told:
                    batch += gets.tobytes()
                    del gets[:told]
                count = _run_batch(batch)
                is_stored = count >= 0
                if not is_stored:
                    count = ~count
                tokens = gone[:count] if count else ()
            finally:
                self._left = left
            if not is_stored:
                keys[token] = _ABSENT
                self._free.append(token)
            elif keys[token] is key:
                entries[key] = entry
            for token in tokens:
                key = keys[token]
                keys[token] = _ABSENT
                self._free.append(token)
                last = entries.get(key)
                if last is not None and last[1] == token:
                    del entries[key]
            if count == _MOST_LEFT:
                self._collect()
        return is_stored

    def __delitem__(self, key: Hashable) -> None:
        data = _bytes(key)
        removed, error = ctypes.c_uint32(), ctypes.c_void_p()
        with self._lock:
            if key not in self:
                raise KeyError(key)
            self._tell()
            _library.check(lib.evl_cache_remove(self._handle, data, 8, removed, error), error)
            self._collect()

    def pop(self, key: Hashable, default: Any = _ABSENT) -> Any:
        """Removes a key and returns its value, or `default`. The policy sees a request."""
        with self._lock:
            value = self.get(key, _ABSENT)
            if value is not _ABSENT:
                del self[key]
                return value
        if default is _ABSENT:
            raise KeyError(key)
        return default

    def popitem(self) -> Tuple[Any, Any]:
        """Removes some entry and returns it; which one is not the policy's choice."""
        with self._lock:
            for key, value in self._snapshot().items():
                if key in self:
                    del self[key]
                    return key, value
        raise KeyError("the cache is empty")

    def setdefault(self, key: Hashable, default: Any = None) -> Any:
        """The value of a key; where there is none, stores and returns `default`."""
        with self._lock:
            value = self.get(key, _ABSENT)
            if value is _ABSENT:
                self.set(key, default)
                return default
        return value

    def __contains__(self, key: object) -> bool:
        if not self._expires or key not in self._entries:
            return key in self._entries
        found, error = ctypes.c_uint32(), ctypes.c_void_p()
        _library.check(lib.evl_cache_contains(self._handle, _bytes(key), 8, found, error), error)
        return bool(found.value)

    def __len__(self) -> int:
        """The number of entries. Those that expired may count until the policy meets them."""
        if self._expires:
            self._collect()
        return len(self._entries)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._snapshot())

    def __repr__(self) -> str:
        return f"<Cache {self.policy}, {len(self)} of {self.maxsize} entries>"

    def items(self) -> Any:
        """The entries as they are now; the policy does not see this."""
        return self._snapshot().items()

    def values(self) -> Any:
        """The values as they are now; the policy does not see this."""
        return self._snapshot().values()

    def clear(self) -> None:
        """Removes every entry."""
        error = ctypes.c_void_p()
        with self._lock:
            self._tell()
            _library.check(lib.evl_cache_clear(self._handle, error), error)
            self._collect()

    def statistics(self) -> CacheStatistics:
        """The counts since the cache was made."""
        counts, error = _library.CacheStatistics(), ctypes.c_void_p()
        with self._lock:
            self._tell()
        _library.check(lib.evl_cache_get_statistics(self._handle, counts, error), error)
        return CacheStatistics(*(getattr(counts, field.name) for field in dataclasses.fields(CacheStatistics)))

    # A cache equals itself only: to compare entries would ask for them.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __reduce__(self) -> Any:
        raise TypeError("a cache cannot be pickled or copied: pass dict(cache.items())")

    def _snapshot(self) -> Dict[Any, Any]:
        with self._lock:
            self._collect()
            return {key: entry[0] for key, entry in self._entries.items()}

    # The library's cache.

    def _tell(self) -> None:
        """Tells the library of the gets that wait. The lock is held."""
        left, self._left = self._left, None
        try:
            if left and self._gets:
                batch = self._gets[:]
                del self._gets[:len(batch)]
                _touch_all(self._handle, *batch.buffer_info())
        finally:
            self._left = left

    def _collect(self) -> None:
        """Drops the values whose numbers left the library's cache."""
        with self._lock:
            count = _MOST_LEFT
            while count == _MOST_LEFT:
                left = _room()
                count = lib.evl_cache_take_numbers(self._handle, left.address, _MOST_LEFT)
                for token in left.numbers[:count]:
                    key = self._keys[token]
                    self._keys[token] = _ABSENT
                    self._free.append(token)
                    last = self._entries.get(key)
                    if last is not None and last[1] == token:
                        del self._entries[key]


def cached(
    maxsize: Any = 128, policy: Union[str, CPolicy, ConfiguredPolicy] = "s3fifo", typed: bool = False,
    ttl: Optional[float] = None,
) -> Any:
    """Remembers what a function returned, as `functools.lru_cache` does, with a policy of one's choice.

        @cached(maxsize=1000, policy="sieve")
        def square(number):
            return number * number

    - maxsize: the most calls to remember; None for all.
    - policy: as in `Cache`.
    - typed: True if arguments that are equal but of different types, as 3 and 3.0 are, are different.
    - ttl: the seconds after which a call is forgotten.

    Arguments have to be hashable. The function has `cache_info()`, `cache_clear()`, `cache_parameters()`, `cache` and
    `__wrapped__`. Exceptions are not remembered. Two threads that make the same call at once may both run it.
    """
    if callable(maxsize):  # @cached without parentheses.
        return cached()(maxsize)
    return functools.partial(_remembering, Cache(maxsize, policy, ttl=ttl), typed)


def _remembering(cache: Cache, typed: bool, function: Callable[..., Any]) -> Callable[..., Any]:
    if not callable(function):
        raise TypeError(f"{function!r} is no function")
    if inspect.iscoroutinefunction(function):
        raise TypeError(
            f"{function.__name__} is asynchronous: its calls return coroutines, which run once only; keep what it returns in a "
            "Cache: cache[key] = await …")
    get, put = cache.get, cache.set

    @functools.wraps(function)
    def remembered(*arguments: Any, **named: Any) -> Any:
        if named or typed:
            key = _call_key(arguments, named, typed)
        else:
            key = arguments[0] if len(arguments) == 1 and type(arguments[0]) in _PLAIN else arguments
        value = get(key, _ABSENT)
        if value is _ABSENT:
            value = function(*arguments, **named)
            put(key, value)
        return value

    before = cache.statistics()  # The counts at the last cache_clear.

    def cache_info() -> CacheInfo:
        counts = cache.statistics()
        return CacheInfo(counts.hits - before.hits, counts.misses - before.misses, cache.maxsize, counts.count)

    def cache_clear() -> None:
        nonlocal before
        cache.clear()
        before = cache.statistics()

    remembered.cache = cache  # type: ignore[attr-defined]
    remembered.cache_info = cache_info  # type: ignore[attr-defined]
    remembered.cache_clear = cache_clear  # type: ignore[attr-defined]
    remembered.cache_parameters = lambda: {  # type: ignore[attr-defined]
        "maxsize": cache.maxsize, "policy": cache.policy, "typed": typed, "ttl": cache.ttl}
    return remembered


#: Stands between positional and named arguments in a key.
_NAMED = object()
#: The types whose single argument is its own key. A tuple is not: it would be taken for several arguments.
_PLAIN = (int, str)


def _call_key(arguments: Tuple[Any, ...], named: Dict[str, Any], typed: bool) -> Any:
    key: Tuple[Any, ...] = arguments
    if named:
        key += (_NAMED, *itertools.chain.from_iterable(named.items()))
    if typed:
        key += (_NAMED, *map(type, arguments), *map(type, named.values()))
    return key


def _number(key: Any) -> int:
    """The number by which the library knows a key: equal keys have equal ones."""
    number = hash(key)
    # -1 and -2 have the same hash.
    return -1 if number == -2 and key == -1 else number


def _bytes(key: Any) -> bytes:
    """The number of a key as it lies in memory."""
    return (_number(key) & _MASK).to_bytes(8, sys.byteorder)


def _nanoseconds(seconds: Optional[float]) -> int:
    """A time to live as the library takes it: 0 for ever."""
    if seconds is None:
        return 0
    if not isinstance(seconds, numbers.Real) or not math.isfinite(seconds):
        raise ArgumentError(f"ttl is {seconds!r}: pass seconds, or None for ever")
    nanoseconds = int(seconds * 10**9)
    if not 0 < nanoseconds < 2**63:
        raise ArgumentError(f"ttl is {seconds!r}: pass more than a nanosecond and less than 292 years")
    return nanoseconds
