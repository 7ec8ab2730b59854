#!/usr/bin/env python3
"""Compares evict with libcachesim (PyPI) on the same trace, policies and machine, in one run.

Three ratios per policy, each how many times faster evict is, as a median over interleaved rounds with
its spread (smallest and largest round):

- alone: the policy's own time, the trace in memory on both sides (evict: `seconds` of the results
  document; libcachesim: `process_trace` on a reader whose file is mapped and cached);
- end to end: one policy at one size, reading and interning included (evict: the whole process);
- sweep: all policies at eight sizes on all cores, loading included, shared by the cells.

libcachesim's hash table is tuned first: its `hashpower` at the best of 17 to 20 for every policy, and
per capacity in the sweep. MRU is missing from the wheel.
"""

import argparse
import csv
import multiprocessing
import os
import statistics
import subprocess
import sys
import time

import libcachesim

import document

# Ours (libCacheSim's SLRU has four equal segments and fills the lowest that has room), and the peer's
# class. Where its hits differ, `evict reproduce` and the policies' pages say why.
POLICIES = {
    "lru": "LRU",
    "fifo": "FIFO",
    "lfu": "LFU",
    "random": "Random",
    "arc": "ARC",
    "slru:segments=4:fill=protected": "SLRU",
    "clock": "Clock",
    "sieve": "Sieve",
    "s3fifo": "S3FIFO",
    "2q": "TwoQ",
    "lirs": "LIRS",
    "wtinylfu": "WTinyLFU",
    "hyperbolic": "Hyperbolic",
    "lecar": "LeCaR",
    "cacheus": "Cacheus",
    "gdsf": "GDSF",
    "lfuda": "LFUDA",
    "clock-pro": "ClockPro",
    "lhd": "LHD",
    "opt": "Belady",
    "belady-size": "BeladySize",
}
# What the sweep compares: the policies that the peer runs at every one of its sizes.
SWEEP_POLICIES = list(POLICIES)[:6]
CAPACITY = 100_000
SWEEP_CAPACITIES = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000]
HASHPOWERS = [17, 18, 19, 20]


def open_trace(path):
    return libcachesim.TraceReader(
        path,
        libcachesim.TraceType.ORACLE_GENERAL_TRACE,
        libcachesim.ReaderInitParam(ignore_obj_size=True),
    )


def run_peer(path, name, capacity, hashpower):
    """One policy through libcachesim: seconds alone, seconds with opening the file, hits."""
    start = time.perf_counter()
    reader = open_trace(path)
    cache = getattr(libcachesim, name)(capacity, hashpower=hashpower)
    middle = time.perf_counter()
    miss_ratio = cache.process_trace(reader)[0]
    end = time.perf_counter()
    return end - middle, end - start, miss_ratio


def run_peer_cell(cell):
    run_peer(*cell)


def run_evict(evict, path, policies, capacities, jobs):
    """The whole process of a sweep: wall seconds, and its results."""
    command = [evict, "sweep", path, "--policy", ",".join(policies)]
    command += ["--capacity", ",".join(map(str, capacities)), "--jobs", str(jobs)]
    command += ["--no-yardstick", "--format", "csv"]
    start = time.perf_counter()
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    wall = time.perf_counter() - start
    return wall, list(csv.DictReader(output.stdout.decode().splitlines()))


def best_hashpower(path, name, capacity):
    return min(HASHPOWERS, key=lambda power: run_peer(path, name, capacity, power)[0])


def summary(values):
    return {
        "median": statistics.median(values),
        "spread": [min(values), max(values)],
    }


