"""The gate for projects of one's own (Tests/Fixtures/Gate), in a repository made for it."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

try:
    import yaml
except ImportError:
    yaml = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = ROOT / "Tests/Fixtures/Gate"
TOOLS = ROOT / ".build/release"


class GateExample(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.project = pathlib.Path(folder.name)
        shutil.copy(FILES / "evict-gate", self.project)
        (self.project / "traces").mkdir()
        shutil.copy(ROOT / "traces/zipf.txt.zst", self.project / "traces")
        self.baseline = self.project / "evict-baseline.json"

    def run_line(self, line, tools=TOOLS):
        return subprocess.run(
            ["bash", "-c", line], cwd=self.project, capture_output=True, text=True, timeout=120,
            env=os.environ | {"PATH": f"{tools}:/usr/local/bin:/usr/bin:/bin"})

    def make_baseline(self):
        made = self.run_line("./evict-gate --update")
        self.assertEqual(
            (made.returncode, made.stderr),
            (0, "evict: evict-baseline.json: a new baseline of 6 runs\n"), made.stdout)

    def change_baseline(self):
        document = json.loads(self.baseline.read_text())
        document["results"][0]["hits"] += 1
        self.baseline.write_text(json.dumps(document))

    def test_gate_closes_for_one_hit_fewer(self):
        self.make_baseline()
        same = self.run_line("./evict-gate")
        self.assertEqual((same.returncode, same.stdout), (0, "6 runs compared: nothing differs\n"))
        self.change_baseline()
        self.assertEqual(self.run_line("./evict-gate").returncode, 1)
        self.assertEqual(self.run_line("./evict-gate --update").returncode, 0)
        self.assertEqual(self.run_line("./evict-gate").returncode, 0)

    def test_a_policy_that_crashes_costs_its_rows(self):
        gate = self.project / "evict-gate"
        (self.project / "crash.c").write_text((ROOT / "Tests/Fixtures/Plugins/lru.c").read_text().replace(
            "evl_lists_move_to_front(state", "*(volatile char *)0 = 1; evl_lists_move_to_front(state"))
        built = self.run_line(
            f"cc -O2 -fPIC -shared -I {ROOT}/Sources/CEvictionLab crash.c -o crash.so")
        self.assertEqual(built.returncode, 0, built.stderr)
        self.make_baseline()
        gate.write_text(gate.read_text().replace("lru,sieve,arc", "sieve,arc,plugin:./crash.so"))
        run = self.run_line("EVICT_FORMAT=github ./evict-gate")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn(" of lru::lru at 96 on zipf.txt.zst: the run is missing; 3 of 3 runs differ\n", run.stdout)
        self.assertIn("4 of 6 runs compared", run.stdout)

    @unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
    def test_speed_has_a_baseline_of_its_own(self):
        gate = self.project / "evict-gate"
        gate.write_text(gate.read_text().replace("lru,sieve,arc", "lru").replace("--limit 1e5", "--limit 1e4"))
        made = self.run_line("EVICT_GATE=speed ./evict-gate --update")
        self.assertEqual(
            (made.returncode, made.stderr),
            (0, "evict: evict-speed.json: a new baseline of 6 runs\n"), made.stdout)
        self.assertFalse(self.baseline.exists())
        baseline = self.project / "evict-speed.json"
        document = json.loads(baseline.read_text())
        for row in document["results"]:
            row["speed"]["instructions"] = int(row["speed"]["instructions"] * 0.9)
        baseline.write_text(json.dumps(document))
        run = self.run_line("CI=1 EVICT_GATE=speed EVICT_FORMAT=github ./evict-gate")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("::error title=instructions of lru::", run.stdout)

    def test_a_server_requires_instructions(self):
        gate = self.project / "evict-gate"
        gate.write_text(gate.read_text().replace("lru,sieve,arc", "lru").replace("--limit 1e5", "--limit 1e3"))
        # Without valgrind.
        (self.project / "tools").mkdir()
        for name in "bash", "mktemp", "rm", "dirname":
            (self.project / "tools" / name).symlink_to(shutil.which(name))
        (self.project / "tools/evict").symlink_to(TOOLS / "evict")
        line = "PATH=$PWD/tools EVICT_GATE=speed ./evict-gate"
        made = self.run_line(f"unset CI; {line} --update")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(self.run_line(f"unset CI; {line}").returncode, 0)
        run = self.run_line(f"export CI=1; {line}")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("no instructions were counted: install valgrind", run.stdout)

    def test_a_failed_measurement_is_an_annotation(self):
        (self.project / "traces/zipf.txt.zst").write_bytes(b"")
        run = self.run_line("EVICT_FORMAT=github ./evict-gate")
        self.assertNotEqual(run.returncode, 0)
        self.assertRegex(run.stdout, r"^::error::evict sweep ended with exit code \d+; ")

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_hook_refuses_the_commit(self):
        self.make_baseline()
        shutil.copy(FILES / "pre-commit", self.project)
        commit = ("git add . && git -c user.name=a -c user.email=a@b -c commit.gpgsign=false "
                  "commit -qm message --allow-empty")
        ready = self.run_line(f"git init -q && cp pre-commit .git/hooks/pre-commit && {commit}")
        self.assertEqual(ready.returncode, 0, ready.stderr)
        self.change_baseline()
        self.assertNotEqual(self.run_line(commit).returncode, 0)
        count = self.run_line("git rev-list --count HEAD").stdout
        self.assertEqual(count, "1\n")

    @unittest.skipIf(yaml is None, "PyYAML is not installed")
    def test_workflow_runs_the_gate(self):
        workflow = yaml.safe_load((FILES / "evict.yml").read_text())
        steps = workflow["jobs"]["gate"]["steps"]
        self.assertEqual(steps[1]["with"]["ref"], "COMMIT")
        place = steps[1]["with"]["path"]
        self.assertIn(f"make -C {place} build", steps[-2]["run"])
        self.make_baseline()
        tools = self.project / place / ".build"
        tools.mkdir(parents=True)
        (tools / "release").symlink_to(TOOLS)
        run = self.run_line(steps[-1]["run"], tools="/nowhere")
        self.assertEqual(
            (run.returncode, run.stdout), (0, "::notice::6 runs compared: nothing differs\n"),
            run.stderr)
        self.change_baseline()
        run = self.run_line(steps[-1]["run"], tools="/nowhere")
        self.assertEqual(run.returncode, 1)
        self.assertTrue(run.stdout.startswith("::error title=hits of lru::"), run.stdout)


if __name__ == "__main__":
    unittest.main()
