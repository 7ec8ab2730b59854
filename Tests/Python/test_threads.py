"""The tables of caches under several threads, on the page "Many threads, measured", are what was measured last, and the script that
measures them runs, with caches of ours alone.

`python3 Tests/Python/test_threads.py --write` writes the tables again from `results/bench-threads.json`.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Sources/Eviction/Eviction.docc/ManyThreadsMeasured.md"
RESULTS = ROOT / "results/bench-threads.json"
SCRIPT = ROOT / "Tests/Benchmarks/threads.py"
BINARY = pathlib.Path(os.environ.get("THREADS", ROOT / ".build/release/ThreadBenchmark"))
# The tables stand between these.
START = "Measured by `make bench`"
END = "\n\nWhat two threads lack to twice "
# By room and mix, the columns.
COLUMNS = {
    (0.8, "0"): "gets", (0.8, "5"): "5 % sets", (0.8, "50"): "50 % sets", (0.8, "miss"): "sets on a miss",
    (0.1, "miss"): "the same, small",
}


def number(value):
    """A number with three digits, as far as they are after the point."""
    return f"{value:.0f}" if value >= 99.5 else f"{value:.1f}" if value >= 9.95 else f"{value:.2f}"


def title(row):
    return row["cache"] if row["version"] is None else f"{row['cache']} {row['version']} ({row['year']})"


def titles(rows):
    return dict.fromkeys(title(row) for row in rows)


def cells(rows, name):
    """A cache's rows by room, mix and threads."""
    return {(row["capacity"], row["mix"], row["threads"]): row for row in rows if title(row) == name}


def grouped(count):
    return f"{count:,}".replace(",", " ")


def spread(rows):
    """Half the distance of the quartiles from each other, in hundredths of the median, of the row in the middle."""
    spreads = sorted((high - low) / 2 / middle for low, middle, high in (row["millions"] for row in rows))
    return f"±{spreads[len(spreads) // 2]:.0%}".replace("%", " %")


def throughput(document, keys):
    """The table of requests a second with keys of a type."""
    rows = [row for row in document["caches"] if row["keys"] == keys]
    lines = [
        f"| `{keys}` keys | {' | '.join(COLUMNS.values())} | spread | hits | hits, small | bytes an entry |",
        f"|{'---|' * (len(COLUMNS) + 5)}",
    ]
    for name in titles(rows):
        found = cells(rows, name)
        shown = []
        for column in COLUMNS:
            at = [found.get((*column, threads)) for threads in document["threads"]]
            shown.append(" / ".join("–" if row is None else number(row["millions"][1]) for row in at))
        hits = []
        for fraction in (0.8, 0.1):
            row = found.get((fraction, "miss", 1)) or found[fraction, "miss", 2]
            hits.append(f"{100 * row['hitRatio']:.1f} %")
        bytes_ = next(row["bytesPerEntry"] for (fraction, _, _), row in found.items() if fraction == 0.8)
        size = "–" if bytes_ is None else f"{bytes_:.0f}"
        lines.append(f"| {name} | {' | '.join(shown)} | {spread(list(found.values()))} | {' | '.join(hits)} | {size} |")
    return "\n".join(lines)


def latency(document):
    """The table of a get's time, with 5 % sets and numbers as keys."""
    lines = ["| `UInt64` keys, 5 % sets |", "|---|"]
    for threads in document["threads"]:
        word = "1 thread" if threads == 1 else f"{threads} threads"
        lines[0] += f" {word}: p50 | p99 | p99.9 |" + (" least |" if threads > 1 else "")
        lines[1] += "---|---|---|" + ("---|" if threads > 1 else "")
    rows = [row for row in document["caches"] if row["keys"] == "UInt64" and (row["capacity"], row["mix"]) == (0.8, "5")]
    for name in titles(rows):
        line = f"| {name} |"
        for threads in document["threads"]:
            row = cells(rows, name).get((0.8, "5", threads))
            shown = [f"{row[part]:.0f}" if row else "–" for part in ("p50", "p99", "p999")]
            if threads > 1:
                shown.append(f"{row['least']:.2f}" if row else "–")
            line += f" {' | '.join(shown)} |"
        lines.append(line)
    return "\n".join(lines)


