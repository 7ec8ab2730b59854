"""Policies of one's own in the Python package: classes in Python, and functions in C that `Policy.from_c` compiles."""

import array
import collections
import ctypes
import gc
import itertools
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import traceback
import unittest
import unittest.mock
import weakref

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "notebooks/src"
LIBRARY = pathlib.Path(os.environ.get("EVICTIONLAB_LIBRARY", ROOT / ".build/release/libevictionlab.so"))
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))
TRACES = ROOT / "traces"
PLUGINS = ROOT / "Tests/Fixtures/Plugins"

if not LIBRARY.exists():
    raise unittest.SkipTest(f"{LIBRARY} is not built: make library, or name one in EVICTIONLAB_LIBRARY")
os.environ["EVICTIONLAB_LIBRARY"] = str(LIBRARY)
sys.path.insert(0, str(SOURCES))
import evictionlab as lab  # noqa: E402
from evictionlab import _policies  # noqa: E402


class LRU(lab.Policy):
    """The least recently used object leaves."""

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


class FIFO(lab.Policy):
    def __init__(self, capacity):
        self.order = {}

    def insert(self, request):
        self.order[request.slot] = None

    def victim(self):
        return next(iter(self.order))

    def remove(self, slot):
        del self.order[slot]


class TwoQueues(lab.Policy):
    """2Q, simplified: FIFO for newcomers, whose ghosts enter an LRU list."""

    def __init__(self, capacity, newcomers=0.25, ghosts=0.5):
        self.parts = newcomers, ghosts
        self.fifo, self.lru, self.ghosts = {}, collections.OrderedDict(), {}
        self.resize(capacity)

    def resize(self, capacity):
        self.most_new, self.most_ghosts = (max(1, int(capacity * part)) for part in self.parts)

    def hit(self, request):
        if request.slot in self.lru:
            self.lru.move_to_end(request.slot)

    def insert(self, request):
        if self.ghosts.pop(request.slot, None):
            self.lru[request.slot] = None
        else:
            self.fifo[request.slot] = None

    def victim(self):
        return next(iter(self.fifo if len(self.fifo) > self.most_new or not self.lru else self.lru))

    def evicted(self, slot):
        if slot in self.lru:
            del self.lru[slot]
            return False
        del self.fifo[slot]
        self.ghosts[slot] = True
        while len(self.ghosts) > self.most_ghosts:
            oldest = next(iter(self.ghosts))
            if oldest == slot:
                return False
            del self.ghosts[oldest]
            self.forget(oldest)
        return True

    def remove(self, slot):
        for part in (self.fifo, self.lru, self.ghosts):
            part.pop(slot, None)


class Larger(LRU):
    """LRU that refuses what is large: a parameter, an option of another type, and a field of requests."""

    needs = ("key_hash",)

    def __init__(self, capacity, most=1.0, hashes=None):
        super().__init__(capacity)
        self.most, self.hashes = most * capacity, hashes

    def admit(self, request):
        if self.hashes is not None:
            self.hashes.add(request.key_hash)
        return request.size <= self.most


def skewed(count, seed=5, most=50_000):
    numbers = random.Random(seed)
    return [int(numbers.paretovariate(0.4)) % most for _ in range(count)]


def simulated(keys, policy, capacity, **options):
    return lab.simulate(keys, policy, capacity, progress=False, **options)


