"""Simulations of policies, miss-ratio curves and bounds."""

import array
import ctypes
import json
import os
import warnings
from typing import Any, Dict, Iterable, List, Optional, Union

from . import _columns, _library
from ._errors import ArgumentError
from ._library import lib
from ._policies import Names, PolicyOption, is_own, named, refuse_instance
from ._progress import ProgressOption, run
from ._results import Bound, Curve, Result, Results
from ._traces import Trace, opened

#: Requests: a trace, the path of a file, or keys.
Source = Union[Trace, str, "os.PathLike[str]", Any]
#: A number of objects (or bytes in a sized run), or a text: "1000", "1%" of the distinct keys, "64MiB".
Capacity = Union[int, str]


def simulate(
    source: Source, policy: PolicyOption, capacity: Capacity, *, sizes: Any = None, times: Any = None,
    operations: Any = None, ttls: Any = None, costs: Any = None, sized: Optional[bool] = None, seed: int = 42,
    warmup: int = 0, counts_sets: bool = False, expires: bool = False, progress: ProgressOption = "auto",
) -> Result:
    """Simulates one policy at one capacity: `simulate(keys, "s3fifo", 1000).hit_ratio`.

    - source: a trace, the path of a file, or keys with one value for each request (see `Trace.from_arrays`).
    - policy: as on the command line, such as "arc" or "slru:protected=0.8"; see `policies`. Or one's own: see `Policy`.
    - capacity: objects, or bytes in a sized run; or a text: "1%" of the distinct keys or their bytes, "64MiB".
    - sizes, times, operations, ttls, costs: columns beside keys; see `Trace.from_arrays`.
    - sized: True if objects count their bytes. A capacity in bytes implies it. By default, `sizes` that are passed here
      imply it, too; the sizes of a trace or a file do not.
    - seed: the random seed.
    - warmup: requests at the start that are run but not counted.
    - counts_sets: True if sets are counted as hits or misses, too.
    - expires: True if objects leave when their time to live is over.
    - progress: "auto" shows tqdm's bar, where it is installed, at a terminal and in notebooks; True, False; or a
      function that is called with (done, total) about ten times a second.

    The hits are those of `evict sweep`. The GIL is released. Ctrl-C ends it within a second, once keys
    that are no trace are copied.
    """
    chosen, amounts = [_one(policy, "policy")], _capacities(_one(capacity, "capacity"))
    if chosen == ["all"]:
        raise ArgumentError("“all” are several policies: pass one, or use sweep")
    columns = {"sizes": sizes, "times": times, "operations": operations, "ttls": ttls, "costs": costs}
    options = _options(sized, seed, warmup, 1, counts_sets, expires)
    with named(chosen) as names, opened(
            source, columns, progress, lambda: _needed(names, amounts, options)) as (pointer, has_sizes):
        results = _simulated(
            pointer, names, amounts, options, sized is None and has_sizes, progress, names.shown(names.texts[0]))
    if not results:
        raise ArgumentError("; ".join(results.notes))
    return results[0]


def sweep(
    source: Source, policies: Union[PolicyOption, Iterable[PolicyOption]] = "all",
    capacities: Union[Capacity, Iterable[Capacity]] = ("0.1%", "1%", "10%"), *, sizes: Any = None,
    times: Any = None, operations: Any = None, ttls: Any = None, costs: Any = None, sized: Optional[bool] = None,
    seed: int = 42, warmup: int = 0, counts_sets: bool = False, expires: bool = False, threads: int = 0,
    progress: ProgressOption = "auto",
) -> Results:
    """Simulates every policy at every capacity, on all cores: `sweep(keys, "lru,s3fifo", "1%,10%")`.

    - policies: a list, or a text with commas; "all" stands for every policy that is no bound ("opt",
      "belady-size", "infinite") and no reinterpretation of a description that leaves much open (those whose
      "isReinterpretation" is true in `catalog()`). One's own stand in the list by themselves: see `Policy`.
    - capacities: a list, or a text with commas. Equal ones make one row: [3, 3] is [3].
    - threads: the threads that work; 0 for one a core, or one where a policy is in Python, whose threads take turns. Results
      do not depend on it.
    - the others: see `simulate`.

    "all" leaves out what cannot run, and `notes` of the results says so. A policy that is named and cannot run at a
    capacity is an error.
    """
    chosen, amounts = _policies(policies), _capacities(capacities)
    columns = {"sizes": sizes, "times": times, "operations": operations, "ttls": ttls, "costs": costs}
    options = _options(sized, seed, warmup, threads, counts_sets, expires)
    with named(chosen) as names, opened(
            source, columns, progress, lambda: _needed(names, amounts, options)) as (pointer, has_sizes):
        results = _simulated(pointer, names, amounts, options, sized is None and has_sizes, progress, "sweep")
    if "all" not in chosen:
        for note in results.notes:
            warnings.warn(note, stacklevel=2)
    return results


