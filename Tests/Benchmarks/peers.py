#!/usr/bin/env python3
"""Compares evict with libcachesim (PyPI) on the same traces, policies and machine, in one run.

Three ratios per policy, each how many times faster evict is, as a median over interleaved rounds with
its spread (smallest and largest round):

- alone: the policy's own time, the trace in memory on both sides (evict: `seconds` of the results
  document; libcachesim: `process_trace` on a reader whose file is mapped and cached), on one core;
- public: the same as the geometric mean of three public traces, at a tenth of their keys;
- end to end: one policy at one size, reading and interning included (evict: the whole process, on all cores;
  libcachesim: opening the file and `process_trace`, which uses one);
- sweep: all policies at eight sizes on all cores, loading included, shared by the cells.

Where the example of a package of one's own is built, its policy over lists runs in its own tool beside the catalog's over
lists: a package outside shall be as fast.

In the same rounds the floors of Floor/floor.c run over the same requests: what the least C takes that touches one
record a request, or keeps a FIFO, a CLOCK or an LRU. Beside each policy stands its time as a multiple of the bare touch
and of the floor of its shape.

Where valgrind is installed, each policy and floor also runs once under its model of a processor: the references to memory
that miss a first cache of 32 KiB and a second one of 1 MiB, prefetched or not, over the first requests of the trace.

libcachesim's hash table is tuned first: its `hashpower` at the best of 17 to 20 for every policy, over the first
requests of the trace, and per capacity in the sweep. MRU is missing from the wheel, and its learned policies need
libraries that it comes without. A policy's rounds end early once it has had its share of time.
"""

import argparse
import csv
import multiprocessing
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import libcachesim

import document

# Ours (libCacheSim's SLRU has four equal segments and fills the lowest that has room), the peer's class, and the floor
# whose shape it has. Where its hits differ, `evict reproduce` and the policies' pages say why.
POLICIES = {
    "lru": ("LRU", "lru"),
    "fifo": ("FIFO", "fifo"),
    "lfu": ("LFU", "lru"),
    "random": ("Random", None),
    "arc": ("ARC", "lru"),
    "slru:segments=4:fill=protected": ("SLRU", "lru"),
    "clock": ("Clock", "clock"),
    "sieve": ("Sieve", "clock"),
    "s3fifo": ("S3FIFO", "clock"),
    "2q": ("TwoQ", "lru"),
    "lirs": ("LIRS", "lru"),
    "wtinylfu": ("WTinyLFU", "lru"),
    "gdsf": ("GDSF", None),
    "lfuda": ("LFUDA", None),
    "clock2q-plus": ("Clock2QPlus", "clock"),
    "clock-pro": ("ClockPro", "clock"),
    "mq": ("MQ", "lru"),
    "lru-k": ("LRUK", None),
    "lru-prob": ("LRUProb", "lru"),
    "flash-prob": ("FlashProb", "lru"),
    "hyperbolic": ("Hyperbolic", None),
    "lecar": ("LeCaR", "lru"),
    "cacheus": ("Cacheus", "lru"),
    "lhd": ("LHD", None),
    "largest-size": ("Size", None),
    "opt": ("Belady", None),
    "belady-size": ("BeladySize", None),
}
# What the sweep compares: the policies that the peer runs at every one of its sizes.
SWEEP_POLICIES = list(POLICIES)[:6]
CAPACITY = 100_000
SWEEP_CAPACITIES = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000]
HASHPOWERS = [17, 18, 19, 20]
TUNING_REQUESTS = 2_000_000
# Runs of each floor in one process.
FLOOR_RUNS = 7
# A database's, a virtual disk's and a recommender's requests.
PUBLIC = ["OLTP.lis.zst", "cloudphysics-w106.trace.xz", "scarab-recs.trace.xz"]
PUBLIC_CAPACITY = "10%"
RECORD = 24


