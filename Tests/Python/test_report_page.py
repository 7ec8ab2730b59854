"""Opens the pages of `evict report` in headless Chromium: what stands in them is what the results
document says, nothing is logged, and they fit a phone and a desk.
"""

import base64
import functools
import html
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EVICT = os.path.join(ROOT, ".build", "release", "evict")
TRACES = os.path.join(ROOT, "traces")
NAMES = ["chromium", "chromium-browser", "google-chrome"]
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)

# What a page holds, as a page around it sees it.
PROBE = """
addEventListener("load", () => {
  const page = document.querySelector("iframe").contentDocument;
  const all = (selector, node = page) => [...node.querySelectorAll(selector)];
  const seen = {
    width: page.documentElement.clientWidth,
    needed: page.documentElement.scrollWidth,
    lead: page.querySelector(".lead").textContent,
    tables: all("table.numbers").map(table => ({
      caption: table.caption.textContent,
      keys: [...table.tHead.rows[0].cells].map(cell => cell.dataset.key || null),
      rows: [...table.tBodies].flatMap(body => [...body.rows]).map(row =>
        [...row.cells].map(cell => cell.dataset.value ?? null)),
    })),
    series: all("g[data-points]").map(series => ({
      figure: series.closest("figure").querySelector("figcaption").textContent,
      name: series.dataset.name, points: JSON.parse(series.dataset.points),
    })),
    lostLinks: all("a").map(link => link.getAttribute("href"))
      .filter(target => !page.getElementById(target.slice(1))),
    unreachable: all(".wide, pre").filter(region => region.tabIndex != 0).length,
    unnamed: all("svg[role=img]").filter(chart => !chart.getAttribute("aria-label")).length,
  };
  const text = new TextEncoder().encode(JSON.stringify(seen));
  document.body.textContent = btoa(Array.from(text, byte => String.fromCharCode(byte)).join(""));
});
"""


def evict(*arguments):
    """What the tool prints."""
    return subprocess.run([EVICT, *arguments], check=True, capture_output=True, text=True).stdout


def trace(name):
    """The path of a bundled trace."""
    return os.path.join(TRACES, name)


def member(result, path):
    """What stands at a path of a result: `latency.operation.get.p50`."""
    for key in path.split("."):
        result = result[key]
    return result


