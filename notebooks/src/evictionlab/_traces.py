"""Traces: requests that the library holds, from files and from columns."""

import ctypes
import dataclasses
import functools
import os
import threading
import weakref
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple, Union
from contextlib import contextmanager

from . import _columns, _forks, _library
from ._errors import ArgumentError, ClosedError
from ._library import lib
from ._progress import ProgressOption, run

#: The operations of requests, by their names.
OPERATIONS = {name: code for code, name in enumerate((
    "get", "set", "add", "delete", "replace", "compareAndSet", "append", "prepend", "increment", "decrement",
    "read", "write", "touch"))}

#: The most bytes of one object, and the latest time.
_MOST = 2**63 - 1


@dataclasses.dataclass(frozen=True)
class TraceInfo:
    """Facts about a trace. Members that need a column the trace does not have are None.

    - requests, keys: the number of requests, and of distinct keys.
    - requested_bytes, key_bytes: bytes of all requests, and of all distinct keys, each with its first size.
    - first_time, last_time: nanoseconds.
    - columns: the columns beside the keys, such as ("sizes", "times").
    """

    name: str
    format: str
    requests: int
    keys: int
    requested_bytes: Optional[int]
    key_bytes: Optional[int]
    first_time: Optional[int]
    last_time: Optional[int]
    columns: Tuple[str, ...]

    def to_dict(self) -> Dict[str, Any]:
        """The members by their names."""
        return dataclasses.asdict(self)


class _Handle:
    """A trace of the library. Calls that work keep it; it is freed when it is closed and the last of them has ended."""

    def __init__(self, pointer: int) -> None:
        self.pointer = pointer
        self._lock = threading.RLock()
        self.users = 0
        self.is_closed = False
        _forks.renew_locks_of(self)

    def enter(self) -> bool:
        with self._lock:
            self.users += not self.is_closed
            return not self.is_closed

    def leave(self) -> None:
        with self._lock:
            self.users -= 1
            is_last = self.is_closed and not self.users
        if is_last:
            lib.evl_trace_close(self.pointer)

    def close(self) -> None:
        with self._lock:
            is_last = not self.is_closed and not self.users
            self.is_closed = True
        if is_last:
            lib.evl_trace_close(self.pointer)


