"""The C interface: what it counts is what `evict sweep` counts, by file and by arrays; it refuses what is wrong without a
crash, also under the address sanitizer; it shows nothing but its header and needs no library of Swift's."""

import ctypes
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))
LIBRARY = pathlib.Path(os.environ.get("EVICTIONLAB_LIBRARY", ROOT / ".build/release/libevictionlab.so"))
TRACES = ROOT / "traces"
HEADERS = ROOT / "Sources/CEvictionLab"
HEADER = (HEADERS / "evictionlab.h").read_text()
FIXTURES = ROOT / "Tests/Fixtures/C"
GUIDE = ROOT / "Sources/EvictionLab/EvictionLab.docc/FromOtherLanguages.md"
#: Every policy, every bound, and filters in front of some.
POLICIES = [
    "all", "opt", "opt:bypass=true", "belady-size", "infinite", "lru:admission=tinylfu", "arc:admission=bloom",
    "slru:protected=0.5"]
ALL_COLUMNS = 63
UNKNOWN_SIZE = NO_LIMIT = (1 << 64) - 1
OPERATIONS = ["get", "set", "add", "delete", "replace", "cas", "append", "prepend", "incr", "decr", "read", "write"]


def members(name):
    """The members of a structure of the header, as ctypes has them."""
    types = {"evl_cache": None, "uint64_t": ctypes.c_uint64, "int64_t": ctypes.c_int64, "uint32_t": ctypes.c_uint32, "double": ctypes.c_double}
    body = re.search(rf"typedef struct {name} \{{\n(.*?)\n\}}", HEADER, re.DOTALL)[1]
    found = re.findall(r"^  (?:const )?(\w+) (\*?)(\w+);", body, re.MULTILINE)
    return [(name, ctypes.c_void_p if star else types[kind]) for kind, star, name in found]


class Columns(ctypes.Structure):
    _fields_ = members("evl_columns")


class Options(ctypes.Structure):
    _fields_ = members("evl_options")


class Row(ctypes.Structure):
    _fields_ = members("evl_row")


class Bound(ctypes.Structure):
    _fields_ = members("evl_bound")


class Info(ctypes.Structure):
    _fields_ = members("evl_trace_info")


class CacheOptions(ctypes.Structure):
    _fields_ = members("evl_cache_options")


class Statistics(ctypes.Structure):
    _fields_ = members("evl_cache_statistics")


class Batch(ctypes.Structure):
    _fields_ = [*members("evl_cache_batch"), ("gets", ctypes.c_uint64 * 64)]


PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)


def texts(values):
    return (ctypes.c_char_p * len(values))(*[value.encode() for value in values])


def array(kind, values):
    return (kind * len(values))(*values)


