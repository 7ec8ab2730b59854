"""Experts of mixture-of-experts models: Least-Stale and LRU on generated traces, with their hits by layer, against plain
Python models."""

import collections
import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))


def routes(seed):
    """The experts of each pass, layer by layer: (layer, expert), with several tokens in some passes."""
    numbers = random.Random(seed)
    layers, experts = numbers.randint(2, 6), numbers.randint(3, 9)
    for _ in range(numbers.randint(20, 60)):
        tokens = numbers.choice([1, 1, 1, 3])
        for layer in range(layers):
            for _ in range(tokens):
                yield layer, numbers.sample(range(experts), 2)


def lines(seed):
    return "".join(json.dumps({"layer": layer, "experts": experts}) + "\n" for layer, experts in routes(seed))


def hits(seed, capacity, victim, renews=lambda entry, number: True):
    """The hits of each layer. A resident has its pass, and the number of the request that moved it last; `victim` is
    the resident that is largest by it, of (is stale, layer, current layer, age)."""
    cache, counts, number, layer_before = {}, collections.Counter(), 0, 0
    now = 0
    for layer, experts in routes(seed):
        if layer < layer_before:
            number += 1
        layer_before = layer
        for expert in experts:
            now += 1
            key = layer, expert
            if key in cache:
                counts[layer] += 1
                if renews(cache[key], number):
                    cache[key] = number, now
                else:
                    cache[key] = number, cache[key][1]
                continue
            if len(cache) == capacity:
                del cache[max(
                    cache, key=lambda key: victim(cache[key][0] < number, key[0], layer, -cache[key][1]))]
            cache[key] = number, now
    return counts


MODELS = {
    "lru": lambda seed, capacity: hits(seed, capacity, lambda stale, layer, current, age: age),
    "least-stale": lambda seed, capacity: hits(
        seed, capacity, lambda stale, layer, current, age: (stale, layer < current, abs(layer - current), age)),
    "least-stale:order=fifo": lambda seed, capacity: hits(
        seed, capacity, lambda stale, layer, current, age: (stale, age),
        lambda entry, number: entry[0] < number),
}


@unittest.skipUnless(EVICT.exists(), f"{EVICT} is not built")
class ExpertsTest(unittest.TestCase):
    def run_tool(self, *arguments):
        return subprocess.run([EVICT, *arguments], capture_output=True, text=True)

    def test_every_report_that_people_read_shows_the_layers(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "experts.jsonl"
            path.write_text(lines(1))
            for form in ("table", "markdown", "latex", "html"):
                answer = self.run_tool(
                    "sweep", path, "--policy", "lru,least-stale", "--capacity", "5", "--by-class", "--format", form)
                self.assertEqual(answer.returncode, 0, answer.stderr)
                self.assertIn("by class", answer.stdout, form)

    def test_hits_by_layer_are_those_of_the_models(self):
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(6):
                path = pathlib.Path(folder) / f"{seed}.jsonl"
                path.write_text(lines(seed))
                answer = self.run_tool(
                    "sweep", path, "--policy", ",".join(MODELS), "--capacity", "2,5,11", "--by-class",
                    "--no-baselines", "--format", "json")
                self.assertEqual(answer.returncode, 0, answer.stderr)
                results = json.loads(answer.stdout)["results"]
                self.assertEqual(len(results), 9)
                for run in results:
                    name = ":".join([run["policy"], *(f"{key}={value}" for key, value in run["parameters"].items())])
                    expected = MODELS[name](seed, run["capacity"])
                    found = dict(zip(map(int, run["classes"]["names"]), run["classes"]["hits"]))
                    self.assertEqual(
                        found, {layer: expected[layer] for layer in found}, (name, seed, run["capacity"]))
                    self.assertEqual(run["hits"], sum(found.values()))
                    self.assertEqual(run["requests"], sum(run["classes"]["requests"]))

    def test_a_warm_up_is_left_out_of_classes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.jsonl"
            path.write_text(lines(1))
            answer = self.run_tool(
                "sweep", path, "--policy", "lru,s3fifo", "--capacity", "5", "--by-class", "--warmup", "17",
                "--format", "json")
            for run in json.loads(answer.stdout)["results"]:
                self.assertEqual(run["requests"], sum(run["classes"]["requests"]))
                self.assertEqual(run["hits"], sum(run["classes"]["hits"]))
            table = self.run_tool("sweep", path, "--policy", "lru,s3fifo", "--capacity", "5", "--by-class").stdout
            self.assertIn("hit ratio % by class", table)
            self.assertRegex(table, r"(?m)^class +requests +s3fifo +lru$|^class +requests +lru +s3fifo$")

    def test_what_needs_classes_is_refused_without_them(self):
        with tempfile.TemporaryDirectory() as folder:
            keys, moe = pathlib.Path(folder) / "keys.txt", pathlib.Path(folder) / "moe.jsonl"
            keys.write_text("1\n2\n1\n")
            moe.write_text(lines(1))
            for arguments, message in [
                (["sweep", keys, "--policy", "lru", "--capacity", "2", "--by-class"], "has no classes"),
                (["sweep", keys, "--policy", "least-stale", "--capacity", "2"], "least-stale needs classes"),
                (["replay", moe, "--policy", "least-stale", "--capacity", "2"],
                 "least-stale: needs classes, which caches do not know; use evict sweep"),
                (["sweep", moe, "--policy", "lru", "--capacity", "2", "--by-class", "--stream"], "--by-class"),
            ]:
                answer = self.run_tool(*arguments)
                self.assertNotEqual(answer.returncode, 0, arguments)
                self.assertIn(message, answer.stderr)


if __name__ == "__main__":
    unittest.main()
