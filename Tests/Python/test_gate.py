"""The gate as continuous integration runs it, and the figures of the script that tests the gate itself."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Benchmarks"))
import gate  # noqa: E402


class ContinuousIntegration(unittest.TestCase):
    def checks(self, **variables):
        """The lines of `make check` that run the gate."""
        environment = {k: v for k, v in os.environ.items() if k != "GITHUB_ACTIONS"}
        text = subprocess.run(
            ["make", "--dry-run", "--no-print-directory", "check"], cwd=ROOT, check=True,
            capture_output=True, text=True, env=environment | variables).stdout
        return [line for line in text.splitlines() if " check " in line]

    @unittest.skipUnless(shutil.which("make"), "make is not installed")
    def test_differences_are_annotated_on_github(self):
        self.assertRegex(self.checks(GITHUB_ACTIONS="true")[0], r"--format github$")
        self.assertRegex(self.checks()[0], r"--format table$")

    @unittest.skipUnless(shutil.which("make"), "make is not installed")
    def test_instructions_are_required(self):
        self.assertIn(" --require-instructions ", self.checks()[0])

    @unittest.skipUnless(shutil.which("swift"), "swift is not on the path")
    def test_results_name_the_whole_version_of_the_compiler(self):
        text = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
        version = re.search(r"Swift version (\d+\.\d+(\.\d+)?)", text)[1]
        made = subprocess.run(
            [ROOT / ".build/release/evict", "sweep", ROOT / "traces/zipf.txt.zst", "--policy", "lru",
             "--capacity", "10", "--limit", "100", "--format", "json"],
            check=True, capture_output=True, text=True).stdout
        self.assertEqual(json.loads(made)["environment"]["toolchain"], f"Swift {version}")

    def test_the_gate_runs_once(self):
        workflow = (ROOT / ".github/workflows/ci.yml").read_text()
        script = (ROOT / ".ci/run").read_text()
        runs = [line for line in workflow.splitlines() if "run: " in line]
        self.assertEqual([line.split("run: ")[1] for line in runs], [".ci/run"])
        self.assertEqual(script.splitlines().count("make check"), 1)


class Documents(unittest.TestCase):
    def test_documents_of_benchmarks_begin_with_where_they_come_from(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bench.json"
            path.write_text('{"rounds": 7, "caches": []}')
            subprocess.run([ROOT / "Tests/Benchmarks/document.py", path], check=True)
            document = json.loads(path.read_text())
        self.assertEqual(list(document), ["schema", "commit", "machine", "rounds", "caches"])
        self.assertEqual(document["schema"], "evictionlab.benchmark/1")
        self.assertGreater(document["machine"]["cores"], 0)
        self.assertTrue(document["machine"]["cpu"] and document["machine"]["os"])


class Figures(unittest.TestCase):
    def test_limit_of_a_share(self):
        # Clopper and Pearson: 1 - 0.05^(1/50), and scipy.stats.beta.ppf(0.95, 4, 17).
        self.assertAlmostEqual(gate.limit(0, 50), 1 - 0.05 ** (1 / 50))
        self.assertAlmostEqual(gate.limit(3, 20), 0.343663, places=5)
        self.assertEqual(gate.limit(20, 20), 1)

    def test_growth_is_that_of_the_planted_policy(self):
        def document(*counts):
            return {"results": [
                {"policy": policy, "speed": {"instructions": count}}
                for policy, count in zip(["planted", "lru", "planted"], counts)]}
        self.assertEqual(gate.growth(document(110, 9, 50), document(100, 1, 100)),
                         [110 / 100 - 1, -0.5])

    def test_findings_are_counted_by_figure_and_verdict(self):
        comparison = {"differences": [
            {"figure": "time", "verdict": "slower", "policy": "lru"},
            {"figure": "time", "verdict": "unclear", "policy": "lru"},
            {"figure": "instructions", "verdict": "slower", "policy": "planted"}]}
        self.assertEqual(gate.found(comparison, "time", "slower"), 1)
        self.assertEqual(gate.found(comparison, "time", "slower", "planted"), 0)


if __name__ == "__main__":
    unittest.main()
