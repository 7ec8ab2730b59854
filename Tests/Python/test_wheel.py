"""The Python package `evictionlab` (notebooks/src) and its wheel, beside the tool: the same hits, wrong input of every kind,
threads, fork, Ctrl-C, the cache and the decorator.

EVICTIONLAB_LIBRARY names another library than the one that was built here, EVICT another tool. What needs NumPy, pandas or
pyarrow is skipped without them. The tests of the wheel build one, and install it into a fresh environment.
"""

import array
import ast
import ctypes
import datetime
import email
import gc
import importlib.util
import json
import math
import os
import pathlib
import pickle
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import warnings
import weakref
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "notebooks/src"
EVICT = os.environ.get("EVICT", str(ROOT / ".build/release/evict"))
LIBRARY = pathlib.Path(os.environ.get("EVICTIONLAB_LIBRARY", ROOT / ".build/release/libevictionlab.so"))
TRACES = ROOT / "traces"

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None
try:
    import pyarrow
except ImportError:
    pyarrow = None

if LIBRARY.exists():
    os.environ["EVICTIONLAB_LIBRARY"] = str(LIBRARY)
    sys.path.insert(0, str(SOURCES))
    import evictionlab as lab
    from evictionlab import _columns


def setUpModule():
    if not LIBRARY.exists():
        raise unittest.SkipTest(f"{LIBRARY} is not built: make wheel, or name one in EVICTIONLAB_LIBRARY")


def needs(module, name):
    return unittest.skipIf(module is None, f"{name} is not installed")


def evict(*arguments):
    """The JSON document that a run of the tool prints."""
    done = subprocess.run(
        [EVICT, *map(str, arguments), "--format", "json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def label(row):
    """A policy with its parameters."""
    return ":".join([row["policy"], *(
        f"{name}={value if isinstance(value, str) else json.dumps(value)}"
        for name, value in row["parameters"].items())])


def python(code, **options):
    """Runs a program that has the package, and that Ctrl-C reaches though a shell in the background ignores it."""
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), **options)


def skewed(count, seed=5, most=50_000):
    """Keys, of which a few make most of the requests."""
    numbers = random.Random(seed)
    return [int(numbers.paretovariate(0.4)) % most for _ in range(count)]


def setUpTraces(case):
    """A trace as a file and as columns, with sizes, times and operations."""
    folder = tempfile.TemporaryDirectory()
    case.addClassCleanup(folder.cleanup)
    case.folder = pathlib.Path(folder.name)
    numbers = random.Random(9)
    case.keys = skewed(20_000, most=3_000)
    case.sizes = [key % 900 + 1 for key in case.keys]
    case.times = [1_000_000 * position for position in range(len(case.keys))]
    case.operations = numbers.choices(("get", "set", "delete"), (90, 8, 2), k=len(case.keys))
    case.file = case.folder / "columns.csv"
    case.file.write_text("time_ns,key,size,op\n" + "".join(
        f"{time},{key},{size},{operation}\n" for time, key, size, operation in
        zip(case.times, case.keys, case.sizes, case.operations)))
    case.plain = case.folder / "plain.csv"
    case.plain.write_text("key\n" + "".join(f"{key}\n" for key in case.keys))


