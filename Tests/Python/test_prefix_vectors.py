"""What each order for prefixes hits on two small forests, for other implementations to compare with.

`Tests/Fixtures/Prefixes` has the prompts (`conversations.jsonl`: blocks of 16 tokens; `chunks.jsonl`: blocks that
differ) and `vectors.csv`, a line per order and capacity. `python3 Tests/Python/test_prefix_vectors.py --write` writes
the lines again; the prompts stay. `EVICT` names another binary than the one that was built.
"""

import csv
import io
import json
import os
import pathlib
import random
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = os.environ.get("EVICT", ROOT / ".build/release/evict")
FOLDER = ROOT / "Tests/Fixtures/Prefixes"
VECTORS = FOLDER / "vectors.csv"
CAPACITIES = "12,40"
BLOCK = 16
# Beside every order as it is.
OTHERS = [
    "lru", "fifo", "lfu", "opt", "frequency:most=1", "frequency:most=250:ends=false", "frequency:most=2:ends=false",
    "reuse-odds:age=1:ends=true", "time-to-live:seconds=5", "tail-lru:threshold=48:next=8",
    "tail-lru:threshold=200:next=40", "cache-ttl:speed=20:least=5", "cache-ttl:speed=20:queue=4:least=5:window=8",
    "cache-ttl:fixed=2", "cache-ttl:fixed=20",
]
COLUMNS = [
    "trace", "policy", "parameters", "capacity", "prompts", "blocks", "hitBlocks", "tokens", "hitTokens",
    "missedTokensP50", "missedTokensP90", "missedTokensP99", "insertions", "evictions",
]


def evict(*arguments):
    done = subprocess.run([EVICT, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{arguments}: {done.returncode}\n{done.stderr}")
    return done.stdout


def vectors():
    """The lines of the table, as the tool counts them."""
    orders = [order["name"] for order in json.loads(evict("policies", "--format", "json"))["orders"]]
    lines = []
    for trace in ("conversations.jsonl", "chunks.jsonl"):
        text = evict("prefix", FOLDER / trace, "--policy", ",".join(OTHERS + orders), "--capacity", CAPACITIES,
                     "--format", "json")
        for run in json.loads(text)["results"]:
            run["parameters"] = ":".join(
                f"{name}={value}".lower() for name, value in run.get("parameters", {}).items())
            lines.append([str(run[column]) for column in COLUMNS])
    return lines


def table(lines):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS] + lines)
    return text.getvalue()


class Prompt:
    """A prompt of `conversations.jsonl`: its blocks, and its tokens with and without the answer."""

    def __init__(self, line):
        record = json.loads(line)
        self.chain = record["hash_ids"]
        self.tokens = record["input_length"]
        self.history = self.tokens + record["output_length"]


def replay(prompts, capacity, value):
    """Hit blocks, hit tokens, and blocks that entered; `value(block, number)` ranks the ends of chains."""
    parents, used, place = {}, {}, {}
    blocks = tokens = entered = 0
    for number, prompt in enumerate(prompts):
        hits = 0
        while hits < len(prompt.chain) and prompt.chain[hits] in parents:
            hits += 1
        blocks += hits
        tokens += min(hits * BLOCK, prompt.tokens)
        value.request(prompt, number)
        for block in prompt.chain:
            used[block] = number
        for position in range(hits, min(len(prompt.chain), capacity)):
            if len(parents) == capacity:
                inner = set(parents.values()) | set(prompt.chain)
                ends = [block for block in parents if block not in inner]
                del parents[min(ends, key=lambda block: (value.of(block, number), used[block]))]
            parents[prompt.chain[position]] = prompt.chain[position - 1] if position else None
            entered += 1
    return blocks, tokens, entered


class Recency:
    def request(self, prompt, number):
        pass

    def of(self, block, number):
        return 0


class Tail:
    """Tail-Optimized LRU: 0 for what every conversation can miss."""

    def __init__(self, threshold, more):
        self.threshold, self.more, self.needed = threshold, more, set()

    def request(self, prompt, number):
        budget = max(0, prompt.history + self.more - self.threshold)
        self.needed |= {block for place, block in enumerate(prompt.chain) if place * BLOCK < budget}

    def of(self, block, number):
        return block in self.needed


class Depth:
    def __init__(self):
        self.places, self.used = {}, {}

    def request(self, prompt, number):
        for place, block in enumerate(prompt.chain):
            self.places[block], self.used[block] = place, number

    def of(self, block, number):
        return (1 + self.places[block] / 32) / max(1, number - self.used[block])


class VectorTests(unittest.TestCase):
    def test_the_tool_agrees_with_the_table(self):
        self.assertEqual(VECTORS.read_text(), table(vectors()), "run Tests/Python/test_prefix_vectors.py --write")

    def test_a_program_of_its_own_agrees_with_the_table(self):
        prompts = [Prompt(line) for line in (FOLDER / "conversations.jsonl").read_text().splitlines()]
        orders = {
            ("lru", ""): Recency, ("depth-cost", ""): Depth,
            ("tail-lru", "next=8:threshold=48"): lambda: Tail(48, 8),
            ("tail-lru", "next=40:threshold=200"): lambda: Tail(200, 40),
        }
        compared = 0
        for run in csv.DictReader(io.StringIO(VECTORS.read_text())):
            order = orders.get((run["policy"], run["parameters"]))
            if run["trace"] != "conversations.jsonl" or order is None:
                continue
            found = replay(prompts, int(run["capacity"]), order())
            self.assertEqual(found, tuple(int(run[key]) for key in ("hitBlocks", "hitTokens", "insertions")), run)
            compared += 1
        self.assertEqual(compared, 8)


def write_prompts():
    """Conversations behind two system prompts, and prompts of chunks; only where there are none."""
    generator = random.Random(50)
    fresh, lines, open_chains, time = iter(range(2, 10 ** 6)), [], [], 0
    for _ in range(90):
        time += generator.choice([200, 500, 1000, 3000])
        if open_chains and generator.random() < 0.65:
            session, chain = generator.choice(open_chains[-6:])
        else:
            session, chain = len(open_chains), [generator.randrange(2)]
            open_chains.append((session, chain))
        chain += [next(fresh) for _ in range(generator.randint(1, 4))]
        lines.append({"timestamp": time, "hash_ids": list(chain), "block_size": BLOCK, "session_id": f"s{session}",
                      "input_length": len(chain) * BLOCK - generator.randrange(BLOCK),
                      "output_length": generator.choice([5, 20, 60])})
    (FOLDER / "conversations.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    chunks = [generator.choice([9, 60, 128, 300, 512]) for _ in range(30)]
    lines = [{"passage_id": number, "token_length": tokens} for number, tokens in enumerate(chunks)]
    for prompt in range(90):
        chosen = [0] + sorted(generator.sample(range(1, 30), generator.randint(1, 3)), key=lambda one: one % 7)
        lines.append({"timestamp": str(2 * prompt), "input_length": sum(chunks[one] for one in chosen) + 6,
                      "output_length": generator.choice([20, 90, 200]), "session_id": f"s{generator.randrange(12)}",
                      "hash_ids": {"sys_prompt": [], "passages_ids": chosen, "history": [], "web_search": [],
                                   "user_input": []}})
    (FOLDER / "chunks.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        if not FOLDER.exists():
            FOLDER.mkdir()
            write_prompts()
        VECTORS.write_text(table(vectors()))
    else:
        unittest.main()
