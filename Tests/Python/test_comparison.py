"""The comparison with libcachesim, on the page "How it compares" and in the README, is what was measured last.

`python3 Tests/Python/test_comparison.py --write` writes both again from `results/bench-peers.json`, and on the page
what was measured on another machine from `results/bench-peers-epyc.json`.
"""

import json
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Sources/EvictionLab/EvictionLab.docc/HowItCompares.md"
README = ROOT / "README.md"
RESULTS = ROOT / "results/bench-peers.json"
OTHER = json.loads((ROOT / "results/bench-peers-epyc.json").read_text())
NAMES = {
    "lru": "LRU",
    "fifo": "FIFO",
    "lfu": "LFU",
    "random": "Random",
    "arc": "ARC",
    "slru:segments=4:fill=protected": "SLRU (its four segments)",
    "clock": "CLOCK",
    "sieve": "SIEVE",
    "s3fifo": "S3-FIFO",
    "2q": "2Q",
    "lirs": "LIRS",
    "wtinylfu": "W-TinyLFU",
    "gdsf": "GDSF",
    "lfuda": "LFUDA",
    "clock2q-plus": "Clock2Q+",
    "clock-pro": "CLOCK-Pro",
    "mq": "MQ",
    "lru-k": "LRU-K",
    "lru-prob": "LRU-Prob",
    "flash-prob": "flash-prob",
    "hyperbolic": "Hyperbolic",
    "lecar": "LeCaR",
    "cacheus": "Cacheus",
    "lhd": "LHD",
    "largest-size": "largest size",
    "opt": "Belady's MIN, next uses included",
    "belady-size": "Belady-size, MIN where objects count one, against a sample",
}
HEAD = "| against libcachesim 0.3.5 |"
END = "\n\nReading that trace "


def ratio(result):
    low, high = result["spread"]
    return f"{result['median']:.1f}× [{low:.1f}, {high:.1f}]"


def listed(names):
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def grouped(number):
    return f"{int(number):,}".replace(",", " ")


def misses(counts):
    """Those of a first and of a second cache, a request."""
    return "–" if counts is None else " / ".join(f"{count:.2f}" for count in counts)


