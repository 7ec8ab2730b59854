"""The tokens that prompts miss (`evict prefix`: missedTokensP50 and so on), and the pages of the orders."""

import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = os.environ.get("EVICT", ROOT / ".build/release/evict")
BLOCK = 16


def evict(*arguments):
    done = subprocess.run([EVICT, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{arguments}: {done.returncode}\n{done.stderr}")
    return done.stdout


def prompts(seed, count=400):
    """Conversations that grow, as lists of blocks with their tokens."""
    generator = random.Random(seed)
    open_chains, fresh = [], iter(range(10 ** 6))
    for _ in range(count):
        if open_chains and generator.random() < 0.7:
            chain = generator.choice(open_chains)
        else:
            chain = []
            open_chains.append(chain)
        chain += [next(fresh) for _ in range(generator.randint(1, 6))]
        yield list(chain), len(chain) * BLOCK - generator.randint(0, BLOCK - 1)


def missed_by_lru(trace, capacity):
    """The missed tokens of each prompt, by a list of blocks from the oldest on."""
    cache, missed = [], []
    for chain, tokens in trace:
        hits = 0
        while hits < len(chain) and chain[hits] in cache:
            hits += 1
        missed.append(tokens - min(hits * BLOCK, tokens))
        kept = chain[:capacity]
        cache = [block for block in cache if block not in kept] + kept[::-1]
        del cache[:max(0, len(cache) - capacity)]
    return missed


def nearest_rank(values, percent):
    return sorted(values)[-(-len(values) * percent // 100) - 1]


class TailTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.trace = list(prompts(7))
        self.file = pathlib.Path(folder.name) / "prompts.jsonl"
        self.file.write_text("".join(
            json.dumps({"hash_ids": chain, "input_length": tokens, "block_size": BLOCK}) + "\n"
            for chain, tokens in self.trace))

    def rows(self, *arguments):
        text = evict("prefix", self.file, *arguments, "--format", "json")
        return [run for run in json.loads(text)["results"] if run["policy"] != "opt"]

    def test_percentiles_are_those_of_a_program_of_its_own(self):
        for capacity in (8, 40, 200):
            missed = missed_by_lru(self.trace, capacity)
            [run] = self.rows("--policy", "lru", "--capacity", capacity)
            self.assertEqual(run["tokens"] - run["hitTokens"], sum(missed))
            for percent in (50, 90, 99):
                self.assertEqual(run[f"missedTokensP{percent}"], nearest_rank(missed, percent))

    def test_a_threshold_lowers_the_tail(self):
        lru, tail = self.rows("--policy", "lru,tail-lru:threshold=64:next=16", "--capacity", 300)
        self.assertLess(tail["missedTokensP90"], lru["missedTokensP90"])

    def test_wide_tables_show_the_tail(self):
        line = evict("prefix", self.file, "--policy", "lru", "--capacity", 40, "--wide")
        self.assertIn("prefill tokens p50", line)

    def test_a_note_says_where_the_optimum_is_exact(self):
        chunks = ROOT / "Tests/Fixtures/Prefixes/chunks.jsonl"
        for file, said in ((chunks, True), (self.file, False)):
            done = subprocess.run(
                [EVICT, "prefix", file, "--policy", "lru", "--capacity", "8"], capture_output=True, text=True, check=True)
            self.assertEqual("opt is exact in blocks" in done.stderr, said)

    def test_each_order_has_a_page_that_says_what_it_follows(self):
        catalog = json.loads(evict("policies", "--format", "json"))
        names = [order["name"] for order in catalog["orders"]]
        self.assertTrue({"tail-lru", "cache-ttl"} <= set(names))
        for order in catalog["orders"]:
            page = evict("policies", order["name"])
            self.assertIn("  follows", page)
            self.assertIn(order["origin"].split()[0], page)


if __name__ == "__main__":
    unittest.main()
