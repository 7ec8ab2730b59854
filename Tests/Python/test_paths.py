"""Paths that pages name are files or folders of the repository, or made by a target of the Makefile."""

import fnmatch
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [
    *ROOT.glob("*.md"), *ROOT.glob(".github/*.md"), *ROOT.glob("results/*.md"), *ROOT.glob("traces/*.md"),
    *ROOT.glob("Sources/**/*.md")]
PATH = re.compile(r"`((?:Sources|Tests|results|traces|notebooks|\.ci)/[^`\s…]*)`")
LINK = re.compile(r"\]\((?!https?:|#|doc:)([^)\s#]+)[^)]*\)")


def tracked():
    """The files of the repository, and their folders; without one, what is there."""
    try:
        listed = subprocess.run(
            ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        listed = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if ".build" not in path.parts]
    files = set(listed)
    return files | {str(folder) for file in files for folder in pathlib.PurePath(file).parents}


class Paths(unittest.TestCase):
    def test_pages_name_what_is_there(self):
        known = tracked()
        made = [line for line in (ROOT / ".gitignore").read_text().splitlines() if line.startswith("results/")]
        examples = {path for path in known if path.startswith("Tests/Fixtures/") and path.count("/") == 2}
        missing = []
        for page in PAGES:
            text = page.read_text()
            named = {path.rstrip("/") for path in PATH.findall(text)}
            if ROOT in (page.parent, page.parent.parent) and "docc" not in str(page):
                named |= {
                    str((page.parent / link).resolve().relative_to(ROOT)) for link in LINK.findall(text)
                    if (page.parent / link).resolve().is_relative_to(ROOT)}
            for path in sorted(named):
                # Those of an example package are below its folder.
                places = [path, *(f"{folder}/{path}" for folder in examples)]
                there = any(fnmatch.filter(known, place) if "*" in place else place in known for place in places)
                if not there and not any(fnmatch.fnmatch(path, pattern) for pattern in made):
                    missing.append(f"{page.relative_to(ROOT)}: {path}")
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
