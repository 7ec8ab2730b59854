"""Runs the built tool on the bundled traces and compares its counts with plain Python models.

The models share nothing with the Swift code or its tests but the papers: a second opinion, and a check
that what a script reads from the results document is what was counted.
"""

import collections
import csv
import io
import json
import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EVICT = os.path.join(ROOT, ".build", "release", "evict")
TRACES = os.path.join(ROOT, "traces")


def evict(*arguments):
    """What the tool prints."""
    return subprocess.run([EVICT, *arguments], check=True, capture_output=True, text=True).stdout


def keys(name, limit):
    """The keys of a bundled trace."""
    text = subprocess.run(
        ["zstd", "-dc", os.path.join(TRACES, name)], check=True, capture_output=True, text=True
    ).stdout
    if name.endswith(".csv.zst"):
        return [row["key"] for row in csv.DictReader(io.StringIO(text))][:limit]
    return text.split()[:limit]


def lru(requests, capacity):
    recent = collections.OrderedDict()
    hits = 0
    for key in requests:
        if key in recent:
            hits += 1
            recent.move_to_end(key)
            continue
        if len(recent) == capacity:
            recent.popitem(last=False)
        recent[key] = None
    return hits


def fifo(requests, capacity):
    queue = collections.OrderedDict()
    hits = 0
    for key in requests:
        if key in queue:
            hits += 1
            continue
        if len(queue) == capacity:
            queue.popitem(last=False)
        queue[key] = None
    return hits


def mru(requests, capacity):
    recent = collections.OrderedDict()
    hits = 0
    for key in requests:
        if key in recent:
            hits += 1
            recent.move_to_end(key)
            continue
        if len(recent) == capacity:
            recent.popitem(last=True)
        recent[key] = None
    return hits


def lfu(requests, capacity):
    counts = {}
    last = {}
    hits = 0
    for time, key in enumerate(requests):
        if key in counts:
            hits += 1
            counts[key] += 1
        else:
            if len(counts) == capacity:
                victim = min(counts, key=lambda other: (counts[other], last[other]))
                del counts[victim]
            counts[key] = 1
        last[key] = time
    return hits


def slru(requests, capacity):
    protected_size = capacity * 8 // 10
    probation, protected = collections.OrderedDict(), collections.OrderedDict()
    hits = 0
    for key in requests:
        if key in protected:
            hits += 1
            protected.move_to_end(key)
        elif key in probation:
            hits += 1
            del probation[key]
            protected[key] = None
            if len(protected) > protected_size:
                demoted, _ = protected.popitem(last=False)
                probation[demoted] = None
        else:
            if len(probation) + len(protected) == capacity:
                (probation or protected).popitem(last=False)
            probation[key] = None
    return hits


def arc(requests, capacity):
    """Figure 4 of Megiddo and Modha, FAST 2003; the last item of a list is the most recent."""
    t1, t2, b1, b2 = (collections.OrderedDict() for _ in range(4))
    p = 0.0
    hits = 0

    def replace(in_b2):
        if t1 and (len(t1) > p or (in_b2 and len(t1) == p)):
            b1[t1.popitem(last=False)[0]] = None
        else:
            b2[t2.popitem(last=False)[0]] = None

    for key in requests:
        if key in t1 or key in t2:
            hits += 1
            (t1 if key in t1 else t2).pop(key)
            t2[key] = None
        elif key in b1:
            p = min(p + max(1, len(b2) / len(b1)), capacity)
            replace(False)
            del b1[key]
            t2[key] = None
        elif key in b2:
            p = max(p - max(1, len(b1) / len(b2)), 0)
            replace(True)
            del b2[key]
            t2[key] = None
        else:
            everything = len(t1) + len(t2) + len(b1) + len(b2)
            if len(t1) + len(b1) == capacity:
                if len(t1) < capacity:
                    b1.popitem(last=False)
                    replace(False)
                else:
                    t1.popitem(last=False)
            elif everything >= capacity:
                if everything == 2 * capacity:
                    b2.popitem(last=False)
                replace(False)
            t1[key] = None
    return hits


MODELS = {"lru": lru, "fifo": fifo, "mru": mru, "lfu": lfu, "slru": slru, "arc": arc}


class SweepTest(unittest.TestCase):
    def test_counts_equal_plain_models(self):
        limit = 10_000
        for name in sorted(os.listdir(TRACES)):
            if not name.endswith(".zst"):
                continue
            requests = keys(name, limit)
            document = json.loads(
                evict(
                    "sweep", os.path.join(TRACES, name), "--limit", str(limit), "--format", "json",
                    "--policy", ",".join(MODELS), "--capacity", "7,100,1000",
                )
            )
            self.assertEqual(document["traces"][0]["distinct"], len(set(requests)))
            for result in document["results"]:
                with self.subTest(name, policy=result["policy"], capacity=result["capacity"]):
                    model = MODELS[result["policy"]]
                    self.assertEqual(result["hits"], model(requests, result["capacity"]))
                    self.assertEqual(result["hitRatio"], result["hits"] / len(requests))
                    self.assertEqual(
                        result["insertions"] - result["evictions"],
                        min(result["capacity"], result["insertions"]),
                    )

    def test_document_has_the_promised_keys_in_order(self):
        document = json.loads(
            evict(
                "sweep", os.path.join(TRACES, "zipf.txt.zst"), "--policy", "slru:protected=0.5",
                "--capacity", "10", "--format", "json",
            )
        )
        self.assertEqual(document["schema"], "evictionlab.results/1")
        self.assertEqual(list(document)[:4], ["schema", "environment", "traces", "results"])
        result = document["results"][0]
        self.assertEqual(
            list(result)[:10],
            ["kind", "trace", "policy", "parameters", "capacity", "unit", "seed", "requests", "hits",
             "hitRatio"],
        )
        self.assertEqual(result["parameters"], {"protected": 0.5})
        self.assertIsNone(result["byteHitRatio"])


class SuiteTest(unittest.TestCase):
    def test_a_named_policy_is_left_out_of_a_trace_that_is_too_small_for_it(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "small.txt"), "w") as file:
                file.write("".join(f"{key}\n" for key in range(60)) * 3)
            done = subprocess.run(
                [EVICT, "suite", folder, "--policy", "lirs2,lru", "--jobs", "1"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("left out: lirs2 cannot run at capacity", done.stderr)


class BundledTracesTest(unittest.TestCase):
    def test_traces_are_what_their_readme_says(self):
        verify = os.path.join(TRACES, "record", "verify.py")
        result = subprocess.run(["python3", verify], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
