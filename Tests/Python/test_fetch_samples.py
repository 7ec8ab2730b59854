"""Samples of a large collection's traces, by key while the bytes come, from a server of this machine's own."""

import json
import pathlib
import signal
import subprocess
import tempfile
import unittest

from test_fetch import EVICT, Server


class FetchSamplesTest(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.home = pathlib.Path(temporary.name)
        self.evict("trace", "generate", "zipf:alpha=0.8:keys=2e4:requests=3e5", "--output", "all.oracleGeneral.zst",
                   "--times", "poisson:rate=1000", "--sizes", "lognormal:mean=4096:sigma=1")
        self.whole = (self.home / "all.oracleGeneral.zst").read_bytes()

    def evict(self, *arguments, code=0):
        result = subprocess.run(
            [EVICT, *arguments], cwd=self.home, capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def arguments(self, *names, rate="0.1"):
        manifest = self.home / "manifest.json"
        manifest.write_text(json.dumps({
            "schema": "evictionlab.manifest/1", "traces": [],
            "collections": [{
                "name": "many", "group": "block", "url": self.server.url(""),
                "example": "a.oracleGeneral.bin.zst", "citation": "Nobody. Zipf. 2024.",
            }],
        }))
        return ["trace", "fetch", "--manifest", "manifest.json", "--folder", "got", "--rate", rate,
                *[f"many/{name}" for name in names]]

    def fetch(self, *names, rate="0.1", code=0):
        return self.evict(*self.arguments(*names, rate=rate), code=code)

    def files(self):
        folder = self.home / "got"
        return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []

    def keys(self, file):
        self.evict("trace", "convert", file, "--output", "keys.csv.txt")
        return (self.home / "keys.csv.txt").read_text()

    def test_sample_is_that_of_the_whole_trace(self):
        name = "a.oracleGeneral.bin.zst"
        self.server.contents[name] = self.whole
        result = self.fetch(name)
        self.assertEqual(result.stdout, "got/many-a.rate0.1.oracleGeneral.zst\n")
        self.evict("trace", "sample", "all.oracleGeneral.zst", "--rate", "0.1", "--output", "part.oracleGeneral")
        keys = self.keys("got/many-a.rate0.1.oracleGeneral.zst")
        self.assertEqual(keys, self.keys("part.oracleGeneral"))
        self.assertGreater(len(keys), 1000)
        self.assertIn("(was there)", self.fetch(name).stdout)
        self.assertEqual(self.server.ranges, [None])

    def test_rate_of_one_keeps_everything_also_of_what_is_not_packed(self):
        self.evict("trace", "convert", "all.oracleGeneral.zst", "--output", "plain.oracleGeneral")
        self.server.contents["sub/b.oracleGeneral"] = (self.home / "plain.oracleGeneral").read_bytes()
        self.fetch("sub/b.oracleGeneral", rate="1")
        self.assertEqual(self.files(), ["many-sub-b.rate1.0.oracleGeneral.zst"])
        self.assertEqual(
            self.keys("got/many-sub-b.rate1.0.oracleGeneral.zst"), self.keys("all.oracleGeneral.zst"))

    def test_cut_connection_is_taken_up_where_it_broke(self):
        name = "a.oracleGeneral.zst"
        self.server.contents[name] = self.whole
        self.server.cuts[name] = [100_000, 150_000]
        self.fetch(name)
        self.assertEqual(self.server.ranges, [None, "bytes=100000-", "bytes=250000-"])
        self.evict("trace", "sample", "all.oracleGeneral.zst", "--rate", "0.1", "--output", "part.oracleGeneral")
        self.assertEqual(self.keys("got/many-a.rate0.1.oracleGeneral.zst"), self.keys("part.oracleGeneral"))

    def test_connection_that_brings_no_more_leaves_no_file(self):
        name = "a.oracleGeneral.zst"
        self.server.contents[name] = self.whole
        self.server.cuts[name] = [100_000, 0]
        result = self.fetch(name, code=74)
        self.assertTrue(result.stderr.endswith("; a sample is made in one go, run it again\n"), result.stderr)
        self.assertEqual(self.files(), [])
        self.fetch(name)

    def test_server_without_ranges_is_said_when_the_connection_breaks(self):
        name = "whole.oracleGeneral.zst"
        self.server.contents[name] = self.whole
        self.server.cuts[name] = [100_000]
        result = self.fetch(name, code=74)
        self.assertIn("the server sends no rest of a file", result.stderr)
        self.assertEqual(self.files(), [])

    def test_file_that_is_cut_off_on_the_server_is_refused(self):
        for name, content in [("a.oracleGeneral.zst", self.whole[:-1000]), ("b.oracleGeneral", b"x" * 25)]:
            self.server.contents[name] = content
            self.fetch(name, code=65)
            self.assertEqual(self.files(), [])

    def test_stalled_server_is_left_at_once(self):
        self.addCleanup(self.server.over.set)
        process = subprocess.Popen(
            [EVICT, *self.arguments("stalled")], cwd=self.home, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.addCleanup(process.kill)
        self.assertTrue(self.server.stalled.wait(30))
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=30)[1]
        self.assertEqual(
            (process.returncode, errors),
            (130, "evict: many/stalled: stopped; a sample is made in one go, run it again\n"))
        self.assertEqual(self.files(), [])

    def test_wrong_names_are_said(self):
        result = self.fetch("", code=64)
        self.assertIn("no trace is called “many/”; known are many/a.oracleGeneral.bin.zst", result.stderr)
        result = self.fetch("gone", code=66)
        self.assertIn("answers with status 404", result.stderr)

    def test_list_names_the_collections(self):
        listed = self.evict("trace", "fetch", "--list").stdout
        self.assertIn("cloudphysics/w01.oracleGeneral.bin.zst", listed)


if __name__ == "__main__":
    unittest.main()
