"""The README: its snippets compile and run as printed, its commands run, its tables are what was measured, its
links lead somewhere, and its chart is the one that `make chart` draws. The libraries' guides: their snippets, too.
"""

import glob
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / ".build/release"
EVICT = BUILD / "evict"
README = (ROOT / "README.md").read_text()
GUIDES = ROOT / "Sources/EvictionLab/EvictionLab.docc"
EXAMPLE = ROOT / "Tests/Fixtures/BringYourOwn"
SNIPPETS = re.findall(r"```swift\n(.*?)```", README, re.S)
# The libraries of the snippets, as a program links them.
LIBRARIES = ["Parameters", "EvictionCore", "Eviction", "DiskTier", "Traces", "Recording"]
SYSTEM_LIBRARIES = ["-lsqlite3", "-lz", "-llzma", "-lzstd"]


def snippet(start):
    """The only snippet that begins so."""
    found = [text for text in SNIPPETS if text.startswith(start)]
    assert len(found) == 1, start
    return found[0]


def table(head):
    """The cells of the table whose first row begins so, without its head."""
    lines = README[README.index(f"| {head} |"):].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in lines]


def numbers(text):
    return [float(number) for number in re.findall(r"-?\d+\.?\d*", text)]


class Readme(unittest.TestCase):
    def test_it_is_short(self):
        self.assertLessEqual(len(README.splitlines()), 200)

    def test_links_lead_somewhere(self):
        links = re.findall(r'(?:\]\(|src(?:set)?=")([^)"]+)', README)
        links = [link for link in links if not link.startswith("https://")]
        self.assertGreater(len(links), 10)
        for link in links:
            self.assertTrue((ROOT / link).exists(), link)

    def test_links_of_the_guides_lead_somewhere(self):
        """On a code host, too, which follows files and no `doc:`."""
        for page in ROOT.glob("Sources/*/*.docc/*.md"):
            text = page.read_text()
            self.assertNotIn("doc:", text, page)
            for link in re.findall(r"\]\(([^):]+)\)", re.sub(r"```.*?```", "", text, flags=re.S)):
                with self.subTest(page=page.name, link=link):
                    self.assertRegex(link, r"^[A-Za-z]+\.(md|svg)$", "only these become links and pictures of DocC")
                    self.assertTrue((page.parent / link).exists())

    def test_one_page_lists_every_operation_of_the_caches(self):
        page = (ROOT / "Sources/Eviction/Eviction.docc/EveryOperation.md").read_text()
        names = set(re.findall(
            r"^(?:EvictionCore|DiskTier) \w*Cache: (?:@\w+ )?(?:override )?(?:func|var|let) (\w+)",
            (ROOT / "Tests/Fixtures/PublicNames.txt").read_text(), re.M))
        self.assertTrue({"peek", "removeEntries", "totalCost", "storeStatistics"} <= names)
        listed = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", page))))
        self.assertEqual(names - listed, set())

    def test_one_page_lists_every_policy_that_has_a_member(self):
        page = (ROOT / "Sources/Eviction/Eviction.docc/ChoosingThePolicy.md").read_text()
        names = set(re.findall(
            r"^Eviction(?:Core)? CachePolicy: static (?:func|var) (\w+)",
            (ROOT / "Tests/Fixtures/PublicNames.txt").read_text(), re.M))
        self.assertTrue({"standard", "s3FIFO", "sieve"} <= names)
        rows = re.findall(r"^\| (`\..*) \| `([a-z0-9-]+)` \|$", page, re.M)
        self.assertEqual({name for row in rows for name in re.findall(r"`\.(\w+)", row[0])}, names)
        for members, name in rows:
            self.assertEqual(re.findall(r"`\.(\w+)", members)[0].lower(), name.replace("-", ""))

    def test_the_policy_is_the_example_that_is_built_and_tested(self):
        policy = (EXAMPLE / "Sources/MyPolicies/LIP.swift").read_text()
        self.assertTrue(f"```swift\n{policy}```\n" in README)
        for page in [README, (GUIDES / "BringYourOwnPolicy.md").read_text()]:
            self.assertIn("policy: CachePolicy(LIP.self))`", page)

    def test_a_form_that_blocks_says_where_the_other_is_awaited(self):
        messages = {
            message for path in ROOT.glob("Sources/*/**/*.swift")
            for message in re.findall(r'noasync, message: "([^"]*)"', path.read_text())}
        self.assertEqual(messages, {"it blocks; await the async form, at top level within a function"})

    def test_the_guide_to_policies_is_the_example(self):
        guide = (GUIDES / "BringYourOwnPolicy.md").read_text()
        shown = re.findall(r"```swift\n(.*?)```", guide, re.S)
        manifest = re.sub(
            r"    //.*\n    \.package\(.*\n", '    .package(path: "../EvictionLab")\n',
            (EXAMPLE / "Package.swift").read_text())
        files = [
            "Sources/MyPolicies/LIP.swift", "Sources/MyPolicies/SecondRequest.swift",
            "Sources/my-lab/main.swift", "Tests/MyPoliciesTests/LIPTests.swift"]
        self.assertEqual(shown, [manifest, *((EXAMPLE / file).read_text() for file in files)])

    def test_the_comparison_is_what_was_measured(self):
        peers = json.loads((ROOT / "results/bench-peers.json").read_text())
        lru = next(policy for policy in peers["policies"] if policy["policy"] == "lru")
        caches = json.loads((ROOT / "results/bench-caches.json").read_text())["caches"]
        caches = {cache["name"]: cache for cache in caches if cache["keys"] == "UInt64"}
        names = ["NSCache", "dictionary of class nodes", "dictionary with a lock (no eviction)"]
        expected = [lru["alone"], lru["endToEnd"], peers["sweep"]["ratio"]]
        expected += [{"median": caches[name]["timesOfFirst"], **caches[name]} for name in names]
        expected = [[ratio["median"], *ratio["spread"]] for ratio in expected]
        shown = [numbers(row[2]) for row in table("against")]
        self.assertEqual(shown[:-1], [[round(value, 1) for value in row] for row in expected])
        disk = (ROOT / "results/bench-disk.md").read_text()
        mean = re.search(r"diskcache / store: geometric mean (\S+),", disk)[1]
        medians = re.findall(r"(\S+) \(\d+\.\d+-\d+\.\d+\)$", disk, re.M)
        self.assertEqual(len(medians), 30)
        ratios = [float(mean), min(map(float, medians)), max(map(float, medians))]
        self.assertEqual(shown[-1], [round(ratio, 1) for ratio in ratios])