def curve(
    source: Source, policy: PolicyOption = "lru", capacities: Union[Capacity, Iterable[Capacity], None] = None, *,
    points: Optional[int] = 25, sizes: Any = None, times: Any = None, operations: Any = None, ttls: Any = None,
    costs: Any = None, sized: Optional[bool] = None, seed: int = 42, threads: int = 0,
    progress: ProgressOption = "auto",
) -> Curve:
    """Computes the miss-ratio curve of one policy, exactly: `curve(keys, "s3fifo").miss_ratios`.

    - policy: as in `simulate`. "lru" where objects count one takes one pass for all capacities, any other a
      simulation for each.
    - capacities: see `sweep`; by default `points` of them.
    - points: the number of capacities between a thousandth and the whole of the distinct keys or bytes, equally far
      apart on a logarithmic axis. None gives LRU's curve at every capacity, from 0 on.
    - the others: see `simulate`.
    """
    columns = {"sizes": sizes, "times": times, "operations": operations, "ttls": ttls, "costs": costs}
    policy = _one(policy, "policy")
    if policy == "all":
        raise ArgumentError("“all” are several policies: pass one, or use sweep")
    given = None if capacities is None else _capacities(capacities)
    if points is not None:
        points = _columns.whole(points, "points", 2, 1000)
    options = _options(sized, seed, 0, threads, False, False)
    with named([policy]) as names, opened(
            source, columns, progress, lambda: _needed(names, given or ["1"], options)) as (pointer, has_sizes):
        if sized is None and has_sizes:
            options.sized = 1
        is_sized = bool(options.sized) or _is_in_bytes(given or [])
        is_one_pass = policy == "lru" and not is_sized
        if points is None and given is None and not is_one_pass:
            raise ArgumentError("points=None is for LRU where objects count one: pass points=100, or capacities")
        if is_one_pass:
            hits, requests = _lru_hits(pointer, progress)
            if given is None and points is None:
                return Curve(_name(pointer), "lru", "objects", requests, list(range(len(hits))), list(hits))
            total = len(hits) - 1
        else:
            total = _total(pointer, is_sized)
        if given is None:
            assert points is not None
            given = [str(capacity) for capacity in _spaced(total, points)]
        if is_one_pass and all(text.isdecimal() and int(text) for text in given):
            amounts = sorted({int(text) for text in given})
            return Curve(
                _name(pointer), "lru", "objects", requests, amounts,
                [hits[min(capacity, total)] for capacity in amounts])
        results = _simulated(
            pointer, names, given, options, False, progress, f"curve of {names.shown(names.texts[0])}")
    if not results:
        raise ArgumentError("; ".join(results.notes))
    for note in results.notes:
        warnings.warn(note, stacklevel=2)
    results.sort(key=lambda result: result.capacity)
    return Curve(
        results[0].trace, results[0].policy, results[0].unit, results[0].requests,
        [result.capacity for result in results], [result.hits for result in results])


