"""Memory of `evict prefix`: it grows with prompts and distinct blocks, and not with the blocks of prompts."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = os.environ.get("EVICT", ROOT / ".build/release/evict")

MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""

CONVERSATIONS = 10
TURNS = 30
BLOCKS = 100


class PrefixMemoryTests(unittest.TestCase):
    def test_a_capacity_below_a_block_is_told_from_no_capacity(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "one.jsonl")
            with open(path, "w") as file:
                for turn in range(4):
                    file.write(json.dumps({"timestamp": turn, "input_length": 512, "output_length": 1, "hash_ids": [turn]}) + "\n")
            for tokens, size in (("2", "which takes 1024 bytes"), ("9223372036854775807", "which takes more than 9223372036854775807 bytes")):
                done = subprocess.run(
                    [EVICT, "prefix", path, "--policy", "lru", "--capacity", "1000B", "--bytes-per-token", tokens],
                    capture_output=True, text=True)
                self.assertEqual(done.returncode, 64, done.stderr)
                self.assertIn(f"one.jsonl: 1000B is less than one of its blocks, {size}; give more", done.stderr)

    def test_help_has_no_option_that_is_refused(self):
        help = subprocess.run([EVICT, "prefix", "--help-hidden"], capture_output=True, text=True).stdout
        self.assertNotIn("--explain", help)

    def memory(self, folder, times):
        """The most resident bytes of a run of prompts that come `times` times, and the blocks of these."""
        path = os.path.join(folder, f"{times}.jsonl")
        blocks = 0
        with open(path, "w") as file:
            for turn in range(TURNS * times):
                for conversation in range(CONVERSATIONS):
                    length = BLOCKS * (turn % TURNS + 1)
                    blocks += length
                    ids = [conversation * TURNS * BLOCKS + block for block in range(length)]
                    prompt = {"timestamp": turn, "input_length": 512 * length, "output_length": 1, "hash_ids": ids}
                    file.write(json.dumps(prompt) + "\n")
        command = [EVICT, "prefix", path, "--policy", "lru", "--capacity", "10%", "--no-baselines", "--jobs", "1"]
        done = subprocess.run([sys.executable, "-c", MEASURE, *map(str, command)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        unit = 1 if sys.platform == "darwin" else 1024
        return int(done.stdout) * unit, blocks

    def test_prompts_that_come_again_take_less_than_a_byte_a_block(self):
        with tempfile.TemporaryDirectory() as folder:
            (once, blocks), (often, more) = self.memory(folder, 1), self.memory(folder, 4)
        self.assertLess((often - once) / (more - blocks), 1)


if __name__ == "__main__":
    unittest.main()