class Interface(unittest.TestCase):
    """The library by its functions."""

    @classmethod
    def setUpClass(cls):
        if not LIBRARY.exists():
            raise unittest.SkipTest(f"{LIBRARY} is not built")
        cls.library = ctypes.CDLL(str(LIBRARY))
        for name in re.findall(r"^const \w+ \*(evl_\w+)\(", HEADER, re.MULTILINE):
            getattr(cls.library, name).restype = ctypes.c_char_p
        cls.library.evl_results_rows.restype = ctypes.POINTER(Row)
        cls.library.evl_results_count.restype = ctypes.c_uint64

    def call(self, name, *arguments):
        """Calls a function that can fail, whose last parameter is the error."""
        error = ctypes.c_void_p()
        if getattr(self.library, name)(*arguments, ctypes.byref(error)) != 0:
            message = self.library.evl_error_message(error).decode()
            self.library.evl_error_free(error)
            self.fail(f"{name}: {message}")

    def opened(self, path, format=None, limit=0):
        trace = ctypes.c_void_p()
        self.call("evl_trace_open", str(path).encode(), format, ctypes.c_uint64(limit), ctypes.c_uint32(ALL_COLUMNS),
                  None, None, ctypes.byref(trace))
        self.addCleanup(self.library.evl_trace_close, trace)
        return trace

    def of_texts(self, keys, **columns):
        """A trace from arrays, which are gone when this returns."""
        data = b"".join(keys)
        offsets = [0]
        for key in keys:
            offsets.append(offsets[-1] + len(key))
        trace = ctypes.c_void_p()
        given, kept = self.columns(columns)
        self.call("evl_trace_from_texts", data, ctypes.c_uint64(len(data)), array(ctypes.c_uint64, offsets),
                  ctypes.c_uint64(len(keys)), ctypes.byref(given), None, ctypes.byref(trace))
        self.addCleanup(self.library.evl_trace_close, trace)
        return trace

    def of_ids(self, ids, **columns):
        trace = ctypes.c_void_p()
        given, kept = self.columns(columns)
        self.call("evl_trace_from_ids", array(ctypes.c_uint64, ids), ctypes.c_uint64(len(ids)), ctypes.byref(given),
                  b"ids", ctypes.byref(trace))
        self.addCleanup(self.library.evl_trace_close, trace)
        return trace

    def columns(self, columns):
        kinds = {"sizes": ctypes.c_uint64, "times": ctypes.c_int64, "operations": ctypes.c_uint8, "ttls": ctypes.c_int64,
                 "costs": ctypes.c_double}
        kept = {name: array(kinds[name], values) for name, values in columns.items()}
        return Columns(**{name: ctypes.cast(values, ctypes.c_void_p) for name, values in kept.items()}), kept

    def simulated(self, trace, policies, capacities, progress=None, **options):
        """The rows by policy and capacity."""
        results = ctypes.c_void_p()
        given = Options(seed=42, **options)
        self.call("evl_simulate", trace, texts(policies), ctypes.c_uint64(len(policies)), texts(capacities),
                  ctypes.c_uint64(len(capacities)), ctypes.byref(given), progress, None, ctypes.byref(results))
        found = {}
        rows = self.library.evl_results_rows(results)
        for index in range(self.library.evl_results_count(results)):
            row = {name: getattr(rows[index], name) for name, _ in Row._fields_}
            policy = self.library.evl_results_policy(results, ctypes.c_uint64(row["policy"])).decode()
            found[policy, row["capacity"]] = row
        self.library.evl_results_free(results)
        return found

    def swept(self, trace, policies, capacities, *flags):
        """The rows of `evict sweep`, as `simulated` has those of the library."""
        output = subprocess.run(
            [EVICT, "sweep", trace, "--policy", ",".join(policies), "--capacity", ",".join(capacities),
             "--no-baselines", "--format", "json", *flags], check=True, capture_output=True).stdout
        rows = {}
        for row in json.loads(output)["results"]:
            parameters = "".join(
                f":{name}={str(value).lower() if isinstance(value, bool) else value}"
                for name, value in row["parameters"].items())
            rows[row["policy"] + parameters, row["capacity"]] = row
        return rows

    def assert_same(self, found, expected):
        self.assertEqual(set(found), set(expected))
        for key, row in expected.items():
            with self.subTest(policy=key[0], capacity=key[1]):
                for name in ["requests", "hits", "insertions", "evictions"]:
                    self.assertEqual(found[key][name], row[name], name)
                self.assertEqual(found[key]["expirations"], row.get("expirations") or 0)
                for ratio, hits, all in [("byteHitRatio", "hit_bytes", "requested_bytes"), ("costHitRatio", "hit_cost", "cost")]:
                    if row[ratio] is not None:
                        self.assertEqual(found[key][hits] / found[key][all], row[ratio], ratio)