def tables(document):
    """The tables, and what their columns are."""
    counts = " / ".join(map(str, document["threads"]))
    types = list(dict.fromkeys(row["keys"] for row in document["caches"]))
    machine = document["machine"]
    skipped = "".join(f" {name} was skipped: {reason}." for name, reason in document["skipped"].items())
    return f"""{START} (`Tests/Benchmarks/threads.py`, `results/bench-threads.json`; {machine['cores']} cores, {machine['cpu']}; medians
of {document['rounds']} rounds, in which the caches take turns): millions of requests a second with {counts} threads, of {grouped(document['keys'])} keys by Zipf's
law with exponent 1, in a cache that has room for four fifths of them (*small*: for a tenth) and begins full. *Spread* is half the
distance of the quartiles, in the median over the row. *Hits* are those of one thread with sets on a miss. Peers are those that Debian has, each
with its version and that version's year; `MemoryCache` has its default lock, and `ShardedCache` the shards and
locks that it chooses by itself. Two caches apart say what two threads that share nothing do there and then.{skipped}

{(chr(10) * 2).join(throughput(document, keys) for keys in types)}

Nanoseconds of a get, of which the clock takes some 40. *Least* is the requests of the thread that was served least, as a multiple of its
equal part.

{latency(document)}

Caffeine 2.6.2 does its upkeep in threads of its own, and Ristretto 0.0.3 carries sets out later in one of its own; it drops those that it has no room
for. Bytes of programs in Java and Go are those of the heap after a collection, of the others what the process grew by. RocksDB's caches have
64 shards and 16 bytes a key (of texts, their own length); HyperClockCache takes no texts."""


def written(text, document):
    """The page with the tables of these results."""
    start = text.index(START)
    return text[:start] + tables(document) + text[text.index(END, start):]


class Tables(unittest.TestCase):
    def setUp(self):
        self.document = json.loads(RESULTS.read_text())

    def test_the_page_shows_what_was_measured(self):
        self.assertEqual(PAGE.read_text(), written(PAGE.read_text(), self.document), "run this with --write")

    def test_every_row_of_a_peer_bears_its_version_and_year(self):
        for row in self.document["caches"]:
            with self.subTest(cache=row["cache"]):
                if row["program"] == "EvictionLab":
                    self.assertEqual((row["version"], row["year"]), (None, None))
                else:
                    self.assertRegex(row["version"], r"^\d+\.\d+")
                    self.assertGreater(row["year"], 2000)


class Run(unittest.TestCase):
    """A run with few requests, of which only the shape is sure."""

    def run_script(self, *words, **environment):
        return subprocess.run(
            [sys.executable, SCRIPT, "--binary", BINARY, "--keys", "2000", "--requests", "6400", "--seconds", "0.01",
             "--rounds", "2", "--threads", "1,2", *words],
            capture_output=True, text=True, env={**os.environ, **environment})

    def test_rows_have_quartiles_hits_and_parts(self):
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / "threads.json"
            done = self.run_script("--folder", folder, "--peers", "", "--output", output, "--caches",
                                   "lru,sieve/buffered,sieve/sharded,sieve/4/mutex,sieve/apart,nodes,dictionary")
            self.assertEqual(done.returncode, 0, done.stderr)
            document = json.loads(output.read_text())
        self.assertEqual((document["skipped"], document["rounds"], document["threads"]), ({}, 2, [1, 2]))
        # Each of seven caches with two types of keys and five mixes; with two threads only, the one of a thread each.
        self.assertEqual(len(document["caches"]), 2 * 5 * (6 * 2 + 1))
        for row in document["caches"]:
            with self.subTest(row=row):
                low, middle, high = row["millions"]
                self.assertTrue(0 < low <= middle <= high)
                self.assertTrue(0 < row["least"] <= 1)
                self.assertTrue(0 < row["p50"] <= row["p99"] <= row["p999"])
                # The most popular four fifths of the keys have nearly all requests; a tenth has most.
                self.assertTrue((0.9 if row["capacity"] == 0.8 else 0.4) < row["hitRatio"] <= 1)
        self.assertIn(START, tables(document))

    def test_peers_whose_packages_are_missing_are_skipped_with_a_word(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_script("--folder", folder, "--peers", "Caffeine", "--caches", "lru", PATH=folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("skipping Caffeine: libcaffeine-java and default-jdk-headless not installed", done.stderr)
        self.assertNotIn("Caffeine", done.stdout)

    def test_an_unknown_cache_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_script("--folder", folder, "--peers", "", "--caches", "nonesuch")
        self.assertEqual((done.returncode, done.stderr.strip()), (
            1, "EvictionLab: no such cache: nonesuch, at: fill nonesuch UInt64 1600"))

    def test_wrong_options_are_refused_in_one_line(self):
        for words, problem in (
            (("--binary", "/nonesuch"), "/nonesuch is not there"),
            (("--requests", "100"), "--requests 100 is no multiple of 128"),
            (("--keys", "0"), "--keys 0 is not from 1"),
            (("--threads", "1,x"), "--threads 1,x is no list"),
            (("--seconds", "0"), "more than 0"),
        ):
            with self.subTest(words):
                done = self.run_script("--peers", "", *words)
                self.assertEqual(done.returncode, 2)
                self.assertIn(problem, done.stderr.splitlines()[-1])


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(written(PAGE.read_text(), json.loads(RESULTS.read_text())))
    else:
        unittest.main()