class SameHits(unittest.TestCase):
    """Every policy hits as often as in the tool, to the last request."""

    @classmethod
    def setUpClass(cls):
        if not os.path.exists(EVICT):
            raise unittest.SkipTest(f"{EVICT} is not built")
        setUpTraces(cls)

    def check(self, file, source, policies, capacities, options=(), **arguments):
        rows = evict(
            "sweep", file, "--policy", policies, "--capacity", capacities, "--no-baselines", *options)["results"]
        told = {(label(row), row["capacity"]): (row["requests"], row["hits"]) for row in rows}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results = lab.sweep(source, policies, capacities, progress=False, **arguments)
        found = {(result.policy, result.capacity): (result.requests, result.hits) for result in results}
        # A file has the keys' lengths, arrays of numbers have none.
        self.assertLessEqual({policy for policy, _ in set(told) - set(found)}, {"key-length"})
        self.assertEqual(found, {row: told[row] for row in found if row in told})
        self.assertEqual(len(found), len(results))
        return results

    def test_every_policy_by_file(self):
        results = self.check(TRACES / "history.txt.zst", TRACES / "history.txt.zst", "all,opt,infinite", "1%,10%")
        self.assertGreater(len({result.policy for result in results}), 40)

    def test_every_policy_by_keys(self):
        results = self.check(self.plain, self.keys, "all,opt", "1%,10%")
        self.assertGreater(len({result.policy for result in results}), 40)

    def test_every_policy_by_texts(self):
        texts = [f"/a/{key}.css" for key in self.keys]
        file = self.folder / "texts.txt"
        file.write_text("\n".join(texts) + "\n")
        self.check(file, texts, "all", "1%,10%")

    def test_every_policy_with_sizes_by_file(self):
        file = TRACES / "build.csv.zst"
        results = self.check(file, file, "all,belady-size", "1%", ["--sized"], sized=True)
        for result in results:
            self.assertEqual(result.unit, "bytes")
        rows = evict("sweep", file, "--policy", "lru", "--capacity", "1%", "--sized")["results"]
        found = lab.simulate(file, "lru", "1%", sized=True, progress=False)
        self.assertAlmostEqual(found.byte_hit_ratio, rows[0]["byteHitRatio"], 12)
        self.assertEqual((found.insertions, found.evictions), (rows[0]["insertions"], rows[0]["evictions"]))

    def test_every_policy_with_all_columns(self):
        columns = {"sizes": self.sizes, "times": self.times, "operations": self.operations}
        self.check(self.file, self.keys, "all", "64KiB", ["--sized"], **columns)
        self.check(self.file, lab.Trace.from_arrays(self.keys, **columns), "all", "1%")
        self.check(self.file, self.keys, "all", "64KiB", ["--sized", "--count-sets"], counts_sets=True, **columns)
        self.check(self.file, self.keys, "lru,arc", "1%", ["--warmup", "5000"], sized=False, warmup=5000, **columns)

    def test_seeds_and_parameters(self):
        for seed in (1, 2):
            self.check(self.plain, self.keys, "random,slru:protected=0.5", "100", ["--seed", seed], seed=seed)

    def test_columns_of_a_file(self):
        trace = lab.Trace.open(self.file, columns=["sizes"], progress=False)
        self.assertEqual(trace.info().columns, ("sizes",))
        self.assertEqual(lab.Trace.open(self.file, limit=100, progress=False).info().requests, 100)
        info = lab.Trace.open(self.file, progress=False).info()
        self.assertEqual(info.columns, ("sizes", "times", "operations", "key_lengths"))
        self.assertEqual((info.requests, info.keys), (len(self.keys), len(set(self.keys))))
        self.assertEqual((info.first_time, info.last_time), (self.times[0], self.times[-1]))
        self.assertEqual(info.requested_bytes, sum(self.sizes))
        self.assertEqual(info.format, "csv")
        self.assertEqual(json.loads(json.dumps(info.to_dict()))["name"], "columns.csv")

    def test_only_the_columns_that_a_run_reads_are_kept(self):
        for call, columns in (
                (lambda: lab.sweep(self.file, "lru", "1%"), {"operations", "costs"}),
                (lambda: lab.simulate(self.file, "lru", "1%", sized=True), {"operations", "costs", "sizes"}),
                (lambda: lab.curve(self.file, "lru", "1KiB"), {"operations", "costs", "sizes"}),
                (lambda: lab.bounds(self.file, "1%"), {"operations", "costs"})):
            with unittest.mock.patch.object(lab.Trace, "open", wraps=lab.Trace.open) as opened:
                call()
            self.assertEqual(set(opened.call_args.kwargs["columns"]), columns)

    def test_curves(self):
        for policy in ("lru", "fifo"):
            rows = evict("curve", self.plain, "--policy", policy, "--points", 9, "--exact")["results"]
            told = {point[0]: point[1] for point in rows[0]["points"]}
            found = lab.curve(self.keys, policy, points=9, progress=False)
            self.assertEqual(len(found.capacities), 9)
            common = [
                (ratio, told[capacity]) for capacity, ratio in zip(found.capacities, found.miss_ratios)
                if capacity in told]
            self.assertGreater(len(common), 1)
            for ratio, expected in common:
                self.assertAlmostEqual(ratio, expected, 12)

    def test_curve_of_lru_is_its_simulations(self):
        whole = lab.curve(self.keys, points=None, progress=False)
        self.assertEqual(whole.capacities, list(range(len(set(self.keys)) + 1)))
        self.assertEqual(whole.hits, sorted(whole.hits))
        for capacity in (1, 10, 100, 1000):
            self.assertEqual(whole.hits[capacity], lab.simulate(self.keys, "lru", capacity, progress=False).hits)
        chosen = lab.curve(self.keys, "lru", [1000, 10, "1%"], progress=False)
        self.assertEqual([whole.hits[capacity] for capacity in chosen.capacities], chosen.hits)
        self.assertEqual(chosen.capacities, sorted(chosen.capacities))
        beyond = lab.curve(self.keys, "lru", 10**9, progress=False)
        self.assertEqual(beyond.hits, whole.hits[-1:])
        self.assertEqual(chosen.to_dicts()[0]["miss_ratio"], chosen.to_dict()["miss_ratios"][0])

    def test_curve_with_sets_and_deletes(self):
        trace = lab.Trace.from_arrays(self.keys, operations=self.operations)
        found = lab.curve(trace, "lru", "10,100,1000", progress=False)
        results = lab.sweep(trace, "lru", "10,100,1000", progress=False)
        self.assertEqual(found.hits, [result.hits for result in results])
        self.assertEqual(found.requests, results[0].requests)

    def test_curve_in_bytes(self):
        curve = lab.curve(self.keys, "lru", points=5, sizes=self.sizes, progress=False)
        self.assertEqual(curve.unit, "bytes")
        for capacity, hits in zip(curve.capacities, curve.hits):
            result = lab.simulate(self.keys, "lru", capacity, sizes=self.sizes, progress=False)
            self.assertEqual(result.hits, hits)

    def test_capacity_for_a_hit_ratio(self):
        def capacity(points, hit_ratio):
            return lab.Curve("t", "lru", "objects", 10, list(points), list(points.values())).capacity_for(hit_ratio)

        curve = {100: 2, 200: 4, 400: 4, 800: 6}
        self.assertAlmostEqual(capacity(curve, 0.3), 150)
        self.assertEqual([capacity(curve, ratio) for ratio in (0.2, 0.4, 0.6)], [100, 200, 800])
        # Below the first point in proportion to a capacity of 0.
        self.assertEqual([capacity(curve, ratio) for ratio in (0, 0.05, 0.1)], [0, 25, 50])
        self.assertEqual([capacity({0: 0, 10: 5}, ratio) for ratio in (0, 0.5)], [0, 10])
        self.assertTrue(math.isnan(capacity({}, 0.5)))
        self.assertTrue(math.isnan(capacity(curve, 0.7)))
        dips = {100: 2, 200: 5, 300: 1, 400: 6}
        self.assertEqual(capacity(dips, 0.5), 200)
        self.assertAlmostEqual(capacity(dips, 0.55), 300)
        for ratio in (90, -0.1, math.nan):
            with self.assertRaisesRegex(ValueError, f"hit_ratio is {ratio}: .*0.9 for 90 %"):
                capacity(curve, ratio)

    def test_bounds(self):
        for options, sized in (([], None), (["--sized"], True)):
            rows = evict("bounds", self.file, "--capacity", "1%,10%", *options)["results"]
            found = lab.bounds(self.file, "1%,10%", sized=sized, progress=False)
            self.assertEqual([bound.capacity for bound in found], [row["capacity"] for row in rows])
            for bound, row in zip(found, rows):
                low, high = row.get("hitRatioBounds") or (row["hitRatio"], row["hitRatio"])
                self.assertAlmostEqual(bound.hit_ratio_low, low, 12)
                self.assertAlmostEqual(bound.hit_ratio_high, high, 12)
                self.assertEqual(bound.byte_hit_ratio_low is None, not sized)
        optimum = lab.simulate(self.keys, "opt:bypass=true", 100, progress=False)
        self.assertEqual(lab.bounds(self.keys, 100, progress=False)[0].hit_ratio_high, optimum.hit_ratio)

    def test_catalog(self):
        rows = evict("policies")["policies"]
        self.assertEqual(lab.policies(), [row["name"] for row in rows])
        self.assertIn("csv", [row["name"] for row in lab.catalog()["formats"]])


