"""The tables of the pages "The policies" and "Formats, generators and locks" are what the catalogs say.

Beside the policies stand their names in two other simulators, and the papers that compare with them, from
`elsewhere.json`, which says in which version they were read.

`python3 Tests/Python/test_pages.py --write` writes them again. `EVICT` names another binary than the one that was built
here.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = os.environ.get("EVICT", ROOT / ".build/release/evict")
PAGES = ROOT / "Sources/EvictionLab/EvictionLab.docc"
# The page of each table, the first column's title, and the command and member of its rows.
TABLES = [
    ("Policies.md", "policy", "policies", "policies"),
    ("Policies.md", "filter", "policies", "admission"),
    ("Policies.md", "here", None, None),
    ("Policies.md", "paper", None, "papers"),
    ("Formats.md", "trace format", "formats", "formats"),
    ("Formats.md", "generator", "formats", "generators"),
    ("Formats.md", "generator of prompts", "formats", "prompts"),
    ("Formats.md", "arrival times", "formats", "times"),
    ("Formats.md", "sizes", "formats", "sizes"),
    ("Formats.md", "report format", "formats", "reports"),
    ("Formats.md", "lock", "locks", "locks"),
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


def row(title, name, entry, papers):
    cells = [", ".join(f"`{name}`" for name in entry.get(tool, [])) or "–" for tool in ("libcachesim", "caffeine")]
    cells.append(", ".join(paper["name"] for paper in papers if name in paper["with"]) or "–")
    return f"| {title} | {' | '.join(cells)} |\n"


def written(text, title, command, member):
    """The page with the table of that title as it must be."""
    head = re.search(rf"^\| {title} \|.*\n\|[-|]+\|\n", text, re.M)
    rest = re.sub(r"\A(?:\|.*\n)*", "", text[head.end():])
    lines = rows(command, member) if command else papers() if member else elsewhere()
    return text[: head.end()] + "".join(lines) + rest


class Pages(unittest.TestCase):
    def test_tables_are_the_catalogs(self):
        for page, *table in TABLES:
            with self.subTest(page=page, table=table[0]):
                text = (PAGES / page).read_text()
                self.assertTrue(text == written(text, *table), "run Tests/Python/test_pages.py --write")


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
