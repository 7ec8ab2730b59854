"""Finished work survives: sweeps are killed and their disks filled at random moments, then resumed."""

import ctypes
import json
import os
import pathlib
import random
import signal
import struct
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = ROOT / ".build/release/evict"
POLICIES = "lru,fifo,lfu,clock,sieve,arc,slru,2q,s3fifo,random"
CAPACITIES = "1%,2%,3%,5%,8%,10%,15%,20%,30%,50%"
CELLS = 100
KILLS = 50
FULL_DISKS = 20


def rows(document):
    """The results by cell, without their times."""
    times = {"seconds", "requestsPerSecond"}
    return [{key: value for key, value in row.items() if key not in times}
            for row in document["results"]]


def journaled(path):
    """The seconds of each row of a journal whose line is whole, by policy and capacity; not the baselines'."""
    if not path.exists():
        return {}
    text = path.read_text()
    lines = text[:text.rfind("\n") + 1].splitlines()[1:]
    runs = [json.loads(line).get("run") for line in lines]
    return {(run["policy"], run["capacity"]): run["seconds"] for run in runs
            if run and run["policy"] in POLICIES.split(",")}


class Survival(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.trace = cls.folder / "z.oracleGeneral"
        subprocess.run([EVICT, "trace", "generate", "zipf:keys=1e4:requests=1.5e5", "--output", cls.trace],
                       check=True, capture_output=True)
        start = time.monotonic()
        whole = cls.sweep(cls.folder / "whole.json")
        cls.seconds = time.monotonic() - start
        assert whole.returncode == 0, whole.stderr
        cls.whole = rows(json.loads((cls.folder / "whole.json").read_text()))
        assert len(cls.whole) == CELLS
        assert not (cls.folder / "whole.json.journal").exists()

    @classmethod
    def command(cls, output, *options):
        return [EVICT, "sweep", cls.trace, "--policy", POLICIES, "--capacity", CAPACITIES,
                "--format", "json", "--output", output, *options]

    @classmethod
    def sweep(cls, output, *options):
        return subprocess.run(cls.command(output, *options), capture_output=True, text=True, timeout=120)

    def resume(self, output, kept):
        """Resumes, and holds the document against that of an uninterrupted run and a journal's rows."""
        resumed = self.sweep(output, "--resume")
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        document = json.loads(output.read_text())
        self.assertNotIn("complete", document)
        self.assertEqual(rows(document), self.whole)
        times = {(row["policy"], row["capacity"]): row["seconds"] for row in document["results"]}
        for cell, seconds in kept.items():
            self.assertEqual(times[cell], seconds, f"{cell} was run again")
        self.assertEqual(sorted(path.name for path in output.parent.iterdir()), [output.name])

    def test_killed_sweeps_lose_nothing(self):
        chance = random.Random(7)
        found = 0
        for number in range(KILLS):
            kind = [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL][number % 3]
            with self.subTest(number=number, signal=kind.name), tempfile.TemporaryDirectory() as folder:
                output = pathlib.Path(folder) / "out.json"
                sweep = subprocess.Popen(self.command(output), stderr=subprocess.PIPE, text=True)
                time.sleep(chance.uniform(0, self.seconds))
                sweep.send_signal(kind)
                errors = sweep.communicate(timeout=60)[1]
                if sweep.returncode == 0:
                    kept = {}
                elif kind == signal.SIGKILL:
                    self.assertEqual(sweep.returncode, -signal.SIGKILL)
                    kept = journaled(pathlib.Path(f"{output}.journal"))
                    if output.exists():  # the journal is removed after the whole document is written
                        self.assertEqual(rows(json.loads(output.read_text())), self.whole)
                elif sweep.returncode == -kind:  # before the tool took its signals over
                    kept = {}
                else:
                    self.assertEqual(sweep.returncode, 130, errors)
                    kept = {}
                    if output.exists():
                        document = json.loads(output.read_text())
                        self.assertIs(document.get("complete"), False)
                        kept = {(row["policy"], row["capacity"]): row["seconds"]
                                for row in document["results"]}
                        self.assertIn(f"{len(kept)} of {CELLS} cells are written", errors)
                found += len(kept)
                self.resume(output, kept)
        self.assertGreater(found, 2 * KILLS, "the kills came too early to lose anything")

    @unittest.skipUnless(hasattr(os, "O_TMPFILE"), "Linux only")
    def test_no_name_appears_that_the_next_run_would_not_remove(self):
        """A run may be killed at any moment, also between two system calls."""
        with tempfile.TemporaryDirectory() as folder:
            try:
                os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY))
            except OSError as error:
                self.skipTest(f"files without names: {error.strerror}")
            library = ctypes.CDLL(None, use_errno=True)
            events = library.inotify_init1(os.O_NONBLOCK)
            self.addCleanup(os.close, events)
            self.assertGreater(library.inotify_add_watch(events, folder.encode(), 0x180), 0)  # created, moved to
            self.assertEqual(self.sweep(pathlib.Path(folder) / "out.json").returncode, 0)
            data, names = os.read(events, 1 << 16), set()
            while data:  # an event is a watch, a mask, a cookie, a length and a name of that length
                length = struct.unpack_from("iIII", data)[3]
                names.add(data[16:16 + length].rstrip(b"\0").decode())
                data = data[16 + length:]
            self.assertEqual(names, {"out.json.journal", "out.json.unfinished", "out.json"})

    @unittest.skipUnless(os.geteuid() == 0, "a small file system is mounted as root only")
    def test_full_disks_lose_nothing(self):
        chance = random.Random(11)
        folder = tempfile.mkdtemp()
        self.addCleanup(os.rmdir, folder)
        mount = ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", folder]
        if subprocess.run(mount, capture_output=True).returncode:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", folder], capture_output=True)
        output = pathlib.Path(folder) / "out.json"
        found = 0
        for number in range(FULL_DISKS):
            with self.subTest(number=number):
                for path in output.parent.iterdir():
                    path.unlink()
                self.resize(folder, 4096 * chance.randint(1, 24))
                sweep = self.sweep(output)
                self.assertEqual(sweep.returncode, 74, sweep.stderr)
                self.assertEqual(sweep.stderr.count("\n"), 2 if "cells are written" in sweep.stderr else 1)
                self.assertFalse(output.exists())
                kept = journaled(pathlib.Path(f"{output}.journal"))
                found += len(kept)
                self.resize(folder, 1 << 20)
                self.resume(output, kept)
        self.assertGreater(found, 5 * FULL_DISKS, "the disks were full too early to lose anything")

    @staticmethod
    def resize(folder, size):
        subprocess.run(["mount", "-o", f"remount,size={size}", folder], check=True)

    def test_folders_of_killed_runs_are_removed(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "evict-disk-mine").mkdir()
            trace = folder / "z.csv"
            trace.write_text("key,size\n" + "".join(f"{n % 700},1000\n" for n in range(20000)))
            disk = [EVICT, "disk", trace, "--capacity", "50%", "--folder", folder]
            for _ in range(2):
                process = subprocess.Popen(disk, stdout=subprocess.DEVNULL)
                while len(list(folder.glob("evict-disk-*"))) < 2:
                    self.assertIsNone(process.poll(), "the run was over before it was killed")
                process.kill()
                process.wait()
                self.assertEqual(len(list(folder.glob("evict-disk-*"))), 2)
            subprocess.run(disk, check=True, stdout=subprocess.DEVNULL)
            self.assertEqual([path.name for path in folder.glob("evict-disk-*")], ["evict-disk-mine"])

    def test_journals_of_other_runs_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / "out.json"
            journal = pathlib.Path(f"{output}.journal")
            replay = [EVICT, "replay", self.trace, "--policy", "lru", "--capacity", "1%,2%",
                      "--output", output]
            # A journal as a kill leaves it: the first of two cells is finished.
            process = subprocess.Popen(replay)
            while not journal.exists() or journal.read_text().count("\n") < 5:
                self.assertIsNone(process.poll(), "the replay was over before it was killed")
            process.kill()
            process.wait()
            left = journal.read_text()
            for options, code, text in [
                    (["--resume", "--threads", "2"], 64, "is of another command"),
                    ([], 64, "add --resume to keep them"), (["--resume"], 0, "holds 1 of 2 cells")]:
                with self.subTest(options=options):
                    journal.write_text(left)
                    run = subprocess.run(replay + options, capture_output=True, text=True, timeout=60)
                    self.assertEqual(run.returncode, code, run.stderr)
                    self.assertIn(text, run.stderr)
                    self.assertEqual(journal.exists(), code != 0)
                    if code == 64:
                        self.assertEqual(journal.read_text(), left)
            for broken, code in [(left[:-9], 0), (left.replace('"cell"', '"call"'), 65)]:
                journal.write_text(broken)
                run = subprocess.run(replay + ["--resume"], capture_output=True, text=True, timeout=60)
                self.assertEqual(run.returncode, code, run.stderr)


if __name__ == "__main__":
    unittest.main()
