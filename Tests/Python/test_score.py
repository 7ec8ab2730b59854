"""The judge: what `evict score` says of honest candidates, of a cheater, and of code that must not get what it reaches for.

A success of code that reaches for too much is visible: it ends its process and says why. Without the sandbox it does.
"""

import json
import os
import pathlib
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))
CANDIDATES = ROOT / "Tests/Fixtures/Candidates"
MARGIN = 0.05


def score(candidate, *options, suite="quick", salt=7, code=0, **settings):
    """The document of a judgement, or the error."""
    run = subprocess.run(
        [EVICT, "score", candidate, "--suite", suite, "--salt", str(salt), "--format", "json", *options],
        capture_output=True, text=True, timeout=600, **settings)
    if code is not None and run.returncode != code:
        raise AssertionError(f"{run.returncode}, not {code}: {run.stderr}{run.stdout[-2000:]}")
    return json.loads(run.stdout) if run.stdout else run.stderr


def rows(document):
    return [row for trace in document["traces"] + document["hidden"]["traces"] for row in trace["rows"]]


def untimed(document):
    return {key: value for key, value in document.items()
            if key not in ("environment", "seconds", "nanosecondsPerRequest")}


class Policies(unittest.TestCase):
    def test_document_has_what_scripts_rely_on(self):
        document = score("lru", "--policy", "fifo,sieve")
        self.assertEqual(document["schema"], "evictionlab.score/1")
        for key in ("combinedScore", "traces", "hidden", "contract", "deterministic", "seconds", "bytesPerEntry"):
            self.assertIn(key, document)
        self.assertEqual(document["contract"], {"conforms": True, "violations": []})
        self.assertIs(document["deterministic"], True)
        self.assertEqual(document["hidden"]["salt"], 7)
        shares = [row["share"] for trace in document["traces"] for row in trace["rows"]]
        self.assertAlmostEqual(document["combinedScore"], sum(shares) / len(shares))
        for row in rows(document):
            self.assertAlmostEqual(
                row["share"], (row["fifo"] - row["missRatio"]) / (row["fifo"] - row["optimum"]))
        self.assertEqual([beside["policy"] for beside in document["policies"]], ["sieve", "fifo"])
        self.assertEqual(document["policies"][1]["combinedScore"], 0)

    def test_equal_runs_have_equal_documents(self):
        documents = [untimed(score("rank:score=frequency/age:sample=16")) for _ in range(2)]
        self.assertEqual(len({json.dumps(document) for document in documents}), 1)

    def test_salt_is_drawn_and_printed(self):
        first, second = (
            json.loads(subprocess.run(
                [EVICT, "score", "lru", "--suite", "quick", "--format", "json"], capture_output=True, check=True
            ).stdout) for _ in range(2))
        self.assertNotEqual(first["hidden"]["salt"], second["hidden"]["salt"])
        self.assertEqual(untimed(first), untimed(score("lru", salt=first["hidden"]["salt"])))

    def test_published_formulas_are_scored_and_have_learned_nothing(self):
        scores = {}
        for formula in json.loads((CANDIDATES / "formulas.json").read_text()):
            with self.subTest(formula["name"]):
                document = score(f"rank:score={formula['score']}")
                scores[formula["name"]] = document["combinedScore"]
                self.assertTrue(document["contract"]["conforms"])
                self.assertFalse(document["overfit"]["exceeded"])
                self.assertIs(document["deterministic"], True)
        self.assertEqual(scores["LRU"], score("lru")["combinedScore"])
        self.assertEqual(scores["FIFO"], 0)
        self.assertLess(scores["MRU"], scores["LRU"])

    def test_what_cannot_be_judged_is_refused_with_a_remedy(self):
        for candidate, words in [
            ("opt", "knows the future"), ("lru,arc", "is not one policy"),
            ("rank:score=frequenzy", "frequency"), ("lrv", "no policy is called"),
        ]:
            with self.subTest(candidate):
                self.assertIn(words, score(candidate, code=64))

    def test_time_that_is_out_of_range_is_refused(self):
        for time in ("99999999h", "25h", "1us", "0"):
            with self.subTest(time):
                self.assertIn("--time is out of range; give 1ms to 24h", score("lru", "--time", time, code=64))

    def test_misses_that_are_added_and_scores_that_are_cut_are_said_in_words(self):
        text = subprocess.run(
            [EVICT, "score", "mru", "--suite", "quick", "--salt", "7"], capture_output=True, text=True, check=True).stdout
        self.assertRegex(text, r"misses more: FIFO has [0-9.]+ % fewer misses")
        self.assertNotIn("reduces misses by", text)
        cut = [row for row in rows(score("mru")) if row["share"] == -1]
        self.assertTrue(cut)
        self.assertEqual(text.count("-1.0000*"), len(cut))
        self.assertIn("* cut: it would be below -1", text)

    def test_slow_formula_is_left_out_with_the_reason(self):
        document = score("rank:score=frequency/age", "--time", "1ms")
        self.assertTrue(any("took more than" in row.get("failure", "") for row in rows(document)))
        self.assertTrue(all(row["missRatio"] is None and row["share"] == -1 for row in rows(document) if "failure" in row))


