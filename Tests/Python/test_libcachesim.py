"""Runs policies through the built tool and through libcachesim 0.3.5 (PyPI), and compares their hits, one for one.

Policies that draw at random are compared where the draw is certain. Runs where the wheel is installed:
`python3 -m pip install libcachesim==0.3.5`, then `python3 Tests/Python/test_libcachesim.py`.
"""

import csv
import importlib.util
import io
import json
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = ROOT / ".build/release/evict"
LIMIT = 50_000
# The stated form here, the class there, and its arguments.
SAME = [
    ("clock2q-plus", "Clock2QPlus", {}),
    ("clock2q-plus:window=0.25:threshold=2", "Clock2QPlus", {"corr_window_ratio": 0.25, "move_to_main_threshold": 2}),
    ("clock2q-plus:small=0.25:ghosts=0.5", "Clock2QPlus", {"fifo_size_ratio": 0.25, "ghost_size_ratio": 0.5}),
    ("s4fifo", "S3FIFO", {}),
    ("s4fifo:small=0.25:threshold=1", "S3FIFO", {"small_size_ratio": 0.25, "move_to_main_threshold": 1}),
    ("lru-prob:probability=1", "LRUProb", {"prob": 1.0}),
    ("flash-prob:probability=1", "FlashProb", {"disk_admit_prob": 1.0}),
    ("flash-prob:probability=1:memory=0.25", "FlashProb", {"disk_admit_prob": 1.0, "ram_size_ratio": 0.25}),
]
# Below a capacity of 20 the wheel admits nothing into the small queue of Clock2Q+ and S3-FIFO.
CAPACITIES = [20, 55, 100, 333, 1_000, 2_500]


def keys(path):
    text = subprocess.run(["zstd", "-dc", path], check=True, capture_output=True, text=True).stdout
    if path.name.endswith(".csv.zst"):
        return [row["key"] for row in csv.DictReader(io.StringIO(text))][:LIMIT]
    return text.split()[:LIMIT]


def wheel(name, arguments, capacity, numbers):
    """The hits of a class of the wheel."""
    import libcachesim

    cache = getattr(libcachesim, name)(capacity, **arguments)
    request = libcachesim.Request()
    request.obj_size = 1
    hits = 0
    for number in numbers:
        request.obj_id = number
        hits += bool(cache.get(request))
    return hits


@unittest.skipUnless(importlib.util.find_spec("libcachesim"), "libcachesim is not installed")
class LibCacheSim(unittest.TestCase):
    def test_hits_are_equal(self):
        for path in sorted((ROOT / "traces").glob("*.zst")):
            requests = keys(path)
            ids = {}
            numbers = [ids.setdefault(key, len(ids) + 1) for key in requests]
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
                    with self.subTest(trace=path.name, policy=form, capacity=capacity):
                        mine = [row["hits"] for row in rows if row["capacity"] == capacity and label(row) == form]
                        self.assertEqual(mine, [wheel(name, arguments, capacity, numbers)])


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
