"""Doc comments begin with a noun or a verb, and doc comments and pages do without a few phrases that make readers stop.

It finds the worst habits only: a reader decides about the rest.
"""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: A comment begins so instead of with its subject; so does the text of a parameter.
BEGINNING = re.compile(r"(?:- (?:Parameter )?\w+: )?(What|Whether|How|Who|Where|When)\b")
PHRASE = re.compile(
    r"\b(somebody|nobody|so many|so often|asked for|all the same|for want of)\b", re.IGNORECASE)
#: Pages for readers, beside the guides.
PAGES = ["README.md", "results/README.md", "traces/README.md", ".github/CONTRIBUTING.md"]


def doc_comments(text):
    """The doc comments of a file: the number of the first line, and the lines without their slashes."""
    lines, start = [], 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        stripped = line.strip()
        if stripped.startswith("///"):
            start = start or number
            lines.append(stripped[3:].strip())
        elif lines:
            yield start, lines
            lines, start = [], 0


def habits(path):
    """The habits in a file, each with its line."""
    text = path.read_text()
    if path.suffix == ".md":
        for paragraph in re.finditer(r"(?:.+\n?)+", text):
            for match in PHRASE.finditer(paragraph[0].replace("\n", " ")):
                yield text.count("\n", 0, paragraph.start() + match.start()) + 1, match[0]
        return
    for start, lines in doc_comments(text):
        for number, line in enumerate(lines):
            if (number == 0 or line.startswith("- ")) and (match := BEGINNING.match(line)):
                yield start + number, match[0]
        for match in PHRASE.finditer(" ".join(lines)):
            yield start, match[0]


class English(unittest.TestCase):
    def check(self, paths):
        paths = list(paths)
        self.assertTrue(paths)
        found = [
            f"{path.relative_to(ROOT)}:{line}: {habit}" for path in paths for line, habit in habits(path)]
        self.assertEqual(found, [])

    def test_doc_comments(self):
        self.check(sorted(ROOT.glob("Sources/**/*.swift")))

    def test_pages(self):
        self.check(sorted(ROOT.glob("Sources/**/*.md")) + [ROOT / page for page in PAGES])


if __name__ == "__main__":
    unittest.main()
