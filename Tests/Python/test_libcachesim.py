"""Runs policies through the built tool and through libcachesim 0.3.5 (PyPI), and compares their hits, one for one.

Policies that draw at random are compared where the draw is certain. Runs where the wheel is installed:
`python3 -m pip install libcachesim==0.3.5`, then `python3 Tests/Python/test_libcachesim.py`. `EVICT` names another
binary than the one that was built here.
"""

import csv
import importlib.util
import io
import json
import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = os.environ.get("EVICT", ROOT / ".build/release/evict")
LIMIT = 50_000
# The stated form here, the class there, and its arguments.
SAME = [
    ("lru", "LRU", {}),
    ("fifo", "FIFO", {}),
    ("lfu", "LFU", {}),
    ("arc", "ARC", {}),
    ("slru:segments=4:fill=protected", "SLRU", {}),
    ("clock", "Clock", {}),
    ("clock:bits=2", "Clock", {"n_bit_counter": 2}),
    ("sieve", "Sieve", {}),
    ("2q", "TwoQ", {}),
    ("2q:kin=0.5:kout=0.25", "TwoQ", {"a_in_size_ratio": 0.5, "a_out_size_ratio": 0.25}),
    ("opt", "Belady", {}),
    ("lru-k:ghosts=0", "LRUK", {}),
    ("gdsf:order=insert-first", "GDSF", {}),
    ("s3fifo:form=libcachesim:fill=main", "S3FIFO", {}),
    ("clock2q-plus", "Clock2QPlus", {}),
    ("clock2q-plus:window=0.25:threshold=2", "Clock2QPlus", {"corr_window_ratio": 0.25, "move_to_main_threshold": 2}),
    ("clock2q-plus:small=0.25:ghosts=0.5", "Clock2QPlus", {"fifo_size_ratio": 0.25, "ghost_size_ratio": 0.5}),
    ("s4fifo", "S3FIFO", {}),
    ("s4fifo:small=0.25:threshold=1", "S3FIFO", {"small_size_ratio": 0.25, "move_to_main_threshold": 1}),
    ("lru-prob:probability=1", "LRUProb", {"prob": 1.0}),
    ("flash-prob:probability=1", "FlashProb", {"disk_admit_prob": 1.0}),
    ("flash-prob:probability=1:memory=0.25", "FlashProb", {"disk_admit_prob": 1.0, "ram_size_ratio": 0.25}),
]
# The other classes that are no learned policies, and why their hits differ.
DIFFERENT = {
    "BeladySize": "draws 128 residents at random",
    "Cacheus": "draws its experts at random",
    "ClockPro": "promotes every cold page that is requested",
    "Hyperbolic": "draws 64 residents at random",
    "LFUDA": "another policy: a hit adds the lowest priority",
    "LHD": "draws its candidates at random",
    "LIRS": "has another limit for the blocks on probation",
    "LeCaR": "draws its experts at random",
    "MQ": "has a lifetime of 10 000 requests, whatever the capacity",
    "Random": "draws its victims at random",
    "Size": "breaks ties by the place in its hash table; objects of one size are nothing but ties",
    "WTinyLFU": "has a window of ⌊C/100⌋, so that nothing enters below 100",
}
# The wheel's four segments have ⌊C/4⌋ each: what that leaves is not in the lowest, as it is here.
MULTIPLES = {"SLRU": 4}
# Below a capacity of 20 the wheel admits nothing into the small queue of Clock2Q+ and S3-FIFO.
CAPACITIES = [20, 55, 100, 333, 1_000, 2_500]


def keys(path):
    text = subprocess.run(["zstd", "-dc", path], check=True, capture_output=True, text=True).stdout
    if path.name.endswith(".csv.zst"):
        return [row["key"] for row in csv.DictReader(io.StringIO(text))][:LIMIT]
    return text.split()[:LIMIT]


def next_uses(numbers):
    """The number of the next request for the same key, for each request."""
    uses, following = [0] * len(numbers), {}
    for index in range(len(numbers) - 1, -1, -1):
        uses[index] = following.get(numbers[index], 2**63 - 1)
        following[numbers[index]] = index
    return uses


def wheel(name, arguments, capacity, numbers, uses):
    """The hits of a class of the wheel."""
    import libcachesim

    cache = getattr(libcachesim, name)(capacity, hashpower=16, **arguments)
    request = libcachesim.Request()
    request.obj_size = 1
    hits = 0
    for number, use in zip(numbers, uses):
        request.obj_id = number
        request.next_access_vtime = use
        hits += bool(cache.get(request))
    return hits


@unittest.skipUnless(importlib.util.find_spec("libcachesim"), "libcachesim is not installed")
class LibCacheSim(unittest.TestCase):
    def test_hits_are_equal(self):
        for path in sorted((ROOT / "traces").glob("*.zst")):
            requests = keys(path)
            ids = {}
            numbers = [ids.setdefault(key, len(ids) + 1) for key in requests]
            uses = next_uses(numbers)
            capacities = [capacity for capacity in CAPACITIES if capacity < len(ids)]
            answer = subprocess.run(
                [EVICT, "sweep", path, "--limit", str(LIMIT), "--format", "json", "--no-baselines",
                 "--policy", ",".join(form for form, _, _ in SAME),
                 "--capacity", ",".join(map(str, capacities))],
                check=True, capture_output=True, text=True).stdout
            rows = json.loads(answer)["results"]
            self.assertEqual(len(rows), len(SAME) * len(capacities))
            for form, name, arguments in SAME:
                for capacity in capacities:
                    if capacity % MULTIPLES.get(name, 1):
                        continue
                    with self.subTest(trace=path.name, policy=form, capacity=capacity):
                        mine = [row["hits"] for row in rows if row["capacity"] == capacity and label(row) == form]
                        self.assertEqual(mine, [wheel(name, arguments, capacity, numbers, uses)])

    def test_every_class_is_equal_or_explained(self):
        known = json.loads((pathlib.Path(__file__).parent / "elsewhere.json").read_text())
        learned = {entry["wheel"] for entry in known["names"] if "wheel" in entry and "why" in entry}
        same = {name for _, name, _ in SAME}
        self.assertEqual(same & set(DIFFERENT), set())
        self.assertEqual(same | set(DIFFERENT) | learned, set(known["libcachesim"]["all"]))


def label(row):
    """The policy as `SAME` writes it."""
    given = row.get("parameters", {})
    for form, _, _ in SAME:
        name, *parameters = form.split(":")
        if name == row["policy"] and dict(part.split("=") for part in parameters) == {
            key: str(value) for key, value in given.items()
        }:
            return form
    return None


if __name__ == "__main__":
    unittest.main()
