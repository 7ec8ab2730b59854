"""The notebooks' module for sweeps beyond one machine, on a cluster within this process.

`make notebooks` runs this with the wheel and distributed.
"""

import dataclasses
import os
import pathlib
import signal
import sys
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))
TRACES = [ROOT / "traces" / name for name in ("hotscan.txt.zst", "orders.txt.zst")]
SWEEP = (*TRACES, "--policy", "lru,fifo,sieve", "--capacity", "1%,10%", "--limit", 20_000, "--explain")

try:
    sys.path.insert(0, str(ROOT / "notebooks"))
    import evictionlab as lab
    import evictionlab_cluster as cluster
    from distributed import Client, LocalCluster
    from evictionlab import tool
except ImportError:
    cluster = None


def without_times(document):
    """What two runs of one sweep have in common."""
    results = [
        {name: value for name, value in result.items()
         if name not in ("seconds", "requestsPerSecond")}
        for result in document["results"]]
    return {**document, "results": results, "environment": None, "references": [
        {**curve, "seconds": None} for curve in document.get("references", [])]}


def counts(results):
    """What two runs have in common, as numbers: all but the time."""
    return [dataclasses.replace(result, seconds=0) for result in results]


@unittest.skipIf(cluster is None, "the wheel or distributed is not installed; make notebooks runs this")
@unittest.skipUnless(EVICT.exists(), f"{EVICT} is not built; make notebooks runs this")
class ClusterTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.local = LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None)
        cls.addClassCleanup(cls.local.close)
        cls.client = Client(cls.local)
        cls.addClassCleanup(cls.client.close)

    def test_results_are_those_of_one_machine(self):
        policies = "lru,slru:protected=0.5,random"
        found = cluster.sweep(self.client, TRACES, policies, ["1%", 100], limit=20_000, seed=3)
        whole = []
        for path in TRACES:
            with lab.Trace.open(path, limit=20_000) as trace:
                whole += lab.sweep(trace, policies, ["1%", 100], seed=3)
        self.assertEqual(counts(found), counts(whole))
        self.assertEqual(len(found), 12)

    def test_what_all_leaves_out_is_noted(self):
        found = cluster.sweep(self.client, TRACES[1], "all", "2,3", limit=1000)
        self.assertGreater(len(found), 40)
        self.assertTrue(found.notes)

    def test_partitions_are_the_whole_document(self):
        whole = tool.document("sweep", *SWEEP, program=EVICT)
        self.assertEqual(len(whole["results"]), 12)
        for shards in (None, 5):
            with self.subTest(shards=shards):
                found = cluster.document(self.client, *SWEEP, shards=shards, program=EVICT)
                self.assertEqual(without_times(found), without_times(whole))

    def test_document_is_kept_where_asked(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "all.json"
            found = cluster.document(self.client, *SWEEP, output=path, program=EVICT)
            self.assertEqual(tool.read(path), found)
            self.assertEqual(len(tool.load(path)), 12)

    def test_error_of_a_task_is_raised(self):
        with self.assertRaisesRegex(lab.ArgumentError, "^no policy is called “nope”; known are "):
            cluster.sweep(self.client, TRACES, "nope", "1%")
        with self.assertRaisesRegex(lab.EvictionError, "^partition ./2: evict: no policy is called “nope”; known are "):
            cluster.document(self.client, *TRACES, "--policy", "nope", "--capacity", "1%", program=EVICT)


@unittest.skipIf(cluster is None, "the wheel or distributed is not installed; make notebooks runs this")
@unittest.skipUnless(EVICT.exists(), f"{EVICT} is not built; make notebooks runs this")
class WorkersTest(unittest.TestCase):
    """Workers that are processes, of which some fail."""

    @classmethod
    def setUpClass(cls):
        cls.local = LocalCluster(
            n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None)
        cls.addClassCleanup(cls.local.close)
        cls.client = Client(cls.local)
        cls.addClassCleanup(cls.client.close)

    def during_a_kill(self, run):
        """What a function returns while a worker is killed."""
        killed = []

        def kill():
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

        pid = next(iter(self.client.run(os.getpid).values()))
        timer = threading.Timer(0.5, kill)
        timer.start()
        found = run()
        timer.join()
        self.assertTrue(killed)
        return found

    def test_worker_that_is_killed_costs_no_cell(self):
        sweep = (TRACES, "lru,sieve,arc", range(20, 420, 10))
        found = self.during_a_kill(lambda: cluster.sweep(self.client, *sweep))
        whole = [result for path in TRACES for result in lab.sweep(path, *sweep[1:])]
        self.assertEqual(counts(found), counts(whole))
        self.assertEqual(len(found), 240)

    def test_worker_that_is_killed_costs_no_partition(self):
        sweep = (
            *TRACES, "--policy", "lru,sieve,arc", "--capacity", ",".join(map(str, range(20, 420, 10))), "--no-baselines")
        found = self.during_a_kill(lambda: cluster.document(self.client, *sweep, shards=60, program=EVICT))
        self.assertEqual(len(found["results"]), 240)
        self.assertEqual(without_times(found), without_times(tool.document("sweep", *sweep, program=EVICT)))

    def test_trace_that_a_worker_lacks_is_named(self):
        with self.assertRaisesRegex(lab.MissingFileError, "/gone.txt: no such file"):
            cluster.sweep(self.client, [TRACES[0], "/gone.txt"], "lru", "1%,10%")
        with self.assertRaisesRegex(lab.EvictionError, r"^partition \d/6: evict: .*/gone.txt: no such file"):
            cluster.document(
                self.client, TRACES[0], "/gone.txt", "--policy", "lru", "--capacity", "1%,10%", shards=6, program=EVICT)

    def test_cell_that_cannot_run_is_named(self):
        with self.assertRaisesRegex(lab.ArgumentError, "^lirs cannot run at capacity 3"):
            cluster.sweep(self.client, TRACES, "lru,lirs", "3,100")
        with self.assertRaisesRegex(lab.EvictionError, r"^partition ./4: evict: lirs cannot run at capacity 3"):
            cluster.document(
                self.client, *TRACES, "--policy", "lru,lirs", "--capacity", "3,100", shards=4, program=EVICT)


if __name__ == "__main__":
    unittest.main()