@unittest.skipUnless(EVICT.exists(), f"{EVICT} is not built")
class SameHits(Interface):
    """The tool's hits, to the last."""

    def test_every_policy_by_file_and_by_texts(self):
        for name in ["search.txt.zst", "orders.txt.zst", "hotscan.txt.zst"]:
            limit = 40_000
            with self.subTest(trace=name):
                path = TRACES / name
                expected = self.swept(path, POLICIES, ["1%", "10%"], "--limit", str(limit))
                self.assertGreater(len(expected), 100)
                self.assert_same(self.simulated(self.opened(path, limit=limit), POLICIES, ["1%", "10%"]), expected)
                keys = unpacked(path).split(b"\n")[:limit]
                self.assert_same(self.simulated(self.of_texts(keys), POLICIES, ["1%", "10%"]), expected)

    def test_every_policy_with_sizes(self):
        path, limit = TRACES / "build.csv.zst", 20_000
        policies = [*POLICIES, "lru:admission=size:admission.limit=1MiB", "gdsf:resize=true"]
        expected = self.swept(path, policies, ["5%", "64MiB"], "--limit", str(limit))
        self.assert_same(self.simulated(self.opened(path, limit=limit), policies, ["5%", "64MiB"]), expected)
        lines = [line.rsplit(b",", 1) for line in unpacked(path).split(b"\n")[1:limit + 1]]
        times, keys = zip(*(line[0].split(b",", 1) for line in lines))
        trace = self.of_texts(list(keys), sizes=[int(size) for _, size in lines], times=[int(time) for time in times])
        self.assert_same(self.simulated(trace, policies, ["5%", "64MiB"]), expected)
        # Without its sizes, a trace with them counts objects.
        self.assert_same(self.simulated(trace, ["lru"], ["5%"]), self.swept(path, ["lru"], ["5%"], "--limit", str(limit)))

    def test_columns_that_a_simulation_reads(self):
        path, limit = TRACES / "build.csv.zst", 20_000
        for policies, capacity, options, expected in [
                (["lru"], "100", Options(), 4 + 16), (["lru"], "1MiB", Options(), 4 + 16 + 1),
                (["lru"], "1%", Options(sized=1), 4 + 16 + 1), (["lru"], "1%", Options(expires=1), 4 + 16 + 2 + 8),
                (["all"], "1%", Options(), 4 + 16 + 2 + 8 + 32)]:
            columns = ctypes.c_uint32()
            self.call("evl_trace_columns", texts(policies), ctypes.c_uint64(len(policies)), texts([capacity]), ctypes.c_uint64(1),
                      ctypes.byref(options), ctypes.byref(columns))
            self.assertEqual(columns.value, expected, (policies, capacity))
            if options.expires:
                continue  # which this trace cannot
            trace = ctypes.c_void_p()
            self.call("evl_trace_open", str(path).encode(), None, ctypes.c_uint64(limit), columns, None, None, ctypes.byref(trace))
            self.addCleanup(self.library.evl_trace_close, trace)
            whole = self.opened(path, limit=limit)
            chosen = dict(sized=options.sized, expires=options.expires)

            def hits(trace):
                return {key: row["hits"] for key, row in self.simulated(trace, policies, [capacity], **chosen).items()}
            self.assertEqual(hits(trace), hits(whole))

    def test_every_column_by_file_and_by_arrays(self):
        draw = random.Random(7)
        count = 20_000
        ids = [min(draw.randrange(2_000), draw.randrange(2_000)) for _ in range(count)]
        columns = {
            "times": [1_000_000 * i for i in range(count)], "sizes": [100 + 37 * (key % 50) for key in ids],
            "operations": draw.choices(range(len(OPERATIONS)), weights=[20, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], k=count),
            "ttls": [draw.choice([0, 500_000_000, 5_000_000_000]) for _ in ids], "costs": [1.0 + key % 7 for key in ids]}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "columns.csv"
            rows = zip(columns["times"], ids, columns["sizes"], columns["operations"], columns["ttls"], columns["costs"])
            path.write_text("time_ns,key,size,operation,ttl_ns,cost\n" + "".join(
                f"{time},{key},{size},{OPERATIONS[operation]},{ttl},{cost}\n"
                for time, key, size, operation, ttl, cost in rows))
            format = "csv:key=2:time=1:size=3:operation=4:ttl=5:cost=6:unit=ns:header=yes"
            traces = [self.opened(path, format.encode()), self.of_texts([str(key).encode() for key in ids], **columns)]
            for flags, options in [
                ([], {}), (["--sized"], {"sized": 1}), (["--count-sets", "--warmup", "1000"], {"counts_sets": 1, "warmup": 1000}),
                (["--expire"], {"expires": 1}), (["--expire", "--sized", "--count-sets"], {"expires": 1, "sized": 1, "counts_sets": 1}),
            ]:
                expected = self.swept(path, POLICIES, ["2%", "20%"], "--trace-format", format, *flags)
                for trace in traces:
                    with self.subTest(flags=flags):
                        self.assert_same(self.simulated(trace, POLICIES, ["2%", "20%"], **options), expected)

    def test_numbers_are_the_keys_of_binary_traces(self):
        draw = random.Random(3)
        ids = [draw.randrange(1 << 64) if i % 5 else draw.randrange(500) for i in range(20_000)]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "ids.bin"
            path.write_bytes(b"".join(key.to_bytes(8, "little") for key in ids))
            format = "binary:order=little"
            expected = self.swept(path, POLICIES, ["100", "10%"], "--trace-format", format)
            self.assert_same(self.simulated(self.of_ids(ids), POLICIES, ["100", "10%"]), expected)

    def test_bounds(self):
        for name, flags, options in [("search.txt.zst", [], {}), ("build.csv.zst", ["--sized"], {"sized": 1})]:
            output = subprocess.run(
                [EVICT, "bounds", TRACES / name, "--capacity", "1%,10%", "--limit", "5000", "--format", "json", *flags],
                check=True, capture_output=True).stdout
            bounds, count = ctypes.POINTER(Bound)(), ctypes.c_uint64()
            given = Options(seed=42, **options)
            self.call("evl_bounds", self.opened(TRACES / name, limit=5_000), texts(["1%", "10%"]), ctypes.c_uint64(2),
                      ctypes.byref(given), None, None, ctypes.byref(bounds), ctypes.byref(count))
            expected = json.loads(output)["results"]
            self.assertEqual(count.value, len(expected))
            for row, bound in zip(expected, bounds[:count.value]):
                self.assertEqual(bound.capacity, row["capacity"])
                self.assertEqual([bound.hit_ratio_low, bound.hit_ratio_high], edges(row["hitRatioBounds"]))
                if row.get("byteHitRatioBounds"):
                    self.assertEqual([bound.byte_hit_ratio_low, bound.byte_hit_ratio_high], edges(row["byteHitRatioBounds"]))
            self.library.evl_free(bounds)


