"""The tables of the pages "The policies" and "Formats, generators and locks" are what the catalogs say, and that of the
page "Coming from another cache" is what `operations.json` says.

The page "Names in other simulators" and the table of the papers that compare policies come from `elsewhere.json`, which
says in which version they were read.

`python3 Tests/Python/test_pages.py --write` writes them again. `EVICT` names another binary than the one that was built
here.
"""

import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = os.environ.get("EVICT", ROOT / ".build/release/evict")
PAGES = ROOT / "Sources/EvictionLab/EvictionLab.docc"
OPERATIONS = json.loads((pathlib.Path(__file__).parent / "operations.json").read_text())
# The page of each table, the first column's title, and the command and member of its rows.
TABLES = [
    ("Policies.md", "policy", "policies", "policies"),
    ("Policies.md", "filter", "policies", "admission"),
    ("Policies.md", "prefetcher", "policies", "prefetchers"),
    ("Policies.md", "paper", None, "papers"),
    ("NamesElsewhere.md", "name", None, "elsewhere"),
    ("Formats.md", "trace format", "formats", "formats"),
    ("Formats.md", "generator", "formats", "generators"),
    ("Formats.md", "generator of prompts", "formats", "prompts"),
    ("Formats.md", "arrival times", "formats", "times"),
    ("Formats.md", "sizes", "formats", "sizes"),
    ("Formats.md", "report format", "formats", "reports"),
    ("Formats.md", "lock", "locks", "locks"),
    ("../../Eviction/Eviction.docc/ComingFromElsewhere.md", "operation", None, "operations"),
]


def rows(command, member):
    """The rows of a catalog's table, as Markdown."""
    answer = subprocess.run(
        [EVICT, command, "--format", "json"], capture_output=True, text=True, check=True).stdout
    for entry in json.loads(answer)[member]:
        mark = " (reinterpretation)" if entry.get("isReinterpretation") else ""
        cells = [f"`{entry['name']}`", entry["summary"].replace("|", "\\|") + mark]
        if "bytesPerEntry" in entry:
            cells.append(str(entry["bytesPerEntry"]))
        yield f"| {' | '.join(cells)} |\n"


def names(names):
    return ", ".join(f"`{name}`" for name in names) or "–"


def elsewhere():
    """The rows of the table of other simulators' names, as Markdown."""
    known = json.loads((pathlib.Path(__file__).parent / "elsewhere.json").read_text())
    for entry in known["names"]:
        here = names([entry["here"]]) if "here" in entry else entry["why"]
        yield f"| {entry['name']} | {entry['of']}, {entry['kind']} | {here} |\n"


def papers():
    """The rows of the table of papers, as Markdown."""
    known = json.loads((pathlib.Path(__file__).parent / "elsewhere.json").read_text())
    for paper in known["papers"]:
        missing = "; ".join(paper["without"]) or "–"
        yield f"| {paper['name']} | {paper['source']} | {names(paper['with'])} | {missing} |\n"


def operations():
    """The rows of the table of other caches' operations, as Markdown."""
    for entry in OPERATIONS["rows"]:
        here = entry["why"] if "why" in entry else names(entry["here"])
        others = [names(entry[library]) for library in OPERATIONS["libraries"]]
        yield f"| {entry['what']} | {here} | {' | '.join(others)} |\n"


def written(text, title, command, member):
    """The page with the table of that title as it must be."""
    head = re.search(rf"^\| {title} \|.*\n\|[-|]+\|\n", text, re.M)
    rest = re.sub(r"\A(?:\|.*\n)*", "", text[head.end():])
    lines = rows(command, member) if command else {"papers": papers, "operations": operations, "elsewhere": elsewhere}[member]()
    return text[: head.end()] + "".join(lines) + rest


class Pages(unittest.TestCase):
    def test_tables_are_the_catalogs(self):
        for page, *table in TABLES:
            with self.subTest(page=page, table=table[0]):
                text = (PAGES / page).read_text()
                self.assertTrue(text == written(text, *table), "run Tests/Python/test_pages.py --write")


