"""Sweeps of traces that are read block by block: the counts of the same trace in memory, and a memory that does
not grow with an endless stream."""

import json
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))
SWEEP = ["--policy", "lru,sieve,arc", "--capacity", "50,500", "--format", "json"]


def cells(text):
    return [
        [row[name] for name in ("policy", "capacity", "requests", "hits", "insertions", "evictions")]
        for row in json.loads(text)["results"]
    ]


def resident(process):
    """The resident memory in KiB."""
    for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


@unittest.skipUnless(EVICT.exists(), f"{EVICT} is not built")
class StreamTest(unittest.TestCase):
    def sweep(self, *arguments, keys=None):
        return subprocess.run(
            [EVICT, "sweep", *arguments], input=keys, capture_output=True, check=True)

    def test_counts_are_those_in_memory(self):
        numbers = random.Random(1)
        keys = "".join(f"{int(numbers.paretovariate(0.6))}\n" for _ in range(200_000)).encode()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "keys.txt")
            pathlib.Path(path).write_bytes(keys)
            whole = self.sweep(path, *SWEEP)
            file = self.sweep(path, "--stream", *SWEEP)
            pipe = self.sweep("-", "--stream", *SWEEP, keys=keys)
        self.assertEqual(cells(whole.stdout), cells(file.stdout))
        self.assertEqual(cells(whole.stdout), cells(pipe.stdout))
        self.assertTrue(json.loads(pipe.stdout).get("complete", True))
        self.assertIn(b"block by block", file.stderr)
        self.assertIn(b"without the optimum", file.stderr)

    def test_windows_of_a_file_are_those_in_memory(self):
        numbers = random.Random(3)
        keys = "".join(f"{int(numbers.paretovariate(0.6))}\n" for _ in range(30_001)).encode()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "keys.txt")
            pathlib.Path(path).write_bytes(keys)
            for warmup in ["0", "5000"]:
                sweep = [path, *SWEEP, "--windows", "7", "--warmup", warmup]
                whole, streamed = (
                    json.loads(self.sweep(*sweep, *more).stdout)["results"] for more in ([], ["--stream"]))
                self.assertEqual(len(streamed[0]["windows"]["hits"]), 7, streamed[0])
                self.assertEqual([row["windows"] for row in whole], [row["windows"] for row in streamed])

    def test_packed_traces_count_the_same(self):
        numbers = random.Random(4)
        rows = "".join(f"{key},{key % 90 + 1}\n" for key in (
            int(numbers.paretovariate(0.6)) for _ in range(60_000)))
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "rows.csv").write_text("key,size\n" + rows)
            for name in ["rows.evtrace", "rows.evtrace.zst"]:
                path = os.path.join(folder, name)
                subprocess.run(
                    [EVICT, "trace", "convert", os.path.join(folder, "rows.csv"), "--output", path],
                    check=True, capture_output=True)
                for capacity, more in [("50,10%", []), ("8KiB,10%", []), ("500", ["--limit", "40000"])]:
                    sweep = [path, "--policy", "lru,sieve,arc,gdsf", "--capacity", capacity, "--format", "json", *more]
                    whole, streamed = self.sweep(*sweep), self.sweep(*sweep, "--stream")
                    self.assertEqual(cells(whole.stdout), cells(streamed.stdout), (name, capacity))
                    self.assertEqual(*(json.loads(run.stdout)["traces"] for run in (whole, streamed)))
            path = os.path.join(folder, "rows.evtrace")
            piped = subprocess.run(
                [EVICT, "sweep", "-", "--stream", "--capacity", "50"],
                input=pathlib.Path(path).read_bytes(), capture_output=True)
            self.assertEqual((piped.returncode, piped.stdout), (64, b""), piped.stderr)
            self.assertIn(b"a pipe is read once; give it as a file", piped.stderr)
            # The last request's key is another one, and nothing of the sweep is written.
            stored = bytearray(pathlib.Path(path).read_bytes())
            stored[256 + 4 * 59_999] ^= 1
            pathlib.Path(path).write_bytes(stored)
            ended = subprocess.run(
                [EVICT, "sweep", path, "--stream", "--capacity", "8KiB"], capture_output=True)
            self.assertEqual((ended.returncode, ended.stdout), (65, b""), ended.stderr)
            self.assertIn(b"byte 256: the ids do not", ended.stderr)

    def test_a_file_that_is_not_there_is_missing_whatever_is_asked(self):
        for capacity in ["5", "10%"]:
            ended = subprocess.run(
                [EVICT, "sweep", "not-there.txt", "--stream", "--capacity", capacity], capture_output=True)
            self.assertEqual(ended.returncode, 66, ended.stderr)

    def test_endless_input_takes_a_memory_that_does_not_grow(self):
        process = subprocess.Popen(
            [EVICT, "sweep", "-", "--stream", *SWEEP], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            # A shell's background jobs, and what they start, ignore Ctrl-C, and so would this.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        numbers = random.Random(2)
        block = "".join(f"{int(numbers.paretovariate(0.9)) % 100_000}\n" for _ in range(500_000))
        sent = 0
        stops = threading.Event()

        def feed():
            nonlocal sent
            while not stops.is_set():
                process.stdin.write(block.encode())
                process.stdin.flush()
                sent += 500_000

        feeder = threading.Thread(target=feed)
        feeder.start()
        time.sleep(4)
        before = resident(process)
        time.sleep(6)
        after = resident(process)
        stops.set()
        feeder.join()
        # What was sent is read, and then the tool waits.
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        # Before the input is closed, whose end would be the tool's as well.
        process.wait(timeout=60)
        output, errors = process.communicate()
        self.assertEqual(process.returncode, 130, errors)
        document = json.loads(output)
        self.assertIs(document["complete"], False)
        self.assertEqual({row["requests"] for row in document["results"]}, {sent})
        self.assertEqual(document["traces"][0]["requests"], sent)
        self.assertGreater(sent, 5_000_000)
        self.assertLess(after, before * 1.1 + 8192, f"{before} KiB became {after}")

    def test_what_needs_the_future_is_refused_by_name(self):
        for arguments, message in [
            (["-", "--stream"], b"capacities cannot be fractions"),
            (["-", "--stream", "--policy", "opt", "--capacity", "5"], b"opt needs the future"),
            (["-", "--stream", "--windows", "9", "--capacity", "5"], b"not go with --windows"),
            (["-", "--stream", "--windows", "9min", "--capacity", "5"], b"not go with --windows"),
        ]:
            ended = subprocess.run(
                [EVICT, "sweep", *arguments], input=b"a\nb\na\n", capture_output=True)
            self.assertEqual(ended.returncode, 64, ended.stderr)
            self.assertIn(message, ended.stderr)
            self.assertEqual(ended.stderr.count(b"\n"), 1)


if __name__ == "__main__":
    unittest.main()
