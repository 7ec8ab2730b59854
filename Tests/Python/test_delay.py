"""Runs `evict sweep --delay` and compares latencies with a plain Python model, read from documents and tables."""

import json
import os
import random
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EVICT = os.path.join(ROOT, ".build", "release", "evict")


def lru(requests, capacity, delay):
    """The latency of each request of (time, key), where a miss lasts `delay`."""
    recent, fetches, latencies = [], [], []
    for time, key in requests:
        while fetches and fetches[0][1] <= time:
            fetched = fetches.pop(0)[0]
            if len(recent) == capacity:
                recent.pop(0)
            recent.append(fetched)
        ends = [end for other, end in fetches if other == key]
        if key in recent:
            recent.remove(key)
            recent.append(key)
            latencies.append(0)
        elif ends:
            latencies.append(ends[0] - time)
        else:
            fetches.append((key, time + delay))
            latencies.append(delay)
    return latencies


class DelayTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.trace = os.path.join(folder.name, "timed.csv")
        generator = random.Random(3)
        self.requests, time = [], 0
        for _ in range(3000):
            time += generator.choice([0, 1, 2, 9])
            self.requests.append((time, generator.randrange(1, 80)))
        with open(self.trace, "w") as file:
            file.write("time,key\n")
            file.writelines(f"{time},{key}\n" for time, key in self.requests)

    def evict(self, *arguments, status=0):
        run = subprocess.run(
            [EVICT, "sweep", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        self.assertEqual(run.returncode, status, run.stderr)
        return run.stderr if status else run.stdout

    def test_latencies_are_the_model(self):
        text = self.evict(
            self.trace, "--policy", "lru,fifo,lru-mad", "--capacity", "20", "--delay", "30s",
            "--format", "json",
        )
        document = json.loads(text)
        self.assertEqual(len(document["results"]), 3)
        for result in document["results"]:
            latency = result["virtualLatency"]
            self.assertEqual(
                result["hits"] + latency["delayedHits"] + latency["misses"], result["requests"]
            )
            self.assertLessEqual(latency["least"], latency["total"])
        latencies = lru(self.requests, 20, 30)
        latency = document["results"][0]["virtualLatency"]
        self.assertEqual(latency["total"], sum(latencies) * 10**9)
        self.assertEqual(latency["p99"], sorted(latencies)[2969] * 10**9)

    def test_a_table_has_the_latencies(self):
        text = self.evict(
            self.trace, "--policy", "lru", "--capacity", "20", "--delay", "50requests",
            "--format", "markdown",
        )
        self.assertIn("mean latency", text)
        self.assertIn("delayed hits %", text)
        numbered = [(index, key) for index, (_, key) in enumerate(self.requests)]
        self.assertIn(f"{sum(lru(numbered, 20, 50)) / 3000:.4f}", text)

    def test_times_at_the_ends_of_numbers_are_refused(self):
        for rows in ["-9223372036,1\n-9223372035,2\n9223372036,1\n", "9223372035,1\n9223372036.8,1\n"]:
            with tempfile.TemporaryDirectory() as folder:
                trace = os.path.join(folder, "far.csv")
                with open(trace, "w") as file:
                    file.write("time,key\n" + rows)
                done = subprocess.run(
                    [EVICT, "sweep", trace, "--policy", "lru", "--capacity", "1", "--delay", "100s"],
                    capture_output=True, text=True)
                self.assertEqual(done.returncode, 65, done.stderr)
                self.assertIn("span more than 292 years; give the delay in requests", done.stderr)

    def test_no_optimum_is_a_bound_of_what_is_fetched_ahead(self):
        done = subprocess.run(
            [EVICT, "sweep", os.path.join(ROOT, "traces", "zipf.txt.zst"), "--policy", "lru:prefetch=pg", "--capacity", "1%", "--explain"],
            capture_output=True, text=True)
        self.assertEqual(done.returncode, 64, done.stderr)
        self.assertIn("leave out lru:prefetch=pg", done.stderr)

    def test_what_a_prefetcher_cannot_do_names_a_remedy(self):
        with tempfile.TemporaryDirectory() as folder:
            words = os.path.join(folder, "words.txt")
            with open(words, "w") as file:
                file.write("one\ntwo\nthree\n")
            for options, remedy in (
                (["--policy", "lru:prefetch=obl"], "take mithril or pg"),
                (["--policy", "lru:prefetch=pg", "--check"], "leave out --check or the prefetcher"),
            ):
                done = subprocess.run(
                    [EVICT, "sweep", words, "--capacity", "2"] + options, capture_output=True, text=True)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(remedy, done.stderr)

    def test_what_does_not_fit_a_trace_is_found_before_a_cell_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            plain, sets = os.path.join(folder, "plain.csv"), os.path.join(folder, "sets.csv")
            with open(plain, "w") as file:
                file.write("key,size\n" + "1,5\n2,5\n1,5\n" * 100)
            with open(sets, "w") as file:
                file.write("key,op\n" + "1,get\n1,set\n2,get\n" * 100)
            output = os.path.join(folder, "o.json")
            prefetch, delay = ["--policy", "fifo,lirs,lru:prefetch=pg"], ["--policy", "fifo", "--delay", "5requests"]
            for options, reason in (
                ([plain, sets, *prefetch], "sets.csv: lru: the prefetcher pg runs over gets of objects that count one; "
                    "take a trace without sets, deletes and costs"),
                ([plain, sets, *delay], "sets.csv: fifo: the delay of misses runs over gets of objects that count one; "
                    "take a trace without sets, deletes and costs"),
                ([plain, "--sized", *prefetch], "plain.csv: lru: the prefetcher pg runs over gets of objects that count "
                    "one; leave out --sized, and give capacities in objects (1000, 1%)"),
                ([plain, *prefetch[:1], "fifo,lru:prefetch=pg:admission=bloom"], "leave out the admission filter"),
                ([plain, *prefetch, "--check"], "leave out --check or the prefetcher"),
            ):
                done = subprocess.run(
                    [EVICT, "sweep", *options, "--capacity", "10", "--format", "json", "--output", output],
                    capture_output=True, text=True)
                self.assertEqual(done.returncode, 64, done.stderr)
                self.assertIn(reason, done.stderr)
                self.assertNotIn("cells are written", done.stderr)
                self.assertEqual(sorted(os.listdir(folder)), ["plain.csv", "sets.csv"])

    def test_a_suite_has_no_prefetchers(self):
        done = subprocess.run(
            [EVICT, "suite", os.path.join(ROOT, "traces"), "--policy", "fifo,lru:prefetch=pg"],
            capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("the prefetcher pg runs in sweep and curve only", done.stderr)

    def test_what_does_not_go_is_refused(self):
        keys = os.path.join(os.path.dirname(self.trace), "keys.txt")
        with open(keys, "w") as file:
            file.writelines(f"{key}\n" for _, key in self.requests)
        common = ["--policy", "lru", "--capacity", "20", "--delay"]
        self.assertIn("requests (100requests)", self.evict(keys, *common, "10ms", status=65))
        self.evict(keys, *common, "10requests")
        for option in ["--check", "--stream", "--explain"]:
            text = self.evict(self.trace, *common, "10ms", option, status=64)
            self.assertIn("--delay", text)
        self.evict(self.trace, *common, "soon", status=64)


if __name__ == "__main__":
    unittest.main()
