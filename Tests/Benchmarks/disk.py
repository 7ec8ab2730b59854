#!/usr/bin/env python3
"""Compares the hybrid store with SQLite alone and with python-diskcache, interleaved in one run.

    disk.py [--rounds 9] [--sizes 100 1024 ...] [--folder /tmp]

Prints medians in microseconds an operation, the ratios to the store (above 1: the store is faster) and
their geometric mean. The store and SQLite alone map no memory. python-diskcache runs with
its defaults (synchronous = NORMAL, as the store's process-crash, but memory mapped); gets with touch under its least-recently-used policy. The puts that evict go into a full
cache, of which the oldest entries leave.
"""
import argparse
import collections
import math
import os
import random
import shutil
import statistics
import subprocess
import tempfile
import time

import diskcache

SIZES = [100, 1024, 4096, 20480, 65536, 262144]
OPERATIONS = ["get", "get-touch", "put", "overwrite", "evict-put"]


def key(number):
    """A key; those of following numbers are in no order, as usual keys are."""
    return f"key-{number * 2_654_435_761 % 2**32}-of-a-usual-length"


def peer(folder, seed, sizes):
    """One round of python-diskcache: (operation, size, microseconds)."""
    generator = random.Random(seed)
    noise = generator.randbytes(1 << 21)
    for size in sizes:
        count = max(200, min(2000, (32 << 20) // size))
        keys = [key(number) for number in range(count)]

        def value(number):
            start = number * 7919 % (len(noise) - size)
            return noise[start:start + size]

        def shuffled():
            return generator.sample(range(count), count)

        def timed(operation, order, body):
            start = time.perf_counter()
            for number in order:
                body(number)
            return operation, size, (time.perf_counter() - start) * 1e6 / len(order)

        with diskcache.Cache(f"{folder}/{size}/peer", size_limit=1 << 36) as cache:
            yield timed("put", range(count), lambda n: cache.set(keys[n], value(n)))
            yield timed("get", shuffled() + shuffled(), lambda n: cache.get(keys[n])[0])
            cache.reset("eviction_policy", "least-recently-used")
            yield timed("get-touch", shuffled() + shuffled(), lambda n: cache.get(keys[n])[0])
            yield timed("overwrite", shuffled(), lambda n: cache.set(keys[n], value(n + count)))
        newcomers = [key(number) for number in range(count, 2 * count)]
        with diskcache.Cache(f"{folder}/{size}/full", eviction_policy="least-recently-stored") as cache:
            for number in range(count):
                cache.set(keys[number], value(number))
            # It removes up to ten entries at a time where it takes more than that.
            cache.reset("size_limit", cache.volume())
            yield timed("evict-put", range(count), lambda n: cache.set(newcomers[n], value(n + count)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--folder", default=tempfile.gettempdir())
    parser.add_argument("--tool", default=".build/release/DiskBenchmark")
    arguments = parser.parse_args()
    taken = collections.defaultdict(list)
    for seed in range(arguments.rounds):
        folder = tempfile.mkdtemp(dir=arguments.folder)
        try:
            run = [arguments.tool, folder, str(seed), *map(str, arguments.sizes)]
            for line in subprocess.run(run, check=True, capture_output=True, text=True).stdout.splitlines():
                contender, operation, size, microseconds = line.split()
                taken[contender, operation, int(size)].append(float(microseconds))
            for operation, size, microseconds in peer(folder, seed, arguments.sizes):
                taken["diskcache", operation, size].append(microseconds)
        finally:
            shutil.rmtree(folder)
        os.sync()
    ratios = collections.defaultdict(list)
    print(f"{'operation':10} {'bytes':>7} {'store us':>9} {'raw us':>9} {'diskcache us':>13}"
          f" {'raw/store':>10} {'diskcache/store':>16} (quartiles)")
    for operation in OPERATIONS:
        for size in arguments.sizes:
            store = taken["store", operation, size]
            cells = [statistics.median(store)]
            for contender in ["raw", "diskcache"]:
                cells.append(statistics.median(taken[contender, operation, size]))
            spreads = []
            for contender in ["raw", "diskcache"]:
                each = [b / a for a, b in zip(store, taken[contender, operation, size])]
                ratios[contender].append(statistics.median(each))
                spreads.append(statistics.quantiles(each, n=4) if len(each) > 1 else each * 3)
            print(f"{operation:10} {size:7} {cells[0]:9.1f} {cells[1]:9.1f} {cells[2]:13.1f}"
                  f" {spreads[0][1]:10.2f} {spreads[1][1]:16.2f}"
                  f" ({spreads[1][0]:.2f}-{spreads[1][2]:.2f})")
    for contender, each in ratios.items():
        mean = math.exp(statistics.fmean(map(math.log, each)))
        print(f"{contender} / store: geometric mean {mean:.2f}, least {min(each):.2f}")


if __name__ == "__main__":
    main()