class Inputs(unittest.TestCase):
    """Keys of every kind give the hits of the same keys in a list."""

    @classmethod
    def setUpClass(cls):
        cls.keys = skewed(4_000, most=1_000)
        cls.hits = lab.simulate(cls.keys, "lru", 100, progress=False).hits

    def check(self, keys):
        self.assertEqual(lab.simulate(keys, "lru", 100, progress=False).hits, self.hits)

    def check_capacity(self, *capacities):
        for capacity in capacities:
            self.assertEqual(lab.simulate(self.keys, "lru", capacity, progress=False).hits, self.hits)

    def test_sequences(self):
        self.check(tuple(self.keys))
        self.check(iter(self.keys))
        self.check([str(key) for key in self.keys])
        self.check([str(key).encode() for key in self.keys])
        self.check([(key, "x") for key in self.keys])
        self.check([-key for key in self.keys])
        self.check([2**64 - 1 - key for key in self.keys])
        self.check([f"ключ {key}\0\ud800" for key in self.keys])

    def test_buffers(self):
        for code in "hHiIlLqQ":
            self.check(array.array(code, self.keys))
        self.check(memoryview(array.array("Q", [key for key in self.keys for _ in range(2)]))[::2])
        self.check(memoryview(array.array("Q", self.keys).tobytes()).cast("Q"))
        self.check((ctypes.c_uint32 * len(self.keys))(*self.keys))
        self.check((ctypes.c_uint64.__ctype_be__ * len(self.keys))(*self.keys))

    def test_buffers_are_not_copied(self):
        column = _columns.keys(array.array("Q", self.keys))
        self.assertFalse(column.is_copy)
        self.assertEqual(column.length, len(self.keys))

    @needs(numpy, "NumPy")
    def test_numpy(self):
        keys = numpy.array(self.keys)
        for kind in ("u2", "u4", "u8", "i2", "i4", "i8", ">u8", ">i4", "U8", "S8", "O"):
            with self.subTest(kind):
                self.check(keys.astype(kind))
        self.check(numpy.repeat(keys, 2)[::2])
        self.check(numpy.asfortranarray(numpy.stack([keys, keys], 1))[:, 1])
        self.check(keys[::-1][::-1])
        frozen = keys.copy()
        frozen.flags.writeable = False
        self.check(frozen)
        for kind in ("u8", "i8"):
            wide = keys.astype(kind)
            column = _columns.keys(wide)
            self.assertEqual((column.address, column.is_copy), (wide.ctypes.data, False))
        self.assertTrue(_columns.keys(keys.astype("u4")).is_copy)
        results = lab.sweep(keys, "lru", numpy.array([10, 100]), progress=False)
        self.assertEqual([result.capacity for result in results], [10, 100])
        self.check_capacity(numpy.int32(100), numpy.float64(100))
        self.assertEqual(list(keys), self.keys)
        for unit, factor in (("s", 10**9), ("ms", 10**6), ("ns", 1)):
            for name in ("ttls", "times"):
                column = _columns.numbers(numpy.array([2, 5], f"m8[{unit}]"), name, 2)
                self.assertEqual(list(column.owner), [2 * factor, 5 * factor])
        expiring = {"times": numpy.array([0, 10], "m8[s]"), "expires": True, "progress": False}
        for life, hits in ((9, 0), (11, 1)):
            result = lab.simulate([1, 1], "lru", 10, ttls=numpy.array([life, life], "m8[s]"), **expiring)
            self.assertEqual(result.hits, hits)

    @needs(pandas, "pandas")
    def test_pandas(self):
        series = pandas.Series(self.keys)
        self.check(series)
        self.check(pandas.Index(self.keys))
        self.check(series.astype(str))
        self.check(series.astype("Int64"))
        self.check(series.astype("category"))
        self.check(series[series >= 0])
        self.assertFalse(_columns.keys(series).is_copy)
        place = next(place for place, key in enumerate(self.keys) if key <= 5)
        with self.assertRaisesRegex(lab.ArgumentError, f"the first at position {place}: drop these rows"):
            lab.simulate(series.where(series > 5), "lru", 100)
        with self.assertRaisesRegex(lab.ArgumentError, "keys are empty"):
            lab.simulate(pandas.Series([]), "lru", 100)
        with self.assertRaisesRegex(TypeError, "one of its columns"):
            lab.simulate(series.to_frame("key"), "lru", 100)
        for nothing in (pandas.NA, pandas.NaT, None, math.nan):
            with self.assertRaisesRegex(lab.ArgumentError, "position 1.*drop"):
                lab.simulate([1, nothing], "lru", 100)
        frame = pandas.DataFrame(lab.sweep(self.keys, "lru,fifo", "1%,10%", progress=False))
        self.assertEqual(list(frame.policy), ["lru", "fifo"] * 2)
        first = ["trace", "policy", "capacity", "requests", "hits", "hit_ratio", "miss_ratio"]
        self.assertEqual(list(frame)[:7], first)
        self.assertNotIn("byte_hit_ratio", frame.dropna(axis="columns", how="all"))
        self.assertEqual(frame.hit_ratio.between(0, 1).sum(), 4)
        for zone in (None, "UTC"):
            times = pandas.date_range("2020-01-01", periods=len(self.keys), freq="s", tz=zone)
            info = lab.Trace.from_arrays(series, times=times).info()
            self.assertEqual((info.first_time, info.last_time), (times[0].value, times[-1].value))
            with self.assertRaisesRegex(TypeError, "Timestamp at position 0: pass the column"):
                lab.Trace.from_arrays(series, times=list(times))
        curve = lab.curve(self.keys, points=5, progress=False)
        for rows in (curve, curve.to_dicts()):
            frame = pandas.DataFrame(rows)
            self.assertEqual(list(frame)[:7], first)
            self.assertEqual((list(frame.capacity), list(frame.hits)), (curve.capacities, curve.hits))
        result = lab.simulate(self.keys, "lru", 100, progress=False)
        self.assertEqual(pandas.Series(result.to_dict()).hits, result.hits)
        index = pandas.MultiIndex.from_arrays([self.keys, self.keys])
        self.check(list(index))
        with self.assertRaisesRegex(TypeError, r"MultiIndex of pandas: pass list\(index\)"):
            lab.simulate(index, "lru", 100)
        lives = pandas.Series(pandas.to_timedelta([1, 90], unit="min"))
        self.assertEqual(list(_columns.numbers(lives, "ttls", 2).owner), [60 * 10**9, 5400 * 10**9])
        with self.assertRaisesRegex(ValueError, "drop these rows"):
            lab.Trace.from_arrays([1, 2], ttls=lives.where(lives.index > 0))

    @needs(pyarrow, "pyarrow")
    def test_arrow(self):
        self.check(pyarrow.array(self.keys))
        self.check(pyarrow.chunked_array([self.keys[:100], self.keys[100:]]))
        self.check(pyarrow.array([str(key) for key in self.keys]))
        self.check(pyarrow.table({"key": self.keys})["key"])
        for column in (pyarrow.array([1, None]), pyarrow.chunked_array([[1], [None]])):
            with self.assertRaisesRegex(lab.ArgumentError, "null.*the first at position 1"):
                lab.simulate(column, "lru", 1)

    def test_sizes_make_a_run_sized(self):
        sizes = [10] * len(self.keys)
        self.assertEqual(lab.simulate(self.keys, "lru", 1000, sizes=sizes, progress=False).hits, self.hits)
        whole = lab.simulate(self.keys, "lru", 1000, sizes=sizes, sized=False, progress=False)
        self.assertEqual((whole.unit, whole.requested_bytes), ("objects", None))
        self.assertEqual(lab.simulate(self.keys, "lru", "1000B", sizes=sizes, progress=False).unit, "bytes")
        trace = lab.Trace.from_arrays(self.keys, sizes=sizes)
        for unit, capacity, sized in (
                ("objects", 1000, None), ("objects", 1000, False), ("bytes", 1000, True), ("bytes", "1000B", None),
                ("bytes", "1000B", False)):
            self.assertEqual(lab.simulate(trace, "lru", capacity, sized=sized, progress=False).unit, unit)

    def test_costs(self):
        costs = [0.5] * len(self.keys)
        result = lab.simulate(self.keys, "lru", 100, costs=costs, progress=False)
        self.assertAlmostEqual(result.cost, len(self.keys) / 2)
        self.assertAlmostEqual(result.cost_hit_ratio, result.hit_ratio)

    def test_times_to_live(self):
        times = range(len(self.keys))
        kept = lab.Trace.from_arrays(self.keys, times=times, ttls=[5] * len(self.keys))
        result = lab.simulate(kept, "lru", 1000, expires=True, progress=False)
        self.assertGreater(result.expirations, 0)
        self.assertLess(result.hits, lab.simulate(kept, "lru", 1000, progress=False).hits)

    def test_results(self):
        results = lab.sweep(self.keys, ["lru", "fifo"], [10, "10%"], progress=False)
        self.assertEqual([result.policy for result in results], ["lru", "fifo", "lru", "fifo"])
        self.assertEqual([result["capacity"] for result in results.to_dicts()][0], 10)
        self.assertEqual(json.loads(json.dumps(results.to_dicts()))[0]["trace"], "memory")
        self.assertEqual(results[0].hits / results[0].requests, results[0].hit_ratio)

    def test_keys_are_copied(self):
        keys = array.array("Q", self.keys)
        trace = lab.Trace.from_arrays(keys, name="mine")
        keys[:] = array.array("Q", [0] * len(keys))
        self.check(trace)
        self.assertEqual(trace.name, "mine")
        self.assertEqual(len(trace), len(self.keys))
        self.assertEqual(repr(trace), f"<Trace mine, {len(self.keys)} requests, {len(set(self.keys))} keys>")


