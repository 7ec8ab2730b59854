"""Simulates cache eviction policies on traces, and caches with a policy of one's choice.

    import numpy
    import evictionlab as lab

    keys = numpy.random.default_rng(1).zipf(1.2, 1_000_000)
    lab.simulate(keys, "s3fifo", 1000).hit_ratio           # one policy at one capacity

    trace = lab.Trace.from_arrays(keys)                    # for many simulations; or Trace.open("build.csv.zst")
    results = lab.sweep(trace, "lru,s3fifo,arc", "1%,10%")  # pandas.DataFrame(results) is a table
    lab.curve(trace, "lru").miss_ratios                    # a miss-ratio curve
    lab.bounds(trace, "1%")[0].hit_ratio_high              # what no policy can exceed

    @lab.cached(maxsize=1000, policy="sieve")              # as functools.lru_cache
    def square(number):
        return number * number

A policy of one's own is a subclass of `Policy`, or `Policy.from_c("mine.c")`: `help(lab.Policy)`. `check` runs the
conformance suite on it. Policies and capacities are written as on the command line of `evict`, and the hits are the same. `help(lab.simulate)`
explains the arguments. What only `evict` does, such as replays, is in `evictionlab.tool`. Failures are EvictionError,
whose message says what to do; wrong arguments are ValueError or TypeError.
"""

from ._caches import Cache, CacheInfo, CacheStatistics, cached
from ._errors import ArgumentError, ClosedError, EvictionError, LibraryError, MissingFileError
from ._policies import ConfiguredPolicy, CPolicy, Policy, Request, Violation, check
from ._results import Bound, Curve, Result, Results
from ._simulations import bounds, catalog, curve, policies, simulate, sweep
from ._traces import OPERATIONS, Trace, TraceInfo

__version__ = "0.1.0"

__all__ = [
    "ArgumentError", "Bound", "CPolicy", "Cache", "CacheInfo", "CacheStatistics", "ClosedError", "ConfiguredPolicy", "Curve",
    "EvictionError", "LibraryError", "MissingFileError", "OPERATIONS", "Policy", "Request", "Result", "Results", "Trace",
    "TraceInfo", "Violation", "bounds", "cached", "catalog", "check", "curve", "policies", "simulate", "sweep"]
