#!/usr/bin/env python3
"""Runs two builds of the tool side by side and prints every difference but times and provenance.

    compare_binaries.py OLD NEW [TRACE…] [--only WORD] [--limit 20000]

Each case is a sequence of commands in a folder of its own; their exit codes, both outputs and the files that
they leave are compared. Without traces those of `traces/` are taken. In documents, figures that change from
run to run are masked, and nothing else: keys keep their order and numbers their digits. What several threads
hit differs by chance, so every replay here has one.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

#: Figures that differ from run to run, wherever they stand in a document.
TIMES = {
    "seconds", "requestsPerSecond", "date", "version", "commit", "toolchain", "cpuSeconds",
    "allocations", "peakMemory", "bytesWritten", "writeAmplification", "commits", "longestLog",
    "files", "allocatedBytes", "openSeconds", "reconciledSeconds", "intervals", "ratios",
}
#: Parts of a document that are made of such figures; the numbers of what was timed are not.
TIMED = {"latency", "contention", "pace", "response", "service", "lateness", "sizes"}
COUNTS = {"count", "acquisitions", "reads", "writes", "replaces", "from", "isInline", "pace", "arrivals"}
#: Figures in the text of a table, and in paths of folders that are made anew.
TEXT = [
    (re.compile(r"\d+(\.\d+)? (ms|s|µs|ns)\b"), "# s"),
    (re.compile(r"/tmp/compare-[\w-]+"), "FOLDER"),
]


def masked(value, key=None, timed=False):
    """A document's value without what changes from run to run."""
    if key in TIMES or key == "recommendations":
        return "#"
    timed = timed or key in TIMED
    if isinstance(value, dict):
        return {name: masked(inner, name, timed) for name, inner in value.items()}
    if isinstance(value, list):
        if timed and key != "sizes":
            return "#"
        return [masked(inner, None, timed) for inner in value]
    return "#" if timed and key not in COUNTS else value


def lines(text):
    """A text as lines, one for each member of a document's lists, without what changes."""
    try:
        # Numbers stay as they are written.
        document = json.loads(text, parse_int=str, parse_float=str)
    except ValueError:
        for pattern, instead in TEXT:
            text = pattern.sub(instead, text)
        return text.splitlines()
    if not isinstance(document, dict):
        return text.splitlines()
    found = []
    for key, value in masked(document).items():
        members = value if isinstance(value, list) else [value]
        found += [f"{key}: {json.dumps(member)}" for member in members]
    return found