class WrongInput(unittest.TestCase):
    """Wrong input raises an exception whose message says what to do."""

    def wrong(self, kind, message, function, *arguments, **named):
        with self.subTest(message), self.assertRaisesRegex(kind, message):
            function(*arguments, **named)

    def test_keys(self):
        nothing = (
            (lab.ArgumentError, "keys are empty: pass one", []),
            (lab.ArgumentError, "keys are empty", array.array("Q")),
            (TypeError, "a list", 5),
            (TypeError, "a list", None),
            (TypeError, "a list", b"text"),
            (TypeError, "columns", {1: 2}),
            (TypeError, "a set, which has no order: pass a list", {1, 2}),
            (TypeError, "a set, which has no order: pass a list", frozenset([1])),
            (lab.ArgumentError, "position 1.*None.*drop", ["a", None]),
            (lab.ArgumentError, "position 1.*None.*drop", [1, None]),
            (lab.ArgumentError, "position 0.*None.*drop", [None, 1]),
            (lab.ArgumentError, "position 2.*None.*drop", [1.0, 2.0, None]),
            (lab.ArgumentError, "NaN.* at position 1: drop", [1.0, math.nan]),
            (lab.ArgumentError, "position 0.*nan.*drop", [math.nan, "a"]),
            (TypeError, r"whole: pass integers, such as \[int\(value\) for value in keys\]$", [1.0, 2.0]),
            (TypeError, "whole: pass integers", array.array("d", [1, 2])),
            (TypeError, r"position 1 is 2.5: number them: numpy.unique\(keys, return_inverse=True\)\[1\]$", [1.0, 2.5]),
            (TypeError, "position 0 is inf: number them", array.array("d", [math.inf])),
            (TypeError, "position 1.*one kind", [1, "a"]),
            (TypeError, "position 1.*one kind", ["a", 1]),
            (TypeError, "cannot be hashed", [[1], [2]]),
            (ValueError, "position 1 is 18446744073709551616: pass texts", [1, 2**64]),
            (ValueError, "pass texts", [-1, 2**64 - 1]),
        )
        for kind, message, keys in nothing:
            self.wrong(kind, message, lab.simulate, keys, "lru", 10)

    @needs(numpy, "NumPy")
    def test_arrays(self):
        for kind, message, keys in (
                (lab.ArgumentError, "keys are empty", numpy.array([], dtype=int)),
                (lab.ArgumentError, "keys are empty", numpy.array([])),
                (ValueError, "one axis", numpy.zeros((3, 2), int)),
                (ValueError, "one axis", numpy.array(5)),
                (lab.ArgumentError, "the first at position 1: drop", numpy.ma.array([1, 2], mask=[0, 1])),
                (lab.ArgumentError, "NaN.* at position 2", numpy.array([1, 2, math.nan])),
                (lab.ArgumentError, "position 1", numpy.array([1, None])),
                (TypeError, r"whole: pass integers, such as keys.astype\('int64'\)$", numpy.array([1.0, 2.0])),
                (TypeError, "position 1 is 2.5: number them", numpy.array([1.0, 2.5])),
                (TypeError, "position 0 is 1e.30: number them", numpy.array([1e30])),
                (TypeError, "complex", numpy.array([1j])),
                (TypeError, r"datetime64.*: pass keys.astype\('int64'\)", numpy.array(["2020-01-01"], dtype="M8[s]")),
                (TypeError, "position 1", numpy.array([1, "a"], dtype=object))):
            self.wrong(kind, message, lab.simulate, keys, "lru", 10)
        none = numpy.array(["2020-01-01", "NaT"], dtype="M8[s]")
        self.wrong(ValueError, "NaT", lab.Trace.from_arrays, [1, 2], times=none)
        span = numpy.array([1, "NaT"], dtype="m8[s]")
        self.wrong(ValueError, "NaT", lab.Trace.from_arrays, [1, 2], ttls=span)
        make = lab.Trace.from_arrays
        self.wrong(TypeError, "ttls have the type datetime64.*: pass integers or timedelta64$", make, [1, 2], ttls=none)
        self.wrong(TypeError, "timedelta64 at position 0: pass the column", make, [1, 2], ttls=list(span))
        self.wrong(TypeError, "sizes have the type timedelta64.*: pass integers$", make, [1, 2], sizes=span)
        unsigned = numpy.array([1, 2**64 - 1], dtype="u8")
        self.assertEqual(lab.simulate(unsigned, "lru", 10, progress=False).requests, 2)
        self.wrong(ValueError, "sizes", lab.simulate, [1, 2], "lru", 10, sizes=unsigned)
        self.wrong(ValueError, "sizes", lab.simulate, [1, 2], "lru", 10, sizes=numpy.array([1, -1]))

    def test_columns(self):
        make = lab.Trace.from_arrays
        self.wrong(ValueError, "2 entries, keys have 3", make, [1, 2, 3], sizes=[1, 2])
        self.wrong(ValueError, "2 entries, keys have 3", make, [1, 2, 3], operations=["get", "get"])
        self.wrong(ValueError, "2 entries, keys have 3", make, [1, 2, 3], costs=[1, 2])
        self.wrong(ValueError, "position 1 is -2", make, [1, 2], sizes=[1, -2])
        self.wrong(ValueError, "sizes", make, [1, 2], sizes=[1, 2**64 - 1])
        self.wrong(ValueError, "sizes", make, [1, 2], sizes=[1, 2**64])
        self.wrong(lab.ArgumentError, "position 1.*drop", make, [1, 2], sizes=[1, None])
        self.wrong(lab.ArgumentError, "position 1.*drop", make, [1, 2, 3], sizes=[1, math.nan, 1])
        self.wrong(lab.ArgumentError, "position 1.*drop", make, [1, 2], costs=[1, None])
        self.wrong(lab.ArgumentError, "NaN", make, [1, 2], sizes=array.array("d", [1, math.nan]))
        self.wrong(TypeError, "position 1 is 2.5: pass whole bytes$", make, [1, 2], sizes=array.array("d", [1, 2.5]))
        self.wrong(TypeError, "position 0 is 0.5: pass whole nanosec", make, [1, 2], times=array.array("d", [0.5, 1]))
        self.wrong(TypeError, "integers", make, [1, 2], sizes=["1", "2"])
        self.wrong(TypeError, "integers", make, [1, 2], sizes=[1, 2.5])
        noon, hour = datetime.datetime(2026, 1, 1, 12), datetime.timedelta(hours=1)
        self.wrong(
            TypeError, r"datetime at position 0: pass the column, or numpy.array\(times, 'datetime64\[ns\]'\)", make,
            [1, 2], times=[noon, noon])
        self.wrong(
            TypeError, r"timedelta at position 1: pass the column, or numpy.array\(ttls, 'timedelta64\[ns\]'\)", make,
            [1, 2], ttls=[0, hour])
        self.wrong(TypeError, "datetime at position 0: pass integers or timedelta64$", make, [1, 2], ttls=[noon, noon])
        self.wrong(lab.ArgumentError, "empty", make, [1, 2], sizes=[])
        self.wrong(ValueError, "", make, [1, 2], sizes=[2**63 - 1, 2**63 - 1])
        self.wrong(ValueError, "position 1 is 'fetch'", make, [1, 2], operations=["get", "fetch"])
        self.wrong(ValueError, "position 1 is 13", make, [1, 2], operations=[0, 13])
        self.wrong(ValueError, "position 1 is \\[\\]", make, [1, 2], operations=[0, []])
        self.wrong(ValueError, "position 1 is nan", make, [1, 2], costs=[0, math.nan])
        self.wrong(ValueError, "position 1 is -1", make, [1, 2], costs=[0, -1])
        self.wrong(TypeError, "position 1", make, [1, 2], costs=[0, "a"])
        self.wrong(ValueError, "position 0 is -1", make, [1, 2], ttls=[-1, 0])
        self.wrong(TypeError, "is of type int", make, [1, 2], name=5)
        self.wrong(ValueError, "zero", make, [1, 2], name="a\0b")
        self.wrong(TypeError, "beside a trace", lab.simulate, make([1]), "lru", 1, sizes=[1])
        self.wrong(ValueError, "size", lab.simulate, [1, 2], "lru", "1KiB", progress=False)

    def test_capacities(self):
        for kind, message, capacity in (
                (ValueError, "abc.*write objects", "abc"),
                (ValueError, "", ""),
                (ValueError, "", "0"),
                (ValueError, "", "-5"),
                (ValueError, "", "1%%"),
                (lab.ArgumentError, "is 0", 0),
                (lab.ArgumentError, "is -1", -1),
                (lab.ArgumentError, "is 18446744073709551615", 2**64 - 1),
                (ValueError, "'1%'", 0.01),
                (ValueError, "", math.nan),
                (ValueError, "", math.inf),
                (TypeError, "", None),
                (TypeError, "", True),
                (TypeError, "", [10]),
                (ValueError, "use sweep", "1%,10%")):
            self.wrong(kind, message, lab.simulate, [1, 2, 3], "lru", capacity)
        self.wrong(ValueError, "empty", lab.sweep, [1], "lru", [])
        self.wrong(TypeError, "", lab.sweep, [1], "lru", [None])
        self.wrong(TypeError, "", lab.sweep, [1], "lru", object())
        self.wrong(ValueError, "points", lab.curve, [1], "fifo", points=1)
        self.wrong(ValueError, "points=100", lab.curve, [1], "fifo", points=None)
        self.wrong(ValueError, "abc", lab.bounds, [1], "abc")
        self.assertEqual(lab.simulate([1, 1], "lru", 10.0, progress=False).hits, 1)

    def test_policies(self):
        self.wrong(ValueError, "did you mean lru", lab.simulate, [1], "lruu", 1)
        self.wrong(ValueError, "use sweep", lab.simulate, [1], "lru,fifo", 1)
        self.wrong(ValueError, "use sweep", lab.simulate, [1, 2, 1], "all", 1)
        self.wrong(TypeError, "text", lab.simulate, [1], 5, 1)
        self.wrong(TypeError, "text", lab.sweep, [1], [5], 1)
        self.wrong(ValueError, "empty", lab.sweep, [1], [], 1)
        self.wrong(ValueError, "", lab.sweep, [1], "slru:protected=7", 1)
        self.wrong(ValueError, "", lab.sweep, [1], "slru:nothing=7", 1)
        self.wrong(ValueError, "zero", lab.sweep, [1], "lru\0", 1)

    def test_options(self):
        self.wrong(ValueError, "seed", lab.simulate, [1], "lru", 1, seed=-1)
        self.wrong(TypeError, "seed", lab.simulate, [1], "lru", 1, seed="a")
        self.wrong(ValueError, "warmup", lab.simulate, [1], "lru", 1, warmup=-1)
        self.wrong(ValueError, "threads", lab.sweep, [1], "lru", 1, threads=-1)
        self.wrong(ValueError, "progress", lab.simulate, [1], "lru", 1, progress="yes")

    def test_files(self):
        missing = ROOT / "there-is-no-such-file"
        self.wrong(FileNotFoundError, "there-is-no-such-file", lab.Trace.open, missing)
        self.wrong(lab.EvictionError, "there-is-no-such-file", lab.Trace.open, str(missing))
        self.wrong(FileNotFoundError, "", lab.sweep, missing, "lru", 1)
        self.wrong(TypeError, "path", lab.Trace.open, 5)
        self.wrong(ValueError, "zero", lab.Trace.open, "a\0b")
        self.wrong(ValueError, "no column", lab.Trace.open, missing, columns=["weights"])
        self.wrong(ValueError, "limit", lab.Trace.open, missing, limit=0)
        self.wrong(lab.EvictionError, "", lab.Trace.open, ROOT)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "t.csv"
            file.write_text("key,size\n1,2\n3,many\n")
            self.wrong(lab.EvictionError, "t.csv.*3|line 3", lab.Trace.open, file)
            self.wrong(ValueError, "", lab.Trace.open, file, format="nothing")
            file.write_bytes(b"")
            self.wrong(lab.EvictionError, "t.csv", lab.Trace.open, file)

    def test_closed_trace(self):
        trace = lab.Trace.from_arrays([1, 2, 1])
        with trace:
            self.assertFalse(trace.closed)
        trace.close()
        self.assertTrue(trace.closed)
        self.assertEqual(repr(trace), "<Trace memory, closed>")
        for function in (trace.info, lambda: len(trace), lambda: lab.simulate(trace, "lru", 1), lambda: lab.curve(trace)):
            self.wrong(lab.ClosedError, "closed: open it again", function)
        self.wrong(ValueError, "closed", lab.bounds, trace, 1)

    def test_traces_are_not_copied(self):
        trace = lab.Trace.from_arrays([1])
        self.wrong(TypeError, "open it in each process", pickle.dumps, trace)
        self.wrong(TypeError, "Trace.open", lab.Trace)

    def test_memory_is_freed(self):
        trace = lab.Trace.from_arrays([1, 2])
        gone = weakref.ref(trace)
        del trace
        gc.collect()
        self.assertIsNone(gone())


