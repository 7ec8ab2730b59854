"""A policy has an interval on a sampled curve only if its coverage was measured, and held on every trace; costs and
warm-ups are those of a program of its own.
"""

import collections
import csv
import io
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))
PROMISED = 0.93


def declared():
    """The policies that declare an error of miniatures, by their sources."""
    for path in sorted(ROOT.glob("Sources/Eviction*/Policies/*.swift")):
        source = path.read_text()
        name = re.search(r'PolicyInformation\(\s*name: "([^"]+)"', source)
        if name and re.search(r"\bminiatureError: [0-9.]+", source):
            yield name[1]


class Curves(unittest.TestCase):
    def test_an_interval_was_measured(self):
        document = json.loads((ROOT / "results/curve-coverage.json").read_text())
        names = list(declared())
        self.assertGreater(len(names), 30)
        for name in names:
            with self.subTest(policy=name):
                self.assertIn(name, document["policies"])
                for rows in (document["policies"], document["heldOut"]):
                    for trace, covered in rows[name]["traces"].items():
                        self.assertGreaterEqual(covered, PROMISED, trace)

    def test_every_interval_that_is_printed_holds(self):
        document = json.loads((ROOT / "results/curve-coverage.json").read_text())
        for rows in (document["policies"], document["heldOut"]):
            for name, row in rows.items():
                for trace, covered in row["traces"].items():
                    self.assertGreaterEqual(covered, PROMISED, f"{name} on {trace}")

    def test_intervals_are_narrow_enough(self):
        document = json.loads((ROOT / "results/curve-coverage.json").read_text())
        self.assertLessEqual(document["policies"]["all"]["medianHalfWidthAtLargestRate"], 0.02)

    def test_every_variant_of_a_policy_with_intervals_was_measured(self):
        measured = json.loads((ROOT / "results/curve-coverage.json").read_text())["policies"]
        parts = {tuple(sorted(name.split(":")[1:])) + (name.split(":")[0],) for name in measured}
        for path in sorted((ROOT / "Sources/Eviction/Policies").glob("*.swift")):
            for listed in re.findall(r"variants: \[([^\]]+)\]", path.read_text()):
                for variant in re.findall(r'"([^"]+)"', listed):
                    with self.subTest(variant=variant):
                        self.assertIn(
                            tuple(sorted(variant.split(":")[1:])) + (variant.split(":")[0],), parts)


def lru_misses(keys, capacity, warmup):
    cache, misses = collections.OrderedDict(), 0
    for place, key in enumerate(keys):
        if key in cache:
            cache.move_to_end(key)
            continue
        misses += place >= warmup
        cache[key] = None
        if len(cache) > capacity:
            cache.popitem(last=False)
    return misses


@unittest.skipUnless(EVICT.exists(), "make build builds the tool")
class Costs(unittest.TestCase):
    WARMUP = 1500

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        draw = random.Random(11)
        cls.keys = [int(200 * draw.random() ** 3) for _ in range(6000)]
        cls.times = [60 * place for place in range(len(cls.keys))]
        cls.trace = cls.folder / "web.csv"
        cls.trace.write_text("key,time,size\n" + "".join(
            f"{key},{time},{1000 + key}\n" for key, time in zip(cls.keys, cls.times)))

    def evict(self, command, *options, code=0):
        run = subprocess.run([EVICT, command, self.trace, *map(str, options)], capture_output=True, text=True)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def results(self, command, *options):
        return json.loads(self.evict(command, *options, "--format", "json").stdout)["results"]

    def test_points_after_a_warm_up_are_those_of_a_sweep(self):
        for options in (["--capacity", "5,20,80"], ["--capacity", "5KiB,20KiB,80KiB"]):
            line = ["--policy", "lru,arc", *options, "--warmup", self.WARMUP]
            counted = {
                (run["policy"], run["capacity"]): 1 - run["hitRatio"]
                for run in self.results("sweep", *line, "--no-baselines")}
            curves = self.results("curve", *line)
            self.assertEqual(len(curves), 2)
            for curve in curves:
                self.assertEqual((curve["warmup"], curve["requests"]), (self.WARMUP, len(self.keys) - self.WARMUP))
                self.assertEqual(len(curve["points"]), 3)
                for capacity, ratio, *_ in curve["points"]:
                    with self.subTest(policy=curve["policy"], capacity=capacity):
                        self.assertAlmostEqual(ratio, counted[curve["policy"], capacity], places=12)

    def test_lru_at_all_sizes_after_a_warm_up_is_a_program_of_its_own(self):
        [curve] = self.results("curve", "--warmup", self.WARMUP)
        self.assertEqual(curve["method"], "stack-distances")
        self.assertGreater(len(curve["points"]), 10)
        for capacity, ratio, *_ in curve["points"]:
            misses = lru_misses(self.keys, capacity, self.WARMUP)
            self.assertAlmostEqual(ratio, misses / (len(self.keys) - self.WARMUP), places=12)

    def test_a_month_has_the_cost_of_what_counts(self):
        for warmup in (0, self.WARMUP):
            line = ["--capacity", "20,80", "--price-per-gib", "3.5/month", "--cost-per-miss", "2e-5", "--object-size",
                    "1MiB", "--warmup", warmup]
            factor = 30 * 86400 / (self.times[-1] - self.times[warmup])
            rows = list(csv.DictReader(io.StringIO(self.evict("curve", *line, "--format", "csv").stdout)))
            self.assertEqual(len(rows), 2)
            for row in rows:
                capacity = int(row["capacity"])
                memory = 3.5 * capacity / 1024
                misses = 2e-5 * factor * lru_misses(self.keys, capacity, warmup)
                self.assertAlmostEqual(float(row["costOfMemory"]), memory, places=9)
                self.assertAlmostEqual(float(row["costOfMisses"]), misses, places=9)
                self.assertAlmostEqual(float(row["cost"]), memory + misses, places=9)
                self.assertEqual(float(row["costSeconds"]), 30 * 86400)
            table = self.evict("curve", *line, "--wide").stdout
            self.assertRegex(table, r"cost of memory a month +cost of misses a month +cost a month")
            self.assertEqual("--warmup leaves out the start" in table, warmup == 0)

    def test_other_orders_are_told_apart_in_csv(self):
        line = ["--capacity", "20", "--jitter", "16", "--orders", "2", "--warmup", "10", "--format", "csv"]
        rows = list(csv.DictReader(io.StringIO(self.evict("curve", *line).stdout)))
        self.assertEqual([row["variation.number"] for row in rows], ["", "1", "2"])

    def test_the_guide_shows_what_is_printed(self):
        page = (ROOT / "Sources/EvictionLab/EvictionLab.docc/Curves.md").read_text()
        [(command, shown)] = re.findall(
            r"^    \$ (evict curve (?:.*\\\n)*.*)\n((?:    .*\n)+)", page, re.M)
        run = subprocess.run(
            ["bash", "-c", f"evict() {{ {EVICT} \"$@\"; }}; {command}"], cwd=ROOT, capture_output=True, text=True,
            check=True)
        self.assertEqual(shown.split(), run.stdout.split())


if __name__ == "__main__":
    unittest.main()