class SameHits(unittest.TestCase):
    """LRU as a class does to the last request what LRU of the catalog does."""

    def counts(self, results):
        return [(row.capacity, row.requests, row.hits, row.insertions, row.evictions, row.rejections) for row in results]

    def check_policy(self, trace, policy, name, capacities, **options):
        own = lab.sweep(trace, [policy], capacities, progress=False, **options)
        ours = lab.sweep(trace, [name], capacities, progress=False, **options)
        self.assertEqual(self.counts(own), self.counts(ours))
        return own

    def test_every_bundled_trace(self):
        traces = sorted(TRACES.glob("*.zst"))
        self.assertGreater(len(traces), 5)
        for path in traces:
            with self.subTest(path.name), lab.Trace.open(path, limit=100_000) as trace:
                own = self.check_policy(trace, LRU, "lru", "0.5%,10%")
                self.assertEqual({row.policy for row in own}, {"LRU"})

    def test_sizes(self):
        with lab.Trace.open(TRACES / "build.csv.zst", limit=50_000) as trace:
            own = self.check_policy(trace, LRU, "lru", "1MiB,5%", sized=True)
        self.assertEqual({row.unit for row in own}, {"bytes"})

    def test_removals_and_times_to_live(self):
        keys = skewed(20_000, most=3_000)
        draw = random.Random(1)
        self.check_policy(
            lab.Trace.from_arrays(
                keys, operations=draw.choices(("get", "set", "delete"), (90, 8, 2), k=len(keys)),
                times=[1_000_000 * position for position in range(len(keys))],
                ttls=[draw.choice((0, 500_000_000)) for _ in keys]), LRU, "lru", "2%,20%", expires=True)

    def test_other_forms_of_naming(self):
        keys = skewed(20_000)
        expected = simulated(keys, "lru", 500).hits
        self.assertEqual(simulated(keys, LRU, 500).hits, expected)
        self.assertEqual(lab.sweep(keys, LRU, 500, progress=False)[0].hits, expected)
        both = lab.sweep(keys, ["lru", LRU, "fifo", FIFO], 500, progress=False, threads=2)
        self.assertEqual([row.policy for row in both], ["lru", "LRU", "fifo", "FIFO"])
        self.assertEqual([both[0].hits, both[2].hits], [both[1].hits, both[3].hits])
        curve = lab.curve(keys, LRU, [100, 500], progress=False)
        self.assertEqual((curve.policy, curve.hits), ("LRU", lab.curve(keys, "lru", [100, 500], progress=False).hits))

    def test_admission_filters_may_refuse(self):
        keys = skewed(20_000)
        for name in ("lru", "lru:admission=tinylfu"):
            policy = LRU if name == "lru" else LRU.with_parameters(admission="tinylfu")
            own, ours = simulated(keys, policy, 500), simulated(keys, name, 500)
            self.assertEqual((own.policy, own.hits, own.rejections), (name.replace("lru", "LRU", 1), ours.hits, ours.rejections))

    def test_ghosts(self):
        keys = skewed(20_000)
        own, plain = simulated(keys, TwoQueues, 500), simulated(keys, "2q:version=simple", 500)
        self.assertLess(abs(own.hit_ratio - plain.hit_ratio), 0.05)
        self.assertGreater(own.hits, simulated(keys, "fifo", 500).hits)


class Parameters(unittest.TestCase):
    def test_values_reach_the_class(self):
        keys, hashes = skewed(2_000, most=200), set()
        sizes = [key + 1 for key in keys]
        policies = [Larger, Larger.with_parameters(most=0.01), Larger.with_parameters(most=0.1, hashes=hashes)]
        results = lab.sweep(keys, policies, 5_000, sizes=sizes, progress=False)
        self.assertEqual([row.policy for row in results][:2], ["Larger", "Larger:most=0.01"])
        self.assertEqual(results[0].rejections, 0)
        self.assertGreater(results[1].rejections, results[2].rejections)
        self.assertEqual(len(hashes), len(set(keys)))

    def test_changes_afterwards_change_nothing(self):
        given = {"most": 0.01}
        policy = Larger.with_parameters(**given)
        given["most"] = 1
        self.assertEqual(policy.parameters, {"most": 0.01})
        keys, sizes = [150, 150, 1, 1], [150, 150, 1, 1]
        self.assertEqual(simulated(keys, policy, 1_000, sizes=sizes).rejections, 2)

    def test_wrong_parameters(self):
        with self.assertRaisesRegex(TypeError, "nosuch"):
            simulated([1, 2], LRU.with_parameters(nosuch=1), 1)
        with self.assertRaisesRegex(ValueError, "admission"):
            simulated([1, 2], LRU.with_parameters(admission="nosuch"), 1)

    def test_random_draws_follow_the_seed(self):
        class Random(FIFO):
            hits_reorder = False

            def victim(self):
                return self.random.choice(list(self.order))
        keys = skewed(3_000, most=300)
        first, again, other = (simulated(keys, Random, 50, seed=seed).hits for seed in (1, 1, 2))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)
        self.assertEqual(lab.check(Random, rounds=1, progress=False), [])

    def test_two_of_one_name(self):
        other = type("LRU", (FIFO,), {})
        with self.assertRaisesRegex(ValueError, "two policies are named LRU"):
            lab.sweep([1, 2], [LRU, other], 1, progress=False)
        other.name = "other"
        self.assertEqual([row.policy for row in lab.sweep([1, 2], [LRU, other, LRU], 1, progress=False)], ["LRU", "other"])

    def test_what_is_no_policy(self):
        for wrong in (5, None, object, lambda: 0):
            with self.subTest(wrong), self.assertRaisesRegex(TypeError, "subclass of Policy"):
                simulated([1], wrong, 1)
            with self.assertRaisesRegex(TypeError, "subclass of Policy|list"):
                lab.sweep([1], [wrong], 1, progress=False)
        with self.assertRaisesRegex(ValueError, "needs"):
            simulated([1], type("P", (LRU,), {"needs": ("key",)}), 1)
        with self.assertRaisesRegex(ValueError, "no name"):
            simulated([1], type("P", (LRU,), {"name": "a,b"}), 1)
        with self.assertRaisesRegex(ValueError, "8 objects|at least 8|capacity"):
            simulated([1], type("P", (LRU,), {"minimum_capacity": 8}), 4)

    def test_an_instance_is_no_policy(self):
        for call in (
                lambda policy: simulated([1], policy, 1), lambda policy: lab.sweep([1], [policy], 1, progress=False),
                lambda policy: lab.sweep([1], policy, 1, progress=False),
                lambda policy: lab.curve([1], policy, progress=False),
                lambda policy: lab.check(policy, progress=False)):
            with self.assertRaisesRegex(TypeError, r"pass the class LRU, or LRU.with_parameters\(…\)"):
                call(LRU(5))

    def test_a_cache_refuses_a_class_and_says_why(self):
        for policy in (LRU, LRU(5), LRU.with_parameters(admission="tinylfu")):
            with self.assertRaisesRegex(TypeError, "it is locked while its policy works"):
                lab.Cache(10, policy)


