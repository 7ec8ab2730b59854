"""The claims, run by the tool."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))


def claims(*arguments):
    return subprocess.run(
        [EVICT, "claims", *map(str, arguments)], capture_output=True, text=True, cwd=ROOT)


@unittest.skipUnless(EVICT.exists(), f"{EVICT} is not built")
class ClaimsTest(unittest.TestCase):
    def test_cheap_claims_write_a_document_each(self):
        with tempfile.TemporaryDirectory() as folder:
            done = claims("C6", "C17", "C32", "--quick", "--output", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            # Long work is announced.
            self.assertRegex(done.stderr, r"\A(evict: this takes at most .*\n)?\Z")
            self.assertEqual(
                sorted(path.name for path in pathlib.Path(folder).iterdir()),
                ["C17.json", "C32.json", "C6.json"])
            for name in ["C6", "C17", "C32"]:
                self.assertIn(name, done.stdout)
                found = json.loads((pathlib.Path(folder) / f"{name}.json").read_text())
                self.assertEqual((found["schema"], found["id"]), ("evictionlab.claim/1", name))
                self.assertEqual(len(found["ruleHash"]), 64)
                self.assertTrue(found["results"])

    def test_exact_claims_have_the_same_verdict_under_every_seed(self):
        verdicts = set()
        for seed in [1, 2]:
            with tempfile.TemporaryDirectory() as folder:
                claims("C17", "--quick", "--seed", seed, "--output", folder)
                found = json.loads((pathlib.Path(folder) / "C17.json").read_text())
                verdicts.add(json.dumps([row["effect"] for row in found["conditions"]]))
        self.assertEqual(len(verdicts), 1)

    def test_repeated_runs_add_their_verdicts(self):
        with tempfile.TemporaryDirectory() as folder:
            done = claims("C17", "--quick", "--repeat", 2, "--output", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = json.loads((pathlib.Path(folder) / "C17.json").read_text())
            for part in [found, *found["conditions"]]:
                self.assertEqual(part["verdicts"], [part["verdict"]] * 2)

    @unittest.skipUnless(os.path.exists("/proc/thread-self/schedstat"), "the system does not say")
    def test_a_busy_machine_leaves_a_claim_of_times_undecided(self):
        burn = "while True: pass"
        load = [subprocess.Popen([sys.executable, "-c", burn]) for _ in range(4 * os.cpu_count())]
        try:
            with tempfile.TemporaryDirectory() as folder:
                done = claims("C6", "--quick", "--budget", "15s", "--output", folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                found = json.loads((pathlib.Path(folder) / "C6.json").read_text())
        finally:
            for process in load:
                process.kill()
                process.wait()
        self.assertEqual(found["verdict"], "undecided")
        for condition in found["conditions"]:
            self.assertEqual(condition["verdict"], "undecided")
            self.assertRegex(condition["reason"], "disturbed|budget")

    def test_an_unknown_claim_is_wrong_usage(self):
        done = claims("C99")
        self.assertEqual(done.returncode, 64)
        self.assertIn("did you mean C9?", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_a_stopped_run_leaves_whole_documents_only(self):
        with tempfile.TemporaryDirectory() as folder:
            process = subprocess.Popen(
                [EVICT, "claims", "--output", folder], cwd=ROOT, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            path = pathlib.Path(folder)
            until = time.monotonic() + 60
            while not list(path.glob(".trials-*")) and time.monotonic() < until:
                time.sleep(0.05)
            process.send_signal(signal.SIGTERM)
            _, problem = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130, problem)
            for document in path.glob("*.json"):
                json.loads(document.read_text())
            self.assertEqual(list(path.glob(".trials-*")), [])


if __name__ == "__main__":
    unittest.main()
