#!/usr/bin/env python3
"""Whether two threads' hits lie between those that `evict replay` says of the order alone: a table of policies and traces.

    python3 Tests/Benchmarks/orders.py EVICT TRACE … [--policy LIST] [--repeat N]

Each row: the range, the median of the repetitions, and how many of these lie within. Ends with 1 if fewer than nine of ten do.
"""

import argparse
import json
import statistics
import subprocess
import sys

POLICIES = "lru,fifo,clock,sieve,s3fifo,arc,lirs,wtinylfu,slru,2q,lfu,gdsf"


def replays(evict, trace, policies, repeat):
    """The runs of each policy on a trace at 10 % of its keys, with two threads."""
    line = [evict, "replay", trace, "--policy", policies, "--capacity", "10%", "--threads", "2", "--repeat", str(repeat),
            "--format", "json"]
    return json.loads(subprocess.run(line, stdout=subprocess.PIPE, check=True).stdout)["results"]


def values(run):
    """The hit ratios of the repetitions, of which those that are all alike have no interval."""
    return run.get("intervals", {}).get("hitRatio", {}).get("values") or [run["hitRatio"]] * run.get("repetitions", 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("evict")
    parser.add_argument("traces", nargs="+")
    parser.add_argument("--policy", default=POLICIES)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    within = runs = medians = rows = 0
    print(f"{'trace':34}{'policy':10}{'by order alone %':>18}{'median %':>10}  within")
    for trace in options.traces:
        for run in replays(options.evict, trace, options.policy, options.repeat):
            low, high = run["hitRatiosOfOrders"]
            measured = values(run)
            held = sum(low <= ratio <= high for ratio in measured)
            median = statistics.median(measured)
            print(f"{run['trace']:34}{run['policy']:10}{100 * low:9.3f}–{100 * high:.3f}{100 * median:10.3f}"
                  f"  {held} of {len(measured)}{'' if low <= median <= high else '  median outside'}", flush=True)
            within, runs = within + held, runs + len(measured)
            medians, rows = medians + (low <= median <= high), rows + 1
    print(f"{medians} of {rows} medians and {within} of {runs} runs lie within")
    return 0 if 10 * medians >= 9 * rows and 10 * within >= 9 * runs else 1


if __name__ == "__main__":
    sys.exit(main())
