"""`evict prefix` against models of its own (`prefix_models`): equal to the token, the optimum by trying all choices."""

import json
import lzma
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

import prefix_models as models

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))
PUBLIC = os.environ.get("EVICTIONLAB_TRACES")
GENERATORS = {
    "chat": "chat:turns=6:block=64:requests=150",
    "agents": "agents:block=256:requests=60",
    "retrieval": "retrieval:requests=150",
    "shared-prompt": "shared-prompt:block=32:requests=150",
    "prompt-mix": "prompt-mix:requests=150",
}
LISTS = ("sys_prompt", "passages", "history", "web_search", "user_input")


def evict(*arguments):
    done = subprocess.run([EVICT, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{arguments}: {done.returncode}\n{done.stderr}")
    return done.stdout


def prefix(path, policies, capacities, *options):
    return json.loads(evict(
        "prefix", path, "--policy", policies, "--capacity", ",".join(map(str, sorted(capacities))), *options,
        "--format", "json"))


def sizes(prompts, count=6):
    """1, 2, 3, 10, sizes up to all blocks and one more."""
    most = prompts.distinct
    return {1, 2, 3, 10, most + 1} | {max(1, round(most ** (step / count))) for step in range(1, count + 1)}


def chunks(folder, prompts, tokens, beyond=0):
    """Writes prompts of chunks in RAGPulse's form and the tokens of the chunks, and reads them."""
    folder.mkdir()
    lists = [folder / f"{name}.jsonl" for name in LISTS]
    for number, (name, path) in enumerate(zip(LISTS, lists)):
        path.write_text("".join(
            json.dumps({f"{name.removesuffix('s')}_id": chunk, "token_length": length}) + "\n"
            for chunk, length in enumerate(tokens) if chunk % len(LISTS) == number))
    (folder / "trace.jsonl").write_text("".join(
        json.dumps({
            "timestamp": str(time), "input_length": sum(tokens[chunk] for chunk in prompt) + beyond, "output_length": 1,
            # In one list, as the tool takes the lists one after the other.
            "hash_ids": {"sys_prompt": prompt, "passages_ids": []}, "session_id": f"s{time % 3}"}) + "\n"
        for time, prompt in enumerate(prompts)))
    return folder / "trace.jsonl", models.ragpulse(folder / "trace.jsonl", lists)


def random_chunks(draw, count, kinds, longest):
    """Prompts that begin as one before them, or anew."""
    prompts = []
    while len(prompts) < count:
        old = draw.choice(prompts) if prompts and draw.random() < 0.8 else []
        begin = old[:draw.randrange(len(old) + 1)]
        prompt = begin + [draw.randrange(kinds) for _ in range(draw.randrange(longest + 1))]
        if 0 < len(prompt) <= 3 * longest:
            prompts.append(prompt)
    return prompts


class PrefixModelTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    def generated(self, specification, seed):
        path = self.folder / f"{specification}-{seed}.jsonl"
        if not path.exists():
            evict("trace", "generate", specification, "--seed", seed, "--output", path)
        return path, models.mooncake(path)

    def public(self, name):
        return self.read(pathlib.Path(PUBLIC) / name)

    def beginning(self, name, count):
        """The first lines of a public trace."""
        folder = self.folder / f"beginning-{name}"
        folder.mkdir()
        for path in pathlib.Path(PUBLIC).glob(f"{name.split('-')[0]}-*"):
            (folder / path.name).symlink_to(path)
        lines = (folder / name).read_text().splitlines(keepends=True)
        (folder / name).unlink()
        (folder / name).write_text("".join(lines[:count]))
        return self.read(folder / name)

    def read(self, path):
        name = path.name
        if name.startswith("weka"):
            return path, models.weka(path)
        if name.startswith("ragpulse"):
            return path, models.ragpulse(path, [path.with_name(f"ragpulse-{part}.jsonl") for part in LISTS])
        return path, models.mooncake(path)

    def check(self, path, prompts, capacities, policies="lru,fifo,opt", options=(), model="", counted=lambda prompt: True):
        """Compares every row with its model, and returns their number."""
        results = prefix(path, policies, capacities, *options)["results"]
        for row in results:
            hits, entered = models.MODELS[model + row["policy"]](prompts, row["capacity"])
            numbers = [number for number in range(len(prompts.chains)) if counted(number)]
            tokens = {number: prompts.heads[number][hits[number]] for number in numbers}
            expected = {
                "prompts": len(numbers),
                "blocks": sum(len(prompts.chains[number]) for number in numbers),
                "tokens": sum(prompts.tokens[number] for number in numbers),
                "hitBlocks": sum(hits[number] for number in numbers),
                "hitTokens": sum(tokens.values()),
            }
            if entered is not None and len(numbers) == len(prompts.chains):
                expected |= {"insertions": entered, "evictions": max(0, entered - row["capacity"])}
            self.assertEqual(
                {name: row[name] for name in expected}, expected,
                f"{path.name} {options} {row['policy']} at {row['capacity']} blocks")
            mean = sum(tokens[number] / prompts.tokens[number] for number in numbers) / len(numbers)
            self.assertAlmostEqual(row["meanHitRatio"], mean, delta=1e-12)
            if model == "" and prompts.sessions[0] is not None:
                own = self.session_tokens(prompts, hits, numbers)
                self.assertAlmostEqual(row["sessionHitRatio"], own / expected["tokens"], delta=1e-12)
        return len(results)

    def session_tokens(self, prompts, hits, numbers):
        """The tokens of hits on blocks that the same session requested last."""
        latest, own, numbers = {}, 0, set(numbers)
        for number, chain in enumerate(prompts.chains):
            session, heads = prompts.sessions[number], prompts.heads[number]
            for place, node in enumerate(chain):
                if place < hits[number] and latest[node] == session and number in numbers:
                    own += heads[place + 1] - heads[place]
                latest[node] = session
        return own

    def both(self, path, prompts, capacities):
        """Compares the rows of caches that keep chains, and of those that know none."""
        return self.check(path, prompts, capacities) + self.check(
            path, prompts, capacities, "lru,fifo", ["--free"], "free ")

    def test_generated_prompts_and_chunks(self):
        cells = 0
        for specification in GENERATORS.values():
            for seed in range(2):
                path, prompts = self.generated(specification, seed)
                cells += self.both(path, prompts, sizes(prompts))
        for seed in range(5):
            draw = random.Random(seed)
            tokens = [draw.choice((1, draw.randrange(1, 20), 512)) for _ in range(30)]
            path, prompts = chunks(
                self.folder / f"chunks-{seed}", random_chunks(draw, 150, len(tokens), 5), tokens, beyond=seed % 2 * 7)
            cells += self.both(path, prompts, sizes(prompts))
        self.assertGreaterEqual(cells, 600)

    @unittest.skipUnless(PUBLIC, "EVICTIONLAB_TRACES names no folder of public traces")
    def test_public_traces(self):
        cells = 0
        for name in (
                "mooncake-synthetic.jsonl", "ragpulse-trace.jsonl", "weka-0001.json.xz", "weka-0002.json.xz",
                "weka-0003.json.xz", "weka-0004.json.xz"):
            path, prompts = self.public(name)
            # The two largest take the models a second for some rows.
            cells += self.both(
                path, prompts, {1, 10, 1000, prompts.distinct} if prompts.blocks > 200_000 else sizes(prompts))
        # Several sessions in one file, whose prompts mix.
        path = self.folder / "weka.json"
        path.write_bytes(b"".join(
            lzma.decompress((pathlib.Path(PUBLIC) / f"weka-{number:04}.json.xz").read_bytes()).strip() + b"\n"
            for number in (1, 2, 4)))
        _, prompts = self.read(path)
        cells += self.both(path, prompts, {100, prompts.distinct // 10})
        self.assertGreaterEqual(cells, 200)

    def test_counted_prompts(self):
        """A warm-up, and the second half as kvcache-simulator counts it, of caches that are full by then."""
        path, prompts = self.generated(GENERATORS["prompt-mix"], 3)
        half = len(prompts.chains) // 2
        before = len({node for chain in prompts.chains[:half] for node in chain})
        capacities = {size for size in sizes(prompts) if size <= before // 2}
        self.check(path, prompts, capacities, options=["--warmup", "40"], counted=lambda number: number >= 40)
        as_other = ["--as", "kvcache-simulator"]
        self.check(path, prompts, capacities, "lru,opt", as_other, counted=lambda number: number >= half)
        self.check(path, prompts, capacities, "fifo", as_other, "free ", counted=lambda number: number >= half)

    def test_workers(self):
        """A row of several workers is the sum of a model for each, which has the prompts that its router gives it."""
        path, prompts = self.generated(GENERATORS["prompt-mix"], 6)
        for router, workers in (("sticky", 3), ("round-robin", 2), ("round-robin", 3), ("least-loaded", 3)):
            parts = [prompts.part(numbers) for numbers in models.divided(prompts, router, workers)]
            for row in prefix(
                    path, "lru,fifo,opt", {1, 10, 100, 1000}, "--workers", workers, "--router", router)["results"]:
                hits = [models.MODELS[row["policy"]](part, row["capacity"])[0] for part in parts]
                tokens = sum(heads[hit] for part, own in zip(parts, hits) for heads, hit in zip(part.heads, own))
                where = f"{row['policy']} at {row['capacity']} blocks, {workers} workers, {router}"
                self.assertEqual(row["hitsByWorker"], list(map(sum, hits)), where)
                self.assertEqual(row["tokensByWorker"], [sum(part.tokens) for part in parts], where)
                self.assertEqual((row["hitBlocks"], row["hitTokens"]), (sum(map(sum, hits)), tokens), where)

    def test_curve(self):
        """Lru's curve is exact in its points, and its straight lines are near; the model tells the hits of every size."""
        cases = [self.generated(GENERATORS["prompt-mix"], 4), self.generated(GENERATORS["chat"], 4)]
        draw = random.Random(4)
        tokens = [draw.randrange(1, 512) for _ in range(200)]
        cases.append(chunks(self.folder / "curve", random_chunks(draw, 300, len(tokens), 6), tokens))
        if PUBLIC:
            cases += [self.beginning("mooncake-synthetic.jsonl", 800), self.beginning("ragpulse-trace.jsonl", 1000)]
            cases += [self.public(f"weka-{number:04}.json.xz") for number in (1, 2, 3, 4)]
        equal = sum(self.check_curve(path, prompts) for path, prompts in cases)
        if PUBLIC:
            # Lru at each of the sizes by the tool alone, as the model takes too long.
            equal += sum(self.check_curve(*self.public(name), None) for name in (
                "mooncake-synthetic.jsonl", "ragpulse-trace.jsonl"))
        self.assertGreaterEqual(equal, 400 if PUBLIC else 100)

    def test_curves_of_other_definitions(self):
        path, prompts = self.generated(GENERATORS["prompt-mix"], 5)
        ratios = {
            "aiperf": lambda row: row["meanHitRatio"],
            "mooncake": lambda row: row["hitBlocks"] / row["blocks"],
            "kvcache-simulator": lambda row: row["hitTokens"] / row["tokens"],
        }
        for name, ratio in ratios.items():
            self.check_curve(path, prompts, None, ["--as", name], ratio)

    def check_curve(
            self, path, prompts, model=models.curve, options=(), ratio=lambda row: row["hitTokens"] / row["tokens"]):
        """Compares the curve with lru at 200 sizes and more, its points among them, and returns the number of points."""
        (curve,) = prefix(path, "lru", {1}, "--no-baselines", "--curve", *options)["references"]
        points = {size: miss for size, miss, *_ in curve["points"]}
        largest = max(points)
        capacities = points.keys() | {1 + step * (largest - 1) // 199 for step in range(200)}
        rows = prefix(path, "lru", capacities, "--no-baselines", *options)["results"]
        self.assertEqual({row["capacity"] for row in rows}, capacities)
        hits = model(prompts) if model else None
        for row in rows:
            size, where = row["capacity"], f"{path.name} {options} at {row['capacity']} blocks"
            if hits:
                self.assertEqual(row["hitTokens"], hits[size - 1], where)
            if size in points:
                self.assertAlmostEqual(1 - points[size], ratio(row), delta=1e-12, msg=where)
                continue
            below = max(point for point in points if point < size)
            above = min(point for point in points if point > size)
            part = (size - below) / (above - below)
            miss = points[below] + part * (points[above] - points[below])
            self.assertAlmostEqual(1 - miss, ratio(row), delta=0.0005 + 1e-12, msg=where)
        return len(points)

    def test_all_choices(self):
        """The optimum hits the most blocks of all choices; the most tokens of all choices lie between its own and the bound."""
        short, close = 0, 0
        for seed in range(80):
            draw = random.Random(seed)
            path, prompts = self.tiny(seed, draw)
            rows = prefix(path, "opt,lru,fifo", {1, 2, 3, 4})["results"]
            best = {size: models.exhausted(prompts, size) for size in (1, 2, 3, 4)}
            for row in rows:
                blocks, tokens = best[row["capacity"]]
                where = f"seed {seed}, {row['policy']} at {row['capacity']} blocks"
                self.assertLessEqual(row["hitTokens"], tokens, where)
                if row["policy"] != "opt":
                    self.assertLessEqual(row["hitBlocks"], blocks, where)
                    continue
                bound = round(row["tokenHitRatioBound"] * row["tokens"])
                self.assertEqual(row["hitBlocks"], blocks, where)
                self.assertLessEqual(tokens, bound, where)
                short += row["hitTokens"] < tokens
                close += tokens == bound
        # Cases of each kind are among them.
        self.assertGreater(short, 5)
        self.assertGreater(close, 50)

    def tiny(self, seed, draw):
        """At most 8 prompts of at most 6 nodes: of equal blocks with a short last one, or of chunks."""
        while True:
            chosen = random_chunks(draw, draw.randrange(4, 9), 4, 2)
            if len({tuple(prompt[:length]) for prompt in chosen for length in range(1, len(prompt) + 1)}) <= 6:
                break
        if seed % 2:
            return chunks(self.folder / f"tiny-{seed}", chosen, [draw.randrange(1, 40) for _ in range(4)], seed % 3)
        path = self.folder / f"tiny-{seed}.jsonl"
        path.write_text("".join(
            json.dumps({
                "timestamp": time, "input_length": 8 * len(prompt) - draw.choice((0, 0, 1, 7)), "output_length": 1,
                "block_size": 8, "hash_ids": prompt}) + "\n"
            for time, prompt in enumerate(chosen)))
        return path, models.mooncake(path)


if __name__ == "__main__":
    unittest.main()