def measure_peer(path, name, capacity, hashpower):
    """One policy through libcachesim: seconds alone, seconds with opening the file, miss ratio."""
    start = time.perf_counter()
    reader = libcachesim.TraceReader(
        path,
        libcachesim.TraceType.ORACLE_GENERAL_TRACE,
        libcachesim.ReaderInitParam(ignore_obj_size=True),
    )
    cache = getattr(libcachesim, name)(capacity, hashpower=hashpower)
    middle = time.perf_counter()
    miss_ratio = cache.process_trace(reader)[0]
    end = time.perf_counter()
    return end - middle, end - start, miss_ratio


def measure_peer_cell(cell):
    measure_peer(*cell)


class PeerDied(Exception):
    """The peer's process ended before it answered."""


def run_peer(*arguments):
    """The same in a process of its own, whose end ends nothing else."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=lambda: sender.send(measure_peer(*arguments)))
    child.start()
    sender.close()
    try:
        return receiver.recv()
    except EOFError as error:
        raise PeerDied(arguments[1]) from error
    finally:
        child.join()


def run_evict(evict, paths, policies, capacities, jobs, *options):
    """The whole process of a sweep: wall seconds, and its results."""
    command = [evict, "sweep", *paths, "--policy", ",".join(policies)]
    command += ["--capacity", ",".join(map(str, capacities)), "--jobs", str(jobs)]
    command += ["--format", "csv", *(options or ["--no-baselines"])]
    start = time.perf_counter()
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    return wall, list(csv.DictReader(output.stdout.decode().splitlines()))


def best_hashpower(path, name, capacity):
    return min(HASHPOWERS, key=lambda power: run_peer(path, name, capacity, power)[0])


def summary(values):
    return {
        "median": statistics.median(values),
        "spread": [min(values), max(values)],
    }


def run_floor(floor, path, capacity):
    """By shape, the seconds of the floors over a trace."""
    lines = subprocess.run(
        [floor, path, str(capacity)], check=True, capture_output=True, text=True).stdout.split("\n")
    return {name: float(seconds) for name, _, seconds in map(str.split, filter(None, lines))}


def count_misses(command, region, runs):
    """The misses of `region`, a function's name, in one of as many calls of it: of a first cache, and of a second."""
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile"
        subprocess.run(
            ["valgrind", "-q", "--tool=callgrind", "--cache-sim=yes", "--D1=32768,8,64", "--LL=1048576,16,64",
             f"--toggle-collect={region}", f"--callgrind-out-file={profile}", *command],
            check=True, capture_output=True)
        text = profile.read_text()
    names = re.search(r"^events: (.*)$", text, re.MULTILINE)[1].split()
    totals = re.search(r"^totals: (.*)$", text, re.MULTILINE)[1].split()
    counts = dict(zip(names, map(int, totals)))
    return [(counts[level + "mr"] + counts[level + "mw"]) / runs for level in ("D1", "DL")]


def compiled_floor(folder, name, *flags):
    """The program of the floors."""
    program = os.path.join(folder, name)
    source = pathlib.Path(__file__).parent / "Floor/floor.c"
    subprocess.run(["cc", "-O3", *flags, source, "-o", program], check=True)
    return program


def count_all_misses(options, policies, tuning, capacity):
    """By policy and by floor, the misses a request over the first requests of the trace."""
    if not shutil.which("valgrind"):
        print("no misses of caches: valgrind is not installed", file=sys.stderr)
        return {}, {}
    found, requests = {}, os.path.getsize(tuning) // RECORD
    for policy in policies:
        command = [options.evict, "sweep", tuning, "--policy", policy, "--capacity", str(capacity), "--jobs", "1",
                   "--no-baselines", "--format", "csv"]
        found[policy] = count_misses(command, "evl_measured_region", requests)
    # Valgrind does not know every instruction of this machine.
    floor = compiled_floor(options.folder, "floor-portable")
    floors = {
        shape: count_misses([floor, tuning, str(capacity)], function, FLOOR_RUNS * requests)
        for shape, function in {"touch": "touch", "fifo": "fifo", "lru": "lru", "clock": "clock_hand"}.items()}
    return found, floors


