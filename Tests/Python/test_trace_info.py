"""Checks `evict trace info` against plain Python: counts, stack distances, and the fit of Zipf's law
against SciPy's optimiser.
"""

import collections
import json
import math
import os
import subprocess
import unittest
import xml.etree.ElementTree

try:
    import numpy
    from scipy import optimize
except ImportError:
    optimize = None

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EVICT = os.path.join(ROOT, ".build", "release", "evict")
TRACES = os.path.join(ROOT, "traces")
NAMES = ["orders.txt.zst", "search.txt.zst", "zipf.txt.zst", "hotscan.txt.zst"]


def info(name, *options):
    """The tool's figures of a bundled trace."""
    text = subprocess.run(
        [EVICT, "trace", "info", os.path.join(TRACES, name), "--format", "json", *options],
        check=True, capture_output=True, text=True).stdout
    return json.loads(text)["traces"][0]


def page(*names):
    """The tool's page on bundled traces."""
    return subprocess.run(
        [EVICT, "trace", "info", *[os.path.join(TRACES, name) for name in names],
         "--format", "html", "--replicates", "0"],
        check=True, capture_output=True, text=True).stdout


def keys(name, limit=None):
    """The keys of a bundled trace."""
    text = subprocess.run(
        ["zstd", "-dc", os.path.join(TRACES, name)], check=True, capture_output=True, text=True
    ).stdout
    return text.split()[:limit]


class FiguresTest(unittest.TestCase):
    def test_every_bundled_trace_is_read(self):
        for name in sorted(os.listdir(TRACES)):
            if name.endswith(".zst"):
                with self.subTest(name):
                    self.assertGreater(info(name, "--replicates", "0")["requests"], 1000)

    def test_counts(self):
        for name in NAMES:
            with self.subTest(name):
                requests = keys(name)
                counts = collections.Counter(requests)
                figures = info(name, "--replicates", "0")
                self.assertEqual(figures["requests"], len(requests))
                self.assertEqual(figures["distinct"], len(counts))
                once = sum(1 for count in counts.values() if count == 1)
                self.assertEqual(figures["oneHitWonderRatio"], once / len(counts))
                self.assertEqual(figures["compulsoryMissRatio"], len(counts) / len(requests))
                top = [count for _, count in counts.most_common(10)]
                self.assertEqual([key["requests"] for key in figures["topKeys"]], top)

    def test_stack_distances(self):
        requests = keys("orders.txt.zst", 5000)
        stack, distances, times, last = [], [], [], {}
        for number, key in enumerate(requests):
            if key in last:
                place = stack.index(key)
                distances.append(len(stack) - 1 - place)
                times.append(number - last[key])
                del stack[place]
            stack.append(key)
            last[key] = number
        figures = info("orders.txt.zst", "--limit", "5000", "--replicates", "0")
        for figure, expected in [("reuseDistance", distances), ("reuseTime", times)]:
            expected.sort()
            self.assertAlmostEqual(
                figures[figure]["mean"], sum(expected) / len(expected), places=9)
            for percent in [10, 25, 50, 75, 90, 99]:
                rank = math.ceil(percent / 100 * len(expected))
                value = figures[figure][f"p{percent}"]
                # Three significant digits above 2047.
                self.assertAlmostEqual(value / max(expected[rank - 1], 1e-9), 1, delta=1e-3)


class PageTest(unittest.TestCase):
    def test_page_is_well_formed(self):
        text = page("build.csv.zst", "zipf.txt.zst").replace("<!DOCTYPE html>", "")
        # Except for the elements that HTML leaves open, the page is XML.
        lines = [line for line in text.splitlines() if not line.startswith("<meta")]
        root = xml.etree.ElementTree.fromstring("\n".join(lines))
        self.assertEqual(len(root.findall(".//section")), 2)
        charts = [figure.find("figcaption").text for figure in root.findall(".//figure")]
        self.assertEqual(charts.count("Popularity"), 2)
        for point in root.iter("circle"):
            self.assertTrue(0 <= float(point.get("cx")) <= 460)
            self.assertTrue(0 <= float(point.get("cy")) <= 300)


@unittest.skipIf(optimize is None, "SciPy is not installed")
class ZipfFitTest(unittest.TestCase):
    """Maximum likelihood of r^-a / H(n, a) by another optimiser, every sum added up."""

    def fit(self, counts):
        counts = numpy.array(sorted(counts, reverse=True), dtype=float)
        logs = numpy.log(numpy.arange(1, len(counts) + 1))
        total, weighted = counts.sum(), (counts * logs).sum()

        def cost(alpha):
            return (alpha * weighted / total) + math.log(numpy.exp(-alpha * logs).sum())

        def slope(alpha):
            weights = numpy.exp(-alpha * logs)
            return weighted / total - (weights * logs).sum() / weights.sum()

        rough = optimize.minimize_scalar(cost, bounds=(0, 20), method="bounded").x
        alpha = optimize.brentq(slope, max(0, rough - 0.1), rough + 0.1, xtol=1e-14, rtol=1e-14)
        weights = numpy.exp(-alpha * logs)
        law = weights / weights.sum()
        information = total * ((law * logs**2).sum() - (law * logs).sum() ** 2)
        distance = numpy.abs(numpy.cumsum(counts) / total - numpy.cumsum(law)).max()
        return alpha, 1 / math.sqrt(information), distance

    def test_fit_equals_scipy(self):
        for name in NAMES:
            with self.subTest(name):
                alpha, error, distance = self.fit(collections.Counter(keys(name)).values())
                zipf = info(name, "--replicates", "0")["zipf"]
                self.assertAlmostEqual(zipf["alpha"], alpha, delta=1e-6)
                self.assertAlmostEqual(zipf["standardError"], error, delta=1e-6)
                self.assertAlmostEqual(zipf["distance"], distance, delta=1e-6)
                # Thousands of keys: their ranks are partly chance.
                self.assertIsNone(zipf["interval"])


if __name__ == "__main__":
    unittest.main()
