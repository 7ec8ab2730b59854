"""Learned policies: what users have is built without them, says how to get them, and links no learning library.

EVICTIONLAB_LEARNED names a tool that was built with the trait Learned; without it, what needs one is skipped."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))
LEARNED = os.environ.get("EVICTIONLAB_LEARNED")
NAMES = {"lrb": "batch=512", "gl-cache": "retrain=1000", "3l-cache": "batch=512"}


def run(tool, *arguments):
    return subprocess.run([tool, *arguments], capture_output=True, text=True)


@unittest.skipUnless(EVICT.exists(), f"{EVICT} is not built")
class Without(unittest.TestCase):
    def test_names_are_refused_with_the_remedy(self):
        for name in NAMES:
            for command in (["policies", name], ["sweep", "no-trace", "--policy", name, "--capacity", "10"]):
                done = run(EVICT, *command)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn("install libxgboost-dev", done.stderr)
                self.assertIn("--traits Lab,Learned", done.stderr)

    @unittest.skipUnless(shutil.which("ldd"), "ldd lists what is linked")
    def test_no_learning_library_is_linked(self):
        self.assertNotIn("xgboost", run("ldd", EVICT).stdout)


@unittest.skipUnless(LEARNED, "EVICTIONLAB_LEARNED names no tool")
class With(unittest.TestCase):
    def sweep(self, name):
        return self.measured("sweep", name)

    def measured(self, command, name, *more, check=None):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder, "trace.txt")
            state = 1
            with trace.open("w") as file:
                for index in range(20_000):
                    state = state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
                    file.write(f"{100 + index if index % 2 else (state >> 33) % 50}\n")
            out = pathlib.Path(folder, "out.json")
            done = run(
                LEARNED, command, trace, "--policy", name, "--capacity", "40", "--format", "json", "--output", out,
                *more)
            self.assertEqual(done.returncode, 0, done.stderr)
            if check:
                check(out)
            return next(r for r in json.loads(out.read_text())["results"] if r["policy"] == name.split(":")[0])

    def test_two_runs_are_equal_and_tell_their_costs(self):
        times = {"trainingSeconds", "predictionSeconds"}
        for name, often in NAMES.items():
            one, other = self.sweep(f"{name}:{often}"), self.sweep(f"{name}:{often}")
            self.assertEqual(one["hits"], other["hits"])
            self.assertGreater(one["learning"]["trainings"], 0)
            self.assertGreater(one["learning"]["trainingSeconds"], 0)
            for key in set(one["learning"]) - times:
                self.assertEqual(one["learning"][key], other["learning"][key], key)

    def test_a_replay_trains_beside_the_requests_and_says_so(self):
        def check(document):
            self.assertIn("trained beside the requests", run(LEARNED, "report", document).stdout)
            compared = run(LEARNED, "compare", document, document)
            self.assertIn("beside the requests hits what the clock lets it", compared.stdout + compared.stderr)

        for name, often in NAMES.items():
            result = self.measured("replay", f"{name}:{often}", "--repeat", "1", check=check)
            learning = result["learning"]
            self.assertTrue(learning["beside"])
            self.assertGreater(learning["begunTrainings"], 0)
            self.assertIn(learning["begunTrainings"] - learning["trainings"], (0, 1))
            self.assertEqual(result["requests"], 20_000)
            self.assertNotIn("beside", self.sweep(f"{name}:{often}")["learning"])

    def test_the_suite_finds_no_breach(self):
        for name in NAMES:
            done = run(LEARNED, "policies", "check", name)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
