"""The C library `libevictionlab`: how it is found, its functions, and its errors as exceptions.

The header `evictionlab.h` says what each function does; the names here are its names.
"""

import ctypes
import os
import pathlib
import sys
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_uint32, c_uint64, c_void_p
from typing import Any, Optional

from ._errors import ArgumentError, EvictionError, LibraryError, MissingFileError

ABI = 1

OK, USAGE, DATA, MISSING, IO, MEMORY, CANCELLED, INTERNAL = range(8)

#: Called with (context, done, total) while a call works; a number that is not 0 stops the call.
Progress = ctypes.CFUNCTYPE(c_int32, c_void_p, c_uint64, c_uint64)

#: The bits of a trace's columns, in the order of their names.
COLUMNS = {"sizes": 1, "times": 2, "operations": 4, "ttls": 8, "costs": 16, "key_lengths": 32}

#: No limit of a cache.
NO_LIMIT = 2**64 - 1


class Columns(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in ("sizes", "times", "operations", "ttls", "costs")]


class Info(ctypes.Structure):
    _fields_ = [
        ("requests", c_uint64), ("keys", c_uint64), ("requested_bytes", c_uint64), ("key_bytes", c_uint64),
        ("first_time", c_int64), ("last_time", c_int64), ("columns", c_uint32)]


class Options(ctypes.Structure):
    _fields_ = [
        ("seed", c_uint64), ("warmup", c_uint64), ("threads", c_uint32), ("sized", c_uint32),
        ("counts_sets", c_uint32), ("expires", c_uint32)]


class Row(ctypes.Structure):
    _fields_ = [
        ("policy", c_uint32), ("capacity_index", c_uint32), ("capacity", c_uint64),
        *((name, c_uint64) for name in (
            "requests", "hits", "requested_bytes", "hit_bytes", "insertions", "evictions", "expirations",
            "rejections", "unknown_sizes")),
        ("cost", c_double), ("hit_cost", c_double), ("seconds", c_double)]


class Bound(ctypes.Structure):
    _fields_ = [
        ("capacity_index", c_uint64), ("capacity", c_uint64), ("requests", c_uint64),
        *((name, c_double) for name in (
            "hit_ratio_low", "hit_ratio_high", "byte_hit_ratio_low", "byte_hit_ratio_high"))]


class CacheOptions(ctypes.Structure):
    _fields_ = [
        ("count_limit", c_uint64), ("cost_limit", c_uint64), ("seed", c_uint64), ("keeps_removed", c_uint32)]


class CacheStatistics(ctypes.Structure):
    _fields_ = [(name, c_uint64) for name in (
        "hits", "misses", "insertions", "evictions", "expirations", "replacements", "rejections", "removals",
        "count", "cost")]


_pointers = POINTER(c_void_p)
_texts = POINTER(c_char_p)
_numbers = POINTER(c_uint64)
_flag = POINTER(c_uint32)

#: The functions: what each returns, and its arguments.
_FUNCTIONS = {
    "evl_abi_version": (c_uint32, []),
    "evl_error_status": (c_int32, [c_void_p]),
    "evl_error_message": (c_char_p, [c_void_p]),
    "evl_error_free": (None, [c_void_p]),
    "evl_free": (None, [c_void_p]),
    "evl_catalog": (c_int32, [_pointers, _pointers]),
    "evl_trace_from_ids": (
        c_int32, [c_void_p, c_uint64, POINTER(Columns), c_char_p, _pointers, _pointers]),
    "evl_trace_from_texts": (
        c_int32,
        [c_char_p, c_uint64, c_void_p, c_uint64, POINTER(Columns), c_char_p, _pointers, _pointers]),
    "evl_trace_open": (
        c_int32,
        [c_char_p, c_char_p, c_uint64, c_uint32, Progress, c_void_p, _pointers, _pointers]),
    "evl_trace_get_info": (c_int32, [c_void_p, POINTER(Info), _pointers]),
    "evl_trace_name": (c_char_p, [c_void_p]),
    "evl_trace_format": (c_char_p, [c_void_p]),
    "evl_trace_close": (None, [c_void_p]),
    "evl_simulate": (
        c_int32,
        [c_void_p, _texts, c_uint64, _texts, c_uint64, POINTER(Options), Progress, c_void_p, _pointers,
         _pointers]),
    "evl_trace_columns": (
        c_int32, [_texts, c_uint64, _texts, c_uint64, POINTER(Options), _flag, _pointers]),
    "evl_results_count": (c_uint64, [c_void_p]),
    "evl_results_rows": (POINTER(Row), [c_void_p]),
    "evl_results_policy_count": (c_uint64, [c_void_p]),
    "evl_results_policy": (c_char_p, [c_void_p, c_uint64]),
    "evl_results_notes": (c_char_p, [c_void_p]),
    "evl_results_free": (None, [c_void_p]),
    "evl_lru_curve": (
        c_int32, [c_void_p, Progress, c_void_p, _pointers, _numbers, _numbers, _pointers]),
    "evl_bounds": (
        c_int32,
        [c_void_p, _texts, c_uint64, POINTER(Options), Progress, c_void_p, _pointers, _numbers,
         _pointers]),
    "evl_policy_add": (c_int32, [c_char_p, c_void_p, _pointers]),
    "evl_policy_remove": (None, [c_char_p]),
    "evl_policy_check": (
        c_int32, [c_char_p, c_uint64, c_uint64, c_uint64, Progress, c_void_p, _pointers, _pointers]),
}

