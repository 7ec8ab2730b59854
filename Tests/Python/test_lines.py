"""The count of lines that go from core to core: the simulator on traces written by hand, the model, and what is refused."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Benchmarks"))
import lines  # noqa: E402

BINARY = pathlib.Path(os.environ.get("LINES", ROOT / ".build/release/LineBenchmark"))
MARKS, LAST, STACK, LOCK, DATA = 0x1000, 0x2000, 0x8000, 0x9000, 0xA000


def trace(*served, requests=0):
    """The lines of a trace in which cores serve requests of the first phase: a core, then pairs of a kind and an address."""
    header = {"requests": requests, "marks": MARKS, "stride": 64, "end": LAST, "base": 0,
              "apart": [STACK, STACK + 64], "locks": [[LOCK, LOCK + 64]], "cores": []}
    yield b"==1== Lackey"
    yield b" S %x,1" % MARKS  # No mark yet.
    yield json.dumps(header).encode()
    for core, *accesses in served:
        yield b"I  04000000,3"
        yield b" S %x,1" % (MARKS + core)
        for kind, address in accesses:
            yield b"I  04000004,4"
            yield f" {kind} {address:x},8".encode()
        yield b"I  04000008,5"
        yield b" S %x,1" % LAST
        yield b" S %x,8" % DATA  # Between requests.


def counted(*served, **settings):
    (_, phases), = lines.simulate(trace(*served, **settings))
    return phases[0]


def trips(*served):
    count = counted(*served)
    return sum(count.transfers.values()), sum(count.invalidations.values())


class Simulator(unittest.TestCase):
    def test_reading_together_costs_nothing(self):
        self.assertEqual(trips(*((core, ("L", DATA)) for core in (0, 1, 2, 0, 1, 2))), (0, 0))

    def test_a_line_that_all_write_goes_from_core_to_core(self):
        self.assertEqual(trips(*((core, ("M", DATA)) for core in (0, 1, 0, 1))), (3, 0))
        self.assertEqual(trips(*((core, ("S", DATA)) for core in (0, 0, 1, 1))), (1, 0))

    def test_false_sharing_is_sharing(self):
        self.assertEqual(trips(*((core, ("M", DATA + 8 * core)) for core in (0, 1, 0, 1))), (3, 0))
        self.assertEqual(trips(*((core, ("M", DATA + 64 * core)) for core in (0, 1, 0, 1))), (0, 0))

    def test_each_reader_fetches_what_was_written(self):
        served = [(0, ("S", DATA)), (1, ("L", DATA)), (2, ("L", DATA)), (1, ("L", DATA))]
        self.assertEqual(trips(*served), (2, 0))
        # The writer still has the line, and takes it from the others.
        self.assertEqual(trips(*served, (0, ("S", DATA))), (2, 1))
        self.assertEqual(trips(*served, (0, ("S", DATA)), (2, ("L", DATA))), (3, 1))

    def test_reading_before_writing_is_two_trips(self):
        self.assertEqual(trips((0, ("S", DATA)), (1, ("L", DATA), ("S", DATA))), (1, 1))

    def test_an_access_may_touch_two_lines(self):
        self.assertEqual(trips((0, ("S", DATA + 60)), (1, ("L", DATA)), (2, ("L", DATA + 64))), (2, 0))

    def test_stacks_are_not_shared(self):
        self.assertEqual(trips(*((core, ("S", STACK)) for core in (0, 1, 0))), (0, 0))

    def test_the_first_half_warms_up(self):
        count = counted((0, ("S", DATA)), (1, ("S", DATA)), (0, ("S", DATA)), (0, ("L", DATA)), requests=2)
        self.assertEqual((count.requests, count.transfers.total(), count.written.total()), (2, 1, 1))

    def test_instructions_are_those_between_the_marks(self):
        count = counted((0, ("L", DATA), ("L", DATA)), (1, ("L", DATA)))
        self.assertEqual((count.requests, count.instructions), (2, 3))


class Model(unittest.TestCase):
    def setUp(self):
        # Of five accesses three are inside the lock, and each request's lock and data come from the other core, also
        # what follows the lock.
        request = [("L", STACK), ("M", LOCK), ("M", DATA), ("M", LOCK), ("M", DATA + 64)]
        self.count = counted(*((core, *request) for core in [0, 1] * 50), requests=50)

    def test_a_lock_serves_one_request_after_the_other(self):
        millions, bound = self.count.throughput(2, alone=50, trip=100)
        # Two of five instructions from the first write of the lock to the last one, and two trips.
        self.assertEqual(bound, "lock")
        self.assertAlmostEqual(millions, 1e3 / (50 * 2 / 5 + 2 * 100))

    def test_cores_serve_side_by_side_what_none_waits_for(self):
        count = counted(*((core, ("L", DATA)) for core in [0, 1] * 50))
        self.assertEqual(count.throughput(2, alone=50, trip=100), (40, "cores"))

    def test_a_line_without_a_lock_is_a_bound(self):
        count = counted(*((core, ("M", DATA)) for core in [0, 1, 2, 3] * 25), requests=50)
        self.assertEqual(count.throughput(4, alone=50, trip=100), (10, "line"))


class Guide(unittest.TestCase):
    """The table of the guide is that of the results."""

    SHOWN = ["lru", "lru/buffered", "sieve", "sieve/buffered", "lru/sharded", "sieve/sharded",
             "sieve/sharded/buffered/big-reader"]

    def test_table_is_current(self):
        found = json.loads((ROOT / "results/lines.json").read_text())
        rows = {row["name"]: row for row in found["caches"] if row["phase"] == "5 % sets"}
        guide = (ROOT / "Sources/Eviction/Eviction.docc/ManyThreadsMeasured.md").read_text()
        for name in self.SHOWN:
            cores = rows[name]["cores"]
            trips = [sum(cores[n]["transfers"].values()) + sum(cores[n]["invalidations"].values()) for n in ("2", "16", "64")]
            served = ["{} to {}".format(*(f"{value:.2g}" for value in cores[n]["millions"])) for n in ("16", "64")]
            row = " | ".join([rows[name]["cache"], *(f"{trip:.1f}" for trip in trips), *served])
            self.assertIn(f"| {row} |\n", guide)


@unittest.skipUnless(shutil.which("valgrind") and BINARY.exists(), "valgrind or LineBenchmark is missing")
class Run(unittest.TestCase):
    def run_script(self, *words):
        return subprocess.run([sys.executable, lines.__file__, "--binary", BINARY, "--keys", "320", "--requests", "256", *words],
                              capture_output=True, text=True)

    def test_an_unknown_cache_is_refused(self):
        done = self.run_script("--caches", "nonesuch")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("usage: LineBenchmark", done.stderr)

    def test_wrong_options_are_refused_in_one_line(self):
        for words, problem in (
            (("--cores", "1,2"), "1,2 is no list of numbers from 2 to 64"),
            (("--cores", "x"), "x is no list of numbers from 2 to 64"),
            (("--binary", "/nonesuch"), "/nonesuch is not there"),
        ):
            with self.subTest(words):
                done = self.run_script(*words)
                self.assertEqual(done.returncode, 2)
                self.assertIn(problem, done.stderr.splitlines()[-1])

    def test_without_valgrind_it_is_skipped_with_a_word(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, lines.__file__], capture_output=True, text=True, env={"PATH": folder})
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("skipping the count of lines: no valgrind", done.stderr)


if __name__ == "__main__":
    unittest.main()
