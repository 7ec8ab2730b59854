#!/usr/bin/env python3
"""Compares the memory caches with Caffeine, RocksDB's and Go's caches under one and several threads, in one run.

Each peer is a program that keeps a cache and lets threads use it, for what this script writes on its standard input; it
answers each line with a line of JSON:

    fill CACHE KEYS CAPACITY        a new cache with keys of a type (UInt64, String), full of the most popular ones
    run FIRST THREADS MIX SECONDS   each thread serves the requests of a file, from file FIRST on; MIX is the percentage
                                    of sets, or `miss`, where a set follows each get that misses

All read the same requests from a folder that this script writes, from a fixed seed: `keys.bin`, eight bytes a key, from
the most popular on, and for every thread of each run `requests-0.bin`, and so on, four bytes a request: 24 bits of a
key's place, by Zipf's law with exponent 1, and a number from 0 to 99; the request is a set if it is below the
percentage of sets. Texts, which take ten times the memory, are those of the first half of a file. A thread goes round its
requests until the run ends: if it had a number to serve instead, one that a lock favours would end early and leave the
others alone. Each 64th request is timed, if it is a get, by the monotonic clock, whose own time is part of it.

The programs stay alive and take turns: a cache of one is filled and serves all mixes, then the next one's. A round is
over when every cache had its turn. Shown are medians over the rounds.

A peer is built when its packages are there, or can be installed; else it is skipped with a word.
"""

import argparse
import array
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import time

import document

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SEED = 45
KEYS = ["UInt64", "String"]
# The fraction of the keys that a cache has room for, and the mixes that it serves, filled once.
FILLS = [(0.8, ["0", "5", "50"]), (0.8, ["miss"]), (0.1, ["miss"])]
# Debian's package of each peer, for its version, and the years of versions. Another one bears its package's year.
YEARS = {
    ("libcaffeine-java", "2.6.2"): 2018,
    ("librocksdb-dev", "7.8.3"): 2022,
    ("golang-github-hashicorp-golang-lru-dev", "0.5.4"): 2020,
    ("golang-github-dgraph-io-ristretto-dev", "0.0.3"): 2020,
}


