#!/usr/bin/env python3
"""Counts the lines of memory that requests to a cache take from other cores, and models from them what many cores would do.

Nothing is measured with many cores here. `LineBenchmark` serves requests that are dealt to 2, 16 and 64 cores, one after the
other, under `valgrind --tool=lackey`, which prints the address of each access to memory. A small simulator keeps a copy of
each line of 64 bytes for each core, in caches without a limit that keep each other coherent as MESI does, and counts what
goes from core to core:

- a *transfer*: a core reads or writes a line that another one has written since it had it;
- an *invalidation*: a core writes a line of which it has the newest content, or that was not written yet, and others hold
  copies.

Each of both is a trip between cores, and is given a time. With n cores a cache then serves at most

- n requests in the time that a request takes alone, plus that of its trips;
- for each lock, one request in the time from the first write to the lock to the last one, with the trips in between;
- for each line, one request in the time of the line's trips.

The least of these is the model's throughput. The time alone is measured, with one core; that inside the lock is its part by
instructions. Waiting threads cost nothing in the model, and a core is drawn for each request. Behind one lock two threads
take turns of many requests instead: beside what was measured with two threads, the model of two cores stands as it is, and
with turns.
"""

import argparse
import bisect
import collections
import concurrent.futures
import fcntl
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import document

ROOT = pathlib.Path(__file__).resolve().parents[2]
PHASES = ["gets", "sets", "5 % sets"]
CORES = [2, 16, 64]
#: Nanoseconds of a trip between two cores of one processor and of two.
TRIPS = [60, 100]
CACHES = {
    "lru": "LRU", "lru/mutex": "LRU, `mutex`", "lru/buffered": "LRU, buffered reads",
    "clock": "CLOCK", "clock/mutex": "CLOCK, `mutex`", "clock/buffered": "CLOCK, buffered reads",
    "sieve": "SIEVE", "sieve/mutex": "SIEVE, `mutex`", "sieve/buffered": "SIEVE, buffered reads",
    "s3fifo": "S3-FIFO", "s3fifo/mutex": "S3-FIFO, `mutex`", "s3fifo/buffered": "S3-FIFO, buffered reads",
    "sieve/buffered/big-reader": "SIEVE, buffered reads, `big-reader`",
    "lru/sharded": "`ShardedCache`, LRU", "sieve/sharded": "`ShardedCache`, SIEVE",
    "sieve/sharded/buffered/big-reader": "`ShardedCache`, SIEVE, buffered reads, `big-reader`",
}
#: Requests that a core serves in a row, in the mean, where it takes turns: of 64 µs, the lock's longest.
TURN = 500
#: Rows of results/bench-threads.json that the model of two cores is held against.
MEASURED = ["lru", "lru/buffered", "sieve", "sieve/buffered", "lru/sharded", "sieve/sharded"]


class Lines:
    """Lines in the caches of several cores: who has a copy, as bits, and who wrote last."""

    def __init__(self):
        self.holders, self.writer = {}, {}

    def access(self, core, line, writes):
        """The trip that an access causes: `transfer`, `invalidation`, or None."""
        bit, held = 1 << core, self.holders.get(line, 0)
        trip = None
        if not held & bit and self.writer.get(line, core) != core:
            trip = "transfer"
        elif writes and held & ~bit:
            trip = "invalidation"
        self.holders[line] = bit if writes else held | bit
        if writes:
            self.writer[line] = core
        return trip