class Candidates(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def assert_finished(self, document, score=0):
        self.assertEqual([row["failure"] for row in rows(document) if "failure" in row], [])
        self.assertEqual(document["combinedScore"], score)


@unittest.skipUnless(platform.system() == "Linux" and shutil.which("cc"), "needs Linux and a C compiler")
class Native(Candidates):
    def source(self, *parts):
        """A file in C of fixtures and texts, one after the other."""
        file = self.folder / "candidate.c"
        file.write_text("\n".join(
            (CANDIDATES / part).read_text() if part.endswith(".c") else part for part in parts))
        return file

    def test_lru_in_c_counts_as_lru(self):
        ours = score("lru")
        source = ROOT / "Tests/Fixtures/Plugins/lru.c"
        library = self.folder / "lru.so"
        subprocess.run(
            ["cc", "-O2", "-fPIC", "-shared", "-I", ROOT / "Sources/CEvictionLab", source, "-o", library], check=True)
        for candidate, kind in [(source, "source"), (f"plugin:{library}", "plugin")]:
            with self.subTest(kind):
                theirs = score(candidate)
                self.assertEqual((theirs["traces"], theirs["hidden"]), (ours["traces"], ours["hidden"]))
                self.assertEqual(theirs["kind"], kind)
                self.assertEqual(theirs["contract"]["violations"], [])
                self.assertIs(theirs["deterministic"], True)
                self.assertIn("Landlock", theirs["sandbox"])

    def test_equal_runs_have_equal_documents(self):
        source = self.source("random.c")
        documents = [untimed(score(source)) for _ in range(2)]
        self.assertEqual(len({json.dumps(document) for document in documents}), 1)
        self.assertIs(documents[0]["deterministic"], True)
        self.assertGreater(documents[0]["determinism"]["otherSeed"], 0)
        self.assertEqual(documents[0]["contract"]["violations"], [])

    def learned(self):
        """The slots of the public traces, as C."""
        traces = []
        for trace in score("fifo")["traces"]:
            file = self.folder / "trace.txt"
            phases = [word for phase in trace["name"].split("+") for word in ("--phase", phase)]
            subprocess.run([EVICT, "trace", "generate", *phases, "--output", file], check=True)
            slots = {}
            traces.append([slots.setdefault(key, len(slots)) for key in file.read_text().split()])
        lines = [f"#define LEARNED {len(traces)}"]
        for number, slots in enumerate(traces):
            lines.append(f"static const unsigned learned{number}[] = {{{','.join(map(str, slots))}}};")
        names = ", ".join(f"learned{number}" for number in range(len(traces)))
        lines.append(f"static const unsigned *const learned[] = {{{names}}};")
        lines.append(f"static const unsigned lengths[] = {{{', '.join(str(len(slots)) for slots in traces)}}};")
        return "\n".join(lines)

    def test_cheater_scores_less_on_the_hidden_half(self):
        document = score(self.source(self.learned(), "cheater.c"))
        # The optimum, but for what it loses before it knows which trace it is.
        self.assertGreater(document["combinedScore"], 0.95)
        self.assertLess(document["hidden"]["combinedScore"], document["combinedScore"] - MARGIN)
        self.assertTrue(document["overfit"]["exceeded"])
        # It goes by the numbers of the slots.
        self.assertFalse(document["determinism"]["ignoresKeys"])
        self.assertIs(document["deterministic"], False)

    def test_slow_candidate_is_left_out_with_the_reason(self):
        document = score(self.source("slow.c", "fifo.c"), "--time", "500ms")
        self.assertTrue(all("failure" in row for row in rows(document)))
        self.assertIn("took more than 0.500 s", {row["failure"] for row in rows(document)})
        self.assertEqual(document["combinedScore"], -1)

    def test_crash_and_exit_are_named(self):
        for misdeed, reason in [("crashing.c", "crashed (signal 11)"), ("leaving.c", "called exit(0)")]:
            with self.subTest(misdeed):
                document = score(self.source(misdeed, "fifo.c"), code=1)
                self.assertEqual(document["combinedScore"], -1)
                self.assertIn(reason, {row["failure"] for row in rows(document)})
                # The conformance suite names the property.
                self.assertIn("keeps the contract with its host: it ", document["contract"]["violations"][0])

    def test_nothing_is_gained_in_the_sandbox(self):
        for misdeed, gain in [("reader.c", "has read /etc/passwd"), ("intruder.c", "has a socket")]:
            with self.subTest(misdeed):
                source = self.source(misdeed, "fifo.c")
                self.assert_finished(score(source))
                # The same code gets it where nothing confines it.
                self.assertIn(gain, score(source, "--unsandboxed", code=64))

    def library(self):
        library = self.folder / "lru.so"
        subprocess.run(
            ["cc", "-O2", "-fPIC", "-shared", "-I", ROOT / "Sources/CEvictionLab", ROOT / "Tests/Fixtures/Plugins/lru.c",
             "-o", library], check=True)
        return library

    def test_output_of_a_candidate_and_of_its_compiler_never_makes_it_wait(self):
        warnings = "\n".join(f'#warning "warning {number}"' for number in range(2_000))
        noise = ('#include <stdio.h>\nstatic void on_insert(void) { static int n; if (n++ < 4) '
                 'for (int i = 0; i < 30000; i++) fputs("noise\\n", stderr); }')
        self.assert_finished(score(self.source(warnings, noise, "fifo.c")))

    def test_violations_are_counted_and_cut(self):
        flood = ('#include <string.h>\n#include <sys/socket.h>\n#include <unistd.h>\n'
                 'static void say(const char *text, long size) { while (send(3, text, size, 0) < 0); }\n'
                 '__attribute__((constructor)) static void flood(void) { static char text[9000] = "violation "; '
                 'memset(text + 10, 120, 8000); say("page 0 1 0", 10); for (int i = 0; i < 5000; i++) '
                 'say(text, 8010); say("end", 3); _exit(0); }')
        document = score(self.source(flood, "honest.c", "fifo.c"), code=1)
        violations = document["contract"]["violations"]
        self.assertEqual((len(violations), violations[-1]), (101, "4900 more violations"))
        self.assertLess(max(map(len, violations)), 500)

    def test_nothing_of_a_candidate_does_something_on_a_terminal(self):
        code = ('#include <stdio.h>\n#include <unistd.h>\nstatic void on_insert(void) '
                '{ fputs("\\033]0;title\\a\\033[2J\\302\\2331m", stderr); _exit(5); }')
        source = self.source(code, "fifo.c")
        document = score(source, code=1)
        text = subprocess.run([EVICT, "score", source, "--suite", "quick"], capture_output=True, text=True)
        for shown in (" ".join(document["contract"]["violations"] + [row["failure"] for row in rows(document)]), text.stdout, text.stderr):
            self.assertIn("called exit(5): ?]0;title??[2J?1m", shown)
            self.assertNotRegex(shown, "[\x00-\x09\x0b-\x1f\x7f-\x9f]")

    def test_run_that_is_too_slow_is_not_compared(self):
        # The slots are numbered from the other end in one of the runs.
        slow = ('#include <unistd.h>\nstatic unsigned long long first = ~0ull;\nstatic void on_insert(void) '
                '{ if (first != 0) sleep(100); }')
        fifo = (CANDIDATES / "fifo.c").read_text().replace(
            "  on_insert();", "  if (first == ~0ull) first = request->slot < 4000 && request->slot > 500;\n  on_insert();")
        document = score(self.source(slow, fifo), "--time", "10s", code=None)
        self.assertEqual(document["determinism"]["failure"], "took more than 10.0 s")
        self.assertIs(document["determinism"]["ignoresKeys"], True)
        self.assertIsNone(document["deterministic"])

    def test_candidate_that_never_reads_is_ended(self):
        start = "static void *create(const evl_configuration *configuration) {\n"
        # Not in the conformance suite, whose caches are small.
        flood = ("  unsigned zero = 0;\n  if (configuration->slots == 1024 && configuration->capacity >= 80)\n"
                 "    for (;;) send(3, &zero, sizeof zero, 0);\n")
        fifo = (CANDIDATES / "fifo.c").read_text().replace(start, start + flood)
        self.assertIn(flood, fifo)
        document = score(self.source("#include <sys/socket.h>", "honest.c", fifo), "--time", "1s", code=None)
        self.assertTrue(any(row.get("failure") for row in rows(document)))

    def test_policy_that_evicts_at_hits_is_counted(self):
        source = (ROOT / "Tests/Fixtures/Plugins/lru.c").read_text().replace(
            "  (void)host;\n  evl_lists_move_to_front(state, RECENCY, request->slot);\n",
            "  evl_lists_move_to_front(state, RECENCY, request->slot);\n"
            "  if (evl_lists_length(state, RECENCY) % 2 == 0)\n"
            "    evl_lists_evict_back(state, RECENCY, host);\n")
        self.assertIn("% 2", source)
        document = score(self.source(source))
        self.assertEqual(document["contract"]["violations"], [])
        self.assertEqual([row["failure"] for row in rows(document) if "failure" in row], [])
        self.assertLess(document["combinedScore"], score("lru")["combinedScore"])

    def test_no_result_is_no_determinism(self):
        crash = '#include <stdlib.h>\nstatic int inserts;\nstatic void on_insert(void) { if (++inserts == 999) abort(); }'
        document = score(self.source(crash, "fifo.c"), code=None)
        self.assertIsNone(document["deterministic"])
        self.assertIn("crashed", document["determinism"]["failure"])

    def test_temporary_folder_with_a_colon_is_named(self):
        folder = self.folder / "a:b"
        folder.mkdir()
        error = score(self.source("honest.c", "fifo.c"), code=64, env={**os.environ, "TMPDIR": str(folder)})
        self.assertIn("a:b/: the name has a colon; name another folder in TMPDIR", error)

    def test_what_is_no_ordinary_file_is_refused(self):
        for name in ("pipe.c", "pipe.py", "pipe.so"):
            with self.subTest(name):
                os.mkfifo(self.folder / name)
                candidate = self.folder / name
                error = score(f"plugin:{candidate}" if name.endswith(".so") else candidate, code=64)
                self.assertIn("is no ordinary file", error)
        (self.folder / "zero.c").symlink_to("/dev/zero")
        self.assertIn("is no ordinary file", score(self.folder / "zero.c", code=64))

    def test_wrong_parameters_are_named_before_anything_runs(self):
        library = self.library()
        for candidate, words in [
            (f"plugin:{library}:nosuch=1", "has no parameter “nosuch”; it has"),
            ("rank:score=", "score"), ("rank:score=age*", "score"), ("slru:protected=7", "out of range"),
        ]:
            with self.subTest(candidate):
                error = score(candidate, code=64)
                self.assertIn(words, error)
                self.assertEqual(error.count("plugin:"), candidate.count("plugin:"))

    def test_full_disk_is_no_fault_of_the_candidate(self):
        mount = f"mount -t tmpfs -o size=64k none {self.folder} && exec \"$@\""
        source = ROOT / "Tests/Fixtures/Plugins/lru.c"
        run = subprocess.run(
            ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh", EVICT, "score", source],
            capture_output=True, text=True, timeout=600, env={**os.environ, "TMPDIR": str(self.folder)})
        if "unshare" in run.stderr or "mount:" in run.stderr:
            self.skipTest("no file system of one's own")
        self.assertEqual(run.returncode, 74, run.stderr)
        self.assertIn("no space left on device", run.stderr)

    def test_nothing_is_left_when_the_tool_is_stopped(self):
        sleeping = '#include <unistd.h>\n__attribute__((constructor)) static void rest(void) { for (;;) sleep(100); }'
        source = self.source(sleeping, "honest.c", "fifo.c")
        scratch = self.folder / "scratch"
        scratch.mkdir()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number):
                tool = subprocess.Popen(
                    [EVICT, "score", source], stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(scratch)})
                while not (candidates := children(tool.pid, b"check")):
                    self.assertIsNone(tool.poll())
                    time.sleep(0.01)
                tool.send_signal(number)
                tool.communicate(timeout=600)
                # It ends with its parent, which may be a moment later.
                deadline = time.monotonic() + 60
                while any(map(lives, candidates)):
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.02)
                if number != signal.SIGKILL:
                    self.assertEqual(tool.returncode, 130)
                    self.assertEqual(list(scratch.iterdir()), [])

    def test_compiler_sees_nothing_else(self):
        secret = self.folder / "secret.h"
        secret.write_text("#error secret was read\n")
        source = self.source(f'#include "{secret}"', "honest.c", "fifo.c")
        self.assertNotIn("secret was read", score(source, code=65))
        self.assertIn("secret was read", score(source, "--unsandboxed", code=65))

    def test_error_of_the_compiler_is_named_with_its_line(self):
        error = score(self.source("\nint broken = ;", "honest.c", "fifo.c"), code=65)
        self.assertIn("candidate.c: line 2: expected expression", error)