def cases(traces, limit):
    """Names, and the commands that follow each other."""
    def sweep(*words):
        return ["sweep", *words, "--limit", limit, "--format", "json"]

    for path in traces:
        name = path.name.split(".")[0]
        yield f"sweep {name}", [sweep(path, "--policy", "all", "--capacity", "20,1%,10%")]
        yield f"sweep seeds {name}", [
            sweep(path, "--policy", "random,lru,opt,opt:bypass=true,fifo,sieve", "--capacity",
                  "1%,1%,500", "--seed", 1, "--seed", 7, "--seed", 1)]
        yield f"sweep explain {name}", [
            sweep(path, "--policy", "lru,arc,wtinylfu,infinite", "--capacity", "50,5%", "--explain")]
        yield f"sweep explain alone {name}", [
            sweep(path, "--policy", "lru:admission=tinylfu", "--capacity", "5%", "--explain")]
        yield f"sweep warm-up {name}", [
            sweep(path, "--policy", "lru,2q", "--capacity", "1%", "--warmup", 3000, "--windows", 7,
                  "--trace-internals", 5, "--count-sets")]
        yield f"sweep alone {name}", [
            sweep(path, "--policy", "arc,cacheus", "--capacity", "1%", "--no-yardstick",
                  "--trace-internals", 5)]
        yield f"sweep sized {name}", [
            sweep(path, "--policy", "all", "--capacity", "1%,64KiB", "--explain")]
        yield f"sweep sized plain {name}", [
            sweep(path, "--policy", "lru,gdsf,belady-size", "--capacity", "10000", "--sized")]
        yield f"bounds {name}", [
            ["bounds", path, "--capacity", "20,1%,10%", "--limit", limit, "--format", "json"],
            ["bounds", path, "--capacity", "1%", "--sized", "--limit", limit, "--warmup", 100,
             "--format", "json"]]
        yield f"curve {name}", [
            ["curve", path, "--limit", limit, "--format", "json"],
            ["curve", path, "--policy", "lru,arc,random", "--points", 6, "--limit", limit,
             "--format", "json"],
            ["curve", path, "--policy", "lru,sieve", "--rate", 0.1, "--points", 5, "--limit", limit,
             "--format", "json"],
            ["curve", path, "--policy", "lru,arc", "--capacity", "10,100,50%", "--limit", limit,
             "--price-per-gib", 3, "--cost-per-miss", 2e-6, "--object-size", "4KiB", "--format",
             "json"],
            ["curve", path, "--policy", "lru,sieve", "--sized", "--points", 4, "--limit", limit,
             "--format", "json"]]
        yield f"replay {name}", [
            ["replay", path, "--policy", "all", "--capacity", "1%", "--limit", 4000, "--format",
             "json"],
            ["replay", path, "--policy", "lru,wtinylfu", "--capacity", "30,5%", "--lock",
             "mutex,spin,sharded:4:mutex", "--reads", "strict,buffered", "--sample", 1, "--limit",
             4000, "--format", "json"],
            ["replay", path, "--policy", "lru", "--capacity", "64KiB", "--explain", "--limit", 4000,
             "--format", "json"],
            ["replay", path, "--policy", "lru,fifo,opt", "--capacity", "1%", "--limit", 4000],
            ["replay", path, "--policy", "lru,fifo", "--capacity", "40", "--explain", "--repeat", 3,
             "--cut", "fill", "--rate", "50%,1e6", "--limit", 4000, "--warmup", 50, "--seed", 3,
             "--seed", 4, "--format", "json"]]
        yield f"disk {name}", [
            ["disk", path, "--capacity", "200KiB,50", "--policy", "lru,fifo", "--limit", 500,
             "--format", "json"],
            ["disk", path, "--capacity", "200KiB", "--policy", "lru,sieve", "--threshold",
             "1KiB,64KiB", "--rounds", 2, "--limit", 400, "--warmup", 20, "--format", "json"]]
        yield f"filter {name}", [
            ["trace", "filter", path, "--policy", "lru", "--capacity", "1%", "--limit", limit,
             "--output", "misses.csv"],
            ["trace", "filter", path, "--policy", "sieve", "--capacity", "1%", "--limit", limit,
             "--hits", "--output", "hits.evtrace"]]
        yield f"vectors {name}", [
            ["policies", "vectors", path, "--policy", "lru,arc,sieve", "--capacity", "100,1%",
             "--limit", limit, "--output", "vectors.json"],
            ["policies", "verify", "vectors.json", "--traces", path.parent]]

    pair = list(traces[:2])
    cells = [*pair, "--policy", "all", "--capacity", "1%,64KiB,1%", "--seed", 1, "--seed", 2]
    yield "refusals", [sweep(*cells), sweep(*pair, "--policy", "lirs,arc", "--capacity", 1)]
    cells = [*pair, "--policy", "lru,fifo,random,opt", "--capacity", "10,1%,1%", "--seed", 1,
             "--seed", 2, "--explain"]
    shares = [sweep(*cells, "--shard", f"{index}/5", "--output", f"{index}.json")
              for index in range(1, 6)]
    names = [f"{index}.json" for index in range(1, 6)]
    yield "shares", shares + [
        ["sweep", "--merge", *names, "--output", "all.json"],
        ["sweep", "--merge", *names[1:4], "--output", "some.json"],
        sweep(*cells, "--output", "whole.json"),
        ["report", *names[:2], "--format", "json"],
        ["compare", "all.json", "whole.json"]]
    yield "more shares than cells", [
        sweep(pair[0], "--policy", "lru", "--capacity", "10", "--shard", "2/3", "--output", "a.json"),
        sweep(pair[0], "--policy", "lru", "--capacity", "10", "--shard", "3/3", "--output", "b.json"),
        ["sweep", "--merge", "a.json", "b.json", "--output", "all.json"]]
    fewer = [*pair, "--policy", "lru,random", "--capacity", "10,1%", "--explain"]
    more = [*pair, "--policy", "lru,arc,random,fifo", "--capacity", "10,1%,5%", "--explain"]
    yield "resume", [
        sweep(*fewer, "--output", "r.json"),
        sweep(*more, "--resume", "--output", "r.json"),
        sweep(*more, "--resume", "--output", "r.json"),
        sweep(*fewer, "--resume", "--output", "r.json"),
        sweep(*more, "--no-yardstick", "--resume", "--output", "r.json"),
        sweep(*more[:1], "--shard", "1/2", "--output", "s.json"),
        sweep(*more[:1], "--shard", "2/2", "--resume", "--output", "s.json")]
    yield "errors", [
        sweep(pair[0], "--policy", "nothing", "--capacity", 10),
        sweep(pair[0], "--policy", "lru:size=2", "--capacity", 10),
        sweep(pair[0], "--policy", "lru", "--capacity", "0"),
        sweep(pair[0], "--policy", "lru", "--capacity", "10,64KiB"),
        sweep(pair[0], pair[0], "--policy", "lru", "--capacity", "10"),
        sweep(pair[0], "--policy", "lru", "--capacity", "10", "--warmup", 10**9),
        sweep(pair[0], "--policy", "lru", "--capacity", "10", "--windows", "1s"),
        sweep(pair[0], "--policy", "tlru", "--capacity", "10"),
        sweep(pair[0], "--policy", "lru", "--capacity", "10", "--explain", "--no-yardstick"),
        ["curve", pair[0], "--rate", "1e-9"],
        ["curve", pair[0], "--exact", "--rate", "0.1"],
        ["bounds", "nowhere.txt"],
        ["replay", pair[0], "--policy", "lru", "--threads", "2", "--lock", "none"],
        ["replay", pair[0], "--policy", "lru", "--pace", "trace:1e6", "--limit", 100, "--format", "json"],
        ["replay", pair[1], "--pace", "trace", "--limit", 100],
        ["disk", pair[0], "--rounds", 0],
        ["sweep"], ["sweep", "--merge"], ["sweep", "--resume", pair[0]]]
    for document in sorted((ROOT / "results").glob("*.json")):
        schema = json.loads(document.read_text()).get("schema")
        if schema not in ("evictionlab.results/1", "evictionlab.ranking/1"):
            continue
        yield f"report {document.name}", [
            ["report", document, "--format", form]
            for form in ["table", "json", "csv", "markdown", "junit", "html"]]
    baseline = ROOT / "results/baseline.json"
    yield "gate", [["check", baseline, "--baseline", baseline],
                   ["compare", baseline, ROOT / "results/latency.json"]]
    yield "catalogs", [
        ["policies"], ["policies", "--format", "json"], ["policies", "arc"], ["policies", "tinylfu"],
        ["policies", "nothing"], ["formats"], ["locks"]]
    yield "reproduce", [["reproduce", "arc-p3", "--format", "json"], ["reproduce"]]
    yield "vectors", [["policies", "verify", ROOT / "results/vectors.json"]]