def bounds(
    source: Source, capacities: Union[Capacity, Iterable[Capacity]] = ("0.1%", "1%", "10%"), *,
    sizes: Any = None, times: Any = None, operations: Any = None, ttls: Any = None, costs: Any = None,
    sized: Optional[bool] = None, threads: int = 0, progress: ProgressOption = "auto",
) -> List[Bound]:
    """Bounds what any policy could hit that knows all requests to come: `bounds(keys, "1%")[0].hit_ratio_high`.

    Where objects count one, both bounds are the optimum (Belady's MIN). In bytes the optimum lies between a schedule
    that was found and what no schedule can exceed. The arguments are those of `sweep`.
    """
    amounts = _capacities(capacities)
    columns = {"sizes": sizes, "times": times, "operations": operations, "ttls": ttls, "costs": costs}
    options = _options(sized, 42, 0, threads, False, False)
    with named(["lru"]) as names, opened(
            source, columns, progress, lambda: _needed(names, amounts, options)) as (pointer, has_sizes):
        if sized is None and has_sizes:
            options.sized = 1
        is_sized = bool(options.sized) or _is_in_bytes(amounts)
        found, count = ctypes.c_void_p(), ctypes.c_uint64()
        run(
            lambda callback, error: lib.evl_bounds(
                pointer, _library.texts(amounts), len(amounts), options, callback, None, found, count, error),
            progress, "bounds", " requests")
        try:
            rows = ctypes.cast(found, ctypes.POINTER(_library.Bound))[:count.value]
            return [
                Bound(
                    _name(pointer), row.capacity, "bytes" if is_sized else "objects", row.requests,
                    row.hit_ratio_low, row.hit_ratio_high,
                    row.byte_hit_ratio_low if is_sized else None, row.byte_hit_ratio_high if is_sized else None)
                for row in rows]
        finally:
            lib.evl_free(found)


def catalog() -> Dict[str, Any]:
    """The policies, admission filters and trace formats, as `evict policies --format json` describes them.

    A dictionary with the lists "policies", "admission" and "formats" of dictionaries with "name", "summary" and
    "parameters" at least.
    """
    found, error = ctypes.c_void_p(), ctypes.c_void_p()
    _library.check(lib.evl_catalog(found, error), error)
    try:
        return dict(json.loads(ctypes.string_at(found)))
    finally:
        lib.evl_free(found)


def policies() -> List[str]:
    """The names of all policies."""
    return [policy["name"] for policy in catalog()["policies"]]


def _needed(names: Names, capacities: List[str], options: Any) -> int:
    """The bits of the columns that simulations read."""
    found, error = ctypes.c_uint32(), ctypes.c_void_p()
    _library.check(
        lib.evl_trace_columns(
            _library.texts(names.texts), len(names.texts), _library.texts(capacities), len(capacities), options, found,
            error),
        error)
    return found.value


def _simulated(
    pointer: int, names: Names, capacities: List[str], options: Any, implies_bytes: bool,
    progress: ProgressOption, title: str,
) -> Results:
    """Simulates policies at capacities; objects count their bytes also where `implies_bytes`."""
    if implies_bytes:
        options.sized = 1
    if names.are_slow and options.threads == 0:
        options.threads = 1
    found = ctypes.c_void_p()
    names.run(
        lambda callback, error: lib.evl_simulate(
            pointer, _library.texts(names.texts), len(names.texts), _library.texts(capacities), len(capacities), options,
            callback, None, found, error),
        progress, title, " requests")
    try:
        is_sized = bool(options.sized) or _is_in_bytes(capacities)
        return _results(found, names, _name(pointer), is_sized, _has_costs(pointer))
    finally:
        lib.evl_results_free(found)


def _results(found: Any, policies: Names, trace: str, is_sized: bool, has_costs: bool) -> Results:
    count, rows = lib.evl_results_count(found), lib.evl_results_rows(found)
    names: Dict[int, str] = {}
    results = Results()
    for position in range(count):
        row = rows[position]
        if row.policy not in names:
            names[row.policy] = policies.shown(lib.evl_results_policy(found, row.policy).decode("utf-8", "replace"))
        ratio = _ratio(row.hits, row.requests)
        results.append(Result(
            trace=trace, policy=names[row.policy], capacity=row.capacity,
            unit="bytes" if is_sized else "objects", requests=row.requests, hits=row.hits, hit_ratio=ratio,
            miss_ratio=1 - ratio, requested_bytes=row.requested_bytes if is_sized else None,
            hit_bytes=row.hit_bytes if is_sized else None,
            byte_hit_ratio=_ratio(row.hit_bytes, row.requested_bytes) if is_sized else None,
            insertions=row.insertions, evictions=row.evictions, expirations=row.expirations,
            rejections=row.rejections, unknown_sizes=row.unknown_sizes,
            cost=row.cost if has_costs else None, hit_cost=row.hit_cost if has_costs else None,
            cost_hit_ratio=_ratio(row.hit_cost, row.cost) if has_costs else None, seconds=row.seconds))
    notes = (lib.evl_results_notes(found) or b"").decode("utf-8", "replace")
    results.notes = policies.shown(notes).splitlines()
    return results


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _options(sized: Any, seed: Any, warmup: Any, threads: Any, counts_sets: Any, expires: Any) -> Any:
    most = 2**63 - 1
    return _library.Options(
        _columns.whole(seed, "seed", 0, 2**64 - 1), _columns.whole(warmup, "warmup", 0, most),
        _columns.whole(threads, "threads", 0, 65536), int(bool(sized)), int(bool(counts_sets)), int(bool(expires)))


