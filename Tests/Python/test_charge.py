"""Runs `evict sweep --charge-metadata`: budgets, refusals, and how documents of such sweeps are joined and compared."""

import collections
import json
import os
import random
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EVICT = os.environ.get("EVICT", os.path.join(ROOT, ".build", "release", "evict"))
SIZES = {key: 30 + key * 13 % 170 for key in range(400)}


def lru(requests, capacity, size_of):
    """The hits of LRU, and the most objects that it held after a miss."""
    recent, used, hits, peak = collections.OrderedDict(), 0, 0, 0
    for key in requests:
        if key in recent:
            hits += 1
            recent.move_to_end(key)
            continue
        if size_of(key) > capacity:
            continue
        while used + size_of(key) > capacity:
            used -= size_of(recent.popitem(last=False)[0])
        recent[key] = None
        used += size_of(key)
        peak = max(peak, len(recent))
    return hits, peak


class ChargeTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        generator = random.Random(5)
        self.requests = [int(400 * generator.random() ** 2) for _ in range(6000)]
        self.trace = self.file("sized.csv")
        with open(self.trace, "w") as file:
            file.write("key,size\n")
            file.writelines(f"{key},{SIZES[key]}\n" for key in self.requests)

    def file(self, name):
        return os.path.join(self.folder, name)

    def evict(self, *arguments, status=0):
        run = subprocess.run([EVICT, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(run.returncode, status, run.stderr)
        return run.stderr if status else run.stdout

    def sweep(self, *arguments):
        text = self.evict("sweep", self.trace, "--charge-metadata", *arguments, "--format", "json")
        return json.loads(text)["results"]

    def test_lru_is_the_model(self):
        for options, requested, unit in ((["--object-size", "30", "--capacity", "150"], 150, 30),
                                         (["--capacity", "9000B"], 9000, 1)):
            (run,) = self.sweep("--policy", "lru", *options)
            metadata = run["metadata"]
            effective = metadata["effectiveCapacity"]
            size_of = (lambda key: 1) if unit > 1 else SIZES.get
            hits, peak = lru(self.requests, effective, size_of)
            self.assertEqual((run["hits"], metadata["peakSlots"]), (hits, peak))
            self.assertEqual((run["capacity"], metadata["peakGhosts"]), (requested, 0))
            self.assertEqual(metadata["bytes"], 9 * peak)
            self.assertLessEqual(metadata["bytes"], (requested - effective) * unit)
            more = effective + max(1, effective // 100)
            self.assertGreater(9 * lru(self.requests, more, size_of)[1], (requested - more) * unit)

    def test_a_search_in_bytes_keeps_the_least_capacity(self):
        # D-LIRS needs two, and most of what fits here is found from there on.
        runs = self.sweep("--policy", "dlirs", "--capacity", "2000B,8000B,9000B")
        self.assertEqual(len(runs), 3)
        for run in runs:
            self.assertLessEqual(run["metadata"]["bytes"], run["capacity"] - run["metadata"]["effectiveCapacity"])

    def test_a_table_says_what_is_charged(self):
        text = self.evict("sweep", self.trace, "--policy", "lru,opt", "--capacity", "100", "--object-size", "64",
                          "--charge-metadata", "--wide")
        for words in ("effective capacity", "metadata", "Capacities are bytes of 64 B an object",
                      "the optimum too, are charged nothing"):
            self.assertIn(words, " ".join(text.split()))

    def test_fifo_is_charged_as_a_baseline(self):
        run = self.sweep("--policy", "fifo", "--capacity", "100", "--object-size", "16")[0]
        self.assertEqual(run["missRatioReduction"], 0)

    def test_a_policy_without_room_fails_alone(self):
        output = self.file("out.json")
        text = self.evict("sweep", self.trace, "--policy", "lirs,lru", "--capacity", "100", "--object-size", "16",
                          "--charge-metadata", "--output", output, status=1)
        self.assertIn("lirs at 100 on sized.csv: its own memory, ", text)
        self.assertIn("leaves no room for objects in 1.6 kB; give a larger capacity, or bound its ghosts (lirs:ghosts=1)", text)
        with open(output) as file:
            document = json.load(file)
        self.assertEqual([run["policy"] for run in document["results"]], ["lru"])
        self.assertFalse(document["complete"])

    def test_parts_of_a_sweep_are_joined_and_compared(self):
        options = ["--charge-metadata", "--object-size", "40", "--policy", "lru,arc,s3fifo", "--capacity", "100,200"]
        whole, first, second = (self.file(name) for name in ("whole.json", "first.json", "second.json"))
        self.evict("sweep", self.trace, *options, "--output", whole)
        self.evict("sweep", self.trace, *options, "--shard", "1/2", "--output", first)
        self.evict("sweep", self.trace, *options, "--shard", "2/2", "--output", second)
        merged = self.file("merged.json")
        self.evict("sweep", "--merge", first, second, "--output", merged)
        self.evict("check", merged, "--baseline", whole)
        with open(whole) as file:
            text = file.read()
        self.assertEqual(json.loads(text)["plan"]["options"]["objectSize"], 40)
        changed = self.file("changed.json")
        slots = json.loads(text)["results"][0]["metadata"]["peakSlots"]
        with open(changed, "w") as file:
            file.write(text.replace(f'"peakSlots": {slots}', f'"peakSlots": {slots + 1}', 1))
        self.evict("check", changed, "--baseline", whole, status=1)
        # Another size of objects is another sweep; the same with one policy more goes on.
        other = [*options[:2], "41", *options[3:]]
        self.evict("sweep", self.trace, *other, "--shard", "2/2", "--output", second)
        text = self.evict("sweep", "--merge", first, second, "--output", merged, status=65)
        self.assertIn("they differ in objectSize (41 and 40)", text)
        self.assertIn("objectSize", self.evict("sweep", self.trace, *other, "--resume", "--output", whole, status=65))
        more = [option.replace("s3fifo", "s3fifo,sieve") for option in options]
        self.evict("sweep", self.trace, *more, "--resume", "--output", whole)
        with open(whole) as file:
            results = json.load(file)["results"]
        self.assertEqual(len(results), 8)
        self.assertTrue(all("metadata" in result for result in results))

    def test_what_does_not_go_is_refused(self):
        common = ["sweep", self.trace, "--policy", "lru", "--charge-metadata"]
        objects = [*common, "--capacity", "100", "--object-size", "40"]
        for arguments, remedy in (
            ([*common, "--capacity", "100"], "give --object-size, or --sized"),
            ([*common, "--capacity", "9kB", "--object-size", "40"], "these are bytes; leave it out"),
            ([*common[:4], "--capacity", "100", "--object-size", "40"], "--object-size is for --charge-metadata"),
            ([*objects, "--delay", "10requests"], "--delay does not go with --charge-metadata"),
            ([*objects, "--stream"], "--stream does not go with --charge-metadata"),
            ([*objects, "--policy", "arc:admission=tinylfu"], "admission filter tinylfu is not counted; leave it out"),
        ):
            self.assertIn(remedy, self.evict(*arguments, status=64))


if __name__ == "__main__":
    unittest.main()