class Curves(Interface):
    def test_the_curve_of_lru_is_what_simulations_count(self):
        self.check_curve(self.opened(TRACES / "search.txt.zst", limit=30_000))

    def test_the_curve_of_lru_with_sets_and_deletes(self):
        draw = random.Random(5)
        ids = [min(draw.randrange(2_000), draw.randrange(2_000)) for _ in range(20_000)]
        self.check_curve(self.of_ids(ids, operations=draw.choices([0, 1, 3], weights=[8, 2, 1], k=len(ids))))

    def check_curve(self, trace):
        hits, count, requests = ctypes.POINTER(ctypes.c_uint64)(), ctypes.c_uint64(), ctypes.c_uint64()
        self.call("evl_lru_curve", trace, None, None, ctypes.byref(hits), ctypes.byref(count), ctypes.byref(requests))
        capacities = [1, 2, 3, 10, 100, 1000, count.value - 1]
        rows = self.simulated(trace, ["lru"], [str(capacity) for capacity in capacities])
        self.assertEqual(hits[0], 0)
        for capacity in capacities:
            row = rows["lru", capacity]
            self.assertEqual((hits[capacity], requests.value), (row["hits"], row["requests"]))
        self.library.evl_free(hits)


class Traces(Interface):
    def test_info(self):
        trace = self.of_ids([5, 7, 5, 9], sizes=[10, 20, 10, UNKNOWN_SIZE], times=[3, 1, 2, 9], costs=[1, 1, 1, 1])
        info = Info()
        self.call("evl_trace_get_info", trace, ctypes.byref(info))
        found = {name: getattr(info, name) for name, _ in Info._fields_}
        self.assertEqual(found, {
            "requests": 4, "keys": 3, "requested_bytes": 40, "key_bytes": 30, "first_time": 1, "last_time": 9,
            "columns": 1 | 2 | 16})
        self.assertEqual(self.library.evl_trace_name(trace), b"ids")
        self.assertEqual(self.library.evl_trace_format(trace), b"memory")

    def test_versions(self):
        declared = int(re.search(r"EVL_ABI_VERSION (\d+)", HEADER)[1])
        self.assertEqual(self.library.evl_abi_version(), declared)
        if EVICT.exists():
            shown = subprocess.run([EVICT, "--version"], check=True, capture_output=True, text=True).stdout
            self.assertIn(self.library.evl_version().decode(), shown)

    def test_what_all_leaves_out_is_noted(self):
        trace, results = self.of_ids([1, 2, 1]), ctypes.c_void_p()
        self.call("evl_simulate", trace, texts(["all"]), ctypes.c_uint64(1), texts(["2"]), ctypes.c_uint64(1), None, None, None,
                  ctypes.byref(results))
        notes = self.library.evl_results_notes(results).decode()
        rows, policies = self.library.evl_results_count(results), self.library.evl_results_policy_count(results)
        self.library.evl_results_free(results)
        self.assertIn("tlru", notes)
        self.assertGreater(policies, rows)

    def test_the_catalog_lists_what_the_tool_lists(self):
        text = ctypes.c_void_p()
        self.call("evl_catalog", ctypes.byref(text))
        catalog = json.loads(ctypes.string_at(text))
        self.library.evl_free(text)
        self.assertIn("s3fifo", [policy["name"] for policy in catalog["policies"]])
        self.assertIn("oracleGeneral", [format["name"] for format in catalog["formats"]])
        self.assertIn("tinylfu", [filter["name"] for filter in catalog["admission"]])
        if EVICT.exists():
            shown = json.loads(subprocess.run([EVICT, "policies", "--format", "json"], check=True, capture_output=True).stdout)
            self.assertEqual(catalog["policies"], shown["policies"])

    def test_the_suite_finds_what_the_tools_finds(self):
        """Policies of the catalog conform; one that a program adds is Tests/Python/test_policies.py's."""
        for policy in ["arc", "slru:protected=0.5"]:
            json_text, seen = ctypes.c_void_p(), []
            progress = PROGRESS(lambda context, done, total: seen.append((done, total)) or 0)
            self.call("evl_policy_check", policy.encode(), ctypes.c_uint64(3), ctypes.c_uint64(2), ctypes.c_uint64(100), progress, None,
                      ctypes.byref(json_text))
            self.assertEqual(json.loads(ctypes.string_at(json_text)), {"violations": []})
            self.library.evl_free(json_text)
            self.assertEqual(sorted(seen), seen)

    def test_threads_share_a_trace_that_one_of_them_closes(self):
        trace = ctypes.c_void_p()
        ids = array(ctypes.c_uint64, [i * i % 1_000 for i in range(100_000)])
        self.call("evl_trace_from_ids", ids, ctypes.c_uint64(len(ids)), None, None, ctypes.byref(trace))
        expected = self.simulated(trace, ["lru", "arc"], ["100"])
        # A callback is first called when the call has its trace.
        running = threading.Barrier(4)
        begun = PROGRESS(lambda context, done, total: 0 if done else running.wait() and 0 or 0)
        found = []

        def work():
            found.append(self.simulated(trace, ["lru", "arc"], ["100"], progress=begun))

        workers = [threading.Thread(target=work) for _ in range(3)]
        for worker in workers:
            worker.start()
        running.wait()
        self.library.evl_trace_close(trace)
        for worker in workers:
            worker.join()
        hits = [{key: row["hits"] for key, row in rows.items()} for rows in found]
        self.assertEqual(hits, 3 * [{key: row["hits"] for key, row in expected.items()}])

    def test_a_callback_stops_a_long_call(self):
        trace = self.of_ids([i * i % 20_011 for i in range(400_000)])
        calls = []

        def stop(context, done, total):
            calls.append((threading.get_ident(), done, total))
            return len(calls) == 3

        results, error = ctypes.c_void_p(), ctypes.c_void_p()
        status = self.library.evl_simulate(
            trace, texts(["all"]), ctypes.c_uint64(1), texts(["1%", "5%", "20%"]), ctypes.c_uint64(3), None, PROGRESS(stop), None,
            ctypes.byref(results), ctypes.byref(error))
        self.assertEqual((status, results.value, len(calls)), (6, None, 3))
        self.library.evl_error_free(error)
        self.assertEqual({thread for thread, _, _ in calls}, {threading.get_ident()})
        self.assertEqual(sorted(calls), calls)


