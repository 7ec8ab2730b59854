"""Opens the pages of `evict report` in headless Chromium: what stands in them is what the results
document says, nothing is logged, and they fit a phone and a desk.
"""

import copy
import functools
import glob
import json
import os
import re
import subprocess
import unittest
import xml.etree.ElementTree

from browser import CHROMIUM, Browser

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RANKING = os.path.join(ROOT, "results", "ranking.html")
EVICT = os.path.join(ROOT, ".build", "release", "evict")
TRACES = os.path.join(ROOT, "traces")

#: Pictures of the pages are written there, for people to look at.
PICTURES = os.environ.get("EVICTIONLAB_PICTURES")

# What a page holds.
PROBE = """
(() => {
  const all = (selector, node = document) => [...node.querySelectorAll(selector)];
  return {
    width: document.documentElement.clientWidth,
    needed: document.documentElement.scrollWidth,
    tables: all("table.numbers").map(table => ({
      caption: table.caption.textContent,
      keys: [...table.tHead.rows[0].cells].map(cell => cell.dataset.key || null),
      rows: [...table.tBodies].flatMap(body => [...body.rows]).map(row =>
        [...row.cells].map((cell, column) => cell.dataset.value ??
          (table.tHead.rows[0].cells[column].dataset.key && cell.textContent != "–"
            ? cell.textContent : null))),
      texts: [...table.tBodies].flatMap(body => [...body.rows]).map(row =>
        [...row.cells].map(cell => cell.textContent)),
    })),
    series: all("g[data-points]").map(series => ({
      figure: series.closest("figure").querySelector("figcaption").textContent,
      name: series.dataset.name, points: JSON.parse(series.dataset.points),
    })),
    lostLinks: all("a").map(link => link.getAttribute("href"))
      .filter(target => !document.getElementById(target.slice(1))),
    unreachable: all(".wide, pre").filter(region => region.tabIndex != 0).length,
    unnamed: all("svg[role=img]").filter(chart => !chart.getAttribute("aria-label")).length,
  };
})()
"""

# How the page looks to a reader: whether its contents are shown, and its colours.
LOOK = """
(() => {
  const colour = (node, name) => getComputedStyle(node)[name].match(/[0-9]+/g).slice(0, 3).map(Number);
  const heat = document.querySelector(".heat.best");
  return {
    back: colour(document.body, "backgroundColor"), text: colour(document.body, "color"),
    heat: colour(heat, "backgroundColor"), cell: colour(heat, "color"),
    nav: getComputedStyle(document.querySelector("nav")).display,
    cut: [...document.querySelectorAll(".wide")]
      .filter(region => region.clientHeight < region.scrollHeight).length,
  };
})()
"""

# The least contrast of any text with what is behind it, and that text.
CONTRAST = """
(() => {
  const numbers = text => text.match(/[0-9.]+/g).map(Number);
  const light = colour => {
    const [r, g, b] = colour.map(x => x / 255).map(
      x => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = node => {
    for (; node; node = node.parentElement) {
      const colour = numbers(getComputedStyle(node).backgroundColor);
      if (colour.length == 3 || colour[3] == 1) return colour.slice(0, 3);
    }
    return [255, 255, 255];
  };
  let least = [21, ""];
  for (const node of document.body.querySelectorAll("*:not(script):not(title)")) {
    const own = [...node.childNodes].filter(child => child.nodeType == 3 && child.data.trim());
    if (own.length == 0 || node.getClientRects().length == 0) continue;
    const style = getComputedStyle(node);
    const colour = node.closest("svg") ? style.fill : style.color;
    const [a, b] = [light(numbers(colour).slice(0, 3)), light(behind(node))].sort((a, b) => a - b);
    const contrast = (b + 0.05) / (a + 0.05);
    if (contrast < least[0]) least = [contrast, own[0].data.trim()];
  }
  return least;
})()
"""

# The values of a column of the runs after a click on its title, and what a filter leaves.
WORK = """
(() => {
  const table = document.querySelector("#runs table.sortable");
  const titles = [...table.tHead.rows[0].cells];
  const column = titles.findIndex(title => title.dataset.key == "hitRatio");
  const rows = () => [...table.tBodies].flatMap(body => [...body.rows]);
  const values = () => rows().map(row => Number(row.cells[column].dataset.value));
  const button = titles[column].querySelector("button");
  button.click();
  const falling = [values(), titles[column].getAttribute("aria-sort")];
  button.click();
  const rising = [values(), titles[column].getAttribute("aria-sort")];
  const filter = document.querySelector("#runs input");
  filter.value = "arc zipf";
  filter.dispatchEvent(new Event("input"));
  const left = rows().filter(row => !row.hidden).map(row => row.textContent);
  return {falling, rising, left, count: document.querySelector("#runs output").textContent};
})()
"""