class Trace:
    """A trace as oracleGeneral, with what one capacity of it costs."""

    def __init__(self, path, requests, capacity):
        self.path, self.requests, self.capacity = path, requests, capacity
        self.floors = []

    def nanoseconds(self, shape):
        """The median of a floor, a request."""
        return statistics.median(floors[shape] for floors in self.floors) / self.requests * 1e9


class Rounds:
    """What the rounds of a policy have measured on one trace."""

    def __init__(self, trace):
        self.trace = trace
        self.alone, self.whole, self.own, self.peer = [], [], [], []
        self.hits = self.peer_hits = None

    def add(self, peer, row, wall=None):
        peer_alone, peer_whole, miss_ratio = peer
        own = float(row["seconds"])
        self.own.append(own)
        self.peer.append(peer_alone)
        self.alone.append(peer_alone / own)
        if wall:
            self.whole.append(peer_whole / wall)
        if self.hits is None:
            self.hits = int(row["hits"])
            self.peer_hits = round((1 - miss_ratio) * self.trace.requests)

    def report(self, shape):
        trace = self.trace
        nanoseconds = statistics.median(self.own) / trace.requests * 1e9
        report = {
            "hits": self.hits,
            "peerHits": self.peer_hits,
            "millionPerSecond": 1e3 / nanoseconds,
            "peerMillionPerSecond": trace.requests / 1e6 / statistics.median(self.peer),
            "nanoseconds": nanoseconds,
            "timesTouch": nanoseconds / trace.nanoseconds("touch"),
            "alone": summary(self.alone),
        }
        if shape:
            report |= {"floor": shape, "timesFloor": nanoseconds / trace.nanoseconds(shape)}
        if self.whole:
            report["endToEnd"] = summary(self.whole)
        return report


def geometric_mean_of_rounds(rounds):
    """The summary of the means, over the traces, of each round."""
    return summary([statistics.geometric_mean(ratios) for ratios in zip(*(each.alone for each in rounds))])


def compare_policies(options, policies, zipf, public, tuning):
    """The rows of the table, and the policies at which the peer died."""
    tuned, died = {}, []
    for policy in policies:
        try:
            tuned[policy] = best_hashpower(tuning, POLICIES[policy][0], zipf.capacity)
        except PeerDied:
            died.append(policy)
    measured = {policy: Rounds(zipf) for policy in tuned}
    measured_public = {policy: [Rounds(trace) for trace in public] for policy in tuned}
    spent = dict.fromkeys(tuned, 0.0)
    for number in range(options.rounds):
        for trace in [zipf, *public]:
            trace.floors.append(run_floor(options.floor, trace.path, trace.capacity))
        for policy in list(tuned):
            # Two rounds at least make a spread.
            if number >= 2 and spent[policy] * (number + 1) / number > options.policy_seconds:
                continue
            start = time.perf_counter()
            name = POLICIES[policy][0]
            try:
                peer = run_peer(zipf.path, name, zipf.capacity, tuned[policy])
                peers = [run_peer(trace.path, name, trace.capacity, tuned[policy]) for trace in public]
            except PeerDied:
                died.append(policy)
                del tuned[policy]
                continue
            # Alone on one core: on more, few cells run while the file is read.
            _, [row] = run_evict(options.evict, [zipf.path], [policy], [zipf.capacity], 1)
            wall, _ = run_evict(options.evict, [zipf.path], [policy], [zipf.capacity], options.jobs)
            measured[policy].add(peer, row, wall)
            if public:
                paths = [trace.path for trace in public]
                _, rows = run_evict(options.evict, paths, [policy], [PUBLIC_CAPACITY], 1)
                for rounds, peer, row in zip(measured_public[policy], peers, rows, strict=True):
                    rounds.add(peer, row)
            spent[policy] += time.perf_counter() - start
    table = []
    for policy in tuned:
        shape = POLICIES[policy][1]
        row = {"policy": policy, "hashpower": tuned[policy]} | measured[policy].report(shape)
        if public:
            rows = [rounds.report(shape) for rounds in measured_public[policy]]
            row["public"] = {
                "alone": geometric_mean_of_rounds(measured_public[policy]),
                "timesTouch": statistics.geometric_mean(each["timesTouch"] for each in rows),
                "traces": rows,
            }
        table.append(row)
    return table, died