class Extremes(Interface):
    """Numbers at the ends of their ranges, which no call may stumble over."""

    def test_times_have_any_zero(self):
        """A life ends whatever time it began at: here the second request comes after its second, and the third within."""
        second = 10**9
        for zero in (-100 * second, -1, 0, 1_700_000_000 * second, -1 << 63):
            trace = self.of_ids(
                [7, 7, 7], times=[zero, zero + 99 * second, zero + 99 * second + 5], ttls=[second] * 3)
            for policy in ("lru", "segcache"):
                row, = self.simulated(trace, [policy], ["1000"], expires=1).values()
                self.assertEqual((row["hits"], row["expirations"]), (1, 1), (zero, policy))

    def test_traces_and_capacities(self):
        draw = random.Random(11)
        for round in range(30):
            count = draw.choice([1, 2, 3, 50, 300])
            ids = [draw.randrange(draw.choice([1, 3, 40, 1 << 64])) for _ in range(count)]
            columns = {
                "sizes": [draw.choice([0, 1, 100, 1 << 50, UNKNOWN_SIZE]) for _ in ids],
                "times": [draw.choice([-1 << 63, -7, 0, index, (1 << 63) - 1]) for index in range(count)],
                "operations": [draw.choice([0, draw.randrange(12)]) for _ in ids],
                "ttls": [draw.choice([0, 1, 10**9, (1 << 63) - 1]) for _ in ids],
                "costs": [draw.choice([0.0, 5e-324, 1.0, 1e308]) for _ in ids]}
            chosen = {name: values for name, values in columns.items() if draw.random() < 0.6}
            trace = self.of_ids(ids, **chosen)
            capacities = draw.sample(["1", "2", "1%", "1e6%", "72057594037927936", "64PiB", "1B"], 3)
            for capacity in capacities:
                options = Options(
                    seed=draw.choice([0, (1 << 64) - 1]), warmup=draw.choice([0, count - 1]), sized=draw.randrange(2),
                    expires=draw.randrange(2), counts_sets=draw.randrange(2))
                for policy in draw.sample(POLICIES[1:], 2) + ["all"]:
                    results = ctypes.c_void_p()
                    # What cannot run is refused.
                    self.library.evl_simulate(
                        trace, texts([policy]), ctypes.c_uint64(1), texts([capacity]), ctypes.c_uint64(1),
                        ctypes.byref(options), None, None, ctypes.byref(results), None)
                    self.library.evl_results_free(results)
                bounds, number = ctypes.c_void_p(), ctypes.c_uint64()
                self.library.evl_bounds(
                    trace, texts([capacity]), ctypes.c_uint64(1), ctypes.byref(options), None, None, ctypes.byref(bounds),
                    ctypes.byref(number), None)
                self.library.evl_free(bounds)

    def test_limits_of_caches(self):
        text = ctypes.c_void_p()
        self.call("evl_catalog", ctypes.byref(text))
        policies = [policy["name"] for policy in json.loads(ctypes.string_at(text))["policies"] if not policy["isBound"]]
        self.library.evl_free(text)
        self.assertGreater(len(policies), 50)
        # It needs classes, which only simulations have.
        policies.remove("least-stale")
        for policy in policies:
            for limits in [(0, NO_LIMIT), (1, NO_LIMIT), ((1 << 63) - 1, NO_LIMIT), (NO_LIMIT, 0), (NO_LIMIT, 1),
                           (NO_LIMIT, (1 << 63) - 1), (NO_LIMIT, NO_LIMIT), (3, 5)]:
                if policy == "dlirs" and limits[1] < 2:
                    continue  # it needs room for two
                cache = Cache(self, policy, *limits)
                for index in range(100):
                    cache.set(b"%d" % (index % 7), bytes(index % 3), cost=[NO_LIMIT, 0, 1, (1 << 63) - 1][index % 4])
                    cache.get(b"%d" % (index % 5))
                self.assertLessEqual(cache.statistics()["count"], min(7, limits[0]))


