"""The caches' threads under schedules that a seed decides: scenarios hold, planted faults are found, seeds replay."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Interleavings"))

from concurrency_faults import FAULTS  # noqa: E402

COPY = ROOT / ".build/interleavings-faults"
SECONDS = 45
PLANTED = {"fault-wakeup": "every thread waits", "fault-note": "note", "fault-load": "value is 2|loaded 2 times"}


def build(root):
    """Builds the explorer of the sources in a folder, where those with a fault may have warnings."""
    done = subprocess.run(["swift", "build", "--package-path", "Tests/Interleavings", "--scratch-path",
                           ".build/interleavings", "--product", "Interleavings"], cwd=root, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode or (root == ROOT and "warning:" in done.stdout):
        raise AssertionError(done.stdout)


def explore(*arguments, root=ROOT):
    """The status and the output."""
    done = subprocess.run([root / ".build/interleavings/debug/Interleavings", *map(str, arguments)], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=10 * SECONDS)
    return done.returncode, done.stdout


class InterleavingsTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        build(ROOT)

    def test_scenarios_hold(self):
        status, output = explore(SECONDS)
        self.assertEqual(status, 0, output)
        self.assertGreater(len(re.findall(r"^ok \S+: \d+ schedules", output, re.M)), 30, output)

    def test_faults_are_found_and_their_seeds_replay(self):
        for fault, symptom in PLANTED.items():
            with self.subTest(fault):
                status, output = explore(10, "--scenario", fault)
                self.assertEqual(status, 1, output)
                self.assertRegex(output, rf"FAILED {fault}: .*({symptom})")
                seed = re.search(r"--seed (\d+)", output)[1]
                for _ in range(2):
                    self.assertEqual(explore("--scenario", fault, "--seed", seed), (1, output))

    def test_a_seed_is_one_schedule(self):
        schedules = {explore("--scenario", "cache-buffered-big-reader", "--seed", seed) for seed in (1, 2, 3, 1, 2, 3)}
        self.assertEqual(len(schedules), 3, schedules)

    def test_every_fault_has_its_place(self):
        for fault in FAULTS:
            with self.subTest(fault.name):
                self.assertNotEqual(fault.planted((ROOT / fault.file).read_text()), "")

    @unittest.skipUnless(os.environ.get("EVICTIONLAB_THOROUGH"), "builds the explorer for each fault")
    def test_faults_in_the_sources_are_found(self):
        shutil.rmtree(COPY, ignore_errors=True)
        for folder in ("Sources/CInline", "Sources/EvictionCore", "Sources/Parameters", "Tests/Interleavings"):
            shutil.copytree(ROOT / folder, COPY / folder, symlinks=True)
        for fault in FAULTS:
            with self.subTest(fault.name):
                source = (COPY / fault.file).read_text()
                try:
                    (COPY / fault.file).write_text(fault.planted(source))
                    build(COPY)
                    status, output = explore(10, "--scenario", fault.scenario, root=COPY)
                    self.assertEqual(status, 1, output)
                finally:
                    (COPY / fault.file).write_text(source)

    def test_a_name_that_there_is_not_is_refused(self):
        status, output = explore("--scenario", "nothing")
        self.assertEqual((status, output.split()[0]), (2, "scenarios:"))


if __name__ == "__main__":
    unittest.main()
