"""`evict check` closes for every exact figure of every kind of document, altered by one."""

import copy
import json
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = ROOT / ".build/release/evict"
TRACES = ROOT / "traces"

KINDS = {
    "sweep": ["sweep", "search.txt.zst", "--policy", "lru,arc", "--capacity", "1%,10%", "--windows", "5",
              "--trace-internals", "3", "--explain"],
    "replay": ["replay", "search.txt.zst", "--policy", "lru,sieve", "--capacity", "10%", "--warmup", "100"],
    "bounds": ["bounds", "build.csv.zst", "--capacity", "5%", "--limit", "5000"],
    "disk": ["disk", "build.csv.zst", "--limit", "2000", "--capacity", "20%", "--policy", "lru"],
    "prefix": ["prefix", "prompts.jsonl", "--policy", "lru,arc", "--capacity", "20"],
    "curve": ["curve", "search.txt.zst", "--policy", "lru,arc", "--points", "5"],
    "delay": ["sweep", "build.csv.zst", "--policy", "lru,lru-mad", "--capacity", "10%", "--limit", "5000",
              "--delay", "10ms"],
    "prefetch": ["sweep", "orders.txt.zst", "--policy", "lru:prefetch=pg", "--capacity", "1%,10%", "--limit", "5000"],
    "experts": ["sweep", "experts.jsonl", "--policy", "lru,least-stale", "--capacity", "5", "--by-class"],
    "speed": ["speed", "search.txt.zst", "--policy", "lru", "--capacity", "10%", "--limit", "2000", "--rounds", "2"],
}

# Of clocks and of the machine, estimated, words, or read from elsewhere in the document.
OTHERS = re.compile(
    r"econds|PerSecond|environment|latency|contention|speed|machine|oversubscribed|disturbed|timerOverhead|repetitions|intervals"
    r"|bytesWritten|writeAmplification|allocatedBytes|\.sizes\[\d+\]\.(read|write|coldRead|replace)$"
    r"|estimates|recommendations|\.plan\.|\.slowdown")


def leaves(value, path=()):
    """The paths of all numbers."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from leaves(member, path + (key,))
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from leaves(element, path + (index,))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path


def changed(document, path):
    """A document with another number at that place."""
    document = json.loads(document)
    holder = document
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] += 1 if isinstance(holder[path[-1]], int) else 0.001
    return json.dumps(document)


def text(path):
    return "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path)


class ExactFigures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        base = pathlib.Path(cls.folder.name)
        draw = random.Random(3)
        (base / "prompts.jsonl").write_text("".join(
            json.dumps({"timestamp": i, "input_length": 512 * 4, "output_length": 5,
                        "hash_ids": [k := draw.randrange(12), k + 100, k + 200, 1000 + i]}) + "\n"
            for i in range(200)))
        (base / "experts.jsonl").write_text("".join(
            json.dumps({"layer": layer, "experts": draw.sample(range(6), 2)}) + "\n"
            for _ in range(40) for layer in range(3)))

    def evict(self, *arguments):
        return subprocess.run([EVICT, *map(str, arguments)], capture_output=True, text=True)

    def document(self, kind):
        command, trace, *rest = KINDS[kind]
        place = TRACES / trace
        if not place.exists():
            place = pathlib.Path(self.folder.name) / trace
        run = self.evict(command, place, *rest, "--format", "json")
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def check(self, after, baseline):
        base = pathlib.Path(self.folder.name)
        (base / "after.json").write_text(after)
        (base / "before.json").write_text(baseline)
        return self.evict("check", base / "after.json", "--baseline", base / "before.json")

    def test_each_exact_figure(self):
        tried = 0
        for kind in KINDS:
            before = self.document(kind)
            # Run twice, nothing differs: what is exact repeats.
            again = self.check(self.document(kind), before)
            self.assertEqual(again.returncode, 0, (kind, again.stdout, again.stderr))
            paths = [p for p in leaves(json.loads(before)) if not OTHERS.search(text(p))]
            self.assertGreater(len(paths), 3, kind)
            for path in random.Random(7).sample(paths, min(25, len(paths))):
                done = self.check(changed(before, path), before)
                # What cannot be read (more hits than requests) is refused.
                self.assertIn(done.returncode, (1, 65), (kind, text(path), done.stdout))
                tried += 1
        self.assertGreaterEqual(tried, 100)

    def test_each_figure_of_delays_prefetchers_and_experts(self):
        for kind, key in (("delay", "virtualLatency"), ("prefetch", "prefetch"), ("experts", "classes")):
            before = self.document(kind)
            paths = [p for p in leaves(json.loads(before)) if f".{key}" in text(p) and p[1] == 0]
            self.assertGreater(len(paths), 4, kind)
            for path in paths:
                done = self.check(changed(before, path), before)
                self.assertIn(done.returncode, (1, 65), (kind, text(path), done.stdout))
            document = json.loads(before)
            del document["results"][0][key]
            done = self.check(json.dumps(document), before)
            self.assertIn(done.returncode, (1, 65), (kind, done.stdout))

    def test_contradictions_and_doubled_keys(self):
        before = self.document("sweep")
        document = json.loads(before)
        second = copy.deepcopy(document["results"][0])
        second["requests"] -= 1
        document["results"].append(second)
        done = self.check(json.dumps(document), before)
        self.assertEqual(done.returncode, 65, done.stdout)
        self.assertIn("contradicts itself", done.stderr)
        hits = json.loads(before)["results"][0]["hits"]
        doubled = before.replace(f'"hits": {hits},', f'"hits": {hits}, "hits": 1,', 1)
        done = self.check(doubled, before)
        self.assertEqual(done.returncode, 65, done.stdout)
        self.assertIn("second value", done.stderr)

    def test_numbers_and_marks_of_other_programs(self):
        before = self.document("sweep")
        hits = json.loads(before)["results"][0]["hits"]
        for written in (before.replace(f'"hits": {hits},', f'"hits": {hits}.0,', 1), "\ufeff" + before):
            self.assertEqual(self.check(written, before).returncode, 0)
        # As JavaScript and jq write a ratio of nothing, or of all.
        keys = pathlib.Path(self.folder.name) / "keys.txt"
        keys.write_text("".join(f"{number}\n" for number in range(100)))
        none = self.evict("sweep", keys, "--policy", "lru", "--capacity", "10", "--format", "json").stdout
        self.assertIn('"hitRatio": 0.0,', none)
        done = self.check(re.sub(r"(\d)\.0(?=[,\]}\n])", r"\1", none), none)
        self.assertEqual(done.returncode, 0, done.stderr)
        zeros = before.replace(f'"hits": {hits},', f'"hits": 0{hits},', 1)
        self.assertEqual(self.check(zeros, before).returncode, 65)


if __name__ == "__main__":
    unittest.main()