#: The functions of caches. They take less than a microsecond, and are called with the GIL held: no other thread of
#: Python is then inside a cache when a process forks.
_CACHE_FUNCTIONS = {
    "evl_cache_create": (c_int32, [c_char_p, POINTER(CacheOptions), _pointers, _pointers]),
    "evl_cache_remove": (c_int32, [c_void_p, c_char_p, c_uint64, _flag, _pointers]),
    "evl_cache_contains": (c_int32, [c_void_p, c_char_p, c_uint64, _flag, _pointers]),
    "evl_cache_touch": (c_int32, [c_void_p, c_uint64]),
    "evl_cache_touch_all": (c_uint64, [c_void_p, c_void_p, c_uint64]),
    # Without types, which cost a conversion: its argument is the bytes of a batch.
    "evl_cache_run_batch": (c_int64, None),
    "evl_cache_take_numbers": (c_uint64, [c_void_p, c_void_p, c_uint64]),
    "evl_cache_get_statistics": (c_int32, [c_void_p, POINTER(CacheStatistics), _pointers]),
    "evl_cache_clear": (c_int32, [c_void_p, _pointers]),
    "evl_cache_free": (None, [c_void_p]),
}


def path() -> pathlib.Path:
    """The file of the library: the one that EVICTIONLAB_LIBRARY names, or the one inside the package."""
    named = os.environ.get("EVICTIONLAB_LIBRARY")
    if named:
        return pathlib.Path(named)
    suffix = "dylib" if sys.platform == "darwin" else "so"
    return pathlib.Path(__file__).resolve().parent / f"libevictionlab.{suffix}"


def _load(kind: Any, functions: Any) -> Any:
    file = path()
    if not file.exists():
        raise LibraryError(
            f"{file} is missing: install the wheel that make wheel builds, or name the library in "
            "EVICTIONLAB_LIBRARY")
    try:
        loaded = kind(str(file))
    except OSError as error:
        raise LibraryError(
            f"{file} cannot be loaded: {error}; it needs the glibc that the wheel's name says, libstdc++, zlib, "
            "liblzma and libzstd") from None
    for name, (result, arguments) in functions.items():
        try:
            function = getattr(loaded, name)
        except AttributeError:
            raise LibraryError(
                f"{file} lacks {name}: package and library are of different versions, install one wheel"
            ) from None
        function.restype = result
        if arguments is not None:
            function.argtypes = arguments
    return loaded


#: The library; its calls release the GIL.
lib = _load(ctypes.CDLL, _FUNCTIONS)
if lib.evl_abi_version() != ABI:
    raise LibraryError(
        f"{path()} has version {lib.evl_abi_version()} of the C interface, this package needs {ABI}: install the "
        "wheel that has both")
#: The functions of caches; their calls hold the GIL.
cache_lib = _load(ctypes.PyDLL, _CACHE_FUNCTIONS)


def check(status: int, error: c_void_p) -> None:
    """Raises the exception of a failed call, and frees its error."""
    if status == OK:
        return
    message = (lib.evl_error_message(error) or b"").decode("utf-8", "replace")
    lib.evl_error_free(error)
    raise exception(status, message or f"the library failed with status {status}")


def exception(status: int, message: str) -> Exception:
    """The exception of a status that is not 0."""
    if status in (USAGE, DATA):
        return ArgumentError(message)
    if status == MISSING:
        return MissingFileError(message)
    return EvictionError(message)


def texts(values: Any) -> Any:
    """An array of texts as the library takes it."""
    return (c_char_p * len(values))(*(text(value) for value in values))


def text(value: Optional[str]) -> Optional[bytes]:
    """A text as the library takes it."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is of type {type(value).__name__}: pass a text")
    if "\0" in value:
        raise ArgumentError(f"{value!r} holds a zero character: leave it out")
    return value.encode("utf-8", "surrogateescape")
