"""The tables of the pages "The policies" and "Formats, generators and locks" are what the catalogs say, and that of the
page "Coming from another cache" is what `operations.json` says.

Beside the policies stand their names in two other simulators, and the papers that compare with them, from
`elsewhere.json`, which says in which version they were read.

`python3 Tests/Python/test_pages.py --write` writes them again. `EVICT` names another binary than the one that was built
here.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
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
    ("Policies.md", "here", None, None),
    ("Policies.md", "paper", None, "papers"),
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


def elsewhere():
    """The rows of the table that compares catalogs, as Markdown."""
    known = json.loads((pathlib.Path(__file__).parent / "elsewhere.json").read_text())
    answer = subprocess.run(
        [EVICT, "policies", "--format", "json"], capture_output=True, text=True, check=True).stdout
    for entry in json.loads(answer)["policies"]:
        yield row(f"`{entry['name']}`", entry["name"], known["here"].get(entry["name"], {}), known["papers"])
    for name in known["forms"]:
        yield row(f"`{name}`", name, {}, known["papers"])
    for entry in known["elsewhere"]:
        yield row(f"– ({entry['name']})", entry["name"], entry, known["papers"])


def papers():
    """The rows of the table of papers, as Markdown."""
    known = json.loads((pathlib.Path(__file__).parent / "elsewhere.json").read_text())
    absent = {entry["name"] for entry in known["elsewhere"]}
    for paper in known["papers"]:
        here = ", ".join(f"`{name}`" for name in paper["with"] if name not in absent)
        missing = "; ".join(name for name in paper["with"] if name in absent)
        yield f"| {paper['name']} | {paper['source']} | {here} | {missing or '–'} |\n"


def operations():
    """The rows of the table of other caches' operations, as Markdown."""
    def cell(names):
        return ", ".join(f"`{name}`" for name in names) or "–"
    for entry in OPERATIONS["rows"]:
        here = entry["why"] if "why" in entry else cell(entry["here"])
        others = [cell(entry[library]) for library in OPERATIONS["libraries"]]
        yield f"| {entry['what']} | {here} | {' | '.join(others)} |\n"


def row(title, name, entry, papers):
    cells = [", ".join(f"`{name}`" for name in entry.get(tool, [])) or "–" for tool in ("libcachesim", "caffeine")]
    cells.append(", ".join(paper["name"] for paper in papers if name in paper["with"]) or "–")
    return f"| {title} | {' | '.join(cells)} |\n"


def written(text, title, command, member):
    """The page with the table of that title as it must be."""
    head = re.search(rf"^\| {title} \|.*\n\|[-|]+\|\n", text, re.M)
    rest = re.sub(r"\A(?:\|.*\n)*", "", text[head.end():])
    lines = rows(command, member) if command else {"papers": papers, "operations": operations, None: elsewhere}[member]()
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

    def test_names_policies_of_the_catalog(self):
        answer = subprocess.run(
            [EVICT, "policies", "--format", "json"], capture_output=True, text=True, check=True).stdout
        names = {entry["name"] for entry in json.loads(answer)["policies"]}
        self.assertEqual(set(self.known["here"]) - names, set())

    def test_papers_compare_with_rows_of_the_table(self):
        names = {*self.known["here"], *self.known["forms"], "fifo-merge", "s3fifo-d", *(
            entry["name"] for entry in self.known["elsewhere"])}
        for paper in self.known["papers"]:
            self.assertEqual(set(paper["with"]) - names, set(), paper["name"])

    def test_only_learned_policies_of_libcachesim_are_missing(self):
        here = {name for entry in self.known["here"].values() for name in entry["libcachesim"]}
        missing = {name: entry["name"] for entry in self.known["elsewhere"] for name in entry["libcachesim"]}
        self.assertEqual(here | set(missing), set(self.known["libcachesim"]["all"]))
        self.assertTrue(all(name.endswith("learned") for name in missing.values()), missing)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        for page, *table in TABLES:
            path = PAGES / page
            path.write_text(written(path.read_text(), *table))
    else:
        unittest.main()
