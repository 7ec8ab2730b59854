"""The notebooks' module for sweeps beyond one machine, on a cluster within this process.

`make notebooks` runs this with distributed.
"""

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
SWEEP = (TRACES, "lru,fifo,sieve", "1%,10%", "--limit", "20000", "--explain")

try:
    sys.path.insert(0, str(ROOT / "notebooks"))
    import evictionlab as lab
    import evictionlab_cluster as cluster
    from distributed import Client, LocalCluster
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


@unittest.skipIf(cluster is None, "distributed is not installed; make notebooks runs this")
@unittest.skipUnless(EVICT.exists(), f"{EVICT} is not built; make notebooks runs this")
class ClusterTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.local = LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None)
        cls.addClassCleanup(cls.local.close)
        cls.client = Client(cls.local)
        cls.addClassCleanup(cls.client.close)

    def test_shares_are_the_whole_sweep(self):
        whole = lab.document("sweep", *lab.arguments(*SWEEP), program=EVICT)
        self.assertEqual(len(whole["results"]), 12)
        for shards in (None, 5):
            with self.subTest(shards=shards):
                found = cluster.sweep(self.client, *SWEEP, shards=shards, program=EVICT)
                self.assertEqual(without_times(found), without_times(whole))

    def test_document_is_kept_where_asked(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "all.json"
            found = cluster.sweep(self.client, *SWEEP, output=path, program=EVICT)
            self.assertEqual(lab.read(path), found)
            self.assertEqual(len(lab.load(path)), 12)

    def test_error_of_a_share_is_raised(self):
        with self.assertRaisesRegex(
                lab.EvictError, "^share ./2: evict: no policy is called “nope”; known are "):
            cluster.sweep(self.client, TRACES, "nope", "1%", program=EVICT)


@unittest.skipIf(cluster is None, "distributed is not installed; make notebooks runs this")
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

    def test_worker_that_is_killed_costs_no_cell(self):
        sweep = (TRACES, "lru,sieve,arc", ",".join(map(str, range(20, 420, 10))), "--no-baselines")
        whole = lab.document("sweep", *lab.arguments(*sweep), program=EVICT)
        pids = self.client.run(os.getpid)
        killed = []

        def kill():
            killed.append(next(iter(pids.values())))
            os.kill(killed[0], signal.SIGKILL)

        timer = threading.Timer(0.5, kill)
        timer.start()
        found = cluster.sweep(self.client, *sweep, shards=60, program=EVICT)
        timer.join()
        self.assertTrue(killed)
        self.assertEqual(len(found["results"]), 240)
        self.assertEqual(without_times(found), without_times(whole))

    def test_trace_that_a_worker_lacks_is_named(self):
        with self.assertRaisesRegex(lab.EvictError, r"^share \d/6: evict: .*/gone.txt: no such file"):
            cluster.sweep(
                self.client, [TRACES[0], "/gone.txt"], "lru", "1%,10%", shards=6, program=EVICT)

    def test_cell_that_cannot_run_is_named(self):
        with self.assertRaisesRegex(lab.EvictError, r"^share ./4: evict: lirs cannot run at capacity 3"):
            cluster.sweep(
                self.client, TRACES, "lru,lirs", "3,100", shards=4, program=EVICT)


if __name__ == "__main__":
    unittest.main()
