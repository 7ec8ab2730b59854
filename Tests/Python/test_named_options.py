"""An option that a message of a command names is one of that command."""

import hashlib
import itertools
import json
import lzma
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))
OPTION = re.compile(r"(?:\b([a-z]+) )?(--[a-z][a-z-]+)")


def options_of(words):
    text = subprocess.run([EVICT, *words, "--help-hidden"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"--[a-z][a-z-]+", text.partition("ARGUMENTS:")[2] or text.partition("OPTIONS:")[2]))


class NamedOptions(unittest.TestCase):
    # Commands that read traces, with the place of the trace.
    TRACES = [
        "sweep IN --policy lru --capacity 2", "sweep IN --stream --policy lru --capacity 2",
        "replay IN --policy lru --capacity 2 --repeat 1", "curve IN", "bounds IN --capacity 2", "disk IN --capacity 2",
        "prefix IN --policy lru --capacity 2", "speed IN --policy lru --capacity 2 --rounds 1",
        "suite --list LIST --folder FOLDER --policy lru", "trace info IN", "trace convert IN --output FOLDER/o.evtrace",
        "trace sample IN --first 2 --output FOLDER/o.evtrace",
        "trace filter IN --policy lru --capacity 2 --output FOLDER/o.evtrace",
        "policies vectors IN --policy lru --capacity 2", "policies verify VECTORS --traces FOLDER",
    ]
    # Commands that read documents.
    DOCUMENTS = ["report IN", "compare IN IN", "check IN --baseline IN", "sweep --merge IN", "policies verify IN",
                 "suite --list IN"]

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.options = {}
        cls.named = set()

    def contents(self):
        yield "empty", b""
        yield "header", b"time,key,size\n"
        yield "columns", b"alpha,beta\n1,2\n3,4\n" * 9
        yield "binary", bytes(range(256)) * 40
        yield "ragged", b"time,key,size\n1,2,3\n4\n"
        yield "document", b'{"schema": "other", "results": []}\n' * 3
        yield "object", b'{"request": {"uri": 3}}\n{"request": {"uri": 4}}\n'
        yield "bomb", lzma.compress(b"a\n" * 20_000_000, preset=0)
        yield "evt", (self.folder / "whole.evtrace").read_bytes()

    def check(self, line, limit=None):
        words = [str(word) for word in line]
        command = tuple(words[:2] if words[0] in ("trace", "policies") else words[:1])
        if command not in self.options:
            self.options[command] = options_of(command)
        if limit:
            words = ["sh", "-c", f'ulimit -v {limit}; exec "$0" "$@"', EVICT, *words]
        else:
            words = [EVICT, *words]
        run = subprocess.run(words, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
                             env={**os.environ, "MALLOC_ARENA_MAX": "1"})
        message = run.stderr
        if "Unknown option" in message:
            return run
        lacking = re.search(r"this command has no ([^:]*):", message)
        for other, option in OPTION.findall(message):
            # “sweep --resume” is another command's.
            known = self.options[(other,)] if self.is_command(other) else self.options[command]
            if lacking and option in lacking[1]:
                self.assertNotIn(option, known)
            else:
                self.named.add(option)
                self.assertIn(option, known, message)
        return run

    def is_command(self, word):
        if not word or word == "evict":
            return False
        if (word,) not in self.options:
            try:
                self.options[(word,)] = options_of((word,))
            except subprocess.CalledProcessError:
                return False
        return True

    def files(self):
        return {"FOLDER": self.folder, "LIST": self.folder / "list.json", "VECTORS": self.folder / "vectors.json"}

    def line(self, text, path):
        words = []
        for word in text.split():
            for name, value in {**self.files(), "IN": path}.items():
                word = word.replace(name, str(value))
            words.append(word)
        return words

    def test_every_option_in_a_message_is_one_of_the_command(self):
        whole = self.folder / "whole.evtrace"
        subprocess.run([EVICT, "trace", "generate", "zipf:keys=100:requests=1000", "--output", whole], check=True,
                       capture_output=True)
        subprocess.run([EVICT, "policies", "vectors", whole, "--policy", "lru", "--capacity", "9", "--output",
                        self.folder / "vectors.json"], check=True, capture_output=True)
        for name, content in self.contents():
            path = self.folder / "in.txt"
            path.write_bytes(content)
            (self.folder / "list.json").write_text(json.dumps({
                "schema": "evictionlab.suite/1", "capacities": ["50%"],
                "traces": [{"name": path.name, "group": "block", "sha256": hashlib.sha256(content).hexdigest()}]}))
            vectors = json.loads((self.folder / "vectors.json").read_text())
            (self.folder / "vectors.json").write_text(
                json.dumps(vectors).replace('"whole.evtrace"', '"in.txt"'))
            for text, more in itertools.product(self.TRACES, [[], ["--capacity", "1KiB"], ["--warmup", "9999999"]]):
                with self.subTest(content=name, text=text, more=more):
                    self.check(self.line(text, path) + more)
            for text in self.DOCUMENTS:
                with self.subTest(content=name, text=text):
                    self.check(self.line(text, path))
        self.assertIn("--trace-format", self.named)
        self.assertIn("--expansion", self.named)

    def test_commands_that_run_out_of_memory_name_what_they_have(self):
        large = self.folder / "large.evtrace.zst"
        subprocess.run([EVICT, "trace", "generate", "uniform:keys=1e6:requests=2e7", "--output", large],
                       check=True, capture_output=True)
        document = self.folder / "large.json"
        document.write_text('{"schema": "evictionlab.results/1", "results": [' + "[1]," * (8 << 20) + "1]}")
        small = self.folder / "small.txt"
        small.write_text("a\nb\n")
        least = next(size for size in range(64 << 10, 4 << 20, 64 << 10)
                     if self.check(self.line(self.TRACES[0], small), size).returncode == 0)
        short = set()
        for text in self.TRACES + self.DOCUMENTS:
            with self.subTest(text=text):
                run = self.check(self.line(text, document if text in self.DOCUMENTS else large), least)
                if run.returncode == 71:
                    short.add(text)
                    if text.split()[0] in ("report", "compare", "check"):
                        self.assertEqual(run.stderr, "evict: out of memory; free some\n")
        self.assertGreater(len(short), 8, short)
        self.assertTrue(short & set(self.DOCUMENTS), short)


if __name__ == "__main__":
    unittest.main()
