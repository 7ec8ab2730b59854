"""The tables of the pages "The policies" and "Formats, generators and locks" are what the catalogs say.

`python3 Tests/Python/test_pages.py --write` writes them again.
"""

import json
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = ROOT / ".build/release/evict"
PAGES = ROOT / "Sources/EvictionLab/EvictionLab.docc"
# The page of each table, the first column's title, and the command and member of its rows.
TABLES = [
    ("Policies.md", "policy", "policies", "policies"),
    ("Policies.md", "filter", "policies", "admission"),
    ("Formats.md", "trace format", "formats", "formats"),
    ("Formats.md", "generator", "formats", "generators"),
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


def written(text, title, command, member):
    """The page with the table of that title as it must be."""
    head = re.search(rf"^\| {title} \|.*\n\|[-|]+\|\n", text, re.M)
    rest = re.sub(r"\A(?:\|.*\n)*", "", text[head.end():])
    return text[: head.end()] + "".join(rows(command, member)) + rest


class Pages(unittest.TestCase):
    def test_tables_are_the_catalogs(self):
        for page, *table in TABLES:
            with self.subTest(page=page, table=table[0]):
                text = (PAGES / page).read_text()
                self.assertTrue(text == written(text, *table), "run Tests/Python/test_pages.py --write")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        for page, *table in TABLES:
            path = PAGES / page
            path.write_text(written(path.read_text(), *table))
    else:
        unittest.main()