def _policies(policies: Any) -> List[PolicyOption]:
    refuse_instance(policies)
    if is_own(policies):
        return [policies]
    chosen = policies.split(",") if isinstance(policies, str) else _items(policies, "policies")
    for policy in chosen:
        refuse_instance(policy)
        if not isinstance(policy, str) and not is_own(policy):
            raise TypeError(f"a policy is a text such as 'lru', or a subclass of Policy, not {policy!r}")
    return [policy.strip() if isinstance(policy, str) else policy for policy in chosen]


def _capacities(capacities: Any) -> List[str]:
    if isinstance(capacities, str):
        return [text.strip() for text in capacities.split(",")]
    # NumPy's arrays have an __index__, too.
    if isinstance(capacities, float) or hasattr(capacities, "__index__") and not getattr(capacities, "ndim", 0):
        return [_capacity(capacities)]
    return [_capacity(capacity) for capacity in _items(capacities, "capacities")]


def _items(values: Any, name: str) -> List[Any]:
    found = _columns.items(values, name)
    if not found:
        raise ArgumentError(f"{name} are empty: pass one or more")
    return found


def _capacity(capacity: Any) -> str:
    if isinstance(capacity, str):
        return capacity.strip()
    if isinstance(capacity, float) or hasattr(capacity, "is_integer") and not hasattr(capacity, "__index__"):
        if capacity.is_integer():
            return _capacity(int(capacity))
        raise ArgumentError(
            f"{capacity} is no capacity: write objects (1000), or a fraction as a text ('1%')")
    return str(_columns.whole(capacity, "the capacity", 1, 2**56))


def _one(value: Any, name: str) -> Any:
    """One policy, or one capacity."""
    if name == "policy":
        refuse_instance(value)
        if is_own(value):
            return value
        if not isinstance(value, str):
            raise TypeError(f"policy is {value!r}: pass a text such as 'lru', or a subclass of Policy")
        value = value.strip()
    elif not isinstance(value, str) and not hasattr(value, "__index__") and not isinstance(value, float):
        raise TypeError(f"capacity is {value!r}: pass a number or a text such as '1%'")
    if isinstance(value, str) and "," in value:
        raise ArgumentError(f"{value!r} are several: pass one {name}, or use sweep")
    return value


def _is_in_bytes(amounts: List[str]) -> bool:
    """True if a capacity has a unit, which makes the run sized."""
    return any(amount.endswith("B") for amount in amounts)


def _name(pointer: int) -> str:
    return str(lib.evl_trace_name(pointer).decode("utf-8", "replace"))


def _has_costs(pointer: int) -> bool:
    return bool(_info(pointer).columns & _library.COLUMNS["costs"])


def _total(pointer: int, is_sized: bool) -> int:
    """The distinct keys, or their bytes."""
    info = _info(pointer)
    return int(info.key_bytes if is_sized else info.keys)


def _info(pointer: int) -> Any:
    found, error = _library.Info(), ctypes.c_void_p()
    _library.check(lib.evl_trace_get_info(pointer, found, error), error)
    return found


def _lru_hits(pointer: int, progress: ProgressOption) -> Any:
    """LRU's hits at each capacity from 0 to the number of distinct keys; and the counted requests."""
    found, count, requests = ctypes.c_void_p(), ctypes.c_uint64(), ctypes.c_uint64()
    run(
        lambda callback, error: lib.evl_lru_curve(pointer, callback, None, found, count, requests, error),
        progress, "curve of lru", " requests")
    try:
        hits = array.array("Q")
        hits.frombytes(ctypes.string_at(found, 8 * count.value))
        return hits, requests.value
    finally:
        lib.evl_free(found)


def _spaced(total: int, points: int) -> List[int]:
    """Capacities between a thousandth and the whole, equally far apart on a logarithmic axis."""
    return sorted({
        max(1, round(total * 1000 ** (step / (points - 1) - 1))) for step in range(points)})
