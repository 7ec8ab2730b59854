"""Workers of prefix caches (`evict prefix --workers`): routers, workers lost and added, and their documents."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = os.environ.get("EVICT", ROOT / ".build/release/evict")
ROUTERS = ["round-robin", "sticky", "least-loaded", "longest-prefix", "longest-prefix:difference=1000:match=0"]
CHANGES = "lose:worker=2:at=50%,add:at=75%"


class PrefixWorkersTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.run_tool("trace", "generate", "prompt-mix:requests=400", "--seed", "42", "--output", "mix.jsonl")

    @classmethod
    def run_tool(cls, *arguments, code=0):
        done = subprocess.run([EVICT, *arguments], capture_output=True, text=True, cwd=cls.folder.name)
        if done.returncode != code:
            raise AssertionError(f"{arguments}: {done.returncode}\n{done.stderr}")
        return done

    def prefix(self, *arguments, code=0):
        return self.run_tool("prefix", "mix.jsonl", "--capacity", "300,900", *arguments, code=code)

    def rows(self, *arguments):
        done = self.prefix("--policy", "lru,reuse-odds,opt", *arguments, "--format", "json")
        return json.loads(done.stdout)["results"]

    def test_no_router_hits_more_than_hindsight_allows(self):
        bounds = {}
        for router in ROUTERS:
            for row in self.rows("--workers", "4", "--router", router):
                self.assertLessEqual(row["hitBlocks"], row["hindsightHitBlocks"])
                self.assertLessEqual(row["tokenHitRatio"], row["hindsightTokenHitRatio"])
                self.assertEqual(row["router"], router)
                self.assertEqual(sum(row["tokensByWorker"]), row["tokens"])
                self.assertAlmostEqual(row["busiest"], 4 * max(row["tokensByWorker"]) / row["tokens"])
                bounds.setdefault(row["capacity"], set()).add(row["hindsightHitBlocks"])
        # The bound knows no router.
        self.assertEqual([len(found) for found in bounds.values()], [1, 1])

    def test_the_bound_is_the_optimum_of_one_cache_of_all_blocks(self):
        one = self.run_tool(
            "prefix", "mix.jsonl", "--policy", "opt", "--capacity", "1200,3600", "--format", "json")
        optimum = {row["capacity"]: row["hitBlocks"] for row in json.loads(one.stdout)["results"]}
        for row in self.rows("--workers", "4"):
            self.assertLessEqual(row["hindsightHitBlocks"], optimum[4 * row["capacity"]])

    def test_one_worker_changes_nothing(self):
        def counts(rows):
            return [{key: row[key] for key in row if "seconds" not in key.lower()} for row in rows]

        plain = counts(self.rows())
        for row in plain:
            self.assertNotIn("replicas", row)
        for router in ROUTERS:
            self.assertEqual([row["hitTokens"] for row in plain],
                             [row["hitTokens"] for row in self.rows("--workers", "1", "--router", router)])

    def test_workers_are_lost_and_added(self):
        for router in ROUTERS:
            rows = self.rows("--workers", "4", "--router", router, "--worker-changes", CHANGES)
            still = self.rows("--workers", "4", "--router", router)
            for row, other in zip(rows, still):
                self.assertEqual(row["workerChanges"], CHANGES)
                self.assertEqual(len(row["hitsByWorker"]), 5)
                self.assertEqual(sum(row["hitsByWorker"]), row["hitBlocks"])
                self.assertLessEqual(row["hitBlocks"], row["hindsightHitBlocks"])
                # Nothing differs before the first change.
                self.assertNotIn("workerChanges", other)
                self.assertLess(row["tokensByWorker"][2], other["tokensByWorker"][2])

    def test_documents_tell_changes_apart(self):
        line = ["--policy", "lru", "--workers", "4", "--format", "json"]
        for name, changes in [("a", []), ("b", ["--worker-changes", CHANGES]), ("c", ["--worker-changes", "add:at=9"])]:
            self.prefix(*line, *changes, "--output", f"{name}.json")
            self.run_tool("check", f"{name}.json", "--baseline", f"{name}.json")
        for one, other in ["ab", "bc", "ca"]:
            self.run_tool("check", f"{one}.json", "--baseline", f"{other}.json", code=1)
        # What was run with other changes is not taken over.
        self.prefix(*line, "--worker-changes", CHANGES, "--resume", "--output", "a.json")
        place = pathlib.Path(self.folder.name)
        hits = [[row["hits"] for row in json.loads((place / f"{name}.json").read_text())["results"]] for name in "ab"]
        self.assertEqual(hits[0], hits[1])

    def test_errors_name_option_and_remedy(self):
        for options, message in [
            ("--worker-changes add:at=5", "give their number, --workers 4"),
            ("--workers 2 --worker-changes lose:worker=2:at=5", "no worker 2 is there then; give one of 0, 1"),
            ("--workers 2 --worker-changes lose:worker=0:at=5,lose:worker=1:at=6", "worker 1 is the last one; add another"),
            ("--workers 2 --worker-changes lose:at=5", "“worker” is missing; write lose:worker=2:at=50%"),
            ("--workers 2 --worker-changes add", "“at” is missing; write"),
            ("--workers 2 --worker-changes add:at=50%,add:at=20%", "write changes in order of time"),
            ("--workers 2 --worker-changes add:at=50%,add:at=200", "write all as fractions (50%) or as numbers (2000)"),
            ("--workers 2 --worker-changes add:at=150%", "give a fraction between 0% and 100% (50%)"),
            ("--workers 2 --worker-changes add:at=400", "give a smaller number or a fraction (50%)"),
            ("--workers 2 --router longest-prefix:match=2", "match=2 is out of range; give 0…1"),
            ("--workers 2 --router longest-prefix:length=2", "it has match, difference, ratio"),
            ("--workers 2 --router nosuch", "'longest-prefix'"),
            ("--router longest-prefix", "give their number, --workers 4"),
        ]:
            with self.subTest(options):
                self.assertIn(message, self.prefix(*options.split(), code=64).stderr)


if __name__ == "__main__":
    unittest.main()
