#!/usr/bin/env python3
"""Compares Cache and @cached of the Python package with other caches for Python, in one run.

    Tests/Benchmarks/pycaches.py            # prints the table
    Tests/Benchmarks/pycaches.py --write    # writes it into the guide "From Python", too

A round runs every cache over the same requests of a Zipf distribution: a get for each, and a set after each miss; as a
decorator, a call for each. With two threads, each has every second request, of one cache. Times are the processor's, of
all threads of the process, so that what else the machine does counts little; ratios are within a round, to cachetools'
LRUCache without a lock. The table shows the median of the rounds, with the least and the largest. Bytes are those that a
process grows by while a cache takes its entries, divided by these; keys and values are there before. Requirements:
notebooks/requirements.txt, and the package (make notebooks installs both into .venv).
"""

import argparse
import functools
import importlib.metadata
import pathlib
import platform
import random
import statistics
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Sources/EvictionLab/EvictionLab.docc/Python.md"
HEADER = "| cache | a request, one thread | two threads | bytes an entry | hits |\n"

REQUESTS, KEYS, CAPACITY, ENTRIES = 300_000, 1_000_000, 10_000, 500_000
BASELINE = "cachetools `LRUCache`"


def ours(policy):
    import evictionlab
    return lambda capacity: mapping(evictionlab.Cache(capacity, policy))


def mapping(cache):
    """Get, which returns None for a miss, and set of a mapping."""
    return cache.get, cache.__setitem__


def cachetools_cache(capacity):
    import cachetools
    return mapping(cachetools.LRUCache(capacity))


def cachetools_locked(capacity):
    import cachetools
    cache, lock = cachetools.LRUCache(capacity), threading.Lock()

    def get(key):
        with lock:
            return cache.get(key)

    def put(key, value):
        with lock:
            cache[key] = value
    return get, put


def cachebox_cache(capacity):
    import cachebox
    return mapping(cachebox.LRUCache(capacity))


def theine_cache(capacity):
    import theine
    cache = theine.Cache(capacity)
    return cache.get, cache.set


def moka_cache(capacity):
    import moka_py
    cache = moka_py.Moka(capacity)
    return cache.get, cache.set


def identity(key):
    return key


def cachetools_cached(capacity):
    import cachetools
    return cachetools.cached(cachetools.LRUCache(capacity), lock=threading.Lock())(identity)


def cachebox_cached(capacity):
    import cachebox
    return cachebox.cached(cachebox.LRUCache(capacity))(identity)


def theine_memoized(capacity):
    import theine
    return theine.Memoize(capacity, None)(identity)


def moka_cached(capacity):
    import moka_py
    return moka_py.cached(maxsize=capacity)(identity)


def our_decorator(policy):
    import evictionlab
    return lambda capacity: evictionlab.cached(capacity, policy)(identity)


def zipf(count):
    """Keys of a Zipf distribution with exponent 1."""
    sums, total = [], 0.0
    for rank in range(1, KEYS + 1):
        total += 1 / rank
        sums.append(total)
    return random.Random(7).choices(range(KEYS), cum_weights=sums, k=count)


def work(get, put, keys):
    """Requests keys, and returns the hits."""
    misses = 0
    for key in keys:
        if get(key) is None:
            put(key, key)
            misses += 1
    return len(keys) - misses


def work_with_pairs(get, put, keys):
    """The same where a get returns a value, and True if there is one."""
    misses = 0
    for key in keys:
        if not get(key)[1]:
            put(key, key)
            misses += 1
    return len(keys) - misses


def call(function, keys):
    for key in keys:
        function(key)


#: Each makes a get and a set; a function that works with them; True if several threads may.
CACHES = {
    BASELINE: (cachetools_cache, work, False),
    "cachetools `LRUCache`, with a lock": (cachetools_locked, work, True),
    "`Cache(…, \"lru\")`": (ours("lru"), work, True),
    "`Cache(…, \"s3fifo\")`": (ours("s3fifo"), work, True),
    "cachebox `LRUCache`": (cachebox_cache, work, True),
    "theine `Cache`": (theine_cache, work_with_pairs, True),
    "moka-py": (moka_cache, work, True),
}
DECORATORS = {
    "`cachetools.cached`, LRU with a lock": cachetools_cached,
    "`@cached(…, \"lru\")`": our_decorator("lru"),
    "`@cached(…, \"s3fifo\")`": our_decorator("s3fifo"),
    "`cachebox.cached`, LRU": cachebox_cached,
    "`theine.Memoize`": theine_memoized,
    "`moka_py.cached`": moka_cached,
    "`functools.lru_cache`": lambda capacity: functools.lru_cache(capacity)(identity),
}


