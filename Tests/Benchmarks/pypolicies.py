#!/usr/bin/env python3
"""Processor time of a request of LRU in a simulation: of the catalog, in C, as a class in Python, and as libcachesim's plug-in.

    pip install libcachesim==0.3.5              # the last row is left out without it
    Tests/Benchmarks/pypolicies.py [ROUNDS]     # medians of interleaved rounds, 5 by default

`EVICTIONLAB_LIBRARY` names another library than the one that was built here; its release build is what counts.
"""

import collections
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TRACE = ROOT / "traces/orders.txt.zst"
CAPACITY = 1000
os.environ.setdefault("EVICTIONLAB_LIBRARY", str(ROOT / ".build/release/libevictionlab.so"))
sys.path.insert(0, str(ROOT / "notebooks/src"))

import evictionlab as lab  # noqa: E402

try:
    import libcachesim
except ImportError:
    libcachesim = None


class LRU(lab.Policy):
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


def plugin(path):
    """The same as hooks of libcachesim."""
    cache = libcachesim.PluginCache(
        cache_size=CAPACITY, cache_init_hook=lambda parameters: collections.OrderedDict(),
        cache_hit_hook=lambda order, request: order.move_to_end(request.obj_id),
        cache_miss_hook=lambda order, request: order.__setitem__(request.obj_id, None),
        cache_eviction_hook=lambda order, request: order.popitem(last=False)[0],
        cache_remove_hook=lambda order, key: order.pop(key, None), cache_free_hook=lambda order: None, cache_name="lru")
    reader = libcachesim.TraceReader(
        trace=str(path), trace_type=libcachesim.TraceType.PLAIN_TXT_TRACE,
        reader_init_params=libcachesim.ReaderInitParam(ignore_obj_size=True))
    return cache.process_trace(reader)[0]


def main(rounds):
    trace = lab.Trace.open(TRACE)
    in_c = lab.Policy.from_c(ROOT / "Tests/Fixtures/Plugins/lru.c")
    with tempfile.TemporaryDirectory() as folder:
        plain = pathlib.Path(folder) / "trace.txt"
        subprocess.run(["zstd", "-dcqf", TRACE, "-o", plain], check=True)
        runs = {
            name: lambda policy=policy: lab.simulate(trace, policy, CAPACITY, progress=False).miss_ratio
            for name, policy in (("lru", "lru"), ("lru.c", in_c), ("class LRU", LRU))}
        if libcachesim is not None:
            runs[f"libcachesim {libcachesim.__version__}, PluginCache"] = lambda: plugin(plain)
        times = {name: [] for name in runs}
        for _ in range(rounds):
            for name, run in runs.items():
                before = time.process_time()
                ratio = run()
                times[name].append((time.process_time() - before) / trace.info().requests * 1e6)
                assert abs(ratio - runs["lru"]()) < 1e-9, f"{name} misses otherwise"
    for name, found in times.items():
        print(f"{name:36} {statistics.median(found):8.3f} µs ({min(found):.3f} … {max(found):.3f})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