def children(parent, word):
    """The processes of a parent whose command line has the word."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            facts, words = (folder / "stat").read_text().rsplit(")", 1)[1].split(), (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if int(facts[1]) == parent and word in words.split(b"\0"):
            found.append(int(folder.name))
    return found


def lives(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@unittest.skipUnless(platform.system() == "Linux", "needs Linux")
class Python(Candidates):
    def setUp(self):
        super().setUp()
        # The interpreter of the PATH has the package.
        self.binaries = self.folder / "venv/bin"
        venv.create(self.folder / "venv", symlinks=True)
        packages = next(self.folder.glob("venv/lib/python*/site-packages"))
        (packages / "evictionlab.pth").write_text(f"{ROOT}/notebooks/src\n")
        self.environment = {
            **os.environ, "PATH": f"{self.binaries}:{os.environ['PATH']}",
            "EVICTIONLAB_LIBRARY": str(EVICT.resolve().parent / "libevictionlab.so")}

    def score(self, candidate, *options, **given):
        return score(candidate, *options, env=self.environment, **given)

    def test_lru_in_python_counts_as_lru(self):
        ours, theirs = score("lru"), self.score(CANDIDATES / "lru.py", "--time", "60s")
        self.assertEqual((theirs["traces"], theirs["hidden"]), (ours["traces"], ours["hidden"]))
        self.assertEqual(theirs["kind"], "python")
        self.assertEqual(theirs["contract"]["violations"], [])
        self.assertIs(theirs["deterministic"], True)
        self.assertIn("Landlock", theirs["sandbox"])

    def test_nothing_is_gained_in_the_sandbox(self):
        self.assert_finished(self.score(CANDIDATES / "intruder.py", "--time", "60s"))
        self.assertIn("has read /etc/passwd", self.score(CANDIDATES / "intruder.py", "--unsandboxed", code=64))

    def test_example_of_the_guide_can_be_judged(self):
        page = (ROOT / "Sources/EvictionLab/EvictionLab.docc/WriteAPolicyInCOrPython.md").read_text()
        (self.folder / "lip.py").write_text(page.split("```python\n")[1].split("```")[0])
        (self.folder / "lip.c").write_text(page.split("```c\n")[1].split("```")[0])
        in_python, in_c = self.score(self.folder / "lip.py", "--time", "60s"), score(self.folder / "lip.c")
        self.assertEqual(in_python["contract"], in_c["contract"])
        self.assertEqual(in_python["traces"], in_c["traces"])

    @unittest.skipUnless(platform.machine() in ("x86_64", "aarch64"), "needs the numbers of the calls")
    def test_every_call_that_keeps_something_is_refused(self):
        self.assert_finished(self.score(CANDIDATES / "keeper.py", "--time", "60s"))
        self.assertIn("is not refused shmget", self.score(CANDIDATES / "keeper.py", "--unsandboxed", code=64))

    def test_runs_that_are_counted_in_the_kernel_count_for_nothing(self):
        document = self.score(CANDIDATES / "counter.py", "--time", "60s")
        self.assert_finished(document)
        self.assertIs(document["deterministic"], True)
        remove = "import ctypes as c; s = c.CDLL(None); s.shmctl(s.shmget(0x45564C, 0, 0), 0, None)"
        self.addCleanup(subprocess.run, [sys.executable, "-c", remove])
        self.assertNotEqual(self.score(CANDIDATES / "counter.py", "--unsandboxed", "--time", "60s")["combinedScore"], 0)

    def test_nothing_beside_the_candidate_and_in_the_working_folder_is_run(self):
        (self.folder / "evictionlab").mkdir()
        for name in ("evictionlab/__init__.py", "json.py", "struct.py", "sitecustomize.py", "site.py"):
            (self.folder / name).write_text(f"open({str(self.folder / 'was-run')!r}, 'w')\n")
        (self.folder / "candidate.py").write_text("import evictionlab, json, struct\n")
        # It is read, hence what it imports.
        self.assertIn("has 0 classes", self.score("candidate.py", cwd=self.folder, code=64))
        self.assertFalse((self.folder / "was-run").exists())

    def test_no_name_of_a_file_chooses_what_is_run(self):
        for name in ("a b.py", "a\n/usr/bin/false\n/tmp\n/tmp\n/tmp\n/tmp.py", "-c.py", "a\n.py"):
            with self.subTest(name):
                file = self.folder / name.lstrip("/")
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text("import evictionlab\n")
                self.assertIn("has 0 classes", self.score(file, code=64))

    def test_violations_and_exceptions_are_named_with_their_line(self):
        lru = (CANDIDATES / "lru.py").read_text()
        file = self.folder / "candidate.py"
        for text, words in [
            (lru.replace("next(iter(self.order))", "7"), "victim() returned slot 7"),
            (lru.replace("self.order[request.slot] = None", "self.ordre[request.slot] = None"), "line 14: AttributeError"),
        ]:
            file.write_text(text)
            document = self.score(file, code=1)
            self.assertIn(words, " ".join(row["failure"] for row in rows(document) if "failure" in row))
            self.assertTrue(document["contract"]["violations"])
        file.write_text("import evictionlab\n")
        self.assertIn("has 0 classes", self.score(file, code=64))

    def test_package_that_is_missing_is_named(self):
        (self.binaries / "python3").unlink()
        (self.binaries / "python3").write_text("#!/bin/sh\nexit 1\n")
        (self.binaries / "python3").chmod(0o755)
        self.assertIn("finds no package evictionlab", self.score(CANDIDATES / "lru.py", code=64))


if __name__ == "__main__":
    sys.exit(unittest.main())