def timed(tasks):
    """The processor time of functions, each on a thread if there are several."""
    threads = [threading.Thread(target=task) for task in tasks] if len(tasks) > 1 else []
    began = time.process_time()
    if threads:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    else:
        tasks[0]()
    return time.process_time() - began


def rounds(count, keys):
    """The times of each cache and decorator by the number of threads, and the hits of caches."""
    times, hits = {}, {}
    halves = [keys[::2], keys[1::2]]
    for _ in range(count):
        for name, (make, run, is_shared) in CACHES.items():
            get, put = make(CAPACITY)
            told = []
            seconds = timed([lambda: told.append(run(get, put, keys))])
            times.setdefault((name, 1), []).append(seconds)
            hits[name] = told[0] / len(keys)
            if is_shared:
                get, put = make(CAPACITY)
                seconds = timed([functools.partial(run, get, put, half) for half in halves])
                times.setdefault((name, 2), []).append(seconds)
        for name, make in DECORATORS.items():
            function = make(CAPACITY)
            times.setdefault((name, 1), []).append(timed([lambda: call(function, keys)]))
            function = make(CAPACITY)
            times.setdefault((name, 2), []).append(timed([functools.partial(call, function, half) for half in halves]))
    return times, hits


def bytes_of(name):
    """Prints the bytes of an entry of one cache. It runs in a process of its own."""
    def resident():
        return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * 4096
    keys = list(range(10**6, 10**6 + ENTRIES))
    if name in CACHES:
        # The first entries bring what the library loads once.
        make, run, _ = CACHES[name]
        run(*make(100), keys[:200])
        before = resident()
        kept = make(ENTRIES)
        run(*kept, keys)
    else:
        call(DECORATORS[name](100), keys[:200])
        before = resident()
        kept = DECORATORS[name](ENTRIES)
        call(kept, keys)
    print((resident() - before) / ENTRIES)


def table(times, hits):
    """The lines of the table."""
    base = times[BASELINE, 1]

    def cell(key):
        if key not in times:
            return ""
        ratios = sorted(mine / its for mine, its in zip(times[key], base))
        return f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} … {ratios[-1]:.2f})"
    lines = [HEADER, "|---|---|---|---|---|\n"]
    for name in [*CACHES, *DECORATORS]:
        found = subprocess.run([sys.executable, __file__, "--bytes", name], capture_output=True, text=True, check=True)
        share = f"{hits[name]:.1%}".replace("%", " %") if name in hits else ""
        lines.append(f"| {name} | {cell((name, 1))} | {cell((name, 2))} | {float(found.stdout):.0f} | {share} |\n")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--write", action="store_true", help="write the table into the guide, too")
    parser.add_argument("--bytes", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.bytes:
        bytes_of(arguments.bytes)
        return
    times, hits = rounds(arguments.rounds, zipf(REQUESTS))
    versions = ", ".join(
        f"{name} {importlib.metadata.version(name)}" for name in ("cachetools", "cachebox", "theine", "moka-py"))
    base = statistics.median(times[BASELINE, 1]) / REQUESTS * 1e6
    lines = [
        f"CPython {platform.python_version()}, {versions}; {arguments.rounds} rounds. 1 is {base:.2f} µs.\n", "\n",
        *table(times, hits)]
    sys.stdout.writelines(lines)
    if arguments.write:
        page = PAGE.read_text()
        begin = page.index("CPython 3.", page.index("## Caches"))
        end = page.index("\n\n", page.index(HEADER)) + 1
        PAGE.write_text(page[:begin] + "".join(lines) + page[end:])


if __name__ == "__main__":
    main()