class Failures(unittest.TestCase):
    """Exceptions reach the caller, and wrong answers are named."""

    keys = skewed(5_000, most=1_000)

    def failing(self, method, error=ZeroDivisionError("on purpose"), after=20, base=TwoQueues):
        """A class whose method raises at one of its calls."""
        calls = [0]

        def fail(policy, *arguments):
            calls[0] += 1
            if calls[0] > after:
                raise error
            return getattr(base, method)(policy, *arguments)
        return type("Failing", (base,), {method: fail})

    def test_an_exception_in_any_method(self):
        operations = random.Random(3).choices(("get", "delete"), (9, 1), k=len(self.keys))
        for method in ("hit", "admit", "insert", "victim", "evicted", "remove"):
            with self.subTest(method):
                policy = self.failing(method)
                try:
                    simulated(self.keys, policy, 100, operations=operations)
                except ZeroDivisionError as failure:
                    places = [place.name for place in traceback.extract_tb(failure.__traceback__)]
                    self.assertEqual((str(failure), places[-1], failure.__context__), ("on purpose", "fail", None))
                else:
                    self.fail("no exception")
                with self.assertRaises(ZeroDivisionError):
                    lab.check(self.failing(method), rounds=1, progress=False)
        with self.assertRaises(ZeroDivisionError):
            lab.check(self.failing("resize", after=0), rounds=1, progress=False)
        with self.assertRaises(OSError):
            simulated(self.keys, self.failing("__init__", OSError("no room"), after=0, base=LRU), 100)

    def test_exceptions_that_are_no_errors(self):
        for kind in (KeyboardInterrupt, SystemExit, StopIteration, GeneratorExit):
            with self.subTest(kind), self.assertRaises(kind):
                simulated(self.keys, self.failing("insert", kind()), 100)

    def test_an_exception_on_a_thread_and_in_a_sweep(self):
        found = []

        def work():
            try:
                lab.sweep(self.keys, ["lru", self.failing("hit"), LRU], "1%,5%,10%", progress=False, threads=2)
            except BaseException as failure:
                found.append(failure)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        self.assertIsInstance(found[0], ZeroDivisionError)

    def test_the_simulation_stops(self):
        """Not the whole trace is run, in Python or by the library."""
        calls = []

        class Counting(LRU):
            def insert(self, request):
                calls.append(request.slot)
                raise ZeroDivisionError
        with self.assertRaises(ZeroDivisionError):
            simulated(array.array("q", range(300_000)), Counting, 10)
        self.assertEqual(len(calls), 1)

    def wrong(self, message, kind=lab.EvictionError, base=LRU, **methods):
        policy = type("Wrong", (base,), methods)
        with self.assertRaisesRegex(kind, message):
            simulated(self.keys, policy, 100)
        return policy

    def test_wrong_answers_are_named(self):
        unknown = self.wrong(r"Wrong: victim\(\) returned slot 4000000, which is not in the cache", victim=lambda self: 4_000_000)
        self.wrong(r"victim\(\) is 4294967295: a slot is one that a request has had", victim=lambda self: 2**32 - 1)
        self.wrong(r"victim\(\) is -1", victim=lambda self: -1)
        self.wrong(r"victim\(\) is None: a slot is an integer", TypeError, victim=lambda self: None)
        self.wrong(
            r"Wrong: admit\(request\) is None: return True to admit", TypeError, admit=lambda self, request: None)
        self.wrong(r"victim\(\) is 1.0", TypeError, victim=lambda self: 1.0)
        self.wrong("forget.4000., which is unknown", evicted=lambda self, slot: LRU.evicted(self, slot) or self.forget(4_000))
        stays = self.wrong("which is a ghost", evicted=lambda self, slot: True)
        for missing in ("insert", "victim", "remove"):
            self.wrong(f"Wrong has no {missing}", lab.ArgumentError, **{missing: getattr(lab.Policy, missing)})
        self.wrong("forget.* outside", victim=lambda self: LRU(1).forget(3))
        for policy in (unknown, stays):
            violations = lab.check(policy, rounds=1, progress=False)
            self.assertEqual([violation.breaks_contract for violation in violations], [True])
            self.assertRegex(str(violations[0]), "keeps the contract.*operation")

    def test_a_field_that_is_not_declared_cannot_be_read(self):
        for field in ("time", "key_hash", "index", "next_use", "expiry", "key_length", "cost"):
            def hit(self, request, field=field):
                getattr(request, field)
                LRU.hit(self, request)
            with self.subTest(field):
                self.wrong(rf"Wrong reads request.{field}, which is not among its needs: write needs = \('{field}',\)", hit=hit)
                if field not in ("key_length", "time", "expiry", "cost"):
                    simulated(self.keys, type("Right", (LRU,), {"hit": hit, "needs": (field,)}), 100)

    def test_numbers_of_other_packages_are_slots(self):
        class Slot:
            def __init__(self, slot):
                self.slot = slot

            def __index__(self):
                return self.slot
        policy = type("Other", (LRU,), {"victim": lambda self: Slot(LRU.victim(self))})
        self.assertEqual(simulated(self.keys, policy, 100).hits, simulated(self.keys, "lru", 100).hits)

    def test_control_c(self):
        for step in ["self.last = request.slot", "while True: pass"]:
            code = f"""
                import array, evictionlab as lab
                class Slow(lab.Policy):
                    def insert(self, request):
                        if request.slot == 0: print("runs", flush=True)
                        {step}
                    def victim(self): return self.last
                    def remove(self, slot): pass
                try:
                    lab.simulate(array.array("q", range(50_000_000)), Slow, 1)
                except KeyboardInterrupt:
                    print("interrupted")
            """
            process = subprocess.Popen(
                [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True,
                env={**os.environ, "PYTHONPATH": str(SOURCES)},
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
            with self.subTest(step):
                self.assertEqual(process.stdout.readline(), "runs\n")
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.communicate(timeout=60)[0], "interrupted\n")
                self.assertEqual(process.returncode, 0)


class Suite(unittest.TestCase):
    def test_policies_that_conform(self):
        for policy in ("lru", LRU, FIFO, TwoQueues, Larger, Larger.with_parameters(most=0.2)):
            self.assertEqual(lab.check(policy, rounds=2, progress=False), [])

    def test_what_is_declared_wrongly(self):
        for reorders, base in ((True, FIFO), (False, LRU)):
            policy = type("Wrong", (base,), {"hits_reorder": reorders})
            violations = lab.check(policy, rounds=3, progress=False)
            self.assertEqual([violation.property for violation in violations], ["reorders on hits exactly if it says so"])
            self.assertIn("Python: hits_reorder = False" if reorders else "seed 42, features none", violations[0].message)

    def test_a_policy_that_is_not_the_same_twice(self):
        draw = random.Random(5)
        policy = type("Draws", (FIFO,), {"victim": lambda self: draw.choice(list(self.order))})
        self.assertIn("does the same for the same seed", [found.property for found in lab.check(policy, rounds=2, progress=False)])

    def test_progress_and_wrong_arguments(self):
        seen = []
        lab.check(LRU, rounds=1, progress=lambda done, total: seen.append((done, total)))
        self.assertEqual(sorted(seen), seen)
        for arguments in ({"rounds": 0}, {"operations": -1}, {"seed": -1}):
            with self.assertRaises(ValueError):
                lab.check(LRU, **arguments)
        for wrong in ("nosuch", "lru,arc"):
            with self.assertRaises(ValueError):
                lab.check(wrong)

        def stop(done, total):
            raise InterruptedError
        with self.assertRaises(InterruptedError):
            lab.check(LRU, rounds=500, progress=stop)

    def test_signals_stay_as_they_are(self):
        code = """
import signal, evictionlab as lab
signal.signal(signal.SIGALRM, lambda *_: print("alarm"))
signal.setitimer(signal.ITIMER_REAL, 3600)
lab.check("lru", rounds=1)
assert signal.getitimer(signal.ITIMER_REAL)[0] > 3000
ctypes = __import__("ctypes")
signal.raise_signal(signal.SIGALRM)
ctypes.string_at(0)
"""
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(SOURCES)})
        self.assertEqual((done.stdout, done.returncode), ("alarm\n", -signal.SIGSEGV), done.stderr)