class Cache:
    """A cache of the library."""

    def __init__(self, test, policy=None, count_limit=None, cost_limit=None, seed=42, keeps_removed=0):
        self.test, self.library, self.handle = test, test.library, ctypes.c_void_p()
        options = CacheOptions(
            NO_LIMIT if count_limit is None else count_limit, NO_LIMIT if cost_limit is None else cost_limit, seed, keeps_removed)
        test.call("evl_cache_create", policy and policy.encode(), ctypes.byref(options), ctypes.byref(self.handle))
        test.addCleanup(self.library.evl_cache_free, self.handle)

    def set(self, key, value, cost=NO_LIMIT, ttl=0):
        stored = ctypes.c_uint32()
        self.test.call(
            "evl_cache_set", self.handle, key, ctypes.c_uint64(len(key)), value, ctypes.c_uint64(len(value)), ctypes.c_uint64(cost),
            ctypes.c_uint64(ttl), ctypes.byref(stored))
        return stored.value == 1

    def get(self, key):
        return self.value("evl_cache_get", self.handle, key, ctypes.c_uint64(len(key)))

    def take_removed(self):
        return self.value("evl_cache_take_removed", self.handle)

    def value(self, name, *arguments):
        value, length = ctypes.c_void_p(), ctypes.c_uint64()
        self.test.call(name, *arguments, ctypes.byref(value), ctypes.byref(length))
        if not value:
            return None
        copy = ctypes.string_at(value, length.value)
        self.library.evl_free(value)
        return copy

    def answer(self, name, key):
        answer = ctypes.c_uint32()
        self.test.call(name, self.handle, key, ctypes.c_uint64(len(key)), ctypes.byref(answer))
        return answer.value == 1

    def statistics(self):
        statistics = Statistics()
        self.test.call("evl_cache_get_statistics", self.handle, ctypes.byref(statistics))
        return {name: getattr(statistics, name) for name, _ in Statistics._fields_}

    def clear(self):
        self.test.call("evl_cache_clear", self.handle)


