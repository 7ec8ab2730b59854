"""Runs `evict sweep --delay` and compares latencies with a plain Python model, read from documents and tables."""

import csv
import io
import json
import os
import random
import struct
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EVICT = os.path.join(ROOT, ".build", "release", "evict")


def lru(requests, capacity, delay, size=lambda key: 1):
    """The latency of each request of (time, key), where a miss lasts `delay`."""
    recent, fetches, latencies = [], [], []
    for time, key in requests:
        while fetches and fetches[0][1] <= time:
            fetched = fetches.pop(0)[0]
            if size(fetched) > capacity:
                continue
            while sum(map(size, recent)) + size(fetched) > capacity:
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
        return self.tool("sweep", *arguments, status=status)

    def tool(self, *arguments, status=0):
        run = subprocess.run([EVICT, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(run.returncode, status, run.stderr)
        return run.stderr if status else run.stdout

    def write(self, name, text):
        path = os.path.join(os.path.dirname(self.trace), name)
        with open(path, "w") as file:
            file.write(text)
        return path

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

    def test_latencies_with_sizes_are_the_model(self):
        def size(key):
            return 700 if key % 20 == 0 else 3 * key

        trace = os.path.join(os.path.dirname(self.trace), "sized.csv")
        with open(trace, "w") as file:
            file.write("time,key,size\n")
            file.writelines(f"{time},{key},{size(key)}\n" for time, key in self.requests)
        text = self.evict(
            trace, "--policy", "lru,fifo", "--capacity", "600B", "--delay", "30s", "--format", "json",
        )
        result = json.loads(text)["results"][0]
        latencies = lru(self.requests, 600, 30, size)
        self.assertEqual(result["virtualLatency"]["total"], sum(latencies) * 10**9)
        self.assertLess(result["virtualLatency"]["least"], result["virtualLatency"]["total"])
        hits = [size(key) for (_, key), latency in zip(self.requests, latencies) if latency == 0]
        ratio = sum(hits) / sum(size(key) for _, key in self.requests)
        self.assertAlmostEqual(result["byteHitRatio"], ratio)

    def test_prefetchers_count_bytes(self):
        trace = os.path.join(os.path.dirname(self.trace), "blocks.oracleGeneral")
        # Of a loop each block is fetched before it is requested, but the first two of a round.
        with open(trace, "wb") as file:
            for number in range(1000):
                file.write(struct.pack("<IQIq", number, number % 50, number % 50 + 1, -1))
        text = self.evict(
            trace, "--policy", "lru:prefetch=obl:prefetch.run=1", "--capacity", "500B", "--format", "json",
        )
        result = json.loads(text)["results"][0]
        self.assertEqual(result["hits"], 20 * 48)
        counts = result["prefetch"]["bytes"]
        self.assertEqual(counts["requested"], 20 * sum(range(1, 51)))
        self.assertEqual(counts["useful"], 20 * sum(range(3, 51)))
        # Behind the last block one is fetched that the trace does not have.
        self.assertEqual(counts["useless"], 20 * 50)
        self.assertEqual(counts["fetched"], counts["requested"] + counts["useless"])

    def test_a_table_has_the_latencies(self):
        text = self.evict(
            self.trace, "--policy", "lru", "--capacity", "20", "--delay", "50requests",
            "--format", "markdown",
        )
        self.assertIn("mean latency", text)
        self.assertIn("delayed hits %", text)
        numbered = [(index, key) for index, (_, key) in enumerate(self.requests)]
        self.assertIn(f"{sum(lru(numbered, 20, 50)) / 3000:.4f}", text)

    def test_policies_are_ranked_by_their_mean_latency(self):
        common = ["--capacity", "10,20", "--delay", "30s", "--format", "json"]
        document = self.evict(self.trace, "--policy", "lru,lru-mad,s3fifo", *common)
        fifo = json.loads(self.evict(self.trace, "--policy", "fifo", *common))
        reference = {run["capacity"]: run["virtualLatency"]["mean"] for run in fifo["results"]}
        self.assertEqual([run["latencyReduction"] for run in fifo["results"]], [0, 0])
        means = {}
        for run in json.loads(document)["results"]:
            mean = reference[run["capacity"]]
            self.assertAlmostEqual(
                run["latencyReduction"], (mean - run["virtualLatency"]["mean"]) / mean, places=12)
            self.assertIsNone(run["distanceToOptimum"])
            means.setdefault(run["policy"], []).append(run["latencyReduction"])
        ranked = sorted(means, key=lambda policy: -sum(means[policy]))
        file = self.write("delayed.json", document)
        rows = list(csv.DictReader(io.StringIO(self.tool("report", file, "--format", "csv-ranking"))))
        self.assertEqual([row["policy"] for row in rows], ranked)
        self.assertAlmostEqual(float(rows[0]["mean"]), sum(means[ranked[0]]) / 2, places=12)
        table = self.tool("report", file)
        self.assertIn("Rows are sorted by mean latency", table)
        self.assertIn("a miss takes 30.0\u00a0s", table)
        self.assertIn(f"{ranked[0]} has a mean latency", table)
        for form in ("table", "markdown", "html"):
            self.assertRegex(self.tool("report", file, "--format", form), "By hits|the best by hits, too")
        picture = self.tool("report", file, "--charts", "virtual-latency", "--format", "svg")
        self.assertIn("mean latency, ms", picture)

    def test_without_a_delay_nothing_is_of_latencies(self):
        for delay in ([], ["--delay", "0s"]):
            table = self.evict(self.trace, "--policy", "lru,lru-mad", "--capacity", "20", *delay)
            self.assertRegex(table, "Verdict: .* hits .*, misses .* than FIFO")
            self.assertNotIn("hits, too", table)
            self.assertIn("Rows are sorted by hit ratio", table)
            self.assertNotIn("a miss takes", table)

    def test_documents_of_two_delays_are_reported_apart(self):
        common = ["--policy", "lru", "--capacity", "20", "--format", "json"]
        files = []
        for name, delay in (("no", []), ("a", ["--delay", "1s"]), ("b", ["--delay", "2s"])):
            files.append(self.write(f"{name}.json", self.evict(self.trace, *common, *delay)))
        for other, time in ((files[0], "no time"), (files[2], "2000000000ns")):
            text = self.tool("report", files[1], other, status=65)
            self.assertIn(f"a miss takes 1000000000ns and {time}; report each delay apart", text)

    def suite(self, *options, status=0):
        folder = os.path.join(os.path.dirname(self.trace), "traces")
        os.makedirs(folder, exist_ok=True)
        for number in range(8):
            draw, time, rows = random.Random(number), 0, ["time,key"]
            for _ in range(600):
                time += draw.choice([0, 1, 5])
                rows.append(f"{time},{int(draw.paretovariate(0.7)) % 300}")
            self.write(f"traces/{number}.csv", "\n".join(rows) + "\n")
        return self.tool("suite", folder, "--policy", "lru,fifo,lru-mad,s3fifo", *options, status=status)

    def test_a_suite_is_ranked_by_latency(self):
        document = json.loads(self.suite("--delay", "20s", "--format", "json"))
        self.assertIn("mean latency", document["metric"])
        self.assertEqual(document["suite"]["metric"], document["metric"])
        self.assertNotIn("published", document["suite"])
        values = {}
        for run in document["results"]:
            reduction = run["latencyReduction"]
            value = reduction if reduction >= 0 else reduction / (1 - reduction)
            values.setdefault(run["policy"], {}).setdefault(run["trace"], []).append(value)
        for row in document["ranking"]:
            means = [sum(found) / len(found) for found in values[row["policy"]].values()]
            self.assertAlmostEqual(row["mean"], sum(means) / 8, places=12)
            self.assertLessEqual(row["interval"][0], row["mean"])
        self.assertEqual(len(document["ranking"]), 4)
        file = self.write("suite.json", json.dumps(document))
        table = self.tool("report", file)
        self.assertIn("Which policy to take by mean latency", table)
        self.assertIn("reductions of the mean latency against FIFO", table)
        best = document["ranking"][0]["policy"]
        self.assertIn(f"Over 8 traces {best} has the lowest mean latency", table)
        page = self.tool("report", file, "--format", "html")
        self.assertIn("latency reduction against fifo, %", page)

    def test_parts_of_a_suite_are_merged(self):
        whole = json.loads(self.suite("--delay", "20s", "--format", "json"))
        parts = []
        for number in (1, 2):
            part = self.suite("--delay", "20s", "--shard", f"{number}/2")
            parts.append(self.write(f"part{number}.json", part))
        merged = json.loads(self.evict("--merge", *parts, "--format", "json"))
        self.assertEqual(merged["ranking"], whole["ranking"])
        other = self.write("other.json", self.suite("--delay", "10s", "--shard", "2/2"))
        self.assertIn("delay", self.evict("--merge", parts[0], other, status=65))

    def test_a_suite_refuses_what_does_not_go(self):
        for options in (["--jitter", "16"], ["--expire"]):
            self.assertIn("--delay does not go with", self.suite("--delay", "1s", *options, status=64))

    def test_blocks_that_are_written_are_requests(self):
        rows = [(time, key, "write" if key % 3 == 0 else "read") for time, key in self.requests]
        blocks = self.write("blocks.csv", "time,key,op\n" + "".join(f"{t},{k},{o}\n" for t, k, o in rows))
        common = ["--policy", "lru,s3fifo", "--capacity", "20", "--delay", "30s", "--format", "json"]
        found, plain = (
            [run["virtualLatency"] for run in json.loads(self.evict(trace, *common))["results"]]
            for trace in (blocks, self.trace))
        self.assertEqual(found, plain)
        sets = self.write("sets.csv", "time,key,op\n1,5,get\n2,6,set\n3,5,get\n")
        text = self.evict(sets, "--policy", "lru", "--capacity", "2", "--delay", "1s", status=64)
        self.assertIn("this trace sets or removes objects; take another", text)

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
                (["--policy", "lru:prefetch=pg:admission=bloom"], "leave out the admission filter"),
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
                ([plain, sets, *delay], "sets.csv: fifo: the delay of misses runs over gets, or reads and writes of "
                    "blocks, and this trace sets or removes objects; take another"),
                ([plain, sets, "--policy", "lru:prefetch=obl", *delay[2:]], "leave out the prefetcher"),
                ([plain, "--sized", prefetch[0], "fifo,lru:prefetch=pg:prefetch.block=1KiB"], "plain.csv: lru: the "
                    "prefetcher pg counts the bytes of a sized cache itself; leave out prefetch.block"),
                ([plain, *prefetch[:1], "fifo,lru:prefetch=pg:admission=bloom"], "leave out the admission filter"),
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
