"""The judge: what `evict score` says of honest candidates, of a cheater, and of code that must not get what it reaches for.

A success of code that reaches for too much is visible: it ends its process and says why. Without the sandbox it does.
"""

import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))
CANDIDATES = ROOT / "Tests/Fixtures/Candidates"
MARGIN = 0.05


def score(candidate, *options, suite="quick", salt=7, code=0):
    """The document of a judgement."""
    run = subprocess.run(
        [EVICT, "score", candidate, "--suite", suite, "--salt", str(salt), "--format", "json", *options],
        capture_output=True, text=True, timeout=600)
    if run.returncode != code:
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

    def test_slow_formula_is_left_out_with_the_reason(self):
        document = score("rank:score=frequency/age", "--time", "1ms")
        self.assertTrue(any("took more than" in row.get("failure", "") for row in rows(document)))
        self.assertTrue(all(row["missRatio"] is None and row["share"] == -1 for row in rows(document) if "failure" in row))


@unittest.skipUnless(platform.system() == "Linux" and shutil.which("cc"), "needs Linux and a C compiler")
class Native(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

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
                document = score(source)
                self.assertFalse([row["failure"] for row in rows(document) if "failure" in row])
                self.assertEqual(document["combinedScore"], 0)
                # The same code gets it where nothing confines it.
                self.assertIn(gain, score(source, "--unsandboxed", code=64))

    def test_compiler_sees_nothing_else(self):
        secret = self.folder / "secret.h"
        secret.write_text("#error secret was read\n")
        source = self.source(f'#include "{secret}"', "honest.c", "fifo.c")
        self.assertNotIn("secret was read", score(source, code=65))
        self.assertIn("secret was read", score(source, "--unsandboxed", code=65))

    def test_error_of_the_compiler_is_named_with_its_line(self):
        error = score(self.source("\nint broken = ;", "honest.c", "fifo.c"), code=65)
        self.assertIn("candidate.c: line 2: expected expression", error)


@unittest.skipUnless(platform.system() == "Linux", "needs Linux")
class Python(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        # The interpreter of the PATH has the package.
        (self.folder / "python3").write_text(
            f'#!/bin/sh\nPYTHONPATH="{ROOT}/notebooks/src" exec "{sys.executable}" "$@"\n')
        (self.folder / "python3").chmod(0o755)
        self.environment = {
            "PATH": f"{self.folder}:{os.environ['PATH']}",
            "EVICTIONLAB_LIBRARY": str(EVICT.resolve().parent / "libevictionlab.so")}

    def score(self, candidate, *options, **given):
        before = {name: os.environ.get(name) for name in self.environment}
        os.environ.update(self.environment)
        try:
            return score(candidate, *options, **given)
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})

    def test_lru_in_python_counts_as_lru(self):
        ours, theirs = score("lru"), self.score(CANDIDATES / "lru.py", "--time", "60s")
        self.assertEqual((theirs["traces"], theirs["hidden"]), (ours["traces"], ours["hidden"]))
        self.assertEqual(theirs["kind"], "python")
        self.assertEqual(theirs["contract"]["violations"], [])
        self.assertIs(theirs["deterministic"], True)
        self.assertIn("Landlock", theirs["sandbox"])

    def test_nothing_is_gained_in_the_sandbox(self):
        document = self.score(CANDIDATES / "intruder.py", "--time", "60s")
        self.assertFalse([row["failure"] for row in rows(document) if "failure" in row])
        self.assertEqual(document["combinedScore"], 0)
        self.assertIn("has read /etc/passwd", self.score(CANDIDATES / "intruder.py", "--unsandboxed", code=64))

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
        (self.folder / "python3").write_text("#!/bin/sh\nexit 1\n")
        self.assertIn("finds no package evictionlab", self.score(CANDIDATES / "lru.py", code=64))


if __name__ == "__main__":
    sys.exit(unittest.main())