def table(peers):
    """The page's table, and what its columns are."""
    lines = [
        f"{HEAD} alone, Zipf | alone, public traces | end to end | alone, other machine "
        "| end to end, other machine | ns | × touch | × floor | misses |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    others = {row["policy"]: row for row in OTHER["policies"]}
    for row in peers["policies"]:
        floor = f"{row['timesFloor']:.1f} ({row['floor']})" if "floor" in row else "–"
        public = ratio(row["public"]["alone"]) if "public" in row else "–"
        lines.append(
            f"| {NAMES[row['policy']]} | {ratio(row['alone'])} | {public} | {ratio(row['endToEnd'])} "
            f"| {others[row['policy']]['alone']['median']:.1f}× | {others[row['policy']]['endToEnd']['median']:.1f}× "
            f"| {row['nanoseconds']:.1f} | {row['timesTouch']:.1f} | {floor} | {misses(row.get('misses'))} |")
    sweep = peers["sweep"]
    lines.append(
        f"| six policies × eight capacities on {sweep['jobs']} cores, loading included | | | {ratio(sweep['ratio'])} "
        f"| | {OTHER['sweep']['ratio']['median']:.1f}× | | | | |")
    equal = [NAMES[row["policy"]].split(" (")[0].split(",")[0]
             for row in peers["policies"] if row["hits"] == row["peerHits"]]
    floors = ", ".join(f"{name} {value:.1f}" for name, value in peers["floorNanoseconds"].items())
    public = listed([trace["name"].split(".")[0] for trace in peers["publicTraces"]]) or "none were there"
    missed = ", ".join(f"{name} {misses(counts)}" for name, counts in peers.get("floorMisses", {}).items())
    baselines = peers["baselines"]
    outside = dict(peers.get("outside") or {})
    own = outside.pop("policy", None)
    outside = "" if own is None else (
        f"\nA policy over lists of a package outside, {own} of <doc:BringYourOwnPolicy>, takes "
        + listed([f"{ratio(times)} as long as {other}" for other, times in outside.items()])
        + ", in the same sweep.")
    # By shape, how many times as fast plain C would be: the peer's time over the floor's.
    reach = {row["floor"]: row["alone"]["median"] * row["timesFloor"] for row in peers["policies"]
             if row["policy"] == row.get("floor")}
    keys, requests = re.search(r"keys=(\d+):requests=(\d+)", peers["trace"]).groups()
    return "\n".join(lines) + f"""

Measured on {peers['machine']['cores']} cores ({peers['machine']['cpu']}), in at most {peers['rounds']} rounds. Zipf(1.0) has {grouped(requests)} requests over {grouped(keys)} keys, at a
capacity of {grouped(peers['capacity'])}; nanoseconds a request and what follows are of this trace. The public traces ({public}) run at a
tenth of their keys; shown is the geometric mean. The other machine has {OTHER['machine']['cores']} cores of an {OTHER['machine']['cpu']}; it ran commit {OTHER['commit'][:8]},
before W-TinyLFU and Belady-size were counted by loops. *touch* and *floor* are multiples of what plain C takes on the same
requests in the same run (`Tests/Benchmarks/Floor/floor.c`): to touch one record a request, and to keep the list of that
shape. These floors take, in nanoseconds a request: {floors}. They say how far it can go: on Zipf, plain C would be
{reach['lru']:.0f} times as fast as the peer with the list of an LRU, {reach['clock']:.0f} times with CLOCK's ring and {reach['fifo']:.0f} times with FIFO's.
*misses* are references to memory a request that miss a first cache of 32 KiB / and a second one of 1 MiB, in valgrind's model of
them, over the first two million requests; of the floors: {missed}.
One LRU cell takes {ratio(baselines['10%'])} as long with FIFO and the optimum beside it.{outside}

Hit counts are equal for {listed(equal)}; `evict reproduce` and the policies' pages
explain the others."""


def page(text, peers):
    """The page with the table of these results."""
    start = text.index("| against libcachesim 0.3.5")
    return text[:start] + table(peers) + text[text.index(END):]


def readme(text, peers):
    """The README with the rows of these results."""
    lru = next(row for row in peers["policies"] if row["policy"] == "lru")
    found = [lru["alone"], lru["endToEnd"], peers["sweep"]["ratio"]]
    start = text.index("| against |")
    lines = text[start:].split("\n")
    for number, result in enumerate(found, start=2):
        low, high = result["spread"]
        shown = f"{result['median']:.1f} [{low:.1f}, {high:.1f}]"
        lines[number] = re.sub(r"-?\d+\.\d+ \[[^]]*\]", shown, lines[number])
    return text[:start] + "\n".join(lines)


class Comparison(unittest.TestCase):
    def setUp(self):
        self.peers = json.loads(RESULTS.read_text())
        if "floorNanoseconds" not in self.peers:
            self.skipTest("results/bench-peers.json is older than its floors; run Tests/Benchmarks/peers.py")

    def test_the_page_shows_what_was_measured(self):
        self.assertEqual(PAGE.read_text(), page(PAGE.read_text(), self.peers), "run this with --write")

    def test_the_readme_shows_what_was_measured(self):
        self.assertEqual(README.read_text(), readme(README.read_text(), self.peers), "run this with --write")

    def test_every_policy_is_compared(self):
        compared = [row["policy"] for row in self.peers["policies"]] + self.peers["peerDied"]
        self.assertEqual(sorted(compared), sorted(NAMES))


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        results = json.loads(RESULTS.read_text())
        PAGE.write_text(page(PAGE.read_text(), results))
        README.write_text(readme(README.read_text(), results))
    else:
        unittest.main()
