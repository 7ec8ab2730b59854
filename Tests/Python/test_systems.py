"""Systems on disks that are full, and the memory that systems take."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))


class FullDisk(unittest.TestCase):
    @unittest.skipUnless(os.geteuid() == 0, "a small file system is mounted as root only")
    def test_full_disk_fails_one_row_with_one_line(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(os.rmdir, folder)
        mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", folder]
        if subprocess.run(mount, capture_output=True).returncode:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", folder], capture_output=True)
        run = subprocess.run(
            [EVICT, "replay", ROOT / "traces/orders.txt.zst", "--policy", "lru", "--system", "yycache,memorycache",
             "--capacity", "5000", "--limit", "20000", "--repeat", "1", "--no-baselines", "--format", "json"],
            capture_output=True, text=True, timeout=300, env={**os.environ, "TMPDIR": folder},
        )
        self.assertEqual(run.returncode, 74, run.stderr)
        why, = run.stderr.splitlines()
        self.assertTrue(why.startswith("evict: 1 of 3 cells failed: "), why)
        self.assertIn("/yycache/manifest.sqlite: cannot write an entry: no space left; free some space", why)
        self.assertEqual(why.count("yycache"), 1, "a path is named once")
        rows = json.loads(run.stdout)["results"]
        self.assertEqual([row["system"] for row in rows], [None, "memorycache"])
        self.assertEqual(os.listdir(folder), [], "the row's files are left")


class Memory(unittest.TestCase):
    def test_memory_of_an_entry_does_not_depend_on_what_ran_before(self):
        def memory(systems):
            run = subprocess.run(
                [EVICT, "replay", ROOT / "traces/orders.txt.zst", "--policy", "lru", "--system", systems, "--capacity",
                 "7000", "--limit", "200000", "--repeat", "1", "--no-baselines", "--format", "json"],
                check=True, capture_output=True, text=True, timeout=300)
            rows = json.loads(run.stdout)["results"]
            return {row["system"]: row["bytesPerEntry"] for row in rows if row["system"]}

        # With thousands of entries, buffers of some thousand bytes that are made or not do not matter.
        forth, back = memory("memorycache,nscache-documented"), memory("nscache-documented,memorycache")
        for name, bytes_ in forth.items():
            # A value has eight bytes behind the header of an array of 32.
            self.assertGreater(bytes_, 40, name)
            self.assertLess(bytes_, 1000, name)
            self.assertAlmostEqual(bytes_, back[name], delta=0.1 * bytes_, msg=name)


if __name__ == "__main__":
    unittest.main()
