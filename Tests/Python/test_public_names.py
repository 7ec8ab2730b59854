"""The list of public names: a change that the article of changes does not tell of is found."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / ".ci" / "public_names.py"


class PublicNames(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.article = self.folder / "Changes.md"
        self.article.write_text("# Changes\n")

    def graph(self, *declarations):
        symbols = [
            {
                "identifier": {"precise": declaration},
                "pathComponents": ["MemoryCache", "member"],
                "declarationFragments": [{"spelling": declaration}],
            }
            for declaration in declarations
        ]
        (self.folder / "EvictionCore@Swift.symbols.json").write_text(json.dumps({"symbols": symbols}))

    def run_script(self, *options):
        return subprocess.run(
            [sys.executable, SCRIPT, *options, self.folder / "names.txt", self.article,
             *self.folder.glob("*.json")],
            capture_output=True, text=True)

    def write(self):
        """Writes list and article, as somebody does who changes names."""
        text = self.run_script("--write").stdout
        self.article.write_text(f"# Changes\n\n## Now {text.split()[-1]}\n\n{self.article.read_text()}")

    def test_list_that_is_current(self):
        self.graph("func trim()", "let a:   Int")
        self.write()
        self.assertEqual(
            (self.folder / "names.txt").read_text(),
            "EvictionCore MemoryCache: func trim()\nEvictionCore MemoryCache: let a: Int\n")
        self.assertEqual(self.run_script().returncode, 0)

    def test_names_that_came_went_or_changed(self):
        self.graph("func trim()")
        self.write()
        for declarations in [["func trim()", "func more()"], [], ["func trim() throws"]]:
            self.graph(*declarations)
            result = self.run_script()
            self.assertEqual(result.returncode, 1)
            self.assertIn("public names differ", result.stderr)

    def test_change_that_the_article_does_not_tell(self):
        self.graph("func trim()")
        self.write()
        self.graph("func trim() throws")
        self.assertIn(
            "+ EvictionCore MemoryCache: func trim() throws\n- EvictionCore MemoryCache: func trim()",
            self.run_script("--write").stdout)
        result = self.run_script()
        self.assertEqual(result.returncode, 1)
        self.assertIn("tell what changed", result.stderr)
        self.write()
        self.assertEqual(self.run_script().returncode, 0)

    def test_what_the_compiler_derives_is_left_out(self):
        self.graph("func trim()", "s:1::SYNTHESIZED::s:2")
        self.write()
        self.assertEqual(len((self.folder / "names.txt").read_text().splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
