"""`evict prefix` over folders of traces, and the answers on its page."""

import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = os.environ.get("EVICT", ROOT / ".build/release/evict")
SIZES = "1%,10%,25%"


def evict(*arguments, code=0):
    done = subprocess.run([EVICT, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != code:
        raise AssertionError(f"{arguments}: {done.returncode}\n{done.stderr}")
    return done


def sessions(seed, prompts, grown, agents):
    """Prompts of agents whose contexts grow, and are cut now and then."""
    draw = random.Random(seed)
    chains, lines, new = [[] for _ in range(agents)], [], 0
    for number in range(prompts):
        agent = draw.randrange(agents)
        for _ in range(draw.randrange(1, grown)):
            chains[agent].append(new)
            new += 1
        if draw.random() < 0.02:
            chains[agent] = chains[agent][:len(chains[agent]) // 4]
        chain = chains[agent]
        lines.append(json.dumps({
            "timestamp": number, "input_length": 16 * len(chain), "output_length": 1, "block_size": 16,
            "hash_ids": chain}))
    return "\n".join(lines) + "\n"


class PrefixPageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name) / "traces"
        (cls.folder / "more").mkdir(parents=True)
        evict("trace", "generate", "chat:requests=400", "--seed", 7, "--output", cls.folder / "chat.jsonl")
        evict("trace", "generate", "retrieval:requests=300", "--seed", 7, "--output",
              cls.folder / "more" / "retrieval.jsonl.zst")
        (cls.folder / "keys.csv").write_text("time,key\n" + "".join(f"{n},{n % 7}\n" for n in range(50)))
        # A list of chunks, which is read beside its trace.
        (cls.folder / "more" / "rag-trace.jsonl").write_text("".join(
            json.dumps({"timestamp": str(n), "input_length": 30, "output_length": 2,
                        "hash_ids": {"sys_prompt": [1], "passages_ids": [], "history": [], "web_search": [],
                                     "user_input": [2 + n % 5]}, "session_id": str(n)}) + "\n" for n in range(20)))
        (cls.folder / "more" / "rag-sys_prompt.jsonl").write_text('{"sys_prompt_id": 1, "token_length": 20}\n')
        (cls.folder / "more" / "rag-user_input.jsonl").write_text("".join(
            f'{{"user_input_id": {n}, "token_length": 10}}\n' for n in range(2, 7)))
        (cls.folder / "README.md").write_text("# Traces\n")

    def document(self, *arguments):
        done = evict("prefix", *arguments, "--format", "json")
        return json.loads(done.stdout), done.stderr

    def test_a_folder_stands_for_its_traces_of_prompts(self):
        found, said = self.document(self.folder, "--policy", "lru,session", "--capacity", SIZES)
        names = [trace["name"] for trace in found["traces"]]
        self.assertEqual(names, ["chat.jsonl", "rag-trace.jsonl", "retrieval.jsonl.zst"])
        self.assertIn("3 files have no prompts and are not run", said)
        named, _ = self.document(
            self.folder / "chat.jsonl", self.folder / "more/rag-trace.jsonl",
            self.folder / "more/retrieval.jsonl.zst", "--policy", "lru,session", "--capacity", SIZES)
        for results in (found["results"], named["results"]):
            for run in results:
                run.pop("seconds"), run.pop("requestsPerSecond")
        self.assertEqual(found["results"], named["results"])

    def test_a_folder_without_prompts_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "keys.txt").write_text("1\n2\n1\n")
            said = evict("prefix", folder, "--policy", "lru", code=66).stderr
        self.assertIn("has no trace of prompts in it", said)
        self.assertIn("evict trace generate prompt-mix", said)

    def test_a_broken_trace_is_named_and_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            whole, broken = pathlib.Path(folder) / "a.jsonl", pathlib.Path(folder) / "b.jsonl"
            whole.write_text(sessions(1, 20, 4, 2))
            lines = sessions(1, 20, 4, 2).splitlines()
            lines[9] = lines[9].replace('"hash_ids": [', '"hash_ids": [x')
            broken.write_text("\n".join(lines) + "\n")
            found, said = self.document(folder, "--policy", "lru", "--capacity", "10")
        self.assertEqual([trace["name"] for trace in found["traces"]], ["a.jsonl"])
        self.assertRegex(said, r"not run: .*b\.jsonl: line 10")

    def test_sessions_of_weka_in_a_folder_are_one_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in "ab":
                (pathlib.Path(folder) / f"{name}.json").write_text(json.dumps({
                    "id": name, "block_size": 64, "hash_id_scope": "local", "requests": [
                        {"t": t, "type": "n", "in": 64 * (t + 1), "out": 9, "hash_ids": list(range(t + 1))}
                        for t in range(5)]}) + "\n")
            # Another folder's files are no part of the pattern.
            (pathlib.Path(folder) / "more").mkdir()
            (pathlib.Path(folder) / "more" / "keys.txt").write_text("".join(f"{n % 3}\n" for n in range(9)))
            found, said = self.document(folder, "--policy", "lru", "--capacity", "10")
            again, _ = self.document(f"{folder}/*.json", "--policy", "lru", "--capacity", "10")
        self.assertEqual([trace["name"] for trace in found["traces"]], ["*.json"])
        self.assertIn("1 file has no prompts and is not run", said)
        # Ids are local to a session: each hits its own 0 + 1 + 2 + 3 + 4 blocks.
        self.assertEqual(found["results"][0]["hitBlocks"], 20)
        self.assertEqual(again["results"][0]["hitBlocks"], 20)

    def test_the_page_answers_with_the_numbers_of_the_runs(self):
        place = self.folder.parent / "prefix.json"
        evict("prefix", self.folder, "--policy", "all", "--capacity", SIZES, "--format", "json", "--output", place)
        document = json.loads(place.read_text())
        page = evict("report", place, "--format", "html").stdout.replace("\u00a0", " ")
        section = re.search(r'<section id="answers".*?</section>', page, re.S).group(0)
        sizes = {}
        for run in document["results"]:
            sizes.setdefault((run["trace"], run["capacity"]), {})[run["policy"]] = run["tokenHitRatio"]
        for trace in document["traces"]:
            curve = next(c for c in document["references"] if c["trace"] == trace["name"])
            distinct = max(point[0] for point in curve["points"])
            own = {size: runs for (name, size), runs in sizes.items() if name == trace["name"]}
            size = min(own, key=lambda size: abs(size / distinct - 0.1))
            lru, optimum = own[size]["lru"], own[size]["opt"]
            start = f"On {trace['name']} at {size} block{'s' if size > 1 else ''} "
            self.assertIn(start, section)
            text = section[section.index(start):].split("</p>")[0]
            self.assertIn(f"lru hits {100 * lru:.1f} % of the tokens, the optimum {100 * optimum:.1f} %", text)
            best = max(ratio for policy, ratio in own[size].items() if policy != "opt")
            if optimum - lru > 0.001 and best - lru > 0.001:
                self.assertIn(f"{100 * (best - lru):.1f} points more", text)
                closed = re.search(r"and (\S+) % of that gap", text).group(1)
                self.assertAlmostEqual(float(closed), 100 * (best - lru) / (optimum - lru), delta=0.051)
        for caption in ("by tokens", "By mean of prompts", "By blocks", "every order, by every way of counting"):
            self.assertIn(caption, section)

    def page(self, *arguments):
        page = evict("prefix", *arguments, "--format", "html").stdout.replace("\u00a0", " ")
        return page, re.search(r'<p class="lead">(.*?)</p>', page, re.S).group(1)

    def test_the_page_explains_its_orders_and_its_blocks(self):
        page, _ = self.page(self.folder / "more/rag-trace.jsonl", "--policy", "lru,reuse-odds", "--capacity", "50%")
        folded = page.split("The orders, a sentence on each</summary>")[1].split("</details>")[0]
        self.assertIn("<p>lru: least recently used.</p>", folded)
        self.assertIn("<p>reuse-odds: ", folded)
        self.assertNotIn("<p>arc: ", folded)
        self.assertIn(">ids</th>", page)
        self.assertIn(">blocks</th>", page)
        self.assertIn("a block is an id behind all that precede it in its prompt", page)

    def test_a_tie_is_named_as_one(self):
        _, lead = self.page(self.folder / "chat.jsonl", "--policy", "lru,fifo,clock", "--capacity", "100%")
        self.assertIn("On chat.jsonl lru, fifo, clock tie, alike to a tenth of a point: they save ", lead)
        self.assertIn(" of the prompt tokens with ", lead)
        self.assertNotIn("most prompt tokens", lead)

    def test_an_order_is_left_out(self):
        found, _ = self.document(self.folder / "chat.jsonl", "--policy", "all,-frequency", "--capacity", "10%")
        policies = {run["policy"] for run in found["results"]}
        self.assertNotIn("frequency", policies)
        self.assertIn("reuse-odds", policies)
        said = evict("prefix", self.folder / "chat.jsonl", "--policy", "frequency,-frequency", code=64).stderr
        self.assertIn("no other policy is named before", said)

    def test_a_pattern_stands_beside_a_file(self):
        for number, name in enumerate(("part-0", "part-1", "last")):
            (self.folder.parent / f"{name}.jsonl").write_text(sessions(number, 20, 6, 2))
        found = [self.document("+".join(f"{self.folder.parent}/{name}.jsonl" for name in names), "--policy", "lru",
                               "--capacity", 50)[0] for names in (("part-*", "last"), ("part-0", "part-1", "last"))]
        self.assertEqual(found[0]["traces"][0]["name"], "part-*.jsonl+last.jsonl")
        self.assertEqual(*([run["hitBlocks"] for run in results["results"]] for results in found))

    def test_a_row_is_run_again_by_its_command(self):
        place = self.folder.parent / "one.json"
        evict("prefix", self.folder / "chat.jsonl", "--policy", "lru,session", "--as", "mooncake", "--capacity", "10%",
              "--format", "json", "--output", place)
        page = evict("report", place, "--format", "html").stdout
        command = re.search(r"evict prefix chat\.jsonl --policy lru,session,opt [^<]*", page).group(0)
        self.assertIn("--as mooncake", command)
        again = subprocess.run([EVICT, *command.split()[1:], "--format", "json"], cwd=self.folder,
                               capture_output=True, text=True, check=True)
        runs = {run["policy"]: run["hitBlocks"] for run in json.loads(again.stdout)["results"]}
        for run in json.loads(place.read_text())["results"]:
            self.assertEqual(run["hitBlocks"], runs[run["policy"]])

    def test_s3fifo_d_passes_over_prompts_that_fill_its_main_queue(self):
        place = self.folder.parent / "agents.jsonl"
        for seed, prompts, grown, agents in ((6, 300, 6, 3), (7, 400, 20, 2)):
            place.write_text(sessions(seed, prompts, grown, agents))
            for capacity in (50, 150, 300):
                evict("prefix", place, "--policy", "s3fifo-d", "--capacity", capacity)


if __name__ == "__main__":
    unittest.main()