class Progress(unittest.TestCase):
    #: Policies whose simulation takes some seconds.
    SLOW = "lhd,cacheus,hyperbolic,lecar"

    @classmethod
    def setUpClass(cls):
        cls.trace = lab.Trace.from_arrays(skewed(400_000) * 5)

    def sweep(self, progress, trace=None):
        return lab.sweep(trace or self.trace, self.SLOW, "5%,10%,20%", progress=progress)

    def test_function_is_called(self):
        seen = []
        results = self.sweep(lambda done, total: seen.append((done, total)))
        self.assertEqual(seen, sorted(seen))
        self.assertEqual(seen[-1][0], seen[-1][1])
        self.assertEqual(len(results), 12)
        self.assertGreater(len(seen), 1)

    def test_exception_stops_the_call(self):
        def fail(done, total):
            raise RuntimeError("enough")
        for run in (lambda: self.sweep(fail), lambda: self.in_thread(lambda: self.sweep(fail))):
            began = time.monotonic()
            with self.assertRaisesRegex(RuntimeError, "enough"):
                run()
            self.assertLess(time.monotonic() - began, 10)

    def test_every_call_stops(self):
        """A call that works longer than its first report stops soon after an exception there."""
        keys = skewed(300_000) * 10
        sized = lab.Trace.from_arrays(keys, sizes=[key % 900 + 1 for key in keys])
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "keys.csv"
            file.write_text("key,size\n" + "".join(f"{key},{key % 900 + 1}\n" for key in keys))

            def fail(done, total):
                nonlocal told
                told = time.monotonic()
                raise RuntimeError("enough")
            for number, call in enumerate((
                    lambda: lab.Trace.open(file, progress=fail), lambda: lab.curve(sized, progress=fail),
                    lambda: lab.curve(sized, "lru", points=None, progress=fail),
                    lambda: lab.curve(sized, "lhd", sized=True, progress=fail),
                    lambda: lab.bounds(sized, "10%", progress=fail),
                    lambda: lab.bounds(sized, "10%", sized=True, progress=fail),
                    lambda: lab.simulate(sized, "opt", "10%", progress=fail),
                    lambda: lab.sweep(file, "lhd", "10%", progress=fail))):
                told = None
                with self.subTest(number):
                    try:
                        call()
                    except RuntimeError:
                        self.assertLess(time.monotonic() - told, 10)
                    else:
                        self.assertIsNone(told)

    def in_thread(self, work):
        """Runs work on another thread, and raises what it raised."""
        raised = []

        def run():
            try:
                work()
            except BaseException as failure:
                raised.append(failure)
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        if raised:
            raise raised[0]

    def test_wrong_function(self):
        with self.assertRaises(TypeError):
            self.sweep(lambda: None)

    def test_bar(self):
        try:
            import tqdm  # noqa: F401
        except ImportError:
            with self.assertRaisesRegex(ValueError, "pip install tqdm"):
                self.sweep(True)
            return
        process = python(
            "import evictionlab as lab, random\n"
            "keys = [int(random.paretovariate(0.4)) % 50000 for _ in range(300000)] * 5\n"
            f"lab.sweep(keys, {self.SLOW!r}, '5%,10%,20%', progress=True)\n")
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.assertIn("100%", errors)

    def test_control_c_stops(self):
        process = python(
            "import evictionlab as lab, random\n"
            "trace = lab.Trace.from_arrays([int(random.paretovariate(0.4)) % 50000 for _ in range(300000)] * 10)\n"
            "print('ready', flush=True)\n"
            "try:\n"
            f"  lab.sweep(trace, {self.SLOW!r}, [f'{{n}}%' for n in range(1, 90)])\n"
            "  print('through')\n"
            "except KeyboardInterrupt:\n"
            "  print('stopped', lab.simulate([1, 1], 'lru', 1).hits)\n")
        process.stdout.readline()
        time.sleep(0.2)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual((output, errors), ("stopped 1\n", ""))
        self.assertLess(time.monotonic() - began, 10)

    def test_other_threads_work_meanwhile(self):
        """The GIL is released: a loop of Python goes on while the library simulates."""
        counted = [0]
        ended = threading.Event()

        def count():
            while not ended.is_set():
                counted[0] += 1
                time.sleep(0.001)
        thread = threading.Thread(target=count)
        thread.start()
        began = time.monotonic()
        self.sweep(False)
        seconds = time.monotonic() - began
        ended.set()
        thread.join()
        self.assertGreater(counted[0], 50 * seconds)