def requests(trace):
    """Cuts a trace into requests: the header of their cache, phase, core, instructions, and the accesses as (instructions
    before, program counter, line, writes).

    A line of the trace is `I  04016a20,3` for an instruction, ` L 1ffeffe7f8,8` for the data that it loads, stores (S) or
    modifies (M), or the program's header of a cache. Between the marks of a request is what its core does; what cores do
    not share is left out.
    """
    header, inside, counter, count = None, None, b"", 0
    for text in trace:
        if text[:1] == b"I":
            counter = text
            count += 1
        elif text[:1] == b"{":
            header = json.loads(text)
            first, stride, end, (start, stop) = (header[name] for name in ("marks", "stride", "end", "apart"))
        elif inside is None:
            # Most of a trace is between requests. A mark is a byte.
            if header and text[:2] == b" S" and text.rstrip()[-2:] == b",1":
                place = int(text[3:].split(b",")[0], 16) - first
                if 0 <= place < len(PHASES) * stride:
                    phase, core = divmod(place, stride)
                    inside, count = [], 0
        elif text[:2] in (b" L", b" S", b" M"):
            address, size = text[3:].split(b",")
            address = int(address, 16)
            if address == end:
                yield header, phase, core, count - 1, inside
                inside = None
            elif not start <= address < stop:
                for line in range(address // 64, (address + int(size) - 1) // 64 + 1):
                    inside.append((count, counter, line, text[:2] != b" L"))


class Count:
    """What the requests of one phase did."""

    def __init__(self):
        self.requests = self.instructions = 0
        self.written, self.transfers, self.invalidations = (collections.Counter() for _ in range(3))
        self.trips = collections.Counter()  # by line
        self.held = {}  # by lock: instructions, trips

    def add(self, core, instructions, accesses, lines, regions):
        """Serves a request, in which the lock is held from the first write to a lock's lines to the last one."""
        self.requests += 1
        self.instructions += instructions
        seen, holding, within, last = set(), None, [], 0
        for before, counter, line, writes in accesses:
            if writes and line not in seen:
                seen.add(line)
                self.written[counter, regions.get(line)] += 1
            if writes and regions.get(line) == "lock":
                holding = holding or (line, before)
                last = before
            trip = lines.access(core, line, writes)
            if trip:
                (self.transfers if trip == "transfer" else self.invalidations)[counter, regions.get(line)] += 1
                self.trips[line] += 1
                if holding:
                    within.append(before)
        if holding:
            instructions, trips = self.held.get(holding[0], (0, 0))
            trips += sum(before <= last for before in within)
            self.held[holding[0]] = instructions + last - holding[1], trips

    def throughput(self, cores, alone, trip):
        """Millions of requests a second, and what bounds them."""
        trips = sum(self.trips.values()) / self.requests
        bounds = {"cores": cores / (alone + trips * trip)}
        per_instruction = alone * self.requests / self.instructions
        held = max((inside * per_instruction + between * trip for inside, between in self.held.values()), default=0)
        if held:
            bounds["lock"] = self.requests / held
        line = max(self.trips.values(), default=0)
        if line:
            bounds["line"] = self.requests / (line * trip)
        bound = min(bounds, key=bounds.get)
        return 1e3 * bounds[bound], bound


def simulate(trace):
    """The headers of a trace's caches, each with its phases' counts; their first halves only warm the cores' caches."""
    caches = []
    for header, phase, core, instructions, accesses in requests(trace):
        if not caches or caches[-1][0] is not header:
            lines, served = Lines(), [0] * len(PHASES)
            regions = {line: region for name, region in (("cores", "counts"), ("locks", "lock"))
                       for start, end in header[name] for line in range(start // 64, (end - 1) // 64 + 1)}
            caches.append((header, [Count() for _ in PHASES]))
        if served[phase] == header["requests"]:
            caches[-1][1][phase] = Count()
        served[phase] += 1
        caches[-1][1][phase].add(core, instructions, accesses, lines, regions)
    return caches


class Symbols:
    """The functions of a program, by address: what they write, where the address that they write to does not say it."""

    KINDS = {"KeyIndex": "index", "BigReaderLock": "readers", "TouchBuffers": "read buffers", "bufferedValue": "read buffers",
             "MemoryCache": "entries", "CacheB0V": "entries", "CacheStore": "entries", "Eviction": "policy"}

    def __init__(self, binary):
        done = subprocess.run(["nm", "--defined-only", binary], capture_output=True, text=True, check=True)
        found = sorted((int(words[0], 16), words[2]) for words in map(str.split, done.stdout.splitlines())
                       if words[1] in "tTwW")
        self.addresses, self.names = zip(*found)

    def kind(self, address):
        name = self.names[bisect.bisect(self.addresses, address) - 1] if address < self.addresses[-1] else ""
        return next((kind for part, kind in self.KINDS.items() if part in name), "elsewhere")

    def named(self, counts, base):
        """Counts by program counter and region as counts by name."""
        found = collections.Counter()
        for (counter, region), count in counts.items():
            found[region or self.kind(int(counter[3:].split(b",")[0], 16) - base)] += count
        return found


def run(cores, turn, caches, options):
    """Rows of caches with that many cores, for each phase."""
    with tempfile.TemporaryDirectory() as folder:
        # valgrind does not read all formats of debug information, and stops at one that it does not.
        stripped = pathlib.Path(folder) / "LineBenchmark"
        subprocess.run(["strip", "--strip-debug", "-o", stripped, options.binary], check=True)
        reading, writing = os.pipe()
        fcntl.fcntl(reading, fcntl.F_SETPIPE_SZ, 1 << 20)
        process = subprocess.Popen(
            ["valgrind", "--tool=lackey", "--trace-mem=yes", f"--log-fd={writing}", stripped, *map(str, (
                cores, options.keys, options.requests, turn, *caches))], stdout=writing, pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading, "rb") as trace:
            found = simulate(trace)
        if process.wait() or len(found) != len(caches):
            raise SystemExit(f"LineBenchmark ended with {process.returncode} after {len(found)} of {len(caches)} caches")
    symbols = Symbols(options.binary)
    return {name: [row(count, symbols, header["base"]) | {"count": count} for count in phases]
            for name, (header, phases) in zip(caches, found)}


def row(count, symbols, base):
    """What a phase's requests did, each in the mean."""
    def means(counts):
        return {name: round(number / count.requests, 3) for name, number in symbols.named(counts, base).most_common()}
    return {"instructions": round(count.instructions / count.requests), "written": means(count.written),
            "transfers": means(count.transfers), "invalidations": means(count.invalidations),
            "busiestLine": round(max(count.trips.values(), default=0) / count.requests, 3)}


def alone(caches, options):
    """Nanoseconds of a request in each phase, with one core, by cache."""
    done = subprocess.run([options.binary, *map(str, (1, options.keys, options.requests, 1, *caches))],
                          capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return {name: json.loads(line)["nanoseconds"] for name, line in zip(caches, done.stdout.splitlines())}


def modelled(counts, cores, nanoseconds):
    """Millions of requests a second for the longest and the shortest trip, and what bounds them then."""
    found = [counts.throughput(cores, nanoseconds, trip) for trip in reversed(TRIPS)]
    return {"millions": [round(millions, 2) for millions, _ in found], "bounds": [bound for _, bound in found]}


def checks(alternating, turns, measured):
    """The model of two cores beside what was measured with two threads, from what was measured with one."""
    rows = []
    millions = {(row["name"], row["mix"], row["threads"]): row["millions"][1] for row in measured["caches"]
                if (row["keys"], row["capacity"]) == ("UInt64", 0.8)}
    for name in turns:
        for phase, mix in ((0, "0"), (2, "5")):
            one, two = (millions[name, mix, threads] for threads in (1, 2))
            models = [modelled(counted[name][phase]["count"], 2, 1e3 / one)["millions"] for counted in (alternating, turns)]
            rows.append({"cache": CACHES[name], "phase": PHASES[phase], "one": one, "two": two, "alternating": models[0],
                         "turns": models[1]})
    return rows


def core_counts(text):
    counts = [int(word) for word in text.split(",") if word.isdecimal()]
    if len(counts) != len(text.split(",")) or not all(2 <= count <= 64 for count in counts):
        raise argparse.ArgumentTypeError(f"{text} is no list of numbers from 2 to 64")
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=pathlib.Path, default=ROOT / ".build/release/LineBenchmark")
    parser.add_argument("--caches", default=",".join(CACHES), help="names, with commas between them")
    parser.add_argument("--keys", type=int, default=2560)
    parser.add_argument("--requests", type=int, default=512, help="of each phase, after as many that warm up")
    parser.add_argument("--cores", type=core_counts, default=CORES, help="from 2 to 64, with commas between them")
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_args()
    missing = [tool for tool in ("valgrind", "strip", "nm") if not shutil.which(tool)]
    if missing:
        print(f"skipping the count of lines: no {', '.join(missing)}", file=sys.stderr)
        return
    if not options.binary.exists():
        parser.error(f"{options.binary} is not there: build the product LineBenchmark")
    caches = options.caches.split(",")
    times = alone(caches, options)
    held = [name for name in MEASURED if name in caches and 2 in options.cores]
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        # A run has to last for several turns.
        longer = argparse.Namespace(**{**vars(options), "requests": 4 * options.requests})
        turns = pool.submit(run, 2, TURN, held, longer) if held else None
        runs = {cores: pool.submit(run, cores, 1, caches, options) for cores in options.cores}
        runs, turns = {cores: found.result() for cores, found in runs.items()}, turns.result() if turns else {}
    rows = []
    for name in caches:
        for phase, title in enumerate(PHASES):
            cores = {}
            for number in options.cores:
                found = dict(runs[number][name][phase])
                cores[number] = found | modelled(found.pop("count"), number, times[name][phase])
            rows.append({"cache": CACHES.get(name, name), "name": name, "phase": title,
                         "alone": round(times[name][phase], 1), "cores": cores})
    measured = json.loads((ROOT / "results/bench-threads.json").read_text())
    if options.output:
        document.write(options.output, {
            "keys": options.keys, "requests": options.requests, "trips": TRIPS, "turn": TURN, "caches": rows,
            "measuredOn": measured["machine"]["cpu"], "checks": checks(runs.get(2), turns, measured)})
    for row in rows:
        for number, found in row["cores"].items():
            print(f"{row['name']:33} {row['phase']:9} {number:3} {sum(found['written'].values()):6.2f} "
                  f"{sum(found['transfers'].values()):6.2f} {sum(found['invalidations'].values()):6.2f} "
                  f"{found['millions'][0]:7.2f} to {found['millions'][1]:7.2f} {found['bounds'][0]}")


if __name__ == "__main__":
    main()