class Caches(Interface):
    def test_what_is_stored_is_found_until_it_leaves(self):
        cache = Cache(self, "lru", count_limit=2, keeps_removed=1)
        self.assertIsNone(cache.get(b"a"))
        self.assertTrue(cache.set(b"a", b"one\0two"))
        self.assertTrue(cache.set(b"", b""))
        self.assertEqual((cache.get(b"a"), cache.get(b"")), (b"one\0two", b""))
        self.assertTrue(cache.set(b"a", b"three"))
        self.assertTrue(cache.set(b"b", b"four"))
        self.assertEqual([cache.answer("evl_cache_contains", key) for key in [b"a", b"", b"b"]], [True, False, True])
        self.assertTrue(cache.answer("evl_cache_remove", b"b"))
        self.assertFalse(cache.answer("evl_cache_remove", b"b"))
        cache.clear()
        self.assertIsNone(cache.get(b"a"))
        self.assertEqual([cache.take_removed() for _ in range(5)], [b"one\0two", b"", b"four", b"three", None])
        self.assertEqual(cache.statistics(), {
            "hits": 2, "misses": 2, "insertions": 3, "evictions": 1, "expirations": 0, "replacements": 1, "rejections": 0,
            "removals": 2, "count": 0, "cost": 0})

    def test_keys_and_values_of_every_length_are_told_apart(self):
        cache = Cache(self, "lru")
        keys = [bytes(length) for length in range(20)] + [b"\1" + bytes(length) for length in range(20)]
        for key in keys:
            cache.set(key, key + b"value"[:len(key) % 6])
        for key in keys:
            self.assertEqual(cache.get(key), key + b"value"[:len(key) % 6])
        self.assertEqual(cache.statistics()["count"], len(keys))

    def test_numbers_are_their_bytes(self):
        cache = Cache(self, "lru", count_limit=2, keeps_removed=1)
        put, touch, take = self.library.evl_cache_put, self.library.evl_cache_touch, self.library.evl_cache_take_numbers
        numbers = (ctypes.c_uint64 * 4)()
        for key in [1, 2, 3, 3]:
            arguments = [ctypes.c_uint64(number) for number in [key, 10 * key, NO_LIMIT, 0]]
            self.assertEqual(put(cache.handle, *arguments, None), 1)
        self.assertEqual([touch(cache.handle, ctypes.c_uint64(key)) for key in [1, 2, 3]], [0, 1, 1])
        self.assertEqual(cache.get((3).to_bytes(8, sys.byteorder)), (30).to_bytes(8, sys.byteorder))
        cache.set(b"key", b"other")
        cache.set(b"another", b"value")
        cache.clear()
        self.assertEqual(take(cache.handle, numbers, ctypes.c_uint64(4)), 4)
        self.assertEqual(list(numbers), [10, 30, 20, 30])
        self.assertEqual(take(cache.handle, numbers, ctypes.c_uint64(4)), 0)
        self.assertEqual({cache.take_removed(), cache.take_removed()}, {b"other", b"value"})

    def test_a_batch_is_its_gets_its_set_and_what_left(self):
        self.library.evl_cache_run_batch.restype = ctypes.c_int64
        cache, alone = (Cache(self, "lru", count_limit=3, keeps_removed=1) for _ in range(2))
        numbers, draw = (ctypes.c_uint64 * 8)(), random.Random(5)
        for value in range(300):
            key, gets = draw.randrange(8), [draw.randrange(8) for _ in range(draw.choice([0, 1, 5, 64]))]
            batch = Batch(
                cache.handle, key, value, draw.choice([1, NO_LIMIT]), 0, ctypes.addressof(numbers), 8, len(gets),
                array(ctypes.c_uint64, gets + [0] * (64 - len(gets))))
            for get in gets:
                self.library.evl_cache_touch(alone.handle, ctypes.c_uint64(get))
            self.assertEqual(self.library.evl_cache_put(
                alone.handle, ctypes.c_uint64(key), ctypes.c_uint64(value), ctypes.c_uint64(1), ctypes.c_uint64(0), None), 1)
            count = self.library.evl_cache_run_batch(ctypes.byref(batch))
            expected = (ctypes.c_uint64 * 8)()
            self.assertEqual(
                (count, numbers[:count]), (self.library.evl_cache_take_numbers(alone.handle, expected, ctypes.c_uint64(8)),
                                           expected[:count]))
        keys = array(ctypes.c_uint64, range(8))
        self.assertEqual(self.library.evl_cache_touch_all(cache.handle, keys, ctypes.c_uint64(8)), 3)
        self.assertEqual(self.library.evl_cache_touch_all(alone.handle, keys, ctypes.c_uint64(8)), 3)
        self.assertEqual({**cache.statistics(), "cost": 0}, {**alone.statistics(), "cost": 0})

    def test_a_batch_whose_set_is_refused_says_so(self):
        self.library.evl_cache_run_batch.restype = ctypes.c_int64
        cache, numbers = Cache(self, "lru", cost_limit=10, keeps_removed=1), (ctypes.c_uint64 * 8)()
        batches = [Batch(cache.handle, 1, value, cost, 0, ctypes.addressof(numbers), 8) for value, cost in [(5, 1), (6, 11), (7, 11)]]
        self.assertEqual([self.library.evl_cache_run_batch(ctypes.byref(batch)) for batch in batches], [0, ~1, ~0])
        self.assertEqual(numbers[0], 5)

    def test_a_refused_value_is_not_kept_and_the_older_one_leaves(self):
        cache = Cache(self, "lru", cost_limit=10, keeps_removed=1)
        self.assertTrue(cache.set(b"a", b"small"))
        self.assertFalse(cache.set(b"a", bytes(11)))
        self.assertIsNone(cache.get(b"a"))
        self.assertEqual([cache.take_removed(), cache.take_removed()], [b"small", None])

    def test_costs_and_times(self):
        cache = Cache(self, "s3fifo", cost_limit=10)
        self.assertFalse(cache.set(b"large", bytes(11)))
        self.assertTrue(cache.set(b"half", bytes(5)))
        self.assertTrue(cache.set(b"other", bytes(100), cost=5))
        self.assertEqual((cache.statistics()["cost"], cache.statistics()["rejections"]), (10, 1))
        self.assertTrue(cache.set(b"half", b"", ttl=1))
        deadline = time.monotonic() + 10
        while cache.get(b"half") is not None and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertIsNone(cache.get(b"half"))
        self.assertEqual(cache.statistics()["expirations"], 1)

    def test_a_filter_stands_before_the_policy(self):
        cache = Cache(self, "lru:admission=size:admission.limit=3", cost_limit=100)
        self.assertEqual([cache.set(b"a", b"123"), cache.set(b"b", b"1234")], [True, False])

    def test_threads_share_a_cache(self):
        cache = Cache(self, "arc", count_limit=100)

        def work(number):
            draw = random.Random(number)
            for _ in range(3_000):
                key = b"%d" % draw.randrange(300)
                value = cache.get(key)
                self.assertIn(value, [None, key * 3])
                if value is None:
                    cache.set(key, key * 3)

        workers = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        statistics = cache.statistics()
        self.assertEqual((statistics["count"], statistics["hits"] + statistics["misses"]), (100, 12_000))

    def test_a_child_of_fork_uses_trace_and_cache(self):
        cache = Cache(self, "lru", count_limit=2)
        cache.set(b"a", b"one")
        trace = self.of_ids([i % 100 for i in range(10_000)])
        expected = self.simulated(trace, ["lru", "arc"], ["10", "50"])["arc", 50]["hits"]
        child = os.fork()
        if child == 0:
            found = self.simulated(trace, ["lru", "arc"], ["10", "50"], progress=PROGRESS(lambda *_: 0))
            os._exit(0 if found["arc", 50]["hits"] == expected and cache.get(b"a") == b"one" else 1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)