class Lifetimes(unittest.TestCase):
    def test_instances_and_classes_are_freed(self):
        instances = weakref.WeakSet()

        def run():
            class Counted(LRU):
                def __init__(self, capacity):
                    super().__init__(capacity)
                    instances.add(self)
            lab.sweep([1, 2, 3, 1], [Counted], [1, 2], progress=False)
            self.assertGreater(len(instances), -1)
            return weakref.ref(Counted)
        gone = run()
        gc.collect()
        self.assertEqual((len(instances), gone()), (0, None))

    def test_an_exception_keeps_nothing_once_it_is_gone(self):
        policy = type("Failing", (LRU,), {"insert": lambda self, request: 1 / 0})
        gone = weakref.ref(policy)
        with self.assertRaises(ZeroDivisionError):
            simulated([1, 2], policy, 1)
        del policy
        gc.collect()
        self.assertIsNone(gone())

    def test_many_runs_take_no_memory(self):
        def memory():
            gc.collect()
            return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        keys = lab.Trace.from_arrays(skewed(200, most=50))
        for _ in range(100):
            simulated(keys, LRU, 10)
        before = memory()
        for _ in range(500):
            simulated(keys, LRU, 10)
        # A thread's state of Python alone would take 8 MB.
        self.assertLess(memory() - before, 3e6)

    def test_requests_may_be_kept(self):
        kept = []
        policy = type("Keeping", (LRU,), {"insert": lambda self, request: (kept.append(request), LRU.insert(self, request))})
        simulated([7, 8, 7, 9], policy, 2)
        self.assertEqual([request.size for request in kept], [1, 1, 1])
        self.assertEqual(len({request.slot for request in kept}), 3)

    def test_two_policies_in_two_threads(self):
        keys = skewed(20_000)
        expected = simulated(keys, "lru", 300).hits, simulated(keys, "fifo", 300).hits
        found = {}

        def work(policy):
            found[policy] = [simulated(keys, policy, 300).hits for _ in range(3)]
        threads = [threading.Thread(target=work, args=(policy,)) for policy in (LRU, FIFO)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, {LRU: 3 * [expected[0]], FIFO: 3 * [expected[1]]})

    def test_a_policy_may_simulate(self):
        """A call within a call: the inner one has threads and names of its own."""
        class Asking(LRU):
            def __init__(self, capacity):
                super().__init__(capacity)
                self.inner = simulated([1, 2, 1], LRU, 2).hits
                assert self.inner == 1
        self.assertEqual(simulated(self.keys(), Asking, 100).hits, simulated(self.keys(), "lru", 100).hits)

    def keys(self):
        return skewed(2_000, most=300)

    def test_a_child_of_fork(self):
        expected = simulated(self.keys(), LRU, 50).hits
        child = os.fork()
        if child == 0:
            os._exit(0 if simulated(self.keys(), LRU, 50).hits == expected else 1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)


