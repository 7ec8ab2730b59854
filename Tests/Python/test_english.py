"""Doc comments begin with a noun or a verb; they, pages, notebooks, help and messages do without a few phrases that make
readers stop.

It finds the worst habits only: a reader decides about the rest.
"""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: A comment begins so instead of with its subject; so does the text of a parameter.
BEGINNING = re.compile(r"(?:- (?:Parameter )?\w+: )?(What|Whether|How|Who|Where|When)\b")
PHRASE = re.compile(
    r"\b(somebody|nobody|so many|so often|asked for|all the same|for want of|stands? in (?:its|their)|"
    r"but for|of late|whoever|those of which|in turns|(?<!there )(?<!known )(?:is|are) none(?! of)|"
    r"(?:is|are) told of)\b",
    re.IGNORECASE)
#: A text in a source: of several lines, or of one. Texts that a plus joins are one.
LITERAL = re.compile(r'"""\n(?P<lines>.*?)\n *"""|"(?P<line>(?:[^"\\\n]|\\.)*)"', re.DOTALL)
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


def joined(lines):
    """A text of several lines as one; a backslash at a line's end joins it to the next."""
    return re.sub(r"\n *", " ", re.sub(r"\\\n *", "", lines))


def literals(text):
    """The texts in a source, such as help and messages: the number of the first line, and the text."""
    code = re.sub(r"(?m)^( *)//.*", r"\1", text)
    parts, start, end = [], 0, 0
    for match in LITERAL.finditer(code):
        if parts and not re.fullmatch(r"\s*\+\s*", code[end:match.start()]):
            yield start, "".join(parts)
            parts = []
        if not parts:
            start = code.count("\n", 0, match.start()) + 1
        parts.append(match["line"] if match["lines"] is None else joined(match["lines"]))
        end = match.end()
    if parts:
        yield start, "".join(parts)


def habits(path):
    """The habits in a file, each with its line."""
    text = path.read_text()
    if path.suffix == ".ipynb":
        for number, cell in enumerate(json.loads(text)["cells"], 1):
            if cell["cell_type"] == "markdown":
                for match in PHRASE.finditer("".join(cell["source"]).replace("\n", " ")):
                    yield f"cell {number}", match[0]
        return
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
    for start, literal in literals(text):
        for match in PHRASE.finditer(literal):
            yield start, match[0]


class English(unittest.TestCase):
    def check(self, paths):
        paths = list(paths)
        self.assertTrue(paths)
        found = [
            f"{path.relative_to(ROOT)}:{line}: {habit}" for path in paths for line, habit in habits(path)]
        self.assertEqual(found, [])

    def test_doc_comments_and_texts(self):
        self.check(sorted(ROOT.glob("Sources/**/*.swift")))

    def test_texts_are_found(self):
        source = """
            /// "No text."
            let help = "Blocks of so "
              + "many \\"bytes\\"."
            let page = \"\"\"
              It is \\
              told of it.
              \"\"\"
        """
        self.assertEqual(
            [text.strip() for _, text in literals(source)],
            ['Blocks of so many \\"bytes\\".', "It is told of it."])

    def test_notebooks(self):
        self.check(sorted(ROOT.glob("notebooks/*.ipynb")))

    def test_pages(self):
        self.check(sorted(ROOT.glob("Sources/**/*.md")) + [ROOT / page for page in PAGES])


if __name__ == "__main__":
    unittest.main()
