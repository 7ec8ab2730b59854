"""The gate as continuous integration runs it, and the figures of the script that tests the gate itself."""

import argparse
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
import faults  # noqa: E402
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

    def test_growth_is_the_smallest_of_the_traces_by_policy_and_form(self):
        def document(*counts):
            rows = [("lru", "policy", "a"), ("lru", "policy", "b"), ("lru", "cache", "a")]
            return {"results": [
                {"policy": policy, "form": form, "trace": trace, "speed": {"instructions": count}}
                for (policy, form, trace), count in zip(rows, counts)]}
        self.assertEqual(gate.growth(document(110, 120, 50), document(100, 100, 100)),
                         {("lru", "policy"): 110 / 100 - 1, ("lru", "cache"): -0.5})

    def test_findings_are_counted_by_figure_verdict_and_form(self):
        comparison = {"differences": [
            {"figure": "time", "verdict": "slower", "policy": "lru", "severity": "advice"},
            {"figure": "time", "verdict": "unclear", "policy": "lru", "severity": "note"},
            {"figure": "hits", "verdict": "changed", "policy": "lru", "form": "cache", "severity": "failure"}]}
        self.assertEqual(gate.found(comparison, "time", "slower"), 1)
        self.assertTrue(gate.closed(comparison, "hits", "lru", "cache"))
        self.assertFalse(gate.closed(comparison, "hits", "lru", "policy"))
        self.assertFalse(gate.closed(comparison, "time", "lru", "policy"))


class Faults(unittest.TestCase):
    def read(self, name):
        return (ROOT / name).read_text()

    def test_each_fault_changes_the_source_of_its_policy(self):
        for fault in faults.FAULTS:
            with self.subTest(fault.kind, policy=fault.policy):
                text = self.read(fault.file)
                self.assertNotEqual(fault.planted(text), text)

    def test_the_nine_policies_have_faults_in_every_form_that_the_gate_measures(self):
        baseline = json.loads(self.read("results/baseline.json"))
        measured = {(row["policy"], row["form"]) for row in baseline["results"]}
        planted = {(fault.policy, form) for fault in faults.FAULTS for form in fault.forms}
        self.assertLessEqual(planted, measured)
        for policy, form in measured:
            if policy in faults.FILES and form != "theorem":
                for kind in "hits", "instructions":
                    self.assertTrue(any(
                        fault.policy == policy and form in fault.forms and fault.figure == kind
                        for fault in faults.FAULTS), (policy, form, kind))

    def test_a_fault_whose_place_is_gone_is_named(self):
        fault = faults.FAULTS[0]
        for text in "", 2 * self.read(fault.file):
            with self.assertRaisesRegex(LookupError, r"LRU\.swift.* times, not once; adapt Tests/Benchmarks/faults\.py"):
                fault.planted(text)

    @unittest.skipUnless(os.environ.get("EVICTIONLAB_THOROUGH"), "builds evict again, which takes minutes")
    def test_faults_in_the_catalog_are_found_in_every_form(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = gate.Copy(ROOT / ".build/planted")
            arguments = argparse.Namespace(tool=ROOT / ".build/release/evict", limit="2e4")
            report = gate.planted(copy, ["wrong victim", "wrong count"], arguments, pathlib.Path(folder))
        self.assertEqual([fault for fault in report["faults"] if not fault["gateClosed"]], [])


@unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
class Forms(unittest.TestCase):
    def test_the_policy_and_its_loop_are_other_code_with_the_same_hits(self):
        made = subprocess.run(
            [ROOT / ".build/release/evict", "speed", ROOT / "traces/zipf.txt.zst", "--policy", "lru,fifo,opt",
             "--capacity", "10%", "--limit", "5000", "--rounds", "1", "--no-baselines", "--format", "json"],
            check=True, capture_output=True, text=True).stdout
        rows = {}
        for row in json.loads(made)["results"]:
            rows.setdefault(row["policy"], {})[row["form"]] = row
        self.assertEqual({policy: list(forms) for policy, forms in rows.items()}, {
            "lru": ["policy", "cache", "theorem"], "fifo": ["policy", "cache", "theorem"],
            "opt": ["policy", "theorem"]})
        for policy, forms in rows.items():
            self.assertEqual(len({row["hits"] for row in forms.values()}), 1, policy)
            counts = [row["speed"]["instructions"] for row in forms.values()]
            self.assertEqual(len(set(counts)), len(counts), policy)
            if "cache" in forms:
                self.assertGreater(counts[1], 5 * counts[0])


if __name__ == "__main__":
    unittest.main()