# The texts of charts that lie on others, that leave their chart, or that hang below its plot.
COLLISIONS = """
(() => {
  const found = [];
  for (const chart of document.querySelectorAll("figure svg")) {
    const name = chart.getAttribute("aria-label");
    const frame = chart.getBoundingClientRect();
    const texts = [...chart.querySelectorAll("text")]
      .map(node => ({text: node.textContent, isLabel: node.matches(".label"), box: node.getBoundingClientRect()}))
      .filter(({box}) => box.width > 0);
    // A line of text is higher than its letters.
    const plot = Math.max(...[...chart.querySelectorAll(".grid")].map(node => node.getBoundingClientRect().bottom));
    texts.forEach((one, number) => {
      const {box} = one;
      if (box.left < frame.left - 1 || frame.right + 1 < box.right || frame.bottom + 1 < box.bottom)
        found.push(`${name}: ${one.text} leaves the chart`);
      if (one.isLabel && (box.top + box.bottom) / 2 > plot + 2) found.push(`${name}: ${one.text} hangs below`);
      for (const other of texts.slice(number + 1)) {
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (across > 1 && down > box.height * 0.35) found.push(`${name}: ${one.text} over ${other.text}`);
      }
    });
  }
  return found;
})()
"""

# The lines that stand out once a policy is named.
NAMED = """
(() => {
  const field = document.querySelector("nav input");
  field.value = "policy-7";
  field.dispatchEvent(new Event("input"));
  return [...document.querySelectorAll(".named")].map(
    node => node.dataset.name ?? node.querySelector("th").textContent);
})()
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


def label(run):
    """The policy as it is written on the command line."""
    given = (f"{key}={value}" for key, value in run["parameters"].items())
    return ":".join([run["policy"], *given])


def contrast(first, second):
    """The contrast of two colours, by the Web Content Accessibility Guidelines."""
    def luminance(colour):
        shares = [value / 255 for value in colour]
        linear = [x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in shares]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    low, high = sorted([luminance(first), luminance(second)])
    return (high + 0.05) / (low + 0.05)


def mean_of(values):
    """The mean."""
    return sum(values) / len(values)


def ranking(results):
    """The policies that a cache can run, and what each has fewer of FIFO's misses on each trace."""
    cells = {}
    for run in results:
        if run["policy"] != "opt":
            traces = cells.setdefault(label(run), {})
            traces.setdefault(run["trace"], []).append(run["missRatioReduction"])
    return {policy: [mean_of(values) for values in traces.values()]
            for policy, traces in cells.items()}


def report(text):
    """The page on a results document."""
    return subprocess.run(
        [EVICT, "report", "-", "--format", "html"], input=text, check=True, capture_output=True,
        text=True).stdout


