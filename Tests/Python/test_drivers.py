"""Drives caches of other projects through `evict replay --system exec:…`.

A package or a server that is not installed is skipped with a word.
"""

import importlib.util
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = ROOT / ".build/release/evict"
DRIVER = ROOT / "notebooks/drivers/driver.py"
REQUESTS = 20_000
CAPACITY = 500


def replay(*systems, trace=ROOT / "traces/orders.txt.zst", more=()):
    """The rows of a replay of LRU and of these systems."""
    options = [word for system in systems for word in ("--system", system)]
    run = subprocess.run(
        [EVICT, "replay", trace, "--policy", "lru", "--capacity", str(CAPACITY), "--limit", str(REQUESTS),
         "--repeat", "1", "--no-baselines", "--format", "json", *options, *more],
        capture_output=True, text=True, timeout=300,
    )
    return run, json.loads(run.stdout)["results"] if run.stdout else []


class Alone(unittest.TestCase):
    """The driver by itself, spoken to as `evict` does."""

    def start(self, cache):
        driver = subprocess.Popen(
            [sys.executable, DRIVER, cache], text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(driver.communicate, timeout=60)
        driver.stdin.write("evictionlab-driver 1 capacity=100 unit=objects seed=1\n")
        return driver

    def test_wrong_options_are_named_in_one_line(self):
        for cache, program, problem in [
            ("exact-lru:policy=lru", None, "exact-lru has no option policy"),
            ("memcached:polcy=x", "memcached", "memcached has no option polcy"),
            ("redis:samples=x", None, "samples=x is no number above 0"),
            ("redis:policy=x", "redis-server", "redis-server does not start: argument(s) must be one of"),
        ]:
            with self.subTest(cache):
                if program and not shutil.which(program):
                    self.skipTest(f"{program} is not installed")
                output, errors = self.start(cache).communicate(timeout=60)
                self.assertEqual(output, "")
                self.assertTrue(errors.startswith(problem), errors)
                self.assertEqual(errors.count("\n"), 1, errors)

    def test_port_in_use_is_named_in_one_line(self):
        for cache, program in [("redis", "redis-server"), ("memcached", "memcached")]:
            with self.subTest(cache), socket.socket() as other:
                if not shutil.which(program):
                    self.skipTest(f"{program} is not installed")
                other.bind(("127.0.0.1", 0))
                other.listen()
                port = other.getsockname()[1]
                output, errors = self.start(f"{cache}:port={port}").communicate(timeout=60)
                self.assertEqual(output, "")
                self.assertEqual(
                    errors, f"port {port} is in use or not allowed; give {program} a free one, or leave port= out\n")

    def test_redis_serves_the_threads_that_it_declares(self):
        if not shutil.which("redis-server"):
            self.skipTest("redis-server is not installed")
        driver = self.start("redis:threads=4:bytes=4000000")
        words = [f"{key}:8" for key in range(400)]
        batches = "".join(f"access {' '.join(words)}\n" for _ in range(2))
        output, errors = driver.communicate(f"{batches}access -7 =8:8 7:8 8:8\nend\n", timeout=60)
        lines = output.splitlines()
        self.assertEqual(lines[:3], ["ready threads=4", "0" * 400, "1" * 400], errors)
        self.assertEqual(lines[3][:2], "..")
        self.assertIn("histogram=", lines[4])
        times = dict(part.split(":") for part in lines[4].split("histogram=")[1].split(","))
        self.assertEqual(sum(map(int, times.values())), 802)
        output, errors = self.start("redis:threads=4").communicate(timeout=60)
        self.assertEqual(errors, "threads of redis need its capacity in bytes: give bytes=N, or --sized\n")

    def test_server_ends_with_a_driver_that_is_ended(self):
        for cache, program in [("redis", "redis-server"), ("memcached", "memcached")]:
            with self.subTest(cache):
                if not shutil.which(program):
                    self.skipTest(f"{program} is not installed")
                driver = self.start(cache)
                self.assertEqual(driver.stdout.readline(), "ready\n")
                children = pathlib.Path(f"/proc/{driver.pid}/task/{driver.pid}/children")
                server = pathlib.Path("/proc", children.read_text().strip())
                folder = server.joinpath("cwd").readlink()
                self.assertEqual(server.joinpath("comm").read_text().strip(), program)
                driver.terminate()
                driver.wait(timeout=60)
                self.assertFalse(server.exists())
                self.assertFalse(folder.exists())


class Drivers(unittest.TestCase):
    def drive(self, cache, package=None, program=None, isLRU=False):
        if package and not importlib.util.find_spec(package):
            self.skipTest(f"{package} is not installed for {sys.executable}")
        if program and not shutil.which(program):
            self.skipTest(f"{program} is not installed")
        run, rows = replay(f"exec:{sys.executable} {DRIVER} {cache}")
        self.assertEqual(run.returncode, 0, run.stderr)
        own, other = rows
        self.assertEqual(other["system"], f"exec:{sys.executable} {DRIVER} {cache}")
        self.assertEqual(other["requests"], REQUESTS)
        self.assertEqual(other["latency"]["operation"]["get"]["count"], REQUESTS)
        self.assertGreater(other["latency"]["operation"]["get"]["p50"], 0)
        self.assertGreater(other["hits"], 0)
        if other["residents"] is not None:
            self.assertGreater(other["residents"], 0)
        if program:
            self.assertGreater(other["memory"], 8 * other["residents"])
            self.assertGreater(other["lruHitRatioAtMemory"], other["lruHitRatioAtResidents"])
        if program == "redis-server":
            # A client's buffers count, too, and come and go: up to 48 KB, of which such objects take a tenth of a KB.
            self.assertGreater(other["residents"], CAPACITY / 10)
            self.assertLessEqual(other["residents"], 1.05 * CAPACITY)
        if isLRU:
            self.assertEqual(other["hits"], own["hits"])
            self.assertEqual(other["residents"], CAPACITY)
            self.assertEqual(other["lruHitRatioAtResidents"], own["hitRatio"])

    def test_exact_lru_hits_as_lru_does(self):
        self.drive("exact-lru", isLRU=True)

    def test_the_guides_driver_hits_as_lru_does(self):
        page = (ROOT / "Sources/EvictionLab/EvictionLab.docc/Drivers.md").read_text()
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(page.split("```python\n")[1].split("```")[0])
            file.flush()
            run, rows = replay(f"exec:{sys.executable} {file.name}")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(rows[0]["hits"], rows[1]["hits"])

    def test_cachetools(self):
        self.drive("cachetools:policy=lru", "cachetools", isLRU=True)
        self.drive("cachetools:policy=lfu", "cachetools")

    def test_cachebox(self):
        self.drive("cachebox:policy=lru", "cachebox", isLRU=True)

    def test_lru_dict(self):
        self.drive("lru-dict", "lru", isLRU=True)

    def test_theine(self):
        self.drive("theine", "theine")

    def test_moka(self):
        self.drive("moka", "moka_py")

    def test_diskcache(self):
        self.drive("diskcache", "diskcache")

    def test_redis(self):
        self.drive("redis:policy=allkeys-lru:samples=10", program="redis-server")
        self.drive("redis:policy=allkeys-lfu", program="redis-server")

    def test_memcached(self):
        self.drive("memcached", program="memcached")

    def test_sizes_count_where_the_trace_has_them(self):
        trace = ROOT / "traces/build.csv.zst"
        run, rows = replay(f"exec:{sys.executable} {DRIVER} exact-lru", trace=trace, more=("--capacity", "64MiB"))
        self.assertNotEqual(run.returncode, 0)  # a count beside bytes
        run, rows = replay(
            f"exec:{sys.executable} {DRIVER} exact-lru", trace=trace, more=("--sized",))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(rows[1]["requests"], rows[0]["requests"])

    def test_failing_driver_fails_alone_and_is_told(self):
        run, rows = replay("exec:echo no such cache >&2; exit 7", f"exec:{sys.executable} {DRIVER} exact-lru")
        self.assertEqual(run.returncode, 74)
        self.assertEqual([row["system"][:8] if row["system"] else None for row in rows], [None, "exec:" + sys.executable[:3]])
        self.assertIn("ended too early, with code 7; it said: no such cache", run.stderr)

    def test_unknown_cache_and_missing_server_are_named(self):
        run, rows = replay(f"exec:{sys.executable} {DRIVER} nothing")
        self.assertEqual((run.returncode, len(rows)), (74, 1))
        self.assertIn("no cache is called “nothing”", run.stderr)
        run, rows = replay(f"exec:PATH= {sys.executable} {DRIVER} memcached")
        self.assertIn("memcached is not installed", run.stderr)

    def test_program_must_be_named(self):
        run, _ = replay("exec:")
        self.assertEqual(run.returncode, 64)
        self.assertIn("names no program", run.stderr)


if __name__ == "__main__":
    unittest.main()