def compare_sweeps(evict, path, tuning, rounds, jobs):
    tuned = {size: best_hashpower(tuning, "LRU", size) for size in SWEEP_CAPACITIES}
    cells = [
        (path, POLICIES[policy][0], size, tuned[size])
        for size in SWEEP_CAPACITIES for policy in SWEEP_POLICIES
    ]
    ratios = []
    for _ in range(rounds):
        with multiprocessing.Pool(jobs) as pool:
            start = time.perf_counter()
            pool.map(measure_peer_cell, cells, chunksize=1)
            peer = time.perf_counter() - start
        wall, _ = run_evict(evict, [path], SWEEP_POLICIES, SWEEP_CAPACITIES, jobs)
        ratios.append((peer, wall))
    return {
        "cells": len(cells),
        "jobs": jobs,
        "seconds": statistics.median(own for _, own in ratios),
        "peerSeconds": statistics.median(peer for peer, _ in ratios),
        "ratio": summary([peer / own for peer, own in ratios]),
    }


def compare_baselines(evict, path, rounds, jobs):
    """How many times as long one LRU cell takes with FIFO and the optimum beside it, by its capacity.

    A share of the keys is known once the trace is read; a number lets the cell without baselines run meanwhile.
    """
    ratios = {"10%": [], str(CAPACITY): []}
    for _ in range(rounds):
        for capacity, found in ratios.items():
            without, _ = run_evict(evict, [path], ["lru"], [capacity], jobs)
            with_them, _ = run_evict(evict, [path], ["lru"], [capacity], jobs, "--wide")
            found.append(with_them / without)
    return {"jobs": jobs} | {capacity: summary(found) for capacity, found in ratios.items()}


def compare_outside(lab, path, rounds):
    """How many times as long a policy of another package takes as each of the catalog's over lists, in its tool."""
    own, others = "second-request", ["slru", "arc", "2q"]
    ratios = {other: [] for other in others}
    for _ in range(rounds):
        _, rows = run_evict(lab, [path], [own, *others], [CAPACITY], 1)
        seconds = {row["policy"]: float(row["seconds"]) for row in rows}
        for other in others:
            ratios[other].append(seconds[own] / seconds[other])
    return {"policy": own} | {other: summary(found) for other, found in ratios.items()}


def show(result):
    median, (low, high) = result["median"], result["spread"]
    return f"{median:.1f}× [{low:.1f}, {high:.1f}]"


def make_zipf(options, specification):
    """The synthetic trace, and its first requests to tune on."""
    path = os.path.join(options.folder, "zipf.oracleGeneral.bin")
    # Written twice, as only a conversion knows the next uses that the peer's Belady reads.
    made = os.path.join(options.folder, "zipf.evtrace")
    for command in (["generate", specification], ["convert", made]):
        target = made if command[0] == "generate" else path
        subprocess.run([options.evict, "trace", *command, "--output", target], check=True)
    tuning = os.path.join(options.folder, "tuning.oracleGeneral.bin")
    with open(path, "rb") as whole, open(tuning, "wb") as first:
        first.write(whole.read(TUNING_REQUESTS * RECORD))
    return path, tuning