class Operations(unittest.TestCase):
    """What other caches can do has a name here, or a reason."""

    def test_names_are_public(self):
        declared = (ROOT / "Tests/Fixtures/PublicNames.txt").read_text()
        for entry in OPERATIONS["rows"]:
            self.assertNotEqual("why" in entry, "here" in entry, entry["what"])
            for name in entry.get("here", []):
                with self.subTest(name=name):
                    owner, name = name.split(".") if "." in name else ("", name)
                    base, *labels = re.split(r"[(:)]", name)
                    labels = [re.escape(label) + r"\b.*" for label in labels if label]
                    kind = r"func {}(?:<.*?>)?\(" if "(" in name else "subscript" if base == "subscript" else r"(?:var|let) {}\b"
                    pattern = owner + r".*\b" + kind.format(base) + ".*" + "".join(labels)
                    self.assertTrue(re.search(pattern, declared), "no product has this name")

    def test_every_operation_of_diskcache_is_there(self):
        try:
            import diskcache
        except ImportError:
            self.skipTest("diskcache is not installed")
        ours = {"__getitem__", "__setitem__", "__delitem__", "__contains__", "__iter__", "__reversed__", "__len__",
                "__enter__", "__exit__"}
        members = {name for name in vars(diskcache.Cache) if not name.startswith("_")} | ours
        self.assertEqual(members, self.listed("diskcache"))

    def test_every_operation_of_caffeine_is_there(self):
        jar = pathlib.Path("/usr/share/java/caffeine.jar")
        if not jar.exists() or not shutil.which("javap"):
            self.skipTest("Caffeine or javap is not installed")
        text = subprocess.run(
            ["javap", "-public", "-cp", jar, *(
                f"com.github.benmanes.caffeine.cache.{name}" for name in
                ["Cache", "LoadingCache", "AsyncLoadingCache", "Policy", "Policy$Eviction"])],
            capture_output=True, text=True, check=True).stdout
        self.assertEqual(set(re.findall(r" (\w+)\(.*\);", text)) - self.listed("caffeine"), {"isWeighted"})

    def listed(self, library):
        return {name for entry in OPERATIONS["rows"] for name in entry[library]}


class Elsewhere(unittest.TestCase):
    def setUp(self):
        self.known = json.loads((pathlib.Path(__file__).parent / "elsewhere.json").read_text())

    def test_every_name_has_one_here_or_a_reason(self):
        names = [(entry["of"], entry["kind"], entry["name"]) for entry in self.known["names"]]
        self.assertEqual(len(set(names)), len(names))
        for entry in self.known["names"]:
            self.assertNotEqual("here" in entry, "why" in entry, entry["name"])

    def test_every_name_here_runs(self):
        forms = {entry["here"] for entry in self.known["names"] if "here" in entry}
        forms |= {name for paper in self.known["papers"] for name in paper["with"]}
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "tiny.oracleGeneral"
            keys = [index * index % 37 for index in range(300)]
            trace.write_bytes(b"".join(struct.pack("<IQIq", 0, key, key % 5 + 1, -1) for key in keys))
            for sized in [[], ["--sized"]]:
                # Some filters read sizes.
                run = sorted(form for form in forms if sized or "admission=" not in form)
                answer = subprocess.run(
                    [EVICT, "sweep", trace, "--policy", ",".join(run), "--capacity", "20", "--no-baselines",
                     "--format", "json", *sized], capture_output=True, text=True)
                self.assertEqual(answer.returncode, 0, answer.stderr)
                self.assertEqual(len(json.loads(answer.stdout)["results"]), len(run))

    def test_every_class_of_the_wheel_has_a_row(self):
        rows = {entry["wheel"]: entry for entry in self.known["names"] if "wheel" in entry}
        self.assertEqual(set(rows), set(self.known["libcachesim"]["all"]))
        for name, entry in rows.items():
            self.assertTrue("here" in entry or "gradient-boosted" in entry["why"], name)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        for page, *table in TABLES:
            path = PAGES / page
            path.write_text(written(path.read_text(), *table))
    else:
        unittest.main()