@unittest.skipUnless(shutil.which(os.environ.get("CC") or "cc"), "there is no C compiler")
class InC(unittest.TestCase):
    keys = skewed(20_000, most=3_000)

    def test_lru_and_others(self):
        for name, ours in (("lru", "lru"), ("sieve", "sieve"), ("s3fifo", "s3fifo"), ("arc", "arc")):
            path = PLUGINS / f"{name}.c"
            with self.subTest(name):
                policy = lab.Policy.from_c(path)
                found = lab.sweep(self.keys, [policy, ours], "1%,10%", progress=False)
                self.assertEqual([row.policy for row in found], 2 * [f"{name}.c", ours])
                self.assertEqual([row.hits for row in found[0::2]], [row.hits for row in found[1::2]])
                self.assertEqual(lab.check(policy, rounds=2, progress=False), [])

    def test_every_bundled_trace(self):
        policy = lab.Policy.from_c(PLUGINS / "lru.c", name="in-c")
        for path in sorted(TRACES.glob("*.zst")):
            with self.subTest(path.name):
                found = lab.sweep(path, [policy, "lru"], "0.5%,10%", progress=False)
                self.assertEqual([row.hits for row in found[0::2]], [row.hits for row in found[1::2]])

    def test_a_cache(self):
        policy = lab.Policy.from_c(PLUGINS / "lru.c")
        cache = lab.Cache(100, policy)
        del policy
        gc.collect()
        for key in self.keys:
            if cache.get(key) is None:
                cache[key] = key
        self.assertEqual(cache.statistics().hits, simulated(self.keys, "lru", 100).hits)

        @lab.cached(maxsize=10, policy=lab.Policy.from_c(PLUGINS / "lru.c"))
        def double(number):
            return 2 * number
        self.assertEqual([double(1), double(1), double.cache_info().hits], [2, 2, 1])

    def test_texts_and_names(self):
        text = (PLUGINS / "lru.c").read_text()
        first, second = lab.Policy.from_c(text, name="mine"), lab.Policy.from_c(text, name="mine")
        self.assertNotEqual(first.text, second.text)
        self.assertEqual(simulated(self.keys, first, 100).policy, "mine")
        self.assertEqual(simulated(self.keys, first.text, 100).hits, simulated(self.keys, second, 100).hits)
        name = first.text
        del first
        gc.collect()
        with self.assertRaisesRegex(lab.MissingFileError, "there is no file mine"):
            simulated(self.keys, name, 100)

    def test_a_source_is_compiled_once(self):
        text = (PLUGINS / "lru.c").read_text()
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "log"
            compiler = pathlib.Path(folder) / "cc"
            compiler.write_text(f'#!/bin/sh\necho "$@" >>{log}\nexec {shutil.which("cc")} "$@"\n')
            compiler.chmod(0o755)
            with unittest.mock.patch.dict(os.environ, {"CC": f"{compiler} -Wall"}):
                for _ in range(3):
                    lab.Policy.from_c(text)
                changed = lab.Policy.from_c(text + "\nint another;\n")
            lines = log.read_text().splitlines()
        self.assertEqual(sum("-shared" in line for line in lines), 2)
        self.assertTrue(all("-Wall" in line for line in lines))
        self.assertEqual(simulated(self.keys, changed, 100).hits, simulated(self.keys, "lru", 100).hits)

    def test_a_shared_library(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "mine.so"
            subprocess.run(
                ["cc", "-O2", "-shared", "-fPIC", f"-I{ROOT}/Sources/CEvictionLab", PLUGINS / "lru.c", "-o", path], check=True)
            policy = lab.Policy.from_c(path)
            self.assertEqual(simulated(self.keys, policy, 100).policy, "mine.so")
            self.assertEqual(
                simulated(self.keys, f"plugin:{path}", 100).hits, simulated(self.keys, "lru", 100).hits)
            (pathlib.Path(folder) / "none.so").write_text("no library")
            with self.assertRaisesRegex(lab.EvictionError, "cannot be loaded"):
                lab.Policy.from_c(pathlib.Path(folder) / "none.so")

    def test_structures_are_those_of_the_header(self):
        structures = {
            "evl_policy": _policies._Table, "evl_host": _policies._Host, "evl_configuration": _policies._Configuration}
        offsets = {
            f"{name}.{field}": getattr(structure, field).offset
            for name, structure in structures.items() for field, _ in structure._fields_}
        fields = lab.Request._fields
        expected = [*offsets.values(), *(8 * position for position in range(len(fields)))]
        names = [*offsets, *(f"evl_request.{field}" for field in fields)]
        lines = "".join(
            f'printf("%zu\\n", offsetof({structure}, {field}));' for structure, field in (name.split(".") for name in names))
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "offsets.c"
            source.write_text(
                f"#include <evictionlab_policy.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {{ {lines} }}\n")
            subprocess.run(["cc", f"-I{_policies.headers()}", source, "-o", source.with_suffix("")], check=True)
            found = subprocess.run([source.with_suffix("")], check=True, capture_output=True, text=True).stdout.split()
        self.assertEqual(dict(zip(names, map(int, found))), dict(zip(names, expected)))

    def test_failures_have_the_compilers_words(self):
        for source, words in (
                ("int x = nosuch;\n", "nosuch"), ("#include <nowhere.h>\n", "nowhere.h"), ("int f(void) { return 0; }\n", "exports no"),
                ("/nowhere/a.c", "is missing"), ("", "source is empty"), (str(ROOT), "is no file"), ("#include <evictionlab_policy.h>\nconst evl_policy *evictionlab_policy(void) "
                 "{ static evl_policy none; return &none; }\n", "version")):
            with self.subTest(words), self.assertRaisesRegex(lab.EvictionError, words):
                lab.Policy.from_c(source)
        for missing in ("/nowhere/a.c", "nope.c", "/nowhere/a;b.c", pathlib.Path("nope;")):
            with self.subTest(missing), self.assertRaisesRegex(lab.MissingFileError, "is missing"):
                lab.Policy.from_c(missing)
        for line in ("int x;", "#define X 1", "/* None. */ extern int x;"):
            with self.subTest(line), self.assertRaisesRegex(lab.EvictionError, "exports no"):
                lab.Policy.from_c(line)
        for compiler, words in (
                ("/nowhere/cc", "name one in CC"), ("'", "is no command"), ("  ", "CC is blank"), ("true", "true made of policy.c cannot be loaded"),
                ("false", "false failed")):
            with self.subTest(compiler), unittest.mock.patch.dict(os.environ, {"CC": compiler}):
                with self.assertRaisesRegex(lab.EvictionError, words):
                    lab.Policy.from_c("int f(void) { return 0; }\n")


class Guide(unittest.TestCase):
    """The guide's policy, as it is written there, prints what is written there."""

    page = (ROOT / "Sources/EvictionLab/EvictionLab.docc/WriteAPolicyInCOrPython.md").read_text()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        shutil.copy(TRACES / "orders.txt.zst", self.folder)
        (self.folder / "lip.c").write_text(self.page.split("```c\n")[1].split("```")[0])

    def printed(self, after):
        """The indented lines behind a sentence."""
        lines = self.page.split(after)[1].split("\n\n", 1)[1].splitlines()
        return [line.strip() for line in itertools.takewhile(lambda line: not line or line.startswith("    "), lines) if line]

    def run_there(self, *command):
        return subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(SOURCES)})

    @unittest.skipUnless(shutil.which("cc"), "there is no C compiler")
    def test_in_python(self):
        code = self.page.split("```python\n")[1].split("```")[0]
        done = self.run_there(sys.executable, "-c", code)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout.splitlines(), self.printed("has the same hits:"))

    @unittest.skipUnless(shutil.which("cc") and EVICT.exists(), "there is no C compiler, or no tool")
    def test_in_c(self):
        commands = [line.split() for line in self.printed("It links no library:")]
        compiling = [*commands[0], "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/Sources/CEvictionLab"]
        self.assertEqual(self.run_there(*compiling).stderr, "")
        checked = self.run_there(EVICT, *commands[1][1:])
        self.assertEqual((checked.stdout, checked.returncode), ("plugin:./lip.so: conforms\n", 0))
        shown = [line.split() for line in self.run_there(EVICT, *commands[2][1:]).stdout.splitlines()]
        rows = [line.split() for line in self.printed("without its column of times:") if line[0].isdigit()]
        self.assertEqual(len(rows), 6)
        for row in rows:
            self.assertIn(row, [line[:-1] for line in shown])
        self.assertEqual(self.run_there(EVICT, *commands[4][1:]).returncode, 0)
        self.assertIn("plugin:./lip.so", (self.folder / "lip.html").read_text())


if __name__ == "__main__":
    unittest.main()
