#!/usr/bin/env python3
"""Compares how fast evict and libcachesim (PyPI) read the same files, in one run.

The peer opens the file and runs a FIFO of one object over it, its cheapest policy; evict is the whole
process, which also numbers the keys: `evict sweep FILE --policy fifo --capacity 1`. Rounds are
interleaved; each ratio says how many times faster evict is, as a median with the smallest and the
largest round. The last line compares a packed file with `zstd -dc FILE | evict`.
"""

import argparse
import os
import subprocess
import sys
import time

import libcachesim

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


def run_peer(path, kind, parameters):
    start = time.perf_counter()
    reader = libcachesim.TraceReader(path, kind, parameters())
    libcachesim.FIFO(1, hashpower=4).process_trace(reader)
    return time.perf_counter() - start


def run_evict(command):
    start = time.perf_counter()
    subprocess.run(command, shell=True, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def sweep(evict, path):
    return f"{evict} sweep {path} --policy fifo --capacity 1 --no-yardstick --format csv"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--evict", default=".build/release/evict", help="the tool")
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

    for name, (_, kind, parameters) in FORMATS.items():
        ratios = []
        for _ in range(options.rounds):
            peer = run_peer(paths[name], kind, parameters)
            ratios.append(peer / run_evict(sweep(options.evict, paths[name])))
        print(f"{name:14} {show(summary(ratios))} as fast as libcachesim")

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