@unittest.skipUnless(EVICT.exists(), "make build builds the tool")
class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_shell(self, line, folder):
        path = f"{BUILD}:{os.environ['PATH']}"
        return subprocess.run(
            ["bash", "-c", line], cwd=folder, capture_output=True, text=True, timeout=120,
            stdin=subprocess.DEVNULL, env=os.environ | {"PATH": path})

    def run_line(self, line, folder):
        run = self.run_shell(line, folder)
        self.assertEqual(run.returncode, 0, f"{line}\n{run.stderr}")
        return run.stdout

    def test_commands_run(self):
        draw = random.Random(7)
        keys = [int(draw.paretovariate(0.8)) for _ in range(3000)]
        (self.folder / "web.csv").write_text("key\n" + "".join(f"{key}\n" for key in keys))
        (self.folder / "access.log").write_text("".join(
            f'192.0.2.1 - - [01/Dec/2026:{place // 360:02}:{place // 6 % 60:02}:{place % 6}0 +0000] '
            f'"GET /{key} HTTP/1.1" 200 {100 + key % 900}\n' for place, key in enumerate(keys)))
        lines = re.findall(r"^    (evict .*(?:web\.csv|access\.log).*)$", README, re.M)
        self.assertGreaterEqual(len(lines), 5)
        for line in lines:
            with self.subTest(line):
                self.run_line(line, self.folder)
        self.assertIn("</html>", (self.folder / "web.html").read_text())

    def test_commands_of_the_guides_are_understood(self):
        """Without their traces they lack a file, and no option is unknown."""
        lines = [
            line for page in ROOT.glob("Sources/*/*.docc/*.md")
            for line in re.findall(r"^(?:    (?:\$ )?)?(evict .*)$", page.read_text().replace("\\\n", ""), re.M)
            # These would go to work.
            if not re.search(r" (record|fetch|generate|claims|reproduce|policies check)\b", line)]
        self.assertGreater(len(lines), 20)
        for line in lines:
            with self.subTest(line):
                run = self.run_shell(line, self.folder)
                self.assertIn(run.returncode, [0, 66], run.stderr)

    def test_the_guide_to_sizes_counts_what_a_sweep_does(self):
        page = (ROOT / "Sources/EvictionLab/EvictionLab.docc/WhatASizeIs.md").read_text()
        for name, text in re.findall(r"^    \$ cat (\S+)\n((?:    .*\n)+)", page, re.M):
            (self.folder / name).write_text(re.sub(r"^    ", "", text, flags=re.M))
        examples = re.findall(
            r"`(evict sweep [^`]*)` counts (\d+) hits? of (\d+)(?:, (\d+) of unknown size)?", page)
        self.assertEqual(len(examples), 6)
        for line, hits, requests, unknown in examples:
            with self.subTest(line):
                for more in ["", " --stream"]:
                    output = self.run_line(f"{line} --no-baselines --format json{more}", self.folder)
                    row = json.loads(output)["results"][0]
                    self.assertEqual(
                        [row["hits"], row["requests"], row.get("unknownSizes", 0)],
                        [int(hits), int(requests), int(unknown or 0)])

    def test_the_guide_to_times_to_live_counts_what_a_sweep_does(self):
        page = (ROOT / "Sources/EvictionLab/EvictionLab.docc/WhenObjectsExpire.md").read_text()
        [(name, text)] = re.findall(r"^    \$ cat (\S+)\n((?:    .*\n)+)", page, re.M)
        (self.folder / name).write_text(re.sub(r"^    ", "", text, flags=re.M))
        examples = re.findall(r"`(evict sweep [^`]*)` counts (\d+) hits of (\d+)(?:, (\d+) expired)?", page)
        self.assertEqual(len(examples), 2)
        for line, hits, requests, expired in examples:
            for command in [line, line + " --stream", line.replace(" sweep ", " replay ")]:
                with self.subTest(command):
                    output = self.run_line(f"{command} --no-baselines --format json", self.folder)
                    row = json.loads(output)["results"][0]
                    self.assertEqual(
                        [row["hits"], row["requests"], row.get("expirations", 0)],
                        [int(hits), int(requests), int(expired or 0)])

    def test_hit_ratios_are_exact(self):
        line = re.search(r"^    (evict replay traces/orders.*)$", README, re.M)[1]
        line = line.replace(" replay ", " sweep ").replace(" --threads 1,2", "") + " --format csv"
        shown = {row[0].replace("-", "").lower(): numbers(row[1] + " " + row[2]) for row in table("policy")}
        lines = self.run_line(line, ROOT).splitlines()
        columns = lines[0].split(",")
        found = {}
        for row in lines[1:]:
            cells = dict(zip(columns, row.split(",")))
            ratios = [float(cells["hitRatio"]), float(cells["missRatioReduction"])]
            found[cells["policy"]] = [round(100 * ratio, 2) for ratio in ratios]
        self.assertEqual(shown, found)

    def test_the_guide_to_choosing_shows_what_a_sweep_counts(self):
        page = (GUIDES / "ChoosingAPolicy.md").read_text()
        lines = page[page.index("| trace |"):].split("\n\n")[0].splitlines()
        head, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "---" not in line]
        policies = [name.replace("-", "").lower().replace("optimum", "opt") for name in head[1:]]
        self.assertGreaterEqual(len(rows), 6)
        for row in rows:
            [trace] = ROOT.glob(f"traces/{row[0].split()[0]}.*.zst")
            answer = self.run_line(
                f"evict sweep {trace} --policy {','.join(policies)} --capacity 10% --no-baselines --format json", ROOT)
            ratios = [result["hitRatio"] for result in json.loads(answer)["results"]]
            self.assertEqual(row[1:], [f"{100 * ratio:.1f}" for ratio in ratios], row[0])

    def test_the_chart_is_current(self):
        script = subprocess.run(
            ["make", "--dry-run", "--no-print-directory", "chart", f"EVICT={EVICT}", f"CHARTS={self.folder}"],
            cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for line in script.splitlines():
            if line.startswith(str(EVICT)):
                self.run_line(line, ROOT)
        for name in ["curves-light.svg", "curves-dark.svg"]:
            with self.subTest(name):
                drawn = (self.folder / name).read_text()
                self.assertTrue(drawn == (ROOT / "results" / name).read_text(), "run make chart")


@unittest.skipUnless((BUILD / "Modules").exists(), "make build builds the libraries")
class Snippets(unittest.TestCase):
    def build(self, text, folder):
        """The compiler's run over a program whose only file is that text."""
        maps = [f"-fmodule-map-file={path}" for path in glob.glob(f"{ROOT}/Sources/C*/module.modulemap")]
        objects = []
        for name in LIBRARIES:
            # Objects of sources that are gone may still lie there.
            sources = (ROOT / "Sources" / name).rglob("*.swift")
            paths = [BUILD / f"{name}.build" / f"{source.name}.o" for source in sources]
            objects += [str(path) for path in paths if path.exists()]
        (pathlib.Path(folder) / "main.swift").write_text(text)
        return subprocess.run(
            ["swiftc", "-swift-version", "6", "-warnings-as-errors", "-I", BUILD / "Modules",
             *(word for path in maps for word in ("-Xcc", path)),
             "main.swift", *objects, *SYSTEM_LIBRARIES, "-o", "program"],
            cwd=folder, capture_output=True, text=True)

    def run_program(self, text):
        """What a program prints whose only file is that text."""
        with tempfile.TemporaryDirectory() as folder:
            built = self.build(text, folder)
            self.assertEqual(built.returncode, 0, built.stderr)
            return subprocess.run(
                ["./program"], cwd=folder, capture_output=True, text=True, check=True).stdout

    def test_memory(self):
        text = snippet("import Eviction\n\nlet images")
        more = 'print(image ?? [], home)\n_ = try await page("/")\nprint(pages.statistics.loads)\n'
        self.assertEqual(self.run_program(text + more), "[1, 2, 3] the page /\n1\n")

    def test_disk(self):
        text = snippet("import DiskTier")
        self.assertEqual(self.run_program(text + 'print(try await storedPage("/"))\n'), "the page /\n")

    def test_policy(self):
        text = snippet("import Eviction\n\n/// LRU insertion policy")
        more = """
            let cache = MemoryCache<Int, Int>(countLimit: 2, policy: CachePolicy(LIP.self))
            for key in 1...3 { cache.set(key, forKey: key) }
            print(cache.value(forKey: 1) ?? 0, cache.value(forKey: 3) ?? 0)
            print(cache.coldest(2) ?? [])
            """
        self.assertEqual(self.run_program(text + more), "1 3\n[1, 3]\n")

    def test_bytes_of_a_struct_are_refused_with_the_remedy(self):
        text = """
            import Eviction
            struct Page { var title: String }
            let pages = MemoryCache<Int, Page>(costLimit: 9, costs: .bytes)
            """
        with tempfile.TemporaryDirectory() as folder:
            built = self.build(text, folder)
        self.assertNotEqual(built.returncode, 0)
        self.assertIn("'bytes' is unavailable", built.stderr)
        self.assertIn("use .weighed { … }", built.stderr)

    def test_guides(self):
        pages = [*ROOT.glob("Sources/Eviction/Eviction.docc/*.md"), *ROOT.glob("Sources/DiskTier/DiskTier.docc/*.md")]
        # That of a service is a package of its own, which test_service.py holds against it.
        pages = [page for page in sorted(pages) if page.name != "InAService.md"]
        for page in [*pages, GUIDES / "RecordingACache.md"]:
            for text in re.findall(r"```swift\n(.*?)```", page.read_text(), re.S):
                with self.subTest(page.name):
                    self.run_program(text)

    def test_package(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "EvictionLab").symlink_to(ROOT)
            service = pathlib.Path(folder) / "Service"
            (service / "Sources/Service").mkdir(parents=True)
            (service / "Sources/Service/main.swift").touch()
            (service / "Package.swift").write_text(snippet("// swift-tools-version"))
            text = subprocess.run(
                ["swift", "package", "dump-package"], cwd=service, capture_output=True, text=True,
                check=True).stdout
            subprocess.run(["swift", "package", "resolve"], cwd=service, capture_output=True, check=True)
            fetched = [path.name for path in (service / ".build/checkouts").glob("*")]
        self.assertEqual(fetched, [], "other packages are fetched")
        products = re.findall(r'\.library\(name: "(\w+)"', (ROOT / "Package.swift").read_text())
        [target] = json.loads(text)["targets"]
        for dependency in target["dependencies"]:
            self.assertIn(dependency["product"][0], products)
        for row in table("product"):
            for name in re.findall(r"`(\w+)`", row[0]):
                self.assertIn(name, products)


if __name__ == "__main__":
    unittest.main()