def run(tool, commands):
    """What the commands left: a list of texts, each with its name."""
    folder = tempfile.mkdtemp(prefix="compare-")
    # Both are called by one name, which documents hold.
    name = pathlib.Path(tempfile.mkdtemp(prefix="compare-"), "evict")
    name.symlink_to(tool)
    found = []
    try:
        for number, command in enumerate(commands):
            ending = subprocess.run(
                [name, *map(str, command)], cwd=folder, capture_output=True, timeout=900,
                stdin=subprocess.DEVNULL)
            place = f"{number}: evict {' '.join(map(str, command))}"
            found.append((f"{place}: code", str(ending.returncode)))
            found.append((f"{place}: output", ending.stdout.decode(errors="replace")))
            found.append((f"{place}: messages", ending.stderr.decode(errors="replace")))
        for file in sorted(os.listdir(folder)):
            content = pathlib.Path(folder, file).read_bytes()
            found.append((file, content.decode(errors="backslashreplace")))
    finally:
        shutil.rmtree(folder)
        shutil.rmtree(name.parent)
    return found


def main():
    """Returns how many cases differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("traces", nargs="*", type=pathlib.Path)
    parser.add_argument("--only", action="append", default=[], help="cases whose name holds the word")
    parser.add_argument("--limit", type=int, default=20_000, help="requests of each trace")
    arguments = parser.parse_args()
    tools = [arguments.old.resolve(), arguments.new.resolve()]
    traces = [trace.resolve() for trace in arguments.traces]
    traces = traces or sorted((ROOT / "traces").glob("*.zst"))
    done = differing = 0
    for name, commands in cases(traces, arguments.limit):
        if arguments.only and not any(word in name for word in arguments.only):
            continue
        done += 1
        old, new = (run(tool, commands) for tool in tools)
        differences = []
        for (place, before), (_, after) in zip(old, new):
            before, after = lines(before), lines(after)
            if before == after:
                continue
            differences.append(place)
            pairs = [(a, b) for a, b in zip(before, after) if a != b]
            for a, b in pairs[:3]:
                differences.append(f"  - {a[:2000]}\n  + {b[:2000]}")
            if len(before) != len(after):
                rest = before[len(after):] or after[len(before):]
                differences.append(f"  {len(before)} lines, now {len(after)}: {rest[0][:600]}")
        if len(old) != len(new):
            differences.append(f"files {[n for n, _ in old]}, now {[n for n, _ in new]}")
        if differences:
            differing += 1
            print(f"DIFFERENT {name}", *differences, sep="\n", flush=True)
        else:
            print(f"equal     {name}", flush=True)
    print(f"{done - differing} of {done} cases are equal")
    return differing


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
