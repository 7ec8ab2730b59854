"""Results know the program and the machine that measured them: resuming and merging take those of the same program,
and of another one only if they are told to. A journal knows its own lines."""

import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))
ACCEPT = "--accept-other-build"
MASK = (1 << 64) - 1


def xxh64(data):
    """XXH64 with seed 0, by its specification."""
    primes = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
    one, two, three, four, five = primes

    def rotate(value, bits):
        return (value << bits | value >> (64 - bits)) & MASK

    def turn(lane, word):
        return rotate((lane + word * two) & MASK, 31) * one & MASK

    whole = len(data) // 32 * 32
    total = five
    if whole:
        lanes = [(one + two) & MASK, two, 0, -one & MASK]
        for at in range(0, whole, 32):
            lanes = [turn(lane, word) for lane, word in zip(lanes, struct.unpack_from("<4Q", data, at))]
        total = sum(rotate(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            total = ((total ^ turn(0, lane)) * one + four) & MASK
    total = (total + len(data)) & MASK
    at = whole
    while at + 8 <= len(data):
        total = (rotate(total ^ turn(0, struct.unpack_from("<Q", data, at)[0]), 27) * one + four) & MASK
        at += 8
    if at + 4 <= len(data):
        total = (rotate(total ^ struct.unpack_from("<I", data, at)[0] * one & MASK, 23) * two + three) & MASK
        at += 4
    for byte in data[at:]:
        total = rotate(total ^ byte * five & MASK, 11) * one & MASK
    total = (total ^ total >> 33) * two & MASK
    total = (total ^ total >> 29) * three & MASK
    return total ^ total >> 32


def line_of(value):
    """A line of a journal as the guide describes it."""
    text = json.dumps(value, ensure_ascii=False)
    return f'{text[:-1]}, "checksum": "{xxh64(text.encode()):016x}"}}\n'


class Builds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        program = EVICT.read_bytes()
        note = program.index(struct.pack("<III", 4, 20, 3) + b"GNU\0")
        cls.build = program[note + 16:note + 36].hex()
        cls.other = cls.copy("other", program, note + 16)
        cls.unnamed = cls.copy("unnamed", program, note + 8)
        cls.trace = cls.folder / "z.oracleGeneral"
        subprocess.run([EVICT, "trace", "generate", "zipf:keys=1e4:requests=1.5e5", "--output", cls.trace],
                       check=True, capture_output=True)

    @classmethod
    def copy(cls, name, program, place):
        """A program of one other byte."""
        path = cls.folder / name / "evict"
        path.parent.mkdir()
        changed = bytearray(program)
        changed[place] ^= 0x40
        path.write_bytes(changed)
        path.chmod(0o755)
        return path

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.output = pathlib.Path(folder.name) / "out.json"
        self.journal = pathlib.Path(f"{self.output}.journal")

    def run_tool(self, *words, program=EVICT, code=0):
        run = subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def environment(self, path=None):
        return json.loads((path or self.output).read_text())["environment"]

    def sweep(self, *more):
        return ["sweep", self.trace, "--policy", "lru,arc", "--capacity", "1%,2%,3%", *more]

    def killed(self, words, lines):
        """Starts a run, and kills it when its journal has that number of lines."""
        process = subprocess.Popen([EVICT, *map(str, words), "--output", str(self.output)], stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while not self.journal.exists() or self.journal.read_text().count("\n") < lines:
            self.assertIsNone(process.poll(), "the run was over before it was killed")
            self.assertLess(time.monotonic(), end)
        process.send_signal(signal.SIGKILL)
        process.wait()
        return self.journal.read_text()

    def killed_sweep(self):
        words = ["sweep", self.trace, "--policy", "lirs,arc,lfu", "--capacity",
                 ",".join(str(n) for n in range(4, 400)), "--format", "json"]
        return words, self.killed(words, 6)

    def check_refused(self, *words, file):
        """Another program refuses, and says both."""
        errors = self.run_tool(*words, program=self.other, code=64).stderr
        self.assertEqual(errors.count("\n"), 1)
        builds = re.findall(r"build ([0-9a-f]{12})", errors)
        self.assertEqual((len(set(builds)), self.build[:12] in builds), (2, True), errors)
        self.assertIn(str(file), errors)
        self.assertIn(ACCEPT, errors)

    def check_accepted(self, *words):
        """Another program takes it, says so in one note, and so does the document."""
        errors = self.run_tool(*words, ACCEPT, program=self.other).stderr
        self.assertEqual(errors.count(ACCEPT), 1, errors)
        environment = self.environment()
        self.assertEqual(len(environment["others"]), 1)
        builds = {environment["build"][:12], *re.findall("build ([0-9a-f]{12})", environment["others"][0])}
        self.assertEqual(len(builds), 2)
        self.assertIn(self.build[:12], builds)
        self.assertNotIn(ACCEPT, environment["command"])

    def test_a_document_names_the_build(self):
        words = self.sweep("--format", "json", "--output", self.output)
        for program, build in [(EVICT, self.build), (self.other, None), (self.unnamed, None)]:
            self.run_tool(*words, program=program)
            found = self.environment()
            self.assertNotIn("others", found)
            if build:
                self.assertEqual(found["build"], build)
            else:
                self.assertNotEqual(found["build"], self.build)
                self.assertRegex(found["build"], "^([0-9a-f]{16}|[0-9a-f]{40})$")
        self.assertEqual(len(found["build"]), 16, "the checksum of a program without a note")

    def test_a_document_of_another_program_is_completed_on_demand_only(self):
        words = ["sweep", self.trace, "--capacity", "1%", "--resume", "--output", self.output, "--policy"]
        self.run_tool(*words, "lru")
        before = self.output.read_text()
        self.check_refused(*words, "lru,fifo", file=self.output)
        self.assertEqual(self.output.read_text(), before)
        self.run_tool(*words, "lru,arc")
        self.check_accepted(*words, "lru,arc,fifo")

    def test_parts_of_another_program_are_merged_on_demand_only(self):
        parts = [self.output.parent / f"{number}.json" for number in (1, 2, 3)]
        for number, (part, program) in enumerate(zip(parts, (EVICT, EVICT, self.other)), 1):
            self.run_tool(*self.sweep("--shard", f"{number}/3", "--output", part), program=program)
        merge = ["sweep", "--merge", *parts, "--output", self.output]
        self.check_refused(*merge, file=parts[2])
        self.assertFalse(self.output.exists())
        self.check_accepted(*merge)

    def test_a_copied_program_on_another_machine_needs_nothing(self):
        parts = [self.output.parent / f"{number}.json" for number in (1, 2)]
        for number, part in enumerate(parts, 1):
            self.run_tool(*self.sweep("--shard", f"{number}/2", "--output", part))
        text = parts[1].read_text()
        parts[1].write_text(text.replace(json.dumps(self.environment(parts[1])["cpu"]), '"another processor"'))
        run = self.run_tool("sweep", "--merge", *parts, "--output", self.output)
        self.assertIn("hits compare, times do not", run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1)
        document = json.loads(self.output.read_text())
        self.assertNotIn("complete", document)
        self.assertIn("another processor", document["environment"]["others"][0])

    def test_a_journal_of_another_program_is_taken_on_demand_only(self):
        words, left = self.killed_sweep()
        words += ["--output", self.output, "--resume"]
        self.check_refused(*words, file=self.journal)
        self.assertEqual(self.journal.read_text(), left)
        self.check_accepted(*words)
        self.assertFalse(self.journal.exists())

    def moved(self, text):
        """A journal as if another machine had written it."""
        lines = text[:text.rindex("\n") + 1].splitlines()
        first = json.loads(lines[0])
        self.assertEqual(line_of({key: first[key] for key in first if key != "checksum"}), lines[0] + "\n")
        del first["checksum"]
        first["environment"]["cpu"] = "another processor"
        return line_of(first) + "".join(line + "\n" for line in lines[1:])

    def test_counts_of_another_machine_are_kept(self):
        words, left = self.killed_sweep()
        self.journal.write_text(self.moved(left))
        run = self.run_tool(*words, "--output", self.output, "--resume")
        self.assertIn("another machine (another processor", run.stderr)
        self.assertRegex(run.stderr, r"holds [1-9]\d* of")
        self.assertIn("another processor", self.environment()["others"][0])

    def test_times_of_another_machine_are_measured_again(self):
        words = ["replay", self.trace, "--policy", "lru", "--capacity", "1%,2%", "--format", "json"]
        left = self.killed(words, 5)
        for text, holds in [(left, True), (self.moved(left), False)]:
            self.journal.write_text(text)
            run = self.run_tool(*words, "--output", self.output, "--resume")
            self.assertEqual("holds 1 of 2 cells" in run.stderr, holds, run.stderr)

    def test_an_altered_line_is_refused_by_its_number(self):
        words, left = self.killed_sweep()
        words += ["--output", self.output, "--resume"]
        lines = left.splitlines(keepends=True)
        for number, old, new in [
                (1, '"cores": ', '"cores": 1'), (2, '"hits": ', '"hits": 1'), (3, "}", " }"), (4, "checksum", "chequesum"),
                (5, lines[4], "\0" * 80 + "\n")]:
            with self.subTest(line=number):
                changed = list(lines)
                changed[number - 1] = changed[number - 1].replace(old, new, 1)
                self.assertNotEqual(changed, lines)
                self.journal.write_text("".join(changed))
                errors = self.run_tool(*words, code=65).stderr
                self.assertIn(f"{self.journal}: line {number} is not as it was written", errors)
                self.assertEqual(self.journal.read_text(), "".join(changed))
        # What a kill cuts off is dropped.
        self.journal.write_text(left[:left.rindex("\n") - 9])
        self.run_tool(*words)

    def test_a_journal_of_an_older_version_is_refused(self):
        words, left = self.killed_sweep()
        old = re.sub(r', "checksum": "[0-9a-f]{16}"', "", left.replace("evictionlab.journal/2", "evictionlab.journal/1"))
        self.journal.write_text(old)
        errors = self.run_tool(*words, "--output", self.output, "--resume", code=64).stderr
        self.assertIn("was written by another version of this tool; remove it", errors)
        self.assertEqual(self.journal.read_text(), old)
        self.journal.unlink()
        self.run_tool(*words, "--output", self.output)


if __name__ == "__main__":
    unittest.main()
