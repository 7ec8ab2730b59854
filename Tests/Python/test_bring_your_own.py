"""The package of Tests/Fixtures/BringYourOwn: policies of its own in the command line and its reports.

`make test` builds it. Its policies are checked against the independent models below.
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


def second_request_hits(keys, capacity):
    """Hits of LRU that admits what is requested again while its name is one of the last that it refused."""
    order, ghosts = [], []
    hits = 0
    for key in keys:
        if key in order:
            hits += 1
            order.remove(key)
            order.append(key)
        elif key in ghosts:
            if len(order) == capacity:
                order.pop(0)
            ghosts.remove(key)
            order.append(key)
        else:
            ghosts.append(key)
            del ghosts[:-capacity]
    return hits


@unittest.skipUnless(TOOL.exists(), f"{TOOL} is not built; make test builds it")
class BringYourOwn(unittest.TestCase):
    def test_hits_are_those_of_the_models(self):
        text = subprocess.run(["zstdcat", TRACE], check=True, capture_output=True, text=True).stdout
        keys = text.split()[:5000]
        models = {"lip": lip_hits, "second-request": second_request_hits}
        for more in ([], ["--check"]):
            document = json.loads(
                run("sweep", TRACE, "--policy", ",".join(models), "--capacity", "20,200",
                    "--limit", 5000, "--format", "json", *more))
            self.assertEqual(
                {(result["policy"], result["capacity"]): result["hits"]
                 for result in document["results"]},
                {(name, capacity): model(keys, capacity)
                 for name, model in models.items() for capacity in (20, 200)})

    def test_it_stands_beside_the_others(self):
        report = run("sweep", TRACE, "--policy", "all", "--capacity", 100, "--limit", 2000,
                     "--format", "markdown")
        for policy in ("lip", "lru", "arc"):
            self.assertRegex(report, rf"\| {policy} +\|")

    def test_it_is_in_the_catalog(self):
        self.assertIn("Qureshi", run("policies", "lip"))
        catalog = json.loads(run("policies", "--format", "json"))
        names = [policy["name"] for policy in catalog["policies"]]
        self.assertEqual(names[-2:], ["lip", "second-request"])

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
        self.assertEqual(
            run("policies", "check", "second-request"), "second-request: conforms\n")

    def test_it_drives_a_real_cache(self):
        document = json.loads(
            run("replay", TRACE, "--policy", "lip,second-request", "--capacity", 100, "--limit", 2000,
                "--format", "json"))
        swept = json.loads(
            run("sweep", TRACE, "--policy", "lip,second-request", "--capacity", 100, "--limit", 2000,
                "--format", "json"))
        self.assertEqual(
            {result["policy"]: result["hits"] for result in document["results"]},
            {result["policy"]: result["hits"] for result in swept["results"]
             if result["policy"] in ("lip", "second-request")})


if __name__ == "__main__":
    unittest.main()
