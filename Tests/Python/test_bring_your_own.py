"""The package of Tests/Fixtures/BringYourOwn: a policy of its own in the command line and its reports.

`make test` builds it. Its LIP is checked against the independent model below.
"""

import json
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / ".build/release/my-lab"
TRACE = ROOT / "traces/history.txt.zst"


def run(*arguments):
    return subprocess.run(
        [TOOL, *map(str, arguments)], check=True, capture_output=True, text=True
    ).stdout


def lip_hits(keys, capacity):
    """Hits of LRU whose newcomers enter at the end that leaves next."""
    order = []  # the first leaves next
    hits = 0
    for key in keys:
        if key in order:
            hits += 1
            order.remove(key)
            order.append(key)
        else:
            if len(order) == capacity:
                order.pop(0)
            order.insert(0, key)
    return hits


@unittest.skipUnless(TOOL.exists(), f"{TOOL} is not built; make test builds it")
class BringYourOwn(unittest.TestCase):
    def test_hits_are_those_of_the_model(self):
        text = subprocess.run(["zstdcat", TRACE], check=True, capture_output=True, text=True).stdout
        keys = text.split()[:5000]
        document = json.loads(
            run("sweep", TRACE, "--policy", "lip", "--capacity", "20,200", "--limit", 5000,
                "--format", "json"))
        hits = {result["capacity"]: result["hits"] for result in document["results"]}
        self.assertEqual(hits, {capacity: lip_hits(keys, capacity) for capacity in (20, 200)})

    def test_it_stands_beside_the_others(self):
        report = run("sweep", TRACE, "--policy", "all", "--capacity", 100, "--limit", 2000,
                     "--format", "markdown")
        for policy in ("lip", "lru", "arc"):
            self.assertRegex(report, rf"\| {policy} +\|")

    def test_it_is_in_the_catalog(self):
        self.assertIn("Qureshi", run("policies", "lip"))
        catalog = json.loads(run("policies", "--format", "json"))
        names = [policy["name"] for policy in catalog["policies"]]
        self.assertEqual(names[-1], "lip")

    def test_it_keeps_the_chains_of_a_prefix_cache(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "chat.jsonl"
            run("trace", "generate", "chat:requests=500", "--output", trace)
            document = json.loads(
                run("prefix", trace, "--policy", "lip,lru,opt", "--capacity", 50,
                    "--format", "json"))
        hits = {result["policy"]: result["hitBlocks"] for result in document["results"]}
        self.assertGreater(hits["opt"], hits["lip"])
        self.assertGreater(hits["lip"], 0)

    def test_it_conforms(self):
        self.assertEqual(run("policies", "check", "lip"), "lip: conforms\n")

    def test_it_drives_a_real_cache(self):
        table = run("replay", TRACE, "--policy", "lip", "--capacity", 100, "--limit", 2000)
        self.assertIn("lip", table)


if __name__ == "__main__":
    unittest.main()
