"""A policy has an interval on a sampled curve only if its coverage was measured, and held on every trace."""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROMISED = 0.93


def declared():
    """The policies that declare an error of miniatures, by their sources."""
    for path in sorted((ROOT / "Sources/Eviction/Policies").glob("*.swift")):
        source = path.read_text()
        name = re.search(r'PolicyInformation\(\s*name: "([^"]+)"', source)
        if name and re.search(r"\bminiatureError: [0-9.]+", source):
            yield name[1]


class Curves(unittest.TestCase):
    def test_an_interval_was_measured(self):
        document = json.loads((ROOT / "results/curve-coverage.json").read_text())
        names = list(declared())
        self.assertGreater(len(names), 30)
        for name in names:
            with self.subTest(policy=name):
                self.assertIn(name, document["policies"])
                for rows in (document["policies"], document["heldOut"]):
                    for trace, covered in rows[name]["traces"].items():
                        self.assertGreaterEqual(covered, PROMISED, trace)


if __name__ == "__main__":
    unittest.main()
