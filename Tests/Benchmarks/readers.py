#!/usr/bin/env python3
"""Compares how fast evict and libcachesim (PyPI) read the same files, in one run.

Three ratios per format, each how many times faster evict is, as a median over interleaved rounds with
the smallest and the largest:

- read: the peer reads every request and does nothing with it (its cache `nop`); evict loads the keys,
  less the time that numbering them takes, measured with the same keys in memory;
- and number: the peer reads and counts the distinct keys (`get_working_set_size`); evict loads the
  keys, which numbers them;
- process: the peer opens the file and runs a FIFO of one object over it; evict is the whole process,
  `evict sweep FILE --policy fifo --capacity 1`.

The first two are processor time of one thread, the third is elapsed time. The last line compares a
packed file with `zstd -dc FILE | evict`.
"""

import argparse
import os
import subprocess
import sys
import time

import libcachesim
from libcachesim import libcachesim_python as bindings

from peers import show, summary


def fields(**names):
    def parameters():
        result = libcachesim.ReaderInitParam(ignore_obj_size=True)
        for name, value in names.items():
            setattr(result, name, value)
        return result

    return parameters


CSV = fields(has_header=True, has_header_set=True, delimiter=",", time_field=1, obj_id_field=2)
PLAIN = fields()
FORMATS = {
    "csv": ("trace.csv", libcachesim.TraceType.CSV_TRACE, CSV),
    "plain text": ("trace.txt", libcachesim.TraceType.PLAIN_TXT_TRACE, PLAIN),
    "oracleGeneral": ("trace.oracleGeneral.bin", libcachesim.TraceType.ORACLE_GENERAL_TRACE, PLAIN),
    "lcs": ("trace.lcs", libcachesim.TraceType.LCS_TRACE, PLAIN),
}


def open_peer(path, kind, parameters):
    return libcachesim.TraceReader(path, kind, parameters())


def peer_reading(form):
    reader = open_peer(*form)
    cache = bindings.nop_init(bindings.CommonCacheParams(cache_size=1 << 40, hashpower=4))
    return timed(time.process_time, bindings.c_process_trace, cache, reader._reader, 0, -1)


def peer_counting(form):
    return timed(time.process_time, open_peer(*form).get_working_set_size)


def peer_process(form):
    def run():
        libcachesim.FIFO(1, hashpower=4).process_trace(open_peer(*form))

    return timed(time.perf_counter, run)


def timed(clock, work, *arguments):
    start = clock()
    work(*arguments)
    return clock() - start


def run_loader(benchmark, path):
    """Processor seconds of loading, and of numbering alone."""
    output = subprocess.run([benchmark, "load", path], check=True, stdout=subprocess.PIPE)
    return map(float, output.stdout.split())


def run_evict(command):
    start = time.perf_counter()
    subprocess.run(command, shell=True, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def sweep(evict, path):
    return f"{evict} sweep {path} --policy fifo --capacity 1 --no-yardstick --format csv"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--evict", default=".build/release/evict", help="the tool")
    parser.add_argument(
        "--benchmark", default=".build/release/TraceBenchmark", help="the benchmark of loading"
    )
    parser.add_argument("--folder", default=".build/bench", help="where the files are made")
    parser.add_argument("--requests", type=int, default=5_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()

    os.makedirs(options.folder, exist_ok=True)
    paths = {name: os.path.join(options.folder, form[0]) for name, form in FORMATS.items()}
    specification = f"zipf:alpha=1.0:keys=1e6:requests={options.requests}"
    for name in FORMATS:
        if name != "csv":
            run_evict(f"{options.evict} trace generate {specification} --output {paths[name]}")
    with open(paths["plain text"]) as keys, open(paths["csv"], "w") as table:
        table.write("time,key,size\n")
        table.writelines(f"{number},{key.rstrip()},100\n" for number, key in enumerate(keys))

    print(f"{'':14} {'read':20} {'and number':20} process")
    for name, (_, kind, parameters) in FORMATS.items():
        form = (paths[name], kind, parameters)
        ratios = {"read": [], "number": [], "process": []}
        for _ in range(options.rounds):
            loading, numbering = run_loader(options.benchmark, paths[name])
            ratios["read"].append(peer_reading(form) / (loading - numbering))
            ratios["number"].append(peer_counting(form) / loading)
            ratios["process"].append(peer_process(form) / run_evict(sweep(options.evict, paths[name])))
        print(f"{name:14}", *(f"{show(summary(values)):20}" for values in ratios.values()))

    packed = paths["oracleGeneral"] + ".zst"
    run_evict(f"zstd -q -f -3 {paths['oracleGeneral']} -o {packed}")
    ratios = []
    for _ in range(options.rounds):
        piped = run_evict(
            f"zstd -dc {packed} | {sweep(options.evict, '-')} --trace-format oracleGeneral"
        )
        ratios.append(run_evict(sweep(options.evict, packed)) / piped)
    print(f"{'packed':14} {show(summary(ratios))} the time of zstd -dc through a pipe")


if __name__ == "__main__":
    sys.exit(main())