class Threads(unittest.TestCase):
    def test_one_trace_in_many_threads(self):
        trace = lab.Trace.from_arrays(skewed(50_000))
        told = [lab.simulate(trace, policy, 1000, progress=False).hits for policy in ("lru", "arc", "s3fifo")]
        found, failures = [], []

        def work():
            try:
                found.append([
                    lab.simulate(trace, policy, 1000, progress=False).hits for policy in ("lru", "arc", "s3fifo")])
            except BaseException as failure:
                failures.append(failure)
        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((failures, found), ([], [told] * 8))

    def test_trace_is_closed_while_it_is_used(self):
        for _ in range(5):
            trace = lab.Trace.from_arrays(skewed(100_000))
            outcomes = []

            def work():
                while True:
                    try:
                        outcomes.append(lab.simulate(trace, "s3fifo", 1000, progress=False).hits)
                    except lab.ClosedError:
                        outcomes.append("closed")
                        return
            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads:
                thread.start()
            time.sleep(0.03)
            trace.close()
            for thread in threads:
                thread.join()
            self.assertEqual(outcomes.count("closed"), 4)
            self.assertLessEqual(len(set(outcomes)), 2)

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
    def test_child_of_fork_simulates(self):
        process = python(
            "import evictionlab as lab, os, random, sys\n"
            "keys = [int(random.paretovariate(0.4)) % 5000 for _ in range(50000)]\n"
            "trace = lab.Trace.from_arrays(keys)\n"
            "cache = lab.Cache(10); cache[1] = 'one'\n"
            "told = [result.hits for result in lab.sweep(trace, 'lru,arc', '1%,10%')]\n"
            "children = []\n"
            "for _ in range(8):\n"
            "  child = os.fork()\n"
            "  if child == 0:\n"
            "    same = [result.hits for result in lab.sweep(trace, 'lru,arc', '1%,10%')] == told\n"
            "    same = same and lab.sweep(keys, 'lru', '1%')[0].hits == told[0]\n"
            "    cache[2] = 'two'\n"
            "    same = same and (cache[1], cache[2]) == ('one', 'two')\n"
            "    trace.close(); os._exit(0 if same else 1)\n"
            "  children.append(child)\n"
            "codes = [os.waitpid(child, 0)[1] for child in children]\n"
            "print(codes, 2 in cache, [result.hits for result in lab.sweep(trace, 'lru,arc', '1%,10%')] == told)\n")
        try:
            output, errors = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            self.fail("a child of fork hangs")
        self.assertEqual(output, f"{[0] * 8} False True\n", errors)

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
    def test_pool_of_processes(self):
        process = python(
            "import evictionlab as lab, multiprocessing\n"
            "trace = lab.Trace.from_arrays([k % 977 for k in range(100000)])\n"
            "def work(policy): return lab.simulate(trace, policy, 500).hits\n"
            "told = [work(policy) for policy in ('fifo', 'mru')]\n"
            "with multiprocessing.get_context('fork').Pool(2) as pool:\n"
            "  print(pool.map(work, ('fifo', 'mru')) == told)\n")
        output, errors = process.communicate(timeout=60)
        self.assertEqual(output, "True\n", errors)