class Trace:
    """The requests of a trace, held in memory and ready for many simulations.

        with Trace.open("build.csv.zst") as trace:
            print(trace.info())
            results = sweep(trace, "lru,s3fifo,arc", "1%,10%")

    `Trace.open` reads a file, `Trace.from_arrays` copies columns. A trace never changes. Several threads may use it at
    once. `close` frees its memory, as the end of a `with` block and the garbage collector do; calls that work at that
    moment end as if it were open.
    """

    #: The name in results: the file's, or the one that was given.
    name: str
    _handle: _Handle
    _close: "weakref.finalize[Any, Trace]"

    def __init__(self) -> None:
        raise TypeError("make a trace by Trace.open(path) or Trace.from_arrays(keys)")

    @classmethod
    def _of(cls, pointer: Any) -> "Trace":
        trace = object.__new__(cls)
        trace._handle = _Handle(pointer)
        trace.name = lib.evl_trace_name(pointer).decode("utf-8", "replace")
        trace._close = weakref.finalize(trace, trace._handle.close)
        return trace

    @classmethod
    def open(
        cls, path: Union[str, "os.PathLike[str]"], format: Optional[str] = None, limit: Optional[int] = None,
        columns: Optional[Iterable[str]] = None, progress: ProgressOption = "auto",
    ) -> "Trace":
        """Reads a trace from a file of any format that `evict formats` lists, packed by gzip, zstd, xz or not at all.

        - path: the file; several with + between them are one trace.
        - format: as the option `--trace-format` has it, such as "lis" or "csv:key=lbn:size=size"; by default detected.
        - limit: the most requests to read; by default all.
        - columns: names of the columns to keep where the file has them: "sizes", "times", "operations", "ttls",
          "costs", "key_lengths"; by default all. Fewer columns take less memory. Without operations, every request
          is a get.
        - progress: see `simulate`; counts bytes of the file.

        Raises MissingFileError, which is a FileNotFoundError, and EvictionError for content that cannot be read.
        """
        most = 0
        if limit is not None:
            most = _columns.whole(limit, "limit", 1, _MOST)
        kept = sum(_library.COLUMNS.values())
        if columns is not None:
            kept = 0
            names = [columns] if isinstance(columns, str) else _columns.items(columns, "columns")
            for name in names:
                if not isinstance(name, str) or name not in _library.COLUMNS:
                    raise ArgumentError(
                        f"no column is called {name!r}; there are {', '.join(_library.COLUMNS)}")
                kept |= _library.COLUMNS[name]
        try:
            file = os.fspath(path)
        except TypeError:
            raise TypeError(f"path is of type {type(path).__name__}: pass a text or a pathlib.Path") from None
        if isinstance(file, bytes):
            file = os.fsdecode(file)
        found = ctypes.c_void_p()
        run(
            lambda callback, error: lib.evl_trace_open(
                _library.text(file), _library.text(format), most, kept, callback, None, found, error),
            progress, os.path.basename(file), "B")
        return cls._of(found.value)

    @classmethod
    def from_arrays(
        cls, keys: Any, sizes: Any = None, times: Any = None, operations: Any = None, ttls: Any = None,
        costs: Any = None, name: Optional[str] = None,
    ) -> "Trace":
        """Copies a trace from columns, each with one value for each request.

        A column is a list, a NumPy array, a column of pandas, Arrow or Polars, or a buffer. Integers of 64 bits in one
        piece are read where they lie; others are converted first.

        - keys: integers of 0 … 2**64 - 1, negative ones as their 64 bits; or texts; or bytes. Other values that can be
          hashed, such as tuples, are numbered in the order of their first requests. All are of one kind, and none is
          a floating-point number.
        - sizes: bytes of the objects, 0 … 2**63 - 1.
        - times: nanoseconds from any zero, or NumPy's datetime64 or timedelta64.
        - operations: names ("get", "set", "delete", …; see OPERATIONS) or their numbers; by default all are gets.
        - ttls: times to live from the request on, in nanoseconds or as NumPy's timedelta64; 0 for ever.
        - costs: penalties of a miss, not negative.
        - name: the name in results; by default "memory".
        """
        column = _columns.keys(keys)
        owners: List[Any] = [column]
        beside = _library.Columns()

        def put(title: str, found: _columns.Numbers) -> None:
            owners.append(found)
            setattr(beside, title, found.address)

        if sizes is not None:
            put("sizes", _columns.numbers(sizes, "sizes", column.length, 0, _MOST, " bytes"))
        if times is not None:
            put("times", _columns.numbers(times, "times", column.length, -_MOST, _MOST, " nanoseconds"))
        if ttls is not None:
            put("ttls", _columns.numbers(ttls, "ttls", column.length, 0, _MOST, " nanoseconds"))
        if operations is not None:
            put("operations", _columns.codes(operations, "operations", column.length, OPERATIONS))
        if costs is not None:
            put("costs", _columns.fractions(costs, "costs", column.length))
        found, error = ctypes.c_void_p(), ctypes.c_void_p()
        if isinstance(column, _columns.Texts):
            status = lib.evl_trace_from_texts(
                column.data, len(column.data), column.offsets.address, column.length, beside,
                _library.text(name), found, error)
        else:
            status = lib.evl_trace_from_ids(
                column.address, column.length, beside, _library.text(name), found, error)
        _library.check(status, error)
        return cls._of(found.value)

    @functools.cached_property
    def _counts(self) -> Tuple[int, int]:
        """The numbers of requests and of distinct keys."""
        info = self.info()
        return info.requests, info.keys

    def info(self) -> TraceInfo:
        """Facts about the trace. Counts its bytes and times anew: O(requests) where it has them."""
        found, error = _library.Info(), ctypes.c_void_p()
        with self._pointer() as pointer:
            _library.check(lib.evl_trace_get_info(pointer, found, error), error)
            format = lib.evl_trace_format(pointer).decode("utf-8", "replace")
        columns = tuple(name for name, bit in _library.COLUMNS.items() if found.columns & bit)
        has_sizes, has_times = "sizes" in columns, "times" in columns
        return TraceInfo(
            self.name, format, found.requests, found.keys,
            found.requested_bytes if has_sizes else None, found.key_bytes if has_sizes else None,
            found.first_time if has_times else None, found.last_time if has_times else None, columns)

    def close(self) -> None:
        """Frees the memory. A trace that is closed cannot be used again; to close it twice does nothing."""
        self._close()

    @property
    def closed(self) -> bool:
        """True after `close`."""
        return not self._close.alive

    @contextmanager
    def _pointer(self) -> Iterator[int]:
        """The library's trace, which stays while the block runs."""
        if not self._handle.enter():
            raise ClosedError(f"the trace {self.name} is closed: open it again, or close it later")
        try:
            yield self._handle.pointer
        finally:
            self._handle.leave()

    def __enter__(self) -> "Trace":
        return self

    def __exit__(self, *raised: Any) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a trace cannot be pickled or copied: open it in each process")

    def __repr__(self) -> str:
        if self.closed:
            return f"<Trace {self.name}, closed>"
        requests, keys = self._counts
        return f"<Trace {self.name}, {requests} requests, {keys} keys>"

    def __len__(self) -> int:
        """The number of requests."""
        return self._counts[0]


@contextmanager
def opened(
    source: Any, columns: Dict[str, Any], progress: ProgressOption, needed: Callable[[], int],
) -> Iterator[Tuple[int, bool]]:
    """The library's trace of a trace, a path or keys; and True if sizes were given beside keys.

    Of a file, only the columns are kept whose bits `needed` returns.
    """
    given = {name: values for name, values in columns.items() if values is not None}
    if isinstance(source, Trace):
        trace, is_own = source, False
    elif isinstance(source, (str, os.PathLike)):
        trace, is_own = None, True
    else:
        trace, is_own = Trace.from_arrays(source, **given), True
    if given and (trace is source or trace is None):
        raise TypeError(
            f"{', '.join(given)} beside a trace: pass them to Trace.from_arrays, or pass keys instead of a trace")
    if trace is None:
        bits = needed()
        kept = [name for name, bit in _library.COLUMNS.items() if bits & bit]
        trace = Trace.open(source, columns=kept, progress=progress)
    try:
        with trace._pointer() as pointer:
            yield pointer, "sizes" in given
    finally:
        if is_own:
            trace.close()
