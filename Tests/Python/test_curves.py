"""A policy has an interval on a sampled curve only if its coverage was measured, and held on every trace."""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROMISED = 0.93


def declared():
    """The policies that declare an error of miniatures, by their sources."""
    for path in sorted(ROOT.glob("Sources/Eviction*/Policies/*.swift")):
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

    def test_every_interval_that_is_printed_holds(self):
        document = json.loads((ROOT / "results/curve-coverage.json").read_text())
        for rows in (document["policies"], document["heldOut"]):
            for name, row in rows.items():
                for trace, covered in row["traces"].items():
                    self.assertGreaterEqual(covered, PROMISED, f"{name} on {trace}")

    def test_intervals_are_narrow_enough(self):
        document = json.loads((ROOT / "results/curve-coverage.json").read_text())
        self.assertLessEqual(document["policies"]["all"]["medianHalfWidthAtLargestRate"], 0.02)

    def test_every_variant_of_a_policy_with_intervals_was_measured(self):
        measured = json.loads((ROOT / "results/curve-coverage.json").read_text())["policies"]
        parts = {tuple(sorted(name.split(":")[1:])) + (name.split(":")[0],) for name in measured}
        for path in sorted((ROOT / "Sources/Eviction/Policies").glob("*.swift")):
            for listed in re.findall(r"variants: \[([^\]]+)\]", path.read_text()):
                for variant in re.findall(r'"([^"]+)"', listed):
                    with self.subTest(variant=variant):
                        self.assertIn(
                            tuple(sorted(variant.split(":")[1:])) + (variant.split(":")[0],), parts)


if __name__ == "__main__":
    unittest.main()