def make_public(options):
    """Public traces as oracleGeneral; none where their folder is not named."""
    if not options.traces:
        print("no public traces: EVICTIONLAB_TRACES names no folder", file=sys.stderr)
        return []
    traces = []
    for name in PUBLIC:
        path = os.path.join(options.folder, name.split(".")[0] + ".oracleGeneral.bin")
        source = os.path.join(options.traces, name)
        subprocess.run([options.evict, "trace", "convert", source, "--output", path], check=True)
        _, [row] = run_evict(options.evict, [path], ["fifo"], [PUBLIC_CAPACITY], 1)
        traces.append(Trace(path, os.path.getsize(path) // RECORD, int(row["capacity"])))
    return traces


def print_rows(rows):
    for row in rows:
        same = "equal hits" if row["hits"] == row["peerHits"] else "its hits differ"
        public = show(row["public"]["alone"]) if "public" in row else "–"
        floor = f", {row['timesFloor']:.1f} × {row['floor']}" if "floor" in row else ""
        print(
            f"{row['policy']:32} alone {show(row['alone']):22} public {public:22} "
            f"end to end {show(row['endToEnd']):20} {row['nanoseconds']:6.1f} ns, "
            f"{row['timesTouch']:.1f} × touch{floor}, {same}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--evict", default=".build/release/evict", help="the tool")
    parser.add_argument("--lab", default=".build/release/my-lab", help="the example of a package of one's own")
    parser.add_argument("--folder", default=".build/bench", help="where traces are made")
    parser.add_argument("--traces", default=os.environ.get("EVICTIONLAB_TRACES"), help="the public traces")
    parser.add_argument("--requests", type=int, default=10_000_000)
    parser.add_argument("--keys", type=int, default=1_000_000)
    parser.add_argument("--capacity", type=int, default=CAPACITY)
    parser.add_argument("--policies", help="compare only these of: " + ", ".join(POLICIES))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--policy-seconds", type=float, default=20, help="no further round of a policy after these")
    parser.add_argument("--sweep-rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--output", help="a JSON file for the results")
    options = parser.parse_args()

    policies = options.policies.split(",") if options.policies else list(POLICIES)
    os.makedirs(options.folder, exist_ok=True)
    options.floor = compiled_floor(options.folder, "floor", "-march=native")
    specification = f"zipf:alpha=1.0:keys={options.keys}:requests={options.requests}"
    path, tuning = make_zipf(options, specification)
    zipf = Trace(path, options.requests, options.capacity)
    public = make_public(options)

    rows, died = compare_policies(options, policies, zipf, public, tuning)
    print(f"\n{specification}, capacity {zipf.capacity}: times faster than libcachesim, median [spread]")
    print_rows(rows)
    for policy in died:
        print(f"{policy:32} libcachesim's process died")
    misses, misses_of_floors = count_all_misses(
        options, [row["policy"] for row in rows], tuning, zipf.capacity)
    for row in rows:
        row["misses"] = misses.get(row["policy"])
    baselines = compare_baselines(options.evict, path, options.rounds, options.jobs)
    print(f"one LRU cell with baselines, times as long: {show(baselines['10%'])} at 10%")
    outside = None
    if os.path.exists(options.lab):
        outside = compare_outside(options.lab, path, options.rounds)
        print("a policy of another package, times as long: " + ", ".join(
            f"{show(ratio)} as {other}" for other, ratio in outside.items() if other != "policy"))
    sweep = None
    if options.sweep_rounds > 0:
        sweep = compare_sweeps(options.evict, path, tuning, options.sweep_rounds, options.jobs)
        print(
            f"sweep of {sweep['cells']} cells on {sweep['jobs']} cores, loading included: "
            f"{show(sweep['ratio'])}, {sweep['seconds']:.1f} s against {sweep['peerSeconds']:.1f} s"
        )

    if options.output:
        report = {
            "peer": f"libcachesim {libcachesim.__version__}",
            "trace": specification,
            "capacity": zipf.capacity,
            "rounds": options.rounds,
            "jobs": options.jobs,
            "floorNanoseconds": {shape: zipf.nanoseconds(shape) for shape in zipf.floors[0]},
            "floorMisses": misses_of_floors,
            "publicTraces": [
                {
                    "name": os.path.basename(trace.path),
                    "requests": trace.requests,
                    "capacity": trace.capacity,
                    "floorNanoseconds": {shape: trace.nanoseconds(shape) for shape in trace.floors[0]},
                }
                for trace in public
            ],
            "policies": rows,
            "peerDied": died,
            "baselines": baselines,
            "outside": outside,
            "sweep": sweep,
        }
        document.write(options.output, report)


if __name__ == "__main__":
    sys.exit(main())