class Documents:
    """A sweep and a replay as results documents and as pages."""

    def __init__(self):
        sweep = evict(
            "sweep", *map(trace, ["orders.txt.zst", "zipf.txt.zst", "history.txt.zst", "hotscan.txt.zst"]),
            "--limit", "40000",
            "--policy", "lru,fifo,arc,slru:protected=0.5,opt", "--capacity", "1%,10%",
            "--windows", "20", "--trace-internals", "20", "--format", "json")
        replay = evict(
            "replay", trace("orders.txt.zst"), "--limit", "20000", "--policy", "lru,arc",
            "--capacity", "1%", "--threads", "1,2", "--lock", "mutex,spin", "--format", "json")
        self.texts = {"sweep": sweep, "replay": replay}

    def results(self, name):
        return json.loads(self.texts[name])

    def page(self, name):
        return report(self.texts[name])

    def replayed(self):
        """A document as large as that of `make replay`: four traces, twelve policies, one thread and two."""
        results = self.results("replay")
        cells, results["results"] = results["results"][:2], []
        for name in range(4):
            for number in range(12):
                for threads, cell in enumerate(cells, 1):
                    run = copy.deepcopy(cell)
                    run.update(trace=f"trace-{name}", policy=f"policy-{number}", threads=threads)
                    results["results"].append(run)
        return json.dumps(results)

    def large(self):
        """A document of a thousand runs."""
        results = self.results("sweep")
        first = results["results"][0]
        results["traces"] = results["traces"][:1]
        results["results"] = []
        for capacity in range(1, 21):
            for number in range(50):
                run = copy.deepcopy(first)
                run.update(
                    policy=f"policy-{number}", capacity=capacity * 100, hits=number * capacity * 10)
                run["hitRatio"] = run["hits"] / run["requests"]
                results["results"].append(run)
        return json.dumps(results)


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
                        self.assertTrue(0 <= float(point.get("cx")) <= 440)
                        self.assertTrue(0 <= float(point.get("cy")) <= 270)

    def test_finding_is_that_of_the_document(self):
        lead = re.search(r'<p class="lead">(.*)</p>', self.documents.page("sweep")).group(1)
        policy, mean, low, high = re.match(
            r"Over 4 traces (\S+) has the fewest misses: ([\d.]+)\s% fewer than fifo on average "
            r"\((−?[\d.]+) to (−?[\d.]+)\s% by trace\)", lead).groups()
        places = ranking(self.documents.results("sweep")["results"])
        best = max(places, key=lambda name: mean_of(places[name]))
        self.assertEqual(policy, best)
        values = places[best]
        for found, expected in [
                (mean, mean_of(values)), (low, min(values)), (high, max(values))]:
            self.assertAlmostEqual(float(found.replace("−", "-")), expected * 100, delta=0.051)

    def test_estimates_are_of_the_documents_runs(self):
        document = self.documents.results("sweep")
        ratios = {
            (run["trace"], run["capacity"], label(run)): run["hitRatio"]
            for run in document["results"]}
        compared = 0
        for estimate in document["estimates"]:
            place = (estimate["trace"], estimate["capacity"])
            value = ratios[(*place, estimate["policy"])]
            if estimate["against"]:
                value -= ratios[(*place, estimate["against"])]
            self.assertAlmostEqual(estimate["value"], value, places=12)
            self.assertEqual(estimate["interval"] is None, estimate["reason"] is not None)
            if estimate["interval"]:
                low, high = estimate["interval"]
                self.assertTrue(low <= estimate["value"] <= high)
                if estimate["nextTrace"]:
                    self.assertTrue(
                        estimate["nextTrace"][0] <= low and high <= estimate["nextTrace"][1])
                compared += 1
        self.assertGreater(compared, 0)