class Caches(unittest.TestCase):
    def test_mapping(self):
        cache = lab.Cache(2, "lru")
        cache["a"] = 1
        cache["b"] = 2
        self.assertEqual((cache["a"], cache.get("b"), cache.get("c"), cache.get("c", 7)), (1, 2, None, 7))
        self.assertEqual(cache["a"], 1)
        cache["c"] = 3
        self.assertEqual(dict(cache.items()), {"a": 1, "c": 3})
        self.assertEqual((len(cache), sorted(cache), "b" in cache, "a" in cache), (2, ["a", "c"], False, True))
        with self.assertRaises(KeyError):
            cache["b"]
        del cache["a"]
        with self.assertRaises(KeyError):
            del cache["a"]
        self.assertEqual((cache.pop("c"), cache.pop("c", 5), len(cache)), (3, 5, 0))
        self.assertEqual((cache.setdefault("d", 4), cache.setdefault("d", 5)), (4, 4))
        cache.update({"e": 5})
        self.assertEqual((len(cache.popitem()), len(cache.popitem()), len(cache)), (2, 2, 0))
        for function in (cache.popitem, lambda: cache.pop("e")):
            with self.assertRaises(KeyError):
                function()
        cache["e"] = 5
        cache.clear()
        self.assertEqual((len(cache), list(cache.values())), (0, []))
        self.assertIn("lru", repr(cache))
        self.assertNotEqual(cache, lab.Cache(2, "lru"))

    def test_equal_keys(self):
        cache = lab.Cache(100)
        cache[1] = "one"
        self.assertEqual((cache[1.0], cache[True]), ("one", "one"))
        cache[-1], cache[-2] = "a", "b"
        self.assertEqual((cache[-1], cache[-2], cache[-1.0], cache[-2.0]), ("a", "b", "a", "b"))
        cache[None], cache[(1, "x")], cache[b"1"] = 0, 1, 2
        self.assertEqual((cache[None], cache[(1, "x")], cache[b"1"]), (0, 1, 2))
        value = object()
        cache["same"] = value
        self.assertIs(cache["same"], value)
        with self.assertRaises(TypeError):
            cache[[]] = 1

    def test_every_call_finds_a_key(self):
        """Lookups and sets pass the key's number, the others its bytes."""
        for key in (0, -1, -2, -3, 2**61 - 2, 2**64 - 1, -2**63, 0.5, "text", (1, -1)):
            with self.subTest(key):
                cache = lab.Cache(10, "lru")
                cache[key] = 1
                self.assertTrue(key in cache and cache[key] == 1)
                del cache[key]
                self.assertEqual((key in cache, cache.get(key), cache.statistics().count), (False, None, 0))

    def test_keys_of_one_hash(self):
        class Key:
            def __hash__(self):
                return 5
        first, second = Key(), Key()
        cache = lab.Cache(10, "lru")
        cache[first] = 1
        self.assertIsNone(cache.get(second))
        cache[second] = 2
        self.assertEqual((cache[second], cache.get(first), len(cache)), (2, None, 1))

    def test_hits_are_those_of_the_simulation(self):
        """Where a policy depends on nothing but the order of requests."""
        keys = skewed(20_000, most=2_000)
        for policy in ("lru", "fifo", "sieve", "s3fifo", "arc", "lirs", "2q", "clock"):
            cache = lab.Cache(100, policy)
            for key in keys:
                if cache.get(key) is None:
                    cache[key] = key + 1
                self.assertLessEqual(len(cache), 100)
            counts = cache.statistics()
            self.assertEqual(counts.hits, lab.simulate(keys, policy, 100, progress=False).hits, policy)
            self.assertEqual(counts.hits + counts.misses, len(keys))
            self.assertEqual(counts.count, len(cache))
            self.assertEqual([cache[key] for key in list(cache)], [key + 1 for key in cache])

    def test_gets_count_at_once(self):
        """Gets wait for the next set, and for whoever looks at the cache."""
        cache = lab.Cache(2, "lru")
        cache[1], cache[2] = "one", "two"
        for count in (1, 63, 64, 65, 1000):
            before = cache.statistics()
            for _ in range(count):
                self.assertEqual((cache.get(1), cache.get(3)), ("one", None))
            after = cache.statistics()
            self.assertEqual((after.hits - before.hits, after.misses - before.misses), (count, count))
        for _ in range(70):
            cache.get(1)
        cache[3] = "three"
        self.assertEqual(sorted(cache), [1, 3])
        cache.get(1)
        del cache[3]
        cache[4], cache[5] = "four", "five"
        self.assertEqual(sorted(cache), [4, 5])

    def test_a_time_to_live_of_one_entry(self):
        cache = lab.Cache(10, "lru")
        cache[1] = 1
        cache.get(1)
        cache.set(2, 2, ttl=0.05)
        self.assertEqual((cache.get(1), cache.get(2)), (1, 2))
        time.sleep(0.1)
        self.assertEqual((cache.get(1), cache.get(2), 2 in cache), (1, None, False))
        counts = cache.statistics()
        self.assertEqual((counts.hits, counts.misses, counts.expirations), (4, 1, 1))

    def test_every_policy(self):
        keys = skewed(3_000, most=300)
        refused = []
        for policy in lab.policies():
            try:
                cache = lab.Cache(50, policy, seed=3)
            except ValueError as failure:
                refused.append((policy, str(failure)))
                continue
            for key in keys:
                found = cache.get(key)
                self.assertIn(found, (None, key))
                if found is None:
                    cache[key] = key
            self.assertLessEqual(len(cache), 50, policy)
            self.assertEqual(len(cache), cache.statistics().count, policy)
        self.assertLess(len(refused), 10, refused)

    def test_sizes(self):
        cache = lab.Cache(10, "lru", getsizeof=len)
        cache["a"], cache["b"] = "xxxxx", "yyyyy"
        cache["c"] = "z"
        self.assertEqual(sorted(cache), ["b", "c"])
        self.assertFalse(cache.set("d", "x" * 11))
        self.assertNotIn("d", cache)
        cache["b"] = "x" * 11
        self.assertEqual(dict(cache.items()).get("b"), cache.get("b"))
        self.assertEqual(len(cache), cache.statistics().count)

    def test_one_value_evicts_many(self):
        cache = lab.Cache(100, "lru", getsizeof=int)
        for key in range(100):
            cache[key] = 1
        cache["large"] = 100
        self.assertEqual((dict(cache.items()), cache.statistics().evictions), ({"large": 100}, 100))

    def test_expiry(self):
        cache = lab.Cache(10, "lru", ttl=0.05)
        cache["a"] = 1
        self.assertIn("a", cache)
        cache.set("b", 2, ttl=60)
        time.sleep(0.1)
        self.assertNotIn("a", cache)
        self.assertEqual((cache.get("a"), cache.get("b")), (None, 2))

    def test_values_are_released(self):
        class Value:
            pass
        cache = lab.Cache(2, "fifo")
        first = Value()
        gone = weakref.ref(first)
        cache[1] = first
        del first
        cache[2], cache[3] = Value(), Value()
        gc.collect()
        self.assertIsNone(gone())
        gone = weakref.ref(cache[3])
        cache[3] = Value()
        gc.collect()
        self.assertIsNone(gone())

    def test_finalizers_may_use_the_cache(self):
        cache = lab.Cache(5, "lru")

        class Value:
            def __del__(self):
                cache.get(1)
                cache.pop(2, None)
        for key in range(100):
            cache[key % 7] = Value()
            cache.get(key % 5)
        self.assertLessEqual(len(cache), 5)
        cache.clear()
        self.assertEqual(len(cache), 0)

    def test_wrong_arguments(self):
        for kind, arguments in (
                (ValueError, (-1,)), (TypeError, ("10",)), (TypeError, (1.5,)), (ValueError, (10, "lruu")),
                (ValueError, (10, "opt")), (ValueError, (10, "lru,fifo")), (TypeError, (10, 5)),
                (TypeError, (10, "lru", 5)), (ValueError, (10, "lru", None, -1)),
                (ValueError, (10, "lru", None, math.nan)), (ValueError, (10, "lru", None, "a")),
                (ValueError, (10, "lru", None, None, -1))):
            with self.subTest(arguments), self.assertRaises(kind):
                lab.Cache(*arguments)
        with self.assertRaises(ValueError):
            lab.Cache(10, getsizeof=lambda value: -1)["a"] = 1
        with self.assertRaises(TypeError):
            pickle.dumps(lab.Cache(10))

    def test_nothing_fits(self):
        cache = lab.Cache(0, "lru")
        cache[1] = 1
        self.assertEqual((cache.get(1), len(cache)), (None, 0))

    def test_no_limit(self):
        cache = lab.Cache(None, "lru")
        for key in range(1000):
            cache[key] = key
        self.assertEqual(len(cache), 1000)

    def test_threads(self):
        cache = lab.Cache(200, "s3fifo")
        failures = []

        def work(seed):
            try:
                for key in skewed(5_000, seed, most=1_000):
                    if seed % 2 and key % 7 == 0:
                        cache.pop(key, None)
                    found = cache.get(key)
                    if found is None:
                        cache[key] = str(key)
                    elif found != str(key):
                        failures.append((key, found))
            except BaseException as failure:
                failures.append(failure)
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        self.assertEqual(len(cache), cache.statistics().count)
        self.assertEqual(sorted(cache), sorted(key for key in cache if key in cache))