class Program:
    """A program that runs rounds, and its caches with the package that each is of."""

    def __init__(self, name, caches, packages=(), build=None, command=None):
        self.name, self.caches, self.packages = name, caches, packages
        self.build, self.command, self.process = build, command, None

    def start(self, folder):
        command = [str(word) for word in (*self.command, folder)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        answer = json.loads(self.process.stdout.readline() or '{"error": "it ended"}')
        if "error" in answer:
            raise SystemExit(f"{self.name}: {answer['error']}, at: {' '.join(map(str, words))}")
        return answer

    def end(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()


class Cache:
    """A cache of a program: its name there and in tables, its package, and the keys and threads that it is for."""

    def __init__(self, name, title, package=None, keys=KEYS, threads=None):
        self.name, self.title, self.package, self.keys, self.threads = name, title, package, keys, threads


def programs(folder, binary):
    """What is compared: ours, and what a Swift program would use instead, first."""
    jar, memory = "/usr/share/java/caffeine.jar", 2048 + 128 * cores()
    caffeine, rocksdb = "libcaffeine-java", "librocksdb-dev"
    golang, ristretto = "golang-github-hashicorp-golang-lru-dev", "golang-github-dgraph-io-ristretto-dev"
    go = {**os.environ, "GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOFLAGS": ""}
    return [
        Program("EvictionLab", [
            Cache("lru", "`MemoryCache`, LRU"),
            Cache("lru/buffered", "`MemoryCache`, LRU, buffered reads"),
            Cache("sieve", "`MemoryCache`, SIEVE"),
            Cache("sieve/buffered", "`MemoryCache`, SIEVE, buffered reads"),
            Cache("lru/sharded", "`ShardedCache`, LRU"),
            Cache("lru/sharded/buffered", "`ShardedCache`, LRU, buffered reads"),
            Cache("sieve/sharded", "`ShardedCache`, SIEVE"),
            Cache("sieve/sharded/buffered", "`ShardedCache`, SIEVE, buffered reads"),
            Cache("sieve/apart", "two `MemoryCache`s, SIEVE, a thread each", threads=2),
            Cache("nodes", "dictionary of class nodes behind a mutex, LRU"),
            Cache("dictionary", "dictionary behind a mutex, which evicts nothing"),
        ], command=[binary]),
        Program("Caffeine", [Cache("caffeine", "Caffeine", caffeine)], [caffeine, "default-jdk-headless"],
                lambda: build("javac", "-cp", jar, "-d", folder, HERE / "Threads/CaffeineBench.java"),
                ["java", f"-Xms{memory}m", f"-Xmx{memory}m", "-cp", f"{folder}:{jar}", "CaffeineBench"]),
        Program("RocksDB", [
            Cache("lru", "RocksDB LRUCache", rocksdb),
            Cache("hyperclock", "RocksDB HyperClockCache", rocksdb, keys=["UInt64"]),
        ], [rocksdb, "g++"],
                lambda: build("g++", "-std=c++17", "-O2", HERE / "Threads/RocksDBBench.cc", "-o", folder / "RocksDBBench",
                              "-lrocksdb", "-lpthread"), [folder / "RocksDBBench"]),
        Program("Go", [
            Cache("lru", "golang-lru", golang),
            Cache("ristretto", "Ristretto", ristretto),
        ], [golang, ristretto, "golang-go"],
                lambda: build("go", "build", "-o", folder / "go_bench", HERE / "Threads/go_bench.go", environment=go),
                [folder / "go_bench"]),
    ]


def build(*command, environment=None):
    subprocess.run([str(word) for word in command], check=True, env=environment)


def cores():
    return document.machine()["cores"]


def installed(package):
    """A package's version without Debian's part of it, and its year; None where it is not installed."""
    if not shutil.which("dpkg-query"):
        return None
    asked = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${db:Status-Status} ${Version}", package],
        capture_output=True, text=True)
    if not asked.stdout.startswith("installed "):
        return None
    version = asked.stdout.split()[1].split(":")[-1].rsplit("-", 1)[0]
    return {"version": version, "year": YEARS.get((package, version)) or package_year(package)}


def package_year(package):
    """The year of the package's last change."""
    changes = f"/usr/share/doc/{package}/changelog.Debian.gz"
    date = subprocess.run(["zgrep", "--max-count=1", "^ -- ", changes], capture_output=True, text=True).stdout.split()
    return int(date[-3]) if len(date) > 3 else None


def prepare(program):
    """Returns the word that says why a program is skipped, or None once it is built."""
    lacking = [package for package in program.packages if not installed(package)]
    if lacking and shutil.which("dpkg-query") and os.geteuid() == 0:
        subprocess.run([ROOT / ".ci/install", *program.packages], check=False)
        lacking = [package for package in program.packages if not installed(package)]
    if lacking:
        return f"{' and '.join(lacking)} not installed"
    try:
        if program.build:
            program.build()
    except (OSError, subprocess.CalledProcessError) as error:
        return f"it does not build: {error}"
    return None


def write_requests(folder, keys, requests, files):
    """The files of keys and requests."""
    for old in folder.glob("requests-*.bin"):
        old.unlink()
    draws = random.Random(SEED)
    write(folder / "keys.bin", "Q", [draws.getrandbits(64) for _ in range(keys)])
    weights = list(itertools.accumulate(1 / rank for rank in range(1, keys + 1)))
    for number in range(files):
        places = draws.choices(range(keys), cum_weights=weights, k=requests)
        write(folder / f"requests-{number}.bin", "I", [place | int(100 * draws.random()) << 24 for place in places])


def write(path, code, numbers):
    words = array.array(code, numbers)
    if sys.byteorder == "big":
        words.byteswap()
    path.write_bytes(words.tobytes())


def take_turn(program, cache, keys, options):
    """Fills a cache and lets it serve: what was measured, by capacity, mix and number of threads."""
    for fraction, mixes in FILLS:
        filled = program.ask("fill", cache.name, keys, int(fraction * options.keys))
        for mix, (first, threads) in itertools.product(mixes, streams(options.threads)):
            if cache.threads and threads != cache.threads:
                continue
            answer = program.ask("run", first, threads, mix, options.seconds)
            operations = answer["operations"]
            yield (fraction, mix, threads), {
                "millions": sum(operations) / answer["seconds"] / 1e6,
                "p50": answer["p50"], "p99": answer["p99"], "p999": answer["p999"],
                "hitRatio": answer["hits"] / max(answer["gets"], 1),
                "least": min(operations) * threads / sum(operations),
                "bytesPerEntry": filled["bytesPerEntry"],
            }


def streams(threads):
    """The number of the first file of requests for each number of threads: no run repeats what another one requested."""
    firsts = [0, *itertools.accumulate(threads)]
    return list(zip(firsts, threads))


def measure(running, options):
    """By cache and type of keys, what each round measured, in turns."""
    found, start = {}, time.monotonic()
    for keys in options.types:
        turns = [(program, cache) for program in running for cache in program.caches if keys in cache.keys]
        # A virtual machine compiles while it runs; its first turn does not count.
        for program, cache in turns:
            if program.name == "Caffeine":
                list(take_turn(program, cache, keys, options))
        for number in range(options.rounds):
            # Each round begins with another cache, so that none always comes first.
            for program, cache in turns[number % len(turns):] + turns[:number % len(turns)]:
                for cell, measured in take_turn(program, cache, keys, options):
                    found.setdefault((program, cache, keys), {}).setdefault(cell, []).append(measured)
            print(f"{keys}, round {number + 1} of {options.rounds}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    return found


def summary(metric, values):
    """The median; of throughput with the quartiles around it."""
    if None in values:
        return None
    around = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    rounded = [float(f"{value:.4g}") for value in around]
    return rounded if metric == "millions" else rounded[1]


def rows(found):
    """The rows of the results: one for each cache, type of keys, capacity, mix and number of threads."""
    for (program, cache, keys), cells in found.items():
        bears = installed(cache.package) if cache.package else {"version": None, "year": None}
        for (fraction, mix, threads), rounds in cells.items():
            yield {
                "cache": cache.title, "program": program.name, "name": cache.name, **bears, "keys": keys,
                "capacity": fraction, "mix": mix, "threads": threads,
                **{metric: summary(metric, [one[metric] for one in rounds]) for metric in rounds[0]},
            }


def show(measured):
    """A line for each cache and type of keys: millions of requests a second by number of threads, of each mix."""
    for (cache, keys), of_cache in itertools.groupby(measured, key=lambda row: (row["cache"], row["keys"])):
        of_cache = list(of_cache)
        version = f" {of_cache[0]['version']} ({of_cache[0]['year']})" if of_cache[0]["version"] else ""
        parts = []
        for (fraction, mix), cells in itertools.groupby(of_cache, key=lambda row: (row["capacity"], row["mix"])):
            parts.append(f"{fraction:.0%} {mix}: " + " / ".join(f"{cell['millions'][1]:.2f}" for cell in cells))
        print(f"{cache + version:48} {keys:6}  {'  '.join(parts)}")


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", default=ROOT / ".build/release/ThreadBenchmark", help="the program of our caches")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / ".build/threads", help="for requests and programs")
    parser.add_argument("--quick", action="store_true", help="two minutes: numbers as keys, fewer rounds")
    parser.add_argument("--peers", default="Caffeine,RocksDB,Go", help="the peers to compare with; empty for none")
    parser.add_argument("--caches", help="only these of our caches, by name; others are made so: sieve/64/mutex/buffered")
    parser.add_argument("--keys", type=int, default=1_000_000)
    parser.add_argument("--requests", type=int, help="a thread's, a multiple of 128")
    parser.add_argument("--threads", help="numbers of threads (1,2 and as many as there are cores)")
    parser.add_argument("--seconds", type=float, default=0.2, help="of each measurement")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--output", help="a JSON file for the results")
    options = parser.parse_args()
    if not pathlib.Path(options.binary).is_file():
        parser.error(f"{options.binary} is not there; swift build -c release --product ThreadBenchmark makes it")
    if options.requests is not None and (options.requests < 128 or options.requests % 128):
        parser.error(f"--requests {options.requests} is no multiple of 128")
    if not 1 <= options.keys <= 1 << 24:
        parser.error(f"--keys {options.keys} is not from 1 to 2^24")
    if options.threads and not re.fullmatch(r"[1-9]\d*(,[1-9]\d*)*", options.threads):
        parser.error(f"--threads {options.threads} is no list of numbers, such as 1,2")
    if not options.seconds > 0 or (options.rounds is not None and options.rounds < 1):
        parser.error("--seconds and --rounds are more than 0")
    options.rounds = options.rounds or (2 if options.quick else 5)
    options.types = KEYS[:1] if options.quick else KEYS
    options.threads = [int(number) for number in options.threads.split(",")] if options.threads else sorted({1, 2, cores()})
    # Of many threads each has fewer, for the memory.
    options.requests = options.requests or min(1 << 21, (1 << 25) // sum(options.threads) // 128 * 128)
    return options


def main():
    options = parsed()
    options.folder.mkdir(parents=True, exist_ok=True)
    ours, *peers = programs(options.folder, options.binary)
    if options.caches:
        known = {cache.name: cache for cache in ours.caches}
        ours.caches = [known.get(name) or Cache(name, name) for name in options.caches.split(",")]
    skipped, running = {}, [ours]
    for program in peers:
        if program.name not in options.peers.split(","):
            continue
        reason = prepare(program)
        if reason:
            skipped[program.name] = reason
            print(f"skipping {program.name}: {reason}", file=sys.stderr)
        else:
            running.append(program)
    write_requests(options.folder, options.keys, options.requests, sum(options.threads))
    try:
        for program in running:
            program.start(options.folder)
        measured = list(rows(measure(running, options)))
    finally:
        for program in running:
            program.end()
    show(measured)
    if options.output:
        document.write(options.output, {
            "keys": options.keys, "requests": options.requests, "seconds": options.seconds, "rounds": options.rounds,
            "threads": options.threads, "skipped": skipped, "caches": measured})


if __name__ == "__main__":
    sys.exit(main())
