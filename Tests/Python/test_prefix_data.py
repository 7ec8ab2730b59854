"""Prompts of several files and rows that wait (`evict prefix`), against a model of its own."""

import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = os.environ.get("EVICT", ROOT / ".build/release/evict")


def evict(*arguments, code=0):
    done = subprocess.run([EVICT, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != code:
        raise AssertionError(f"{arguments}: {done.returncode}\n{done.stderr}")
    return done


def counts(trace, capacity, *options):
    """The hit tokens of LRU, the tokens and the prompts."""
    document = json.loads(evict(
        "prefix", trace, "--policy", "lru", "--capacity", capacity, "--format", "json", *options).stdout)
    found = next(row for row in document["results"] if row["policy"] == "lru")
    return {name: found[name] for name in ("hitTokens", "tokens", "prompts")}


def lru(prompts, capacity):
    """The same counts of prompts (blocks, tokens), each block named by the path to it, blocks of 16 tokens."""
    resident = {}  # path: (time of last use, -depth); ends of chains are the least
    hit = 0
    for time, (blocks, tokens) in enumerate(prompts):
        paths = [tuple(blocks[:end]) for end in range(1, len(blocks) + 1)][:capacity]
        known = 0
        while known < len(paths) and paths[known] in resident:
            known += 1
        hit += min(tokens, 16 * known)
        for path in paths:
            resident[path] = (time, -len(path))
        while len(resident) > capacity:
            del resident[min(resident, key=lambda path: (resident[path], path))]
    return {"hitTokens": hit, "tokens": sum(tokens for _, tokens in prompts), "prompts": len(prompts)}


class PrefixDataTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)

    def file(self, name, rows):
        place = pathlib.Path(self.folder.name) / name
        place.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return place

    @staticmethod
    def turns(random, count, shared):
        """The blocks of a session's prompts, which begin with shared ones; one in four begins anew."""
        blocks = list(range(shared))
        for turn in range(count):
            if random.random() < 0.25:
                blocks = blocks[:random.randint(0, shared)]
            blocks = blocks + [1000 + 100 * turn + place for place in range(random.randint(1, 4))]
            yield list(blocks)

    def test_sessions_of_several_files_are_served_in_order_of_time(self):
        for seed in range(12):
            draw = random.Random(seed)
            prompts, files = [], []
            for session in range(4):
                time, requests = 0.0, []
                for blocks in self.turns(draw, draw.randint(1, 8), 3):
                    tokens = 16 * len(blocks) - draw.randint(0, 15)
                    requests.append({"t": time, "type": "n", "in": tokens, "out": 5, "hash_ids": blocks})
                    own = [(session, block) for block in blocks]
                    prompts.append((7 * session + time, session, own, tokens))
                    time += draw.randint(1, 40)
                files.append(self.file(f"{seed}-{session}.json", [
                    {"id": session, "block_size": 16, "hash_id_scope": "local", "requests": requests}]))
            served = [(blocks, tokens) for _, _, blocks, tokens in sorted(prompts, key=lambda row: row[:2])]
            for capacity in (2, 9, 30):
                found = counts("+".join(map(str, files)), capacity, "--trace-format", "weka:distance=7")
                self.assertEqual(found, lru(served, capacity), (seed, capacity))

    def test_rows_come_after_those_they_wait_for(self):
        for seed in range(12):
            draw = random.Random(seed)
            rows, prompts, times = [], [], {}
            for session in range(5):
                before, begin = None, draw.randint(0, 200)
                for turn, blocks in enumerate(self.turns(draw, draw.randint(1, 8), 4)):
                    blocks = [block if block < 4 else 10_000 * session + block for block in blocks]
                    tokens = 16 * len(blocks) - draw.randint(0, 15)
                    row = {"request_id": f"{session}-{turn}", "session_id": str(session), "input_length": tokens,
                           "output_length": 7, "hash_ids": blocks, "prefix_reset": turn == 0, "branches": []}
                    if before is None:
                        time = row["timestamp"] = begin
                    else:
                        others = [before] + draw.sample(sorted(times), min(len(times), draw.randint(0, 2)))
                        row |= {"wait_for": others, "delay": draw.randint(0, 50), "tool_wait_ms": draw.randint(0, 90)}
                        time = max(times[other] for other in others) + row["delay"] + row["tool_wait_ms"]
                    before = row["request_id"]
                    times[before] = time
                    rows.append(row)
                    prompts.append((time, len(prompts), blocks, tokens))
            served = [(blocks, tokens) for _, _, blocks, tokens in sorted(prompts, key=lambda row: row[:2])]
            trace = self.file(f"{seed}.jsonl", rows)
            for capacity in (3, 12, 40):
                found = counts(trace, capacity, "--trace-format", "mooncake:block=16")
                self.assertEqual(found, lru(served, capacity), (seed, capacity))

    def test_times_and_bytes_at_the_ends_of_numbers(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "far.jsonl"
            prices = pathlib.Path(folder) / "prices.json"
            prices.write_text('{"currency": "USD", "input": 3, "read": 1, "writes": [{"timeToLive": 300, "price": 4}]}')

            def write(*times):
                trace.write_text("".join(json.dumps({
                    "timestamp": time, "input_length": 512, "output_length": 1, "hash_ids": [1], "session_id": "a"
                }) + "\n" for time in times))

            write(-9000000000000, 9000000000000, 9000000000001)
            for options in [("lru",), ("opt",), ("cache-ttl",), ("time-to-live",)]:
                evict("prefix", trace, "--policy", *options, "--capacity", 2)
            said = evict("prefix", trace, "--policy", "lru", "--capacity", 2, "--prices", prices, code=65).stderr
            self.assertIn("times that differ by less than 292 years", said)
            write(9223372036000, 9223372036800, 9223372036854)
            for policy in ["cache-ttl:fixed=1000", "cache-ttl:least=0:queue=1000000"]:
                evict("prefix", trace, "--policy", policy, "--capacity", 2)
            for size, code in [(20_000_000_000_000_000, 0), (2**63 - 1, 0)]:
                evict("prefix", trace, "--policy", "lru", "--capacity", 2, "--bytes-per-token", size, code=code)
            evict("prefix", trace, "--policy", "lru", "--capacity", "64GiB", "--bytes-per-token", 2**63 - 1, code=64)

    def test_messages(self):
        whole = self.file("whole.jsonl", [{"timestamp": 1, "input_length": 5, "hash_ids": [1]}])
        other = self.file("other.jsonl", [{"timestamp": 1, "input_length": 5, "hash_ids": [1], "block_size": 16}])
        broken = pathlib.Path(self.folder.name) / "broken.jsonl"
        broken.write_text(whole.read_text() + '{"timestamp": 2, "hash_ids": [1,\n')
        empty = self.file("empty.jsonl", [])
        keys = pathlib.Path(self.folder.name) / "keys.txt"
        keys.write_text("1\n2\n1\n")
        for trace, code, text in [
            (f"{whole}+{other}", 64, "blocks of 512 tokens and of 16 tokens are no blocks of one cache"),
            (broken, 65, "broken.jsonl: line 2: not one JSON object"),
            (empty, 65, "empty.jsonl: 0 requests"),
            (keys, 65, "which of them share a prefix is unknown; give a trace with hash_ids"),
            (f"{whole}+{keys}", 65, "which of them share a prefix is unknown"),
        ]:
            self.assertIn(text, evict("prefix", trace, "--policy", "lru", code=code).stderr)


if __name__ == "__main__":
    unittest.main()