@unittest.skipIf(CHROMIUM is None, "Chromium is not installed")
class ChromiumTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.documents = documents()
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.pages = {name: cls.documents.page(name) for name in cls.documents.texts}
        cls.pages["trace info"] = evict(
            "trace", "info", trace("orders.txt.zst"), "--format", "html", "--replicates", "0")
        cls.seen = {name: cls.see(cls.pages[name]) for name in cls.documents.texts}

    @classmethod
    def see(cls, page, **options):
        """What a page holds."""
        cls.browser.open(page, **options)
        return cls.browser.evaluate(PROBE)

    def test_values_are_those_of_the_document(self):
        for name, seen in self.seen.items():
            with self.subTest(name):
                results = self.documents.results(name)["results"]
                tables = [table for table in seen["tables"] if "hitRatio" in table["keys"]]
                keys = [table["keys"] for table in tables for _ in table["rows"]]
                rows = [row for table in tables for row in table["rows"]]
                self.assertEqual(len(rows), len(results))
                compared, left = 0, list(results)
                for columns, row in zip(keys, rows):
                    found = {key: value for key, value in zip(columns, row) if key is not None and value is not None}
                    # Rows are ranked, and have no order of the document's.
                    same = [result for result in left if all(
                        member(result, key) == (value if isinstance(member(result, key), str) else json.loads(value))
                        for key, value in found.items())]
                    self.assertTrue(same, found)
                    left.remove(same[0])
                    compared += len(found)
                self.assertGreaterEqual(compared, 6 * len(results))

    def test_ranking_and_heat_map_are_those_of_the_document(self):
        places = ranking(self.documents.results("sweep")["results"])
        order = sorted(places, key=lambda policy: -mean_of(places[policy]))
        policies, _, heat = self.seen["sweep"]["tables"][:3]
        self.assertEqual([row[0] for row in policies["texts"]], order)
        self.assertEqual([row[0] for row in heat["texts"]], order)
        for policy, first, row in zip(order, policies["rows"], heat["rows"]):
            self.assertAlmostEqual(float(first[1]), mean_of(places[policy]), places=12)
            for found, expected in zip(row[1:], [mean_of(places[policy]), *places[policy]]):
                self.assertAlmostEqual(float(found), expected, places=12)

    def test_runs_sort_and_filter(self):
        self.browser.open(self.pages["sweep"])
        seen = self.browser.evaluate(WORK)
        runs = self.documents.results("sweep")["results"]
        ratios = sorted(run["hitRatio"] for run in runs)
        self.assertEqual(seen["rising"], [ratios, "ascending"])
        self.assertEqual(seen["falling"], [ratios[::-1], "descending"])
        self.assertEqual(len(seen["left"]), 2)
        self.assertTrue(all("arc" in text and "zipf" in text for text in seen["left"]))
        self.assertEqual(seen["count"], f" 2 of {len(runs)}")
        self.assertEqual(self.browser.complaints, [])

    def test_policies_are_found_by_name(self):
        self.browser.open(report(self.documents.large()))
        named = self.browser.evaluate(NAMED)
        self.assertGreaterEqual(len(named), 3)
        self.assertEqual(set(named), {"policy-7"})

    def test_pages_say_the_same_without_scripts(self):
        page = re.sub(r"<script>.*?</script>", "", self.pages["sweep"], flags=re.DOTALL)
        self.assertNotEqual(page, self.pages["sweep"])
        seen = self.see(page)
        self.assertEqual(seen["tables"], self.seen["sweep"]["tables"])
        self.assertEqual(seen["series"], self.seen["sweep"]["series"])
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('input').length"), 0)

    def test_texts_have_contrast(self):
        for name, page in self.pages.items():
            for media, scheme in [("", "light"), ("", "dark"), ("print", "dark")]:
                with self.subTest(name=name, media=media, scheme=scheme):
                    self.browser.open(page, media=media, scheme=scheme)
                    least, text = self.browser.evaluate(CONTRAST)
                    self.assertGreaterEqual(least, 4.5, text)

    def test_series_are_those_of_the_document(self):
        results = self.documents.results("sweep")["results"]
        series = self.seen["sweep"]["series"]
        for run in results:
            name = label(run)
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
        for name, page in self.pages.items():
            for width in [390, 1280]:
                with self.subTest(name=name, width=width):
                    seen = self.see(page, width=width)
                    self.assertEqual(self.browser.complaints, [])
                    # A desk's scroll bar takes some of it.
                    self.assertTrue(width - 20 <= seen["width"] <= width)
                    self.assertLessEqual(seen["needed"], seen["width"])
                    picture = self.browser.screenshot()
                    self.assertEqual(picture.width, seen["width"])
                    self.assertGreater(picture.height, 900)
                    self.assertGreater(picture.busy, 0.005)
                    self.keep(picture, f"{name} {width}")

    def test_pages_are_read_in_the_dark(self):
        looks = {}
        for scheme in ["light", "dark"]:
            self.browser.open(self.pages["sweep"], scheme=scheme)
            looks[scheme] = look = self.browser.evaluate(LOOK)
            self.assertGreater(contrast(look["back"], look["text"]), 7)
            self.assertGreater(contrast(look["heat"], look["cell"]), 4.5)
            self.assertEqual(self.browser.complaints, [])
            self.keep(self.browser.screenshot(), f"sweep {scheme}")
        self.assertGreater(sum(looks["light"]["back"]), sum(looks["light"]["text"]))
        self.assertLess(sum(looks["dark"]["back"]), sum(looks["dark"]["text"]))

    def test_pages_are_printed_dark_on_light_and_whole(self):
        for scheme in ["light", "dark"]:
            with self.subTest(scheme):
                self.browser.open(self.pages["sweep"], media="print", scheme=scheme)
                look = self.browser.evaluate(LOOK)
                self.assertEqual(look["back"], [255, 255, 255])
                self.assertEqual(look["text"], [0, 0, 0])
                self.assertGreater(contrast(look["heat"], look["cell"]), 4.5)
                self.assertEqual(look["nav"], "none")
                self.assertEqual(look["cut"], 0)
                self.assertTrue(self.browser.printed().startswith(b"%PDF"))

    def test_thousand_runs_are_shown(self):
        empty = min(
            self.browser.open("<!DOCTYPE html><title>empty</title>") for _ in range(3))
        page = report(self.documents.large())
        seconds = min(self.browser.open(page) for _ in range(3)) - empty
        print(f"a page of 1000 runs, {len(page) // 1024} KiB: {seconds:.2f} s beyond an empty one")
        seen = self.browser.evaluate(PROBE)
        runs = next(table for table in seen["tables"] if "hitRatio" in table["keys"])
        self.assertEqual(len(runs["rows"]), 1000)
        self.assertEqual(self.browser.complaints, [])
        self.assertLessEqual(seen["needed"], seen["width"])

    def test_page_of_make_replay_opens_at_once(self):
        page = report(self.documents.replayed())
        opened = min(self.browser.open(page) for _ in range(5))
        empty = min(self.browser.open("<!DOCTYPE html><title>empty</title>") for _ in range(5))
        seconds = opened - empty
        print(f"a page of make replay, {len(page) // 1024} KiB: {seconds:.2f} s beyond an empty one")
        self.assertEqual(self.browser.complaints, [])
        # A time depends on what else the machine does; the size stands for it.
        self.assertLess(len(page), 1 << 20)
        if os.environ.get("EVICTIONLAB_THOROUGH"):
            self.assertLess(seconds, 1)

    @unittest.skipUnless(os.path.exists(RANKING), "make ranking makes it")
    def test_page_of_the_ranking_opens_at_once(self):
        """Thousands of runs, a chart for every trace."""
        with open(RANKING, encoding="utf-8") as file:
            page = file.read()
        opened = min(self.browser.open(page) for _ in range(5))
        empty = min(self.browser.open("<!DOCTYPE html><title>empty</title>") for _ in range(5))
        seconds = opened - empty
        print(f"the page of the ranking, {len(page) // 1024} KiB: {seconds:.2f} s beyond an empty one")
        self.assertEqual(self.browser.complaints, [])
        self.assertLess(len(page), 3 << 20)
        if os.environ.get("EVICTIONLAB_THOROUGH"):
            self.assertLess(seconds, 1)

    def test_texts_of_charts_lie_apart(self):
        """On the pages of this test and of every document that make writes."""
        pages = dict(self.pages)
        for path in sorted(glob.glob(os.path.join(ROOT, "results", "*.json"))):
            with open(path, encoding="utf-8") as file:
                if '"evictionlab.results/1"' in file.read(200):
                    pages[os.path.basename(path)] = evict("report", path, "--format", "html")
        self.assertGreater(len(pages), 8)
        for name, page in pages.items():
            # Folded charts have no boxes.
            page = page.replace("<details>", "<details open>")
            for width in [390, 768, 1440]:
                with self.subTest(name=name, width=width):
                    self.browser.open(page, width=width)
                    self.assertEqual(self.browser.evaluate(COLLISIONS), [])

    def test_long_names_of_rows_stay_in_their_cells(self):
        long = {"orders.txt.zst": "cloudPhysicsIO.oracleGeneral.bin"}
        text = self.documents.texts["sweep"]
        for name, other in {**long, "protected": "protectedShareOfTheQueue"}.items():
            text = text.replace(name, other)
        self.browser.open(report(text), width=390)
        names, wide = self.browser.evaluate("""
            (() => {
              const names = [...document.querySelectorAll(".numbers:not(.sortable) tbody th")];
              const wide = names.filter(name => name.scrollWidth > name.clientWidth + 1);
              return [names.length, wide.map(name => name.textContent)];
            })()""")
        self.assertGreater(names, 8)
        self.assertEqual(wide, [])

    def test_answer_and_its_only_chart_stand_side_by_side(self):
        page = evict(
            "sweep", trace("orders.txt.zst"), "--limit", "20000", "--policy", "lru,arc", "--capacity", "1%,10%",
            "--format", "html")
        for width, beside in [(1440, True), (768, False)]:
            with self.subTest(width=width):
                self.browser.open(page, width=width)
                self.assertEqual(self.browser.evaluate("""
                    (() => {
                      const [answer, chart] = ["ranking", "curves"].map(
                        id => document.getElementById(id).getBoundingClientRect());
                      return chart.left >= answer.right && chart.top == answer.top;
                    })()"""), beside)

    def test_headings_are_printed_with_what_they_head(self):
        self.browser.open(self.pages["sweep"], media="print")
        self.assertEqual(self.browser.evaluate("""
            [...document.querySelectorAll("h2, section > p, figcaption, caption")]
              .filter(node => getComputedStyle(node).breakAfter != "avoid").length"""), 0)

    def test_folded_tables_are_printed(self):
        page = report(self.documents.large())
        self.assertEqual(page.count("<details><summary>1000 runs"), 1)
        for media, shown in [("", False), ("print", True)]:
            self.browser.open(page, media=media)
            visible = self.browser.evaluate("document.querySelector('#runs tbody').checkVisibility()")
            self.assertEqual(visible, shown, media)

    def keep(self, picture, name):
        if PICTURES:
            with open(os.path.join(PICTURES, f"{name}.png"), "wb") as file:
                file.write(picture.data)

    def test_everything_is_in_reach_of_a_keyboard(self):
        for name, seen in self.seen.items():
            with self.subTest(name):
                self.assertEqual(seen["lostLinks"], [])
                self.assertEqual(seen["unreachable"], 0)
                self.assertEqual(seen["unnamed"], 0)


if __name__ == "__main__":
    unittest.main()
