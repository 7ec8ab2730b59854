"""Other orders of a trace (`--jitter`, `--offset`, `--size-spread`), against a program of its own."""

import csv
import io
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = os.environ.get("EVICT", ROOT / ".build/release/evict")
HISTORY = ROOT / "traces/history.txt.zst"
POLICIES = "lru,sieve,lirs,wtinylfu"


def evict(*arguments, code=0):
    done = subprocess.run([EVICT, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != code:
        raise AssertionError(f"{arguments}: {done.returncode}\n{done.stderr}")
    return done


def document(*arguments):
    return json.loads(evict("sweep", *arguments, "--format", "json").stdout)


def ratios(results):
    """The hit ratios of each policy, in percent: as recorded, and in each order."""
    found = {}
    for run in results:
        found.setdefault(run["policy"], ([], []))[1 if "variation" in run else 0].append(100 * run["hitRatio"])
    return found


def lru(keys, capacity):
    """The hits of LRU."""
    resident, hits = {}, 0
    for key in keys:
        if key in resident:
            hits += 1
            del resident[key]
        elif len(resident) == capacity:
            del resident[next(iter(resident))]
        resident[key] = True
    return hits


def sieve(keys, capacity):
    """The hits of SIEVE: a list from the oldest to the newest, of which the hand goes from one to the next newer."""
    newer, older, visited, hits = {}, {}, {}, 0
    oldest = newest = hand = None
    for key in keys:
        if key in visited:
            visited[key] = True
            hits += 1
            continue
        if len(visited) == capacity:
            victim = oldest if hand is None else hand
            while visited[victim]:
                visited[victim] = False
                victim = oldest if newer[victim] is None else newer[victim]
            after, before = newer.pop(victim), older.pop(victim)
            del visited[victim]
            hand = after
            if after is None:
                newest = before
            else:
                older[after] = before
            if before is None:
                oldest = after
            else:
                newer[before] = after
        visited[key], newer[key], older[key] = False, None, newest
        if newest is None:
            oldest = key
        else:
            newer[newest] = key
        newest = key
    return hits


class OrdersTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.keys = subprocess.run(
            ["zstd", "-dcq", HISTORY], capture_output=True, text=True, check=True).stdout.split("\n")[:-1]

    def place(self, name):
        return pathlib.Path(self.folder.name) / name

    def test_no_jitter_is_the_trace(self):
        line = [HISTORY, "--policy", POLICIES, "--capacity", "1%,10%"]
        plain = document(*line)["results"]
        still = document(*line, "--jitter", "0", "--orders", "3")["results"]
        jittered = document(*line, "--jitter", "4", "--orders", "2")["results"]
        for runs in (still, [run for run in jittered if "variation" not in run]):
            self.assertEqual([run["hits"] for run in runs], [run["hits"] for run in plain])
        self.assertEqual(len(jittered), 3 * len(plain))

    def test_a_program_of_its_own_moves_hits_as_far(self):
        """Keys sorted by place and delay here, with another generator; LRU and SIEVE are simulated here, too."""
        simulators = {"lru": lru, "sieve": sieve}
        for reach in (4, 16, 64):
            varied = ratios(document(HISTORY, "--policy", POLICIES, "--capacity", "660", "--jitter", reach)["results"])
            others = {}
            for seed in range(4):
                draw = random.Random(seed)
                late = [(place + draw.randint(0, reach), draw.random()) for place in range(len(self.keys))]
                order = [self.keys[place] for place in sorted(range(len(self.keys)), key=late.__getitem__)]
                for policy, simulate in simulators.items():
                    others.setdefault(policy, []).append(100 * simulate(order, 660) / len(order))
                trace = self.place(f"{reach}-{seed}.txt")
                trace.write_text("\n".join(order) + "\n")
                for policy, (own, _) in ratios(
                        document(trace, "--policy", POLICIES, "--capacity", "660", "--no-baselines")["results"]).items():
                    if policy in simulators:
                        self.assertAlmostEqual(own[0], others[policy][-1], places=9)
                    else:
                        others.setdefault(policy, []).extend(own)
            for policy, (_, here) in varied.items():
                mean = sum(here) / len(here)
                spread = max(max(here) - min(here), 0.05)
                with self.subTest(policy=policy, reach=reach):
                    for ratio in others[policy]:
                        self.assertLess(abs(ratio - mean), 2 * spread, (here, others[policy]))

    def test_tables_say_what_order_changes(self):
        line = ["sweep", HISTORY, "--policy", POLICIES, "--capacity", "10%", "--jitter", "64", "--orders", "8"]
        table = evict(*line, "--wide").stdout
        self.assertRegex(table, r"hit ratio % +other orders %")
        self.assertRegex(table, r"wtinylfu +36\.92\* +2\d\.\d\d ± 0\.\d\d")
        self.assertIn("That holds in the recorded order only: lru is ahead of all 3 others over 8 orders (window, no request "
                      "further than 64 places).", table)
        page = evict(*line, "--format", "html").stdout
        self.assertIn("In the recorded order alone wtinylfu is the best.", page)
        rows = list(csv.DictReader(io.StringIO(evict(*line, "--format", "csv").stdout)))
        self.assertEqual([row["variation.number"] for row in rows[:9]], ["", *"12345678"])
        few = evict(*line[:-1], "5").stdout
        self.assertIn("5 orders (window, no request further than 64 places) are too few to tell 4 policies apart; give "
                      "--orders 8.", few)

    def test_the_page_shows_what_is_printed(self):
        page = (ROOT / "Sources/EvictionLab/EvictionLab.docc/WhenOrderMatters.md").read_text()
        line = next(line for line in page.split("\n") if line.startswith("    $ evict sweep"))
        words = line.split()[2:]
        words[1] = HISTORY
        # Without the speed, which is the last column.
        printed = [row.rsplit(None, 1)[0] for row in evict(*words).stdout.split("\n") if row.lstrip().startswith("660 ")]
        shown = [row.strip().rsplit(None, 1)[0] for row in page.split("\n") if row.lstrip().startswith("660 ")]
        self.assertEqual(shown, [row.strip() for row in printed[:len(shown)]])
        self.assertEqual(len(shown), 6)

    def test_the_page_shows_the_places_of_newcomers(self):
        page = (ROOT / "Sources/EvictionLab/EvictionLab.docc/WhenOrderMatters.md").read_text()
        table = page[page.index("| hit ratio %, 660 objects |"):].split("\n\n")[0].split("\n")
        shown = {cells[0].strip("`"): cells[1:] for cells in ([cell.strip() for cell in row.split("|")[1:-1]] for row in table[2:])}
        found = {}
        for reach in (16, 64, 256):
            runs = {}
            for run in document(HISTORY, "--policy", ",".join(shown), "--capacity", "660", "--jitter", reach,
                                "--no-baselines")["results"]:
                name = ":".join([run["policy"], *(f"{key}={json.dumps(value)}" for key, value in run["parameters"].items())])
                runs.setdefault(name, ([], []))["variation" in run].append(100 * run["hitRatio"])
            for name, ((own,), others) in runs.items():
                found.setdefault(name, [f"{own:.1f}"]).append(f"{sum(others) / len(others):.1f}")
        self.assertEqual(found, shown)

    def test_the_picture_is_what_is_drawn(self):
        """Else: run make states."""
        evict("trace", "convert", HISTORY, "--jitter", "16", "--output", self.place("jittered.txt"))
        for trace, name in ((HISTORY, "history.json"), (self.place("jittered.txt"), "jittered.json")):
            evict("sweep", trace, "--policy", "lirs,sieve", "--capacity", "660", "--windows", "100", "--trace-internals", "100",
                  "--no-baselines", "--output", self.place(name))
        for form, name in (("svg", "OrdersOverTime.svg"), ("svg-dark", "OrdersOverTime~dark.svg")):
            drawn = evict("report", self.place("history.json"), self.place("jittered.json"), "--charts", "over-time,internals",
                          "--columns", "2", "--format", form).stdout
            self.assertEqual(drawn, (ROOT / "Sources/EvictionLab/EvictionLab.docc" / name).read_text())

    def test_parts_and_stopped_runs_are_whole_again(self):
        line = [HISTORY, "--policy", "lru,lirs", "--capacity", "1%,10%", "--jitter", "16:clocks", "--offset", "5%",
                "--size-spread", "2%", "--orders", "2"]
        whole = document(*line)["results"]
        self.assertEqual([run["variation"]["kind"] for run in whole[1:7]], 2 * ["order"] + 2 * ["beginning"] + 2 * ["size"])
        for share in (1, 2, 3):
            evict("sweep", *line, "--shard", f"{share}/3", "--output", self.place(f"{share}.json"))
        evict("sweep", "--merge", *(self.place(f"{share}.json") for share in (2, 3, 1)), "--output", self.place("all.json"))
        merged = json.loads(self.place("all.json").read_text())["results"]
        self.assertEqual([run["hits"] for run in merged], [run["hits"] for run in whole])
        done = evict("sweep", *line, "--resume", "--output", self.place("all.json"))
        self.assertIn("holds 28 of 28 cells", done.stderr)
        self.assertIn("28 runs compared: nothing differs",
                      evict("check", self.place("all.json"), "--baseline", self.place("all.json")).stdout)

    def test_curves_and_converted_traces_are_in_the_orders_of_a_sweep(self):
        sweep = document(HISTORY, "--policy", "lru,sieve", "--capacity", "66,660", "--jitter", "16:lock", "--orders", "2")
        misses = {(run["policy"], run["capacity"], run.get("variation", {}).get("number")): 1 - run["hitRatio"]
                  for run in sweep["results"]}
        done = evict("curve", HISTORY, "--policy", "lru,sieve", "--capacity", "66,660", "--jitter", "16:lock", "--orders", "2",
                     "--format", "json", "--output", self.place("curve.json"))
        for curve in json.loads(self.place("curve.json").read_text())["results"]:
            for point in curve["points"]:
                key = (curve["policy"], point[0], curve.get("variation", {}).get("number"))
                self.assertAlmostEqual(point[1], misses.pop(key), places=12)
        self.assertEqual(misses, {})
        table = evict("report", self.place("curve.json")).stdout
        self.assertRegex(table, r"miss ratio % +other orders %")
        self.assertRegex(table, r"sieve +660 +78\.22 +\d\d\.\d\d ± \d\.\d\d")
        self.assertIn("Bands reach", evict("report", self.place("curve.json"), "--format", "html").stdout)
        evict("trace", "convert", HISTORY, "--jitter", "16:lock", "--order", "2", "--output", self.place("second.txt"))
        (run,) = document(self.place("second.txt"), "--policy", "sieve", "--capacity", "660", "--no-baselines")["results"]
        (same,) = (other for other in sweep["results"] if other["policy"] == "sieve" and other["capacity"] == 660
                   and other.get("variation", {}).get("number") == 2)
        self.assertEqual(run["hits"], same["hits"])
        self.assertEqual(done.stderr, "")

    def test_prompts_keep_together(self):
        evict("trace", "generate", "chat:turns=4:requests=600", "--output", self.place("chat.jsonl"))
        line = ["prefix", self.place("chat.jsonl"), "--policy", "lru,fifo", "--capacity", "10%", "--jitter", "8", "--orders", "3",
                "--format", "json"]
        runs = json.loads(evict(*line).stdout)["results"]
        self.assertEqual([run.get("variation", {}).get("number") for run in runs if run["policy"] == "lru"], [None, 1, 2, 3])
        self.assertEqual(len({run["tokens"] for run in runs}), 1)
        self.assertGreater(len({run["hitTokens"] for run in runs if run["policy"] == "lru"}), 1)

    def test_a_replay_says_what_order_alone_changes(self):
        runs = json.loads(evict(
            "replay", HISTORY, "--policy", "lirs", "--capacity", "660", "--threads", "1,2", "--limit", "50000", "--repeat", "1",
            "--format", "json").stdout)["results"]
        self.assertNotIn("hitRatiosOfOrders", runs[0])
        low, high = runs[1]["hitRatiosOfOrders"]
        self.assertTrue(low < runs[0]["hitRatio"] <= high)
        line = ["--capacity", "660", "--limit", "50000"]
        orders = document(HISTORY, "--policy", "lirs", *line, "--jitter", "16:lock", "--orders", "2")
        self.assertAlmostEqual(min(run["hitRatio"] for run in orders["results"]), low)
        # A thread that loses its core keeps its batch for milliseconds.
        (run,) = json.loads(evict("replay", HISTORY, "--policy", "lru", *line, "--threads", "2", "--repeat", "1",
                                  "--format", "json").stdout)["results"]
        orders = document(HISTORY, "--policy", "lru", *line, "--jitter", "65536:lock", "--orders", "2")
        self.assertAlmostEqual(run["hitRatiosOfOrders"][1], max(run["hitRatio"] for run in orders["results"]))

    def test_a_script_compares_threads_with_the_range(self):
        """How many lie within is the machine's."""
        script = [sys.executable, ROOT / "Tests/Benchmarks/orders.py", EVICT, HISTORY, "--policy", "lru,lirs", "--repeat", "2"]
        done = subprocess.run(script, capture_output=True, text=True)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertRegex(done.stdout, r"history\.txt\.zst +lirs +\d+\.\d{3}–\d+\.\d{3} +\d+\.\d{3}  \d of 2")
        self.assertRegex(done.stdout, r"\d of 2 medians and \d of 4 runs lie within")

    def test_what_does_not_go_together_is_refused(self):
        for words, message in (
                (["--orders", "3"], "--orders says how many"), (["--jitter", "4", "--orders", "1"], "out of range"),
                (["--jitter", "4:dance"], "window, turns, lock, clocks, queues"), (["--jitter", "-1"], "invalid|Missing"),
                (["--offset", "80%"], "at most 50 %"), (["--jitter", "4", "--windows", "10"], "--windows is of the trace"),
                (["--jitter", "4", "--stream"], "--stream does not go with --jitter"),
                (["--offset", "5%", "--warmup", "10"], "leave one out")):
            done = evict("sweep", HISTORY, "--policy", "lru", "--capacity", "10%", *words, code=64)
            self.assertRegex(done.stderr, message)
        for command, words, message in (
                ("curve", ["--size-spread", "2%"], "leave out --size-spread"), ("curve", ["--jitter", "4", "--rate", "0.1"], "leave out --rate"),
                ("curve", ["--offset", "5%", "--warmup", "9"], "leave one out|--offset")):
            done = evict(command, HISTORY, "--policy", "lru", *words, code=64)
            self.assertRegex(done.stderr, message)


if __name__ == "__main__":
    unittest.main()