class Decorator(unittest.TestCase):
    def test_remembers(self):
        calls = []

        @lab.cached(maxsize=2, policy="lru")
        def double(number, factor=2):
            """Doubles."""
            calls.append(number)
            return number * factor
        self.assertEqual([double(1), double(2), double(1), double(3), double(2)], [2, 4, 2, 6, 4])
        self.assertEqual(calls, [1, 2, 3, 2])
        self.assertEqual(double.cache_info(), (1, 4, 2, 2))
        self.assertEqual(double.cache_info().hits, 1)
        self.assertEqual((double.__name__, double.__doc__), ("double", "Doubles."))
        self.assertEqual(double(1, factor=3), 3)
        self.assertEqual(double.__wrapped__(5), 10)
        double.cache_clear()
        self.assertEqual(double.cache_info(), (0, 0, 2, 0))
        self.assertEqual(
            double.cache_parameters(), {"maxsize": 2, "policy": "lru", "typed": False, "ttl": None})

    def test_arguments(self):
        @lab.cached
        def echo(*arguments, **named):
            return [arguments, named]
        for arguments, named in (((), {}), ((1,), {}), (((1,),), {}), (("a",), {}), ((), {"a": 1}), ((None,), {}),
                                 (("a", 1), {}), ((1, 2), {"b": 3}), ((1.5,), {})):
            self.assertEqual(echo(*arguments, **named), [arguments, named])
            self.assertIs(echo(*arguments, **named), echo(*arguments, **named))
        with self.assertRaises(TypeError):
            echo([])

    def test_none_and_exceptions(self):
        calls = []

        @lab.cached(maxsize=None)
        def work(number):
            calls.append(number)
            if number < 0:
                raise RuntimeError
        self.assertIsNone(work(1))
        self.assertIsNone(work(1))
        for _ in range(2):
            with self.assertRaises(RuntimeError):
                work(-1)
        self.assertEqual(calls, [1, -1, -1])

    def test_typed(self):
        @lab.cached(typed=True)
        def kind(value):
            return type(value)
        self.assertEqual([kind(3), kind(3.0), kind(3)], [int, float, int])

    def test_recursion_and_methods(self):
        @lab.cached(maxsize=500)
        def fibonacci(number):
            return number if number < 2 else fibonacci(number - 1) + fibonacci(number - 2)
        self.assertEqual(fibonacci(90), 2880067194370816120)

        class Doubler:
            @lab.cached(policy="sieve")
            def double(self, number):
                return 2 * number
        self.assertEqual([Doubler().double(4), Doubler().double(5)], [8, 10])

    def test_wrong_use(self):
        async def later():
            pass
        with self.assertRaisesRegex(TypeError, "asynchronous.*keep what it returns in a Cache"):
            lab.cached(10)(later)
        with self.assertRaises(TypeError):
            lab.cached(10)(5)
        with self.assertRaises(ValueError):
            lab.cached(10, policy="lruu")


class Package(unittest.TestCase):
    def test_syntax_is_that_of_python_3_9(self):
        for file in sorted(SOURCES.rglob("*.py")):
            with self.subTest(file.name):
                ast.parse(file.read_text(), feature_version=(3, 9))

    def test_everything_public_is_documented(self):
        for name in lab.__all__:
            item = getattr(lab, name)
            if callable(item):
                self.assertTrue(item.__doc__, name)

    @needs(numpy, "NumPy")
    @needs(importlib.util.find_spec("matplotlib"), "matplotlib")
    def test_example_of_the_guide(self):
        page = (ROOT / "Sources/EvictionLab/EvictionLab.docc/Python.md").read_text()
        code = page.split("```python\n")[1].split("```")[0]
        with tempfile.TemporaryDirectory() as folder:
            process = python(code, cwd=folder)
            _, errors = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, errors)
            self.assertTrue((pathlib.Path(folder) / "curves.png").exists())

    @needs(pandas, "pandas")
    @unittest.skipUnless(os.path.exists(EVICT), "evict is not built")
    def test_document_of_the_guide(self):
        page = (ROOT / "Sources/EvictionLab/EvictionLab.docc/Python.md").read_text()
        code, = (block for block in page.split("```python\n")[1:] if "json.load(" in block)
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                [EVICT, "sweep", TRACES / "orders.txt.zst", "--policy", "lru", "--capacity", "1%", "--format", "json",
                 "--output", "sweep.json"], cwd=folder, check=True, capture_output=True)
            process = python(f"from evictionlab import tool\n{code.split('```')[0]}", cwd=folder)
            _, errors = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, errors)

    @needs(pandas, "pandas")
    def test_a_missing_tool_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            process = python(
                "import os; os.environ.pop('EVICT', None); os.environ['PATH'] = '.'\n"
                "from evictionlab import tool; tool.evict('formats')", cwd=folder)
            _, errors = process.communicate(timeout=60)
        self.assertIn("evict is missing: make build", errors)
        self.assertIn("or put it on the PATH", errors)

    def test_missing_library(self):
        process = subprocess.run(
            [sys.executable, "-c", "import evictionlab"], capture_output=True, text=True,
            env={**os.environ, "PYTHONPATH": str(SOURCES), "EVICTIONLAB_LIBRARY": "/nowhere/lib.so"})
        self.assertIn("/nowhere/lib.so is missing: install the wheel", process.stderr)
        process = subprocess.run(
            [sys.executable, "-c", "import evictionlab"], capture_output=True, text=True,
            env={**os.environ, "PYTHONPATH": str(SOURCES), "EVICTIONLAB_LIBRARY": __file__})
        self.assertIn("cannot be loaded", process.stderr)

    def test_nothing_else_is_imported(self):
        process = python(
            "import sys, evictionlab\n"
            "print(sorted({'numpy', 'pandas', 'pyarrow', 'tqdm', 'matplotlib'} & set(sys.modules)))")
        output, errors = process.communicate(timeout=60)
        self.assertEqual(output, "[]\n", errors)

    @unittest.skipUnless(importlib.util.find_spec("ensurepip"), "python3-venv is not installed")
    def test_wheel_in_a_fresh_environment(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            pip = ["-m", "pip", "--disable-pip-version-check", "--quiet"]
            environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
            subprocess.run(
                [sys.executable, "-m", "venv", folder / "venv"], check=True, capture_output=True)
            fresh = folder / "venv/bin/python"
            subprocess.run(
                [fresh, *pip, "wheel", "--no-deps", "--no-index", "--wheel-dir", folder, ROOT / "notebooks"],
                check=True, capture_output=True, env=environment)
            wheel, = folder.glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                text = archive.read(f"evictionlab-{lab.__version__}.dist-info/METADATA").decode()
            about = email.message_from_string(text)
            self.assertIn(about["License"], (ROOT / "README.md").read_text())
            self.assertIn("lab.simulate(keys", about.get_payload())
            self.assertRegex(wheel.name, r"^evictionlab-[0-9.]+-py3-none-(manylinux_2_\d+|linux|macosx).*\.whl$")
            subprocess.run(
                [fresh, *pip, "install", "--no-deps", "--no-index", wheel], check=True, capture_output=True,
                env=environment)
            environment.pop("EVICTIONLAB_LIBRARY")
            curve = subprocess.run(
                [fresh, "-c", CURVE, TRACES / "orders.txt.zst"], cwd=folder, capture_output=True, text=True,
                env=environment)
            self.assertEqual(curve.returncode, 0, curve.stderr)
            lines = curve.stdout.splitlines()
            self.assertEqual(len(lines), 11)
            self.assertIn(str(folder), lines[0])
            ratios = [float(line.split()[1]) for line in lines[1:]]
            self.assertEqual(ratios, sorted(ratios, reverse=True))
            source = (ROOT / "Tests/Fixtures/Plugins/lru.c").read_text()
            own = subprocess.run(
                [fresh, "-c", "import sys, evictionlab as lab; print(lab.simulate([1, 2, 1], lab.Policy.from_c(sys.argv[1]), 2).hits)",
                 source], cwd=folder, capture_output=True, text=True, env=environment)
            self.assertEqual((own.stdout, own.stderr), ("1\n", ""))


#: A curve of a trace, drawn with letters: it needs no other package.
CURVE = """
import sys
import evictionlab as lab

print(lab.__file__)
with lab.Trace.open(sys.argv[1]) as trace:
    curve = lab.curve(trace, "lru", points=10)
for capacity, ratio in zip(curve.capacities, curve.miss_ratios):
    print(f"{capacity:8} {ratio:.4f}", "#" * round(50 * ratio))
"""


if __name__ == "__main__":
    unittest.main()