@unittest.skipUnless(LIBRARY.exists(), f"{LIBRARY} is not built")
class Programs(unittest.TestCase):
    """Programs in C and C++ that use the library."""

    def run_program(self, source, *arguments, compiler="gcc", flags=()):
        if not shutil.which(compiler):
            self.skipTest(f"there is no {compiler}")
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            subprocess.run(
                [compiler, "-Wall", "-Wextra", "-Werror", "-g", *flags, "-I", HEADERS, source, "-o", program, LIBRARY,
                 f"-Wl,-rpath,{LIBRARY.parent}", "-lm"], check=True)
            return subprocess.run([program, *arguments], capture_output=True, text=True)

    def test_the_example_runs(self):
        for flags in [["-std=c99"], ["-std=c99", "-fsanitize=address"]]:
            with self.subTest(flags=flags):
                run = self.run_program(FIXTURES / "example.c", flags=flags)
                self.assertEqual((run.returncode, run.stderr), (0, ""))
                self.assertEqual(run.stdout.splitlines()[-1], "value")
                self.assertEqual(len(run.stdout.splitlines()), 5)

    def test_the_header_is_one_of_cpp(self):
        for compiler in ["g++", "clang++"]:
            with self.subTest(compiler=compiler):
                self.check_header(compiler)

    def check_header(self, compiler):
        if not shutil.which(compiler):
            self.skipTest(f"there is no {compiler}")
        for header in HEADERS.glob("*.h"):
            subprocess.run(
                [compiler, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++", "-"], check=True, text=True,
                input=f'#include "{header}"\n')

    def test_the_example_of_the_guide_prints_what_it_says(self):
        code, printed = re.search(r"```cpp\n(.*?)```\n\nIt prints:\n\n(.*)", GUIDE.read_text(), re.DOTALL).groups()
        with tempfile.NamedTemporaryFile(suffix=".cpp") as source:
            source.write(code.encode())
            source.flush()
            run = self.run_program(source.name, compiler="g++", flags=["-std=c++14", "-fsanitize=address"])
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(run.stdout.split(), printed.split())

    def test_wrong_input_is_refused_with_a_remedy(self):
        for flags in [["-std=c11"], ["-std=c11", "-fsanitize=address,undefined"]]:
            # Pointers that are not aligned are among what is refused.
            flags = [*flags, "-fno-sanitize=alignment"]
            with self.subTest(flags=flags):
                run = self.run_program(FIXTURES / "wrong.c", TRACES, flags=flags)
                self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
                self.assertRegex(run.stdout, r"2\d\d calls, 0 failures")
                self.assertNotRegex(run.stdout, r"--[a-z]+", "a message names a flag of the command line")

    def test_wrong_input_is_given_to_every_function(self):
        source = (FIXTURES / "wrong.c").read_text()
        for name in re.findall(r"^[\w ]+ \*?(evl_\w+)\(", HEADER, re.MULTILINE):
            if name not in ["evl_abi_version", "evl_version"]:
                self.assertIn(f"{name}(", source, "give it something wrong")


@unittest.skipUnless(LIBRARY.exists(), f"{LIBRARY} is not built")
class Library(unittest.TestCase):
    """The library's file."""

    def test_it_shows_the_functions_of_its_header_alone(self):
        output = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], check=True, capture_output=True, text=True).stdout
        shown = {line.split()[2].split("@")[0] for line in output.splitlines()}
        declared = set(re.findall(r"\b(evl_\w+)\(\n?", re.sub(r"(?m)^ *//.*$", "", HEADER)))
        self.assertEqual(shown, declared)

    def test_it_needs_no_library_of_swift(self):
        output = subprocess.run(["ldd", LIBRARY], check=True, capture_output=True, text=True).stdout
        needed = {re.split(r"\.so", pathlib.Path(line.split()[0]).name)[0] for line in output.splitlines()}
        allowed = {"linux-vdso", "libc", "libm", "libpthread", "libdl", "librt", "libstdc++", "libgcc_s", "libz", "liblzma",
                   "libzstd"}
        self.assertLessEqual({name for name in needed if not name.startswith("ld-linux")}, allowed)


def unpacked(path):
    return subprocess.run(["zstd", "-dcq", path], check=True, capture_output=True).stdout


def edges(bounds):
    """The ends of an interval of a document."""
    return [bounds["low"], bounds["high"]] if isinstance(bounds, dict) else list(bounds)


if __name__ == "__main__":
    unittest.main()
