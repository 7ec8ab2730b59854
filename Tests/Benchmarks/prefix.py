#!/usr/bin/env python3
"""Compares `evict prefix` with kvcache-simulator (PyPI) and its C++ backend on the same cells, in one run.

    prefix.py TRACE --evict PATH [--output FILE]

The cells are FIFO, LRU and the optimum at six sizes of the cache, counted over the second half of the prompts. Both
must hit the same tokens in every cell, or the run fails. Per round, interleaved, wall seconds of

- the whole process of each: evict (reading, all cells, printing), and Python with kvcache-simulator (reading, and its
  C++ program over all cells);
- that C++ program alone, from binary arrays that were written before: starting, reading those, all cells;
- the cells of evict alone, the sum of `seconds` in its results with one job, as the C++ program has one thread.

The program is compiled before the first round. Ratios are taken within a round; given are their medians with the
smallest and the largest.
"""

import argparse
import importlib.metadata
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from kvcache_sim import cpp_backend
from kvcache_sim.trace import parse_trace_file

import document

# Tokens of a block where the trace does not say.
BLOCK_SIZE = 512
CAPACITIES = [512, 1_000, 2_818, 5_000, 11_275, 20_000]
# Ours, and the peer's name of it.
POLICIES = {"fifo": "fifo", "lru": "lru", "opt": "optimal"}
PEER = """
import json, sys
from kvcache_sim.cpp_backend import run_cpp_sweep
from kvcache_sim.trace import parse_trace_file
trace = parse_trace_file(sys.argv[1], block_size=int(sys.argv[4]))
results = run_cpp_sweep(
    trace, capacities=json.loads(sys.argv[2]), policies=sys.argv[3].split(","),
    warmup_requests=trace.request_count // 2).results
print(json.dumps([[policy, blocks, cell.hitTokens] for (policy, blocks), cell in results.items()]))
"""


def timed(command):
    """The process's wall seconds and what it printed."""
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode:
        sys.exit(f"prefix.py: {command[0]} ended with {done.returncode}: {done.stderr.strip()}")
    return seconds, done.stdout


def run_evict(evict, trace, *options):
    """The whole process's seconds, the sum of its cells' seconds, and hit tokens by cell."""
    seconds, text = timed([
        evict, "prefix", trace, "--policy", ",".join(POLICIES), "--as", "kvcache-simulator",
        "--capacity", ",".join(map(str, CAPACITIES)), "--format", "json",
        *options])
    rows = json.loads(text)["results"]
    hits = {(POLICIES[row["policy"]], row["capacity"]): row["hitTokens"] for row in rows}
    return seconds, sum(row["seconds"] for row in rows), hits


def run_peer(trace):
    """The whole Python process's seconds, and hit tokens by cell."""
    seconds, text = timed([
        sys.executable, "-c", PEER, trace, json.dumps(CAPACITIES), ",".join(POLICIES.values()),
        str(BLOCK_SIZE)])
    return seconds, {(policy, blocks): tokens for policy, blocks, tokens in json.loads(text)}


def backend_command(trace, folder):
    """The command that runs the C++ program over arrays written into `folder`."""
    read = parse_trace_file(trace, block_size=BLOCK_SIZE)
    files = cpp_backend._write_binary_trace(read, pathlib.Path(folder))
    return [
        str(cpp_backend.ensure_cpp_simulator()), "--policy", "batch", "--ids", str(files.ids),
        "--tokens", str(files.tokens), "--request-ends", str(files.request_ends),
        "--request-count", str(read.request_count), "--total-blocks", str(len(read.ids)),
        "--warmup-requests", str(read.request_count // 2),
        "--capacities", ",".join(map(str, CAPACITIES)),
        "--policies", ",".join(POLICIES.values())]


def spread(values):
    """Their median, least and greatest."""
    return {"median": statistics.median(values), "low": min(values), "high": max(values)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("trace", help="a trace of prompts, such as mooncake-synthetic.jsonl")
    parser.add_argument("--evict", default=".build/release/evict")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--output", default="results/bench-prefix.json")
    options = parser.parse_args()
    columns = {"evict": [], "evictCells": [], "peer": [], "peerBackend": []}
    with tempfile.TemporaryDirectory() as folder:
        backend = backend_command(options.trace, folder)
        # The first round warms the files and is not counted.
        for number in range(options.rounds + 1):
            whole, _, ours = run_evict(options.evict, options.trace)
            _, cells, _ = run_evict(options.evict, options.trace, "--jobs", "1")
            peer, theirs = run_peer(options.trace)
            alone, _ = timed(backend)
            if ours != theirs:
                differing = sorted(key for key in ours | theirs if ours.get(key) != theirs.get(key))
                sys.exit(f"prefix.py: other hit tokens in {differing}")
            if number:
                for name, seconds in zip(columns, [whole, cells, peer, alone]):
                    columns[name].append(seconds)

    def ratio(slower, faster):
        return spread([a / b for a, b in zip(columns[slower], columns[faster])])

    ratios = {
        "process": ratio("peer", "evict"),
        "backendToProcess": ratio("peerBackend", "evict"),
        "backendToCells": ratio("peerBackend", "evictCells"),
    }
    document.write(options.output, {
        "benchmark": "prefix",
        "peer": "kvcache-simulator " + importlib.metadata.version("kvcache-simulator"),
        "trace": os.path.basename(options.trace),
        "policies": list(POLICIES),
        "capacities": CAPACITIES,
        "rounds": options.rounds,
        "hitTokens": {f"{policy} {blocks}": n for (policy, blocks), n in sorted(ours.items())},
        "seconds": {name: spread(values) for name, values in columns.items()},
        "timesFaster": ratios,
    })
    print("the same hit tokens in every cell")
    for name, values in columns.items():
        print(f"{name:12} {statistics.median(values):.4f} s")
    for name, value in ratios.items():
        print(f"{name:16} {value['median']:.1f} times ({value['low']:.1f} to {value['high']:.1f})")


if __name__ == "__main__":
    main()
