"""A statement about another implementation names the commit, or the release, that it was read in.

Others change: a sentence without a version may be true today and false tomorrow, and cannot be checked.
Read are the policies' own pages (texts and doc comments in the sources), the documentation's pages and the READMEs.
"""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PEERS = [
    "Caffeine", "libCacheSim", "CacheLib", "webcachesim", "BitFaster", "Ristretto", "Moka", "Guava", "cache2k",
    "Ehcache", "Squid", "Varnish", "Redis"]
# A trace such as cache2k-orm-busy is no program.
PEER = re.compile(rf"\b({'|'.join(PEERS)})\b(?!-)")
# A commit's hash holds a digit: "defaced" is a word.
VERSION = re.compile(rf"commit (?=[a-f]*\d)[0-9a-f]{{7,40}}\b|\b({'|'.join(PEERS)}) v?\d+\.\d+")
# What it says of peers are the names of file formats, which are no behaviour.
# NamesElsewhere.md is a table whose introduction names the versions.
EXEMPT = {"Formats.md", "NamesElsewhere.md"}

LITERAL = r'"(?:[^"\\\n]|\\.)*"'


def texts(source):
    """The texts of a Swift file: literals that are added up, and blocks of comments."""
    for group in re.findall(rf"{LITERAL}(?:\s*\+\s*{LITERAL})*", source):
        yield "".join(text[1:-1] for text in re.findall(LITERAL, group))
    for block in re.findall(r"(?:^[ \t]*//.*\n)+", source, re.M):
        yield " ".join(line.strip().lstrip("/").strip() for line in block.splitlines())


def paragraphs(page):
    """The paragraphs of a Markdown page; a list's item and a table's row are one each."""
    for paragraph in re.split(r"\n\s*\n|\n(?=\||[-*] )", page):
        yield " ".join(paragraph.split())


def unversioned(text):
    """The sentences of a text that name a peer without a version."""
    return [
        sentence for sentence in re.split(r"(?<=[.!?])\s+(?=[^a-z])", text)
        if PEER.search(sentence) and not VERSION.search(sentence)]


class Peers(unittest.TestCase):
    def check(self, path, parts):
        for part in parts:
            for sentence in unversioned(part):
                with self.subTest(path=str(path.relative_to(ROOT))):
                    self.fail(f"which commit or release? “{sentence}”")

    def test_sources_name_versions(self):
        files = [path for floor in ["Eviction", "EvictionCore"] for path in (ROOT / "Sources" / floor).rglob("*.swift")]
        self.assertGreater(len(files), 100)
        for path in files:
            self.check(path, texts(path.read_text()))

    def test_pages_name_versions(self):
        pages = [path for path in ROOT.glob("Sources/*/*.docc/*.md") if path.name not in EXEMPT]
        self.assertGreater(len(pages), 20)
        for path in [*pages, ROOT / "README.md", ROOT / "results/README.md"]:
            self.check(path, paragraphs(path.read_text()))

    def test_a_sentence_without_version_is_found(self):
        self.assertEqual(unversioned("Ties are free. Caffeine's cache halves them."), ["Caffeine's cache halves them."])
        self.assertEqual(unversioned("libCacheSim takes 0.9 C."), ["libCacheSim takes 0.9 C."])
        self.assertEqual(unversioned("libCacheSim (LRU.c at commit 0379a0199) halves them."), [])
        self.assertEqual(unversioned("libCacheSim 0.3.5 halves them."), [])
        self.assertEqual(unversioned("Some halve them."), [])

    def test_texts_are_joined(self):
        source = '/// A hit\n/// of Moka.\nlet text = "Guava"\n  + " counts."\n'
        self.assertEqual(list(texts(source)), ["Guava counts.", "A hit of Moka."])


if __name__ == "__main__":
    unittest.main()