class Browser:
    """Headless Chromium with a folder of its own."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)

    def see(self, page, width):
        """What a page holds when it is so many pixels wide, and what the console says."""
        path = os.path.join(self.folder.name, "around.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(
                f'<!DOCTYPE html><meta charset="utf-8"><script>{PROBE}</script>'
                f'<body><iframe style="width:{width}px;height:900px;border:0" '
                f'srcdoc="{html.escape(page)}"></iframe>')
        result = subprocess.run(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run",
             f"--user-data-dir={self.folder.name}/profile", "--window-size=1400,1000",
             "--enable-logging=stderr", "--dump-dom", "file://" + path],
            check=True, capture_output=True, text=True, timeout=120)
        body = re.search(r"<body>([A-Za-z0-9+/=\s]+)</body>", result.stdout)
        if body is None:
            raise AssertionError("the page did not load: " + result.stdout[:200])
        console = [line for line in result.stderr.splitlines() if "CONSOLE" in line]
        return json.loads(base64.b64decode(body.group(1))), console


class Documents:
    """A sweep and a replay as results documents and as pages."""

    def __init__(self):
        sweep = evict(
            "sweep", trace("orders.txt.zst"), trace("zipf.txt.zst"), "--limit", "40000",
            "--policy", "lru,fifo,arc,slru:protected=0.5,opt", "--capacity", "1%,10%",
            "--windows", "20", "--trace-internals", "20", "--format", "json")
        replay = evict(
            "replay", trace("orders.txt.zst"), "--limit", "20000", "--policy", "lru,arc",
            "--capacity", "1%", "--threads", "1,2", "--lock", "mutex,spin", "--format", "json")
        self.texts = {"sweep": sweep, "replay": replay}

    def results(self, name):
        return json.loads(self.texts[name])

    def page(self, name):
        return subprocess.run(
            [EVICT, "report", "-", "--format", "html"], input=self.texts[name], check=True,
            capture_output=True, text=True).stdout


@functools.cache
def documents():
    """The documents, made once."""
    return Documents()


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.documents = documents()

    def test_page_is_well_formed(self):
        for name in self.documents.texts:
            with self.subTest(name):
                text = self.documents.page(name).replace("<!DOCTYPE html>", "")
                lines = [line for line in text.splitlines() if not line.startswith("<meta")]
                root = xml.etree.ElementTree.fromstring("\n".join(lines))
                for point in root.iter("circle"):
                    if point.get("r") == "2.6":
                        self.assertTrue(0 <= float(point.get("cx")) <= 460)
                        self.assertTrue(0 <= float(point.get("cy")) <= 280)

    def test_finding_is_that_of_the_document(self):
        lead = re.search(r'<p class="lead">(.*)</p>', self.documents.page("sweep")).group(1)
        found = re.match(
            r"On (\S+) at ([\d\s]+) objects (\S+) hits ([\d.]+)\s%, ([\d.]+) points above lru"
            r"(?: \([^)]*\))?, and closes ([\d.]+)\s% of its gap to the optimum; of 4 sizes and traces", lead)
        name, capacity, policy, ratio, points, closed = found.groups()
        runs = [
            run for run in self.documents.results("sweep")["results"]
            if run["trace"] == name and run["capacity"] == int(re.sub(r"\s", "", capacity))]
        best = next(run for run in runs if run["policy"] == policy.split(":")[0])
        lru = next(run for run in runs if run["policy"] == "lru")
        gain = best["hitRatio"] - lru["hitRatio"]
        self.assertAlmostEqual(float(ratio), best["hitRatio"] * 100, delta=0.051)
        self.assertAlmostEqual(float(points), gain * 100, delta=0.051)
        share = gain / (gain + best["distanceToOptimum"])
        self.assertAlmostEqual(float(closed), share * 100, delta=0.051)


@unittest.skipIf(CHROMIUM is None, "Chromium is not installed")
class ChromiumTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.documents = documents()
        cls.browser = Browser()
        cls.seen = {
            name: cls.browser.see(cls.documents.page(name), 1280)[0]
            for name in cls.documents.texts}

    @classmethod
    def tearDownClass(cls):
        cls.browser.folder.cleanup()

    def test_values_are_those_of_the_document(self):
        for name, seen in self.seen.items():
            with self.subTest(name):
                results = self.documents.results(name)["results"]
                tables = [table for table in seen["tables"] if "hitRatio" in table["keys"]]
                keys = [table["keys"] for table in tables for _ in table["rows"]]
                rows = [row for table in tables for row in table["rows"]]
                self.assertEqual(len(rows), len(results))
                compared = 0
                for columns, row, result in zip(keys, rows, results):
                    for key, value in zip(columns, row):
                        if key is None or value is None:
                            continue
                        expected = member(result, key)
                        found = float(value) if isinstance(expected, (int, float)) else value
                        self.assertEqual(found, expected, key)
                        compared += 1
                self.assertGreaterEqual(compared, 6 * len(results))

    def test_series_are_those_of_the_document(self):
        results = self.documents.results("sweep")["results"]
        series = self.seen["sweep"]["series"]
        for run in results:
            name = ":".join(
                [run["policy"], *(f"{key}={value}" for key, value in run["parameters"].items())])
            place = f"{run['trace']}, {run['capacity']} objects"
            drawn = [
                line for line in series
                if line["name"] == name and line["figure"].replace("\u00a0", "") == place]
            self.assertEqual(len(drawn), 1, place)
            windows = run["windows"]
            for point, end, requests, hits in zip(
                    drawn[0]["points"], windows["ends"], windows["requests"], windows["hits"]):
                self.assertEqual(point[0], end)
                self.assertAlmostEqual(point[1], hits / requests * 100, places=9)
        for trace_name in {run["trace"] for run in results}:
            curve = next(
                line for line in series
                if line["figure"] == trace_name and line["name"] == "lru, all sizes")
            reference = next(
                curve for curve in self.documents.results("sweep")["references"]
                if curve["trace"] == trace_name)
            self.assertEqual(
                [point[0] for point in curve["points"]],
                [point[0] for point in reference["points"]])

    def test_latencies_are_those_of_the_document(self):
        results = self.documents.results("replay")["results"]
        drawn = [
            line for line in self.seen["replay"]["series"] if re.search("thread", line["figure"])]
        self.assertEqual(len(drawn), len(results))
        for run in results:
            get = run["latency"]["operation"]["get"]["percentiles"]
            expected = [[percent / 100, nanoseconds] for percent, nanoseconds in get]
            self.assertIn(expected, [line["points"] for line in drawn])

    def test_pages_fit_phones_and_desks(self):
        for name in self.documents.texts:
            for width in [390, 1280]:
                with self.subTest(name=name, width=width):
                    seen, console = self.browser.see(self.documents.page(name), width)
                    self.assertEqual(console, [])
                    self.assertLessEqual(seen["needed"], seen["width"])
                    self.assertLessEqual(seen["width"], width)

    def test_everything_is_in_reach_of_a_keyboard(self):
        for name, seen in self.seen.items():
            with self.subTest(name):
                self.assertEqual(seen["lostLinks"], [])
                self.assertEqual(seen["unreachable"], 0)
                self.assertEqual(seen["unnamed"], 0)


if __name__ == "__main__":
    unittest.main()
