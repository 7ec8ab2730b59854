"""Small inputs that other simulators were reported to misread or to miscount, with the hits worked out by hand."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))


def log(*answers):
    return "".join(
        f'192.0.2.1 - - [10/Oct/2026:13:55:{second:02} +0000] "GET {path} HTTP/1.1" {status} {size}\n'
        for second, (path, status, size) in enumerate(answers))


def pairs(text):
    """`d1 c0`: the keys and sizes of a CSV."""
    return "key,size\n" + "".join(f"{word[0]},{word[1:]}\n" for word in text.split())


INPUTS = {
    "get-miss-then-set.twitter.csv": "".join(
        f"{time},k000{key},5,{size},1,{operation},0\n" for time, (key, size, operation) in enumerate(
            [(key, size, operation) for key in (1, 2, 3) for size, operation in ((0, "get"), (45, "set"))]
            + [(key, 45, "get") for key in (1, 2, 3)])),
    "get-miss-then-set.cachelib.csv": "key,op,size,op_count,key_size\n" + "".join(
        f"{key},GET,0,1,5\n{key},SET,45,1,5\n" for key in (1, 2, 3)) + "".join(
        f"{key},GET,45,1,5\n" for key in (1, 2, 3)),
    "set-larger.csv": "key,size,op\na,1,get\na,9,set\nb,9,get\nb,9,get\na,9,get\n",
    "not-modified.log": log(("/a", 304, "-"), ("/b", 304, "-"), *2 * [("/a", 200, 900), ("/b", 200, 900)]),
    "not-modified-often.log": log(
        ("/a", 200, 900), ("/b", 200, 800), ("/a", 304, "-"), ("/c", 200, 700), ("/b", 304, 0), ("/a", 304, "-"),
        ("/d", 200, 900), ("/a", 200, 900), ("/c", 304, "-"), ("/b", 304, "-"), ("/c", 200, 700), ("/a", 304, "-")),
    "outgrow.csv": pairs("a1 b1 c1 c9 a1 b1"),
    "zero-arc.csv": pairs("d1 d1 c0 g1 a1 g1 a1 f2 c0 g1 c0"),
    "zero-cacheus.csv": pairs("e0 b2 b2 e0"),
    "zero-dlirs.csv": pairs("e0 b1 c1 c1 b1 e0"),
    "zero-srlru-constant.csv": pairs("f2 a1 f2 e0 f2 g1 e0"),
    "zero-srlru.csv": "key,size\na,10\nb,1\na,0\n",
    "header-unknown.csv": "when,what\n1,a\n2,b\n3,a\n",
    "header-number.csv": "time,key,404\n1,a,5\n2,b,5\n3,a,5\n",
    "only-deletes.csv": "key,op\na,delete\nb,delete\n",
    "ttl-never.csv": "time_ns,key,ttl\n" + "".join(f"170000000000000000{n},a,9223372036854775807\n" for n in (0, 1)),
    "expired.csv": "time,key,ttl\n0,a,5\n10,a,5\n",
}


class Reported(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for name, text in INPUTS.items():
            (cls.folder / name).write_text(text)

    def run_tool(self, line):
        return subprocess.run([EVICT, *line.split()], cwd=self.folder, capture_output=True, text=True, timeout=60)

    def rows(self, line):
        baselines = "" if line.startswith("disk ") else "--no-baselines "
        done = self.run_tool(f"{line} {baselines}--format json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["results"]

    def check(self, line, requests, **hits):
        """The hits of each policy, in memory and block by block."""
        for more in ("", " --stream"):
            with self.subTest(line + more):
                rows = self.rows(f"sweep {line} --policy {','.join(hits)}{more}")
                self.assertEqual({row["policy"]: row["hits"] for row in rows}, hits)
                self.assertEqual({row["requests"] for row in rows}, {requests})

    def test_a_set_brings_the_size_that_its_get_did_not_know(self):
        # Of three objects of 50 bytes two fit into 100, and LRU and FIFO go round.
        for name in ("twitter", "cachelib"):
            self.check(f"get-miss-then-set.{name}.csv --capacity 100B", 6, lru=0, fifo=0)
        # a grows to 9, so that b drives it out.
        self.check("set-larger.csv --capacity 10B", 4, lru=1)
        for command in ("replay", "disk"):
            [row] = self.rows(f"{command} set-larger.csv --capacity 10B --policy lru")
            self.assertEqual((row["hits"], row["requests"]), (1, 4))

    def test_an_answer_without_a_body_tells_no_size(self):
        # The first two admit nothing, and two pages of 900 bytes take turns.
        self.check("not-modified.log --capacity 1000B", 6, lru=0)
        self.check("not-modified-often.log --capacity 4000B", 12, lru=8, cacheus=8, arc=8)
        for policy, capacity in (("sr-lru", 1000), ("cacheus", 1600), ("cacheus", 2000)):
            self.rows(f"sweep not-modified-often.log --capacity {capacity}B --policy {policy}")

    def test_an_object_that_outgrows_the_cache_leaves_alone(self):
        [row] = self.rows("sweep outgrow.csv --policy lru:resize=true --capacity 3B")
        # c is found once more before it leaves, and a and b stay.
        self.assertEqual((row["hits"], row["evictions"]), (3, 1))

    def test_objects_of_no_size_end_no_policy(self):
        self.check("zero-arc.csv --capacity 2B", 11, arc=3)
        self.check("zero-cacheus.csv --capacity 2B", 4, cacheus=2)
        for name in ("zero-dlirs", "zero-srlru-constant", "zero-srlru", "zero-arc", "zero-cacheus"):
            for capacity in (2, 4, 10):
                done = self.run_tool(
                    f"sweep {name}.csv --policy all --capacity {capacity}B --no-baselines --trace-internals 5 "
                    "--format json")
                self.assertEqual(done.returncode, 0, done.stderr)
                for row in json.loads(done.stdout)["results"]:
                    for values in row.get("internals", {}).values():
                        self.assertNotIn(None, values, f"{row['policy']} learned what is no number")

    def test_a_header_is_no_request(self):
        self.check("header-number.csv --trace-format csv:key=2 --capacity 2", 3, lru=1)
        done = self.run_tool("sweep header-unknown.csv --trace-format csv:key=2 --policy lru --capacity 2")
        if done.returncode == 0:
            self.check("header-unknown.csv --trace-format csv:key=2 --capacity 2", 3, lru=1)
        else:
            self.assertIn("header=yes", done.stderr)
        self.check("header-unknown.csv --trace-format csv:key=what --capacity 2", 3, lru=1)

    def test_a_trace_without_gets_is_refused(self):
        for command in ("curve only-deletes.csv --policy lru", "sweep only-deletes.csv --policy lru --capacity 1"):
            done = self.run_tool(command)
            self.assertEqual((done.returncode, done.stdout), (65, ""))
            self.assertIn("none of its 2 requests is a get", done.stderr)

    def test_what_never_ends_is_found(self):
        for expire in ("", " --expire"):
            self.check(
                f"ttl-never.csv --capacity 2{expire}", 2, lru=1, tlru=1, segcache=1,
                **{"expire-soonest": 1, "expire-latest": 1})
        self.check("expired.csv --capacity 2", 2, lru=1, tlru=1)
        self.check("expired.csv --capacity 2 --expire", 2, lru=0, tlru=0, segcache=0, s3fifo=0)


if __name__ == "__main__":
    unittest.main()