def compare_policies(evict, path, policies, rounds, requests):
    tuned = {policy: best_hashpower(path, POLICIES[policy], CAPACITY) for policy in policies}
    alone = {policy: [] for policy in policies}
    whole = {policy: [] for policy in policies}
    rows = []
    for _ in range(rounds):
        for policy in policies:
            peer_alone, peer_whole, miss_ratio = run_peer(
                path, POLICIES[policy], CAPACITY, tuned[policy]
            )
            wall, results = run_evict(evict, path, [policy], [CAPACITY], 1)
            own = float(results[0]["seconds"])
            alone[policy].append((peer_alone, own))
            whole[policy].append((peer_whole, wall))
            peer_hits = round((1 - miss_ratio) * requests)
            hits = int(results[0]["hits"])
            if (policy, hits, peer_hits) not in rows:
                rows.append((policy, hits, peer_hits))
    table = []
    for policy, hits, peer_hits in rows:
        if any(row["policy"] == policy for row in table):
            continue
        table.append(
            {
                "policy": policy,
                "hashpower": tuned[policy],
                "hits": hits,
                "peerHits": peer_hits,
                "millionPerSecond": requests / 1e6 / statistics.median(o for _, o in alone[policy]),
                "peerMillionPerSecond": requests / 1e6 / statistics.median(p for p, _ in alone[policy]),
                "alone": summary([peer / own for peer, own in alone[policy]]),
                "endToEnd": summary([peer / own for peer, own in whole[policy]]),
            }
        )
    return table


def compare_sweeps(evict, path, rounds, jobs):
    tuned = {size: best_hashpower(path, "LRU", size) for size in SWEEP_CAPACITIES}
    cells = [
        (path, name, size, tuned[size]) for size in SWEEP_CAPACITIES for name in map(POLICIES.get, SWEEP_POLICIES)
    ]
    ratios = []
    for _ in range(rounds):
        with multiprocessing.Pool(jobs) as pool:
            start = time.perf_counter()
            pool.map(run_peer_cell, cells, chunksize=1)
            peer = time.perf_counter() - start
        wall, _ = run_evict(evict, path, SWEEP_POLICIES, SWEEP_CAPACITIES, jobs)
        ratios.append((peer, wall))
    return {
        "cells": len(cells),
        "jobs": jobs,
        "seconds": statistics.median(own for _, own in ratios),
        "peerSeconds": statistics.median(peer for peer, _ in ratios),
        "ratio": summary([peer / own for peer, own in ratios]),
    }


def show(result):
    median, (low, high) = result["median"], result["spread"]
    return f"{median:.1f}× [{low:.1f}, {high:.1f}]"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--evict", default=".build/release/evict", help="the tool")
    parser.add_argument("--folder", default=".build/bench", help="where the trace is made")
    parser.add_argument("--requests", type=int, default=10_000_000)
    parser.add_argument("--keys", type=int, default=1_000_000)
    parser.add_argument("--policies", help="compare only these of: " + ", ".join(POLICIES))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sweep-rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--output", help="a JSON file for the results")
    options = parser.parse_args()

    policies = options.policies.split(",") if options.policies else list(POLICIES)
    os.makedirs(options.folder, exist_ok=True)
    path = os.path.join(options.folder, "zipf.oracleGeneral.bin")
    specification = f"zipf:alpha=1.0:keys={options.keys}:requests={options.requests}"
    # Written twice, as only a conversion knows the next uses that the peer's Belady reads.
    made = os.path.join(options.folder, "zipf.evtrace")
    for command in (["generate", specification], ["convert", made]):
        target = made if command[0] == "generate" else path
        subprocess.run([options.evict, "trace", *command, "--output", target], check=True)

    rows = compare_policies(options.evict, path, policies, options.rounds, options.requests)
    print(f"\n{specification}, capacity {CAPACITY}: times faster than libcachesim, median [spread]")
    for row in rows:
        same = "equal hits" if row["hits"] == row["peerHits"] else "its hits differ"
        print(
            f"{row['policy']:32} alone {show(row['alone']):22} end to end {show(row['endToEnd']):20} "
            f"{row['millionPerSecond']:6.1f} M/s against {row['peerMillionPerSecond']:.1f}, {same}"
        )
    sweep = None
    if options.sweep_rounds > 0:
        sweep = compare_sweeps(options.evict, path, options.sweep_rounds, options.jobs)
        print(
            f"sweep of {sweep['cells']} cells on {sweep['jobs']} cores, loading included: "
            f"{show(sweep['ratio'])}, {sweep['seconds']:.1f} s against {sweep['peerSeconds']:.1f} s"
        )

    if options.output:
        report = {
            "peer": f"libcachesim {libcachesim.__version__}",
            "trace": specification,
            "capacity": CAPACITY,
            "rounds": options.rounds,
            "policies": rows,
            "sweep": sweep,
        }
        document.write(options.output, report)


if __name__ == "__main__":
    sys.exit(main())
