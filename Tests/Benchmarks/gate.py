#!/usr/bin/env python3
"""How often the regression gate is wrong: it is run on equal programs, and on ones with a planted fault.

    gate.py [--unchanged 50] [--slower 20] [--output results/bench-gate.json]

Each run is `evict speed` as in `make check`, smaller: three policies, 20 000 requests of two bundled traces,
20 rounds. It is checked against the run before it, so that each check has a baseline of its own. One policy
of `PlantedLab`, LRU, takes faults from the environment: work in its requests, in the very loop that is
measured, which makes it execute 10 % more instructions; or one wrong victim, chosen so that the hits of all
runs together differ by one. Between unchanged runs stand those with more work, each checked against the
unchanged one before it. A quiet machine is not needed, but the times tell which one it was.

Prints a summary and writes every figure as JSON. `atMost` is the 95 % limit of a share (Clopper and Pearson).
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import document

ROOT = pathlib.Path(__file__).resolve().parents[2]
POLICIES = "planted,lru,sieve"
TRACES = ["traces/orders.txt.zst", "traces/hotscan.txt.zst"]


def sweep(output, arguments, rounds, **plant):
    """Runs the policies, with a fault planted, and returns the results document that it wrote."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PLANTED_")}
    command = [arguments.tool, "speed" if rounds else "sweep", *TRACES, "--policy", POLICIES, "--capacity", "10%",
               "--limit", arguments.limit, "--no-baselines", "--format", "json",
               "--output", output]
    if rounds:
        command += ["--rounds", str(rounds)]
    subprocess.run(
        command, check=True, cwd=ROOT, env=clean | {k: str(v) for k, v in plant.items()})
    return json.loads(output.read_text())


def check(arguments, results, baseline):
    """What the gate says: the comparison, as a document."""
    run = subprocess.run([arguments.tool, "check", results, "--baseline", baseline,
                          "--format", "json"], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(run.stderr)
    comparison = json.loads(run.stdout)
    if comparison["failed"] != (run.returncode == 1):
        sys.exit(f"exit code {run.returncode} and “failed”: {comparison['failed']} disagree")
    return comparison


def found(comparison, figure, verdict, policy=None):
    """How many runs got that verdict on that figure."""
    return sum(item["figure"] == figure and item["verdict"] == verdict
               and policy in (None, item["policy"]) for item in comparison["differences"])


def growth(results, baseline):
    """By what share the instructions of the planted policy grew, for each trace."""
    def counts(document):
        return [result["speed"]["instructions"] for result in document["results"]
                if result["policy"] == "planted"]
    return [after / before - 1 for before, after in zip(counts(baseline), counts(results))]


def limit(hits, runs):
    """The largest share that leaves so few hits, or fewer, a chance of 5 %."""
    def chance(share):
        return sum(math.comb(runs, k) * share**k * (1 - share)**(runs - k)
                   for k in range(hits + 1))
    if runs == 0 or hits == runs:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if chance(middle) > 0.05 else (low, middle)
    return high


def rate(hits, runs):
    return {"count": hits, "of": runs, "share": hits / runs if runs else None,
            "atMost": limit(hits, runs)}


def work_for(share, arguments, folder, baseline):
    """How much work makes the planted policy execute that share of instructions more."""
    probes = 5, 50
    low, high = (
        statistics.mean(growth(sweep(folder / "probe.json", arguments, 1, PLANTED_WORK=work),
                               baseline)) for work in probes)
    steps = probes[0] + (share - low) / (high - low) * (probes[1] - probes[0])
    return max(1, round(steps))


def eviction_for_one_hit(arguments, folder, baseline):
    """Which eviction, gone wrong, changes all hits together by one."""
    def hits(document):
        return [result["hits"] for result in document["results"]]
    for number in range(1, 500):
        changed = sweep(folder / "probe.json", arguments, 0, PLANTED_EVICTION=number)
        if sum(abs(a - b) for a, b in zip(hits(changed), hits(baseline))) == 1:
            return number
    sys.exit("no eviction changes the hits by one")


def measure(arguments, folder):
    last, now, planted = (folder / name for name in ("last.json", "now.json", "planted.json"))
    base = sweep(last, arguments, arguments.rounds)
    if base["results"][0]["speed"]["instructions"] is None:
        sys.exit("valgrind is not installed: instructions cannot be counted")
    work = work_for(0.10, arguments, folder, base)
    eviction = eviction_for_one_hit(arguments, folder, base)
    unchanged, slower, grown, noise = [], [], [], []
    for number in range(max(arguments.unchanged, arguments.slower)):
        document = sweep(now, arguments, arguments.rounds)
        if number < arguments.unchanged:
            unchanged.append(check(arguments, now, last))
            noise += growth(document, base)
        if number < arguments.slower:
            fault = sweep(planted, arguments, arguments.rounds, PLANTED_WORK=work)
            slower.append(check(arguments, planted, now))
            grown += growth(fault, document)
        now.replace(last)
        print(f"\r{number + 1} of {max(arguments.unchanged, arguments.slower)}", end="",
              file=sys.stderr)
    print(file=sys.stderr)
    sweep(planted, arguments, 0, PLANTED_EVICTION=eviction)
    sweep(now, arguments, 0)
    one_hit = check(arguments, planted, now)

    cells = len(base["results"])
    return {
        "environment": base["environment"],
        "rounds": arguments.rounds,
        "limit": arguments.limit,
        "runsChecked": cells,
        "unchanged": {
            "gateClosed": rate(sum(c["failed"] for c in unchanged), len(unchanged)),
            "anyTimeCalled": rate(
                sum(found(c, "time", "slower") + found(c, "time", "faster") > 0
                    for c in unchanged), len(unchanged)),
            "timesUnclear": sum(found(c, "time", "unclear") for c in unchanged),
            "timesJudged": cells * len(unchanged),
            "instructionsAtMost": max((abs(share) for share in noise), default=None),
        },
        "moreInstructions": {
            "work": work,
            "growth": [min(grown, default=None), max(grown, default=None)],
            "gateClosed": rate(sum(c["failed"] for c in slower), len(slower)),
            "closedFor": rate(
                sum(found(c, "instructions", "slower", "planted") for c in slower),
                2 * len(slower)),
            "timeCalled": rate(
                sum(found(c, "time", "slower", "planted") for c in slower), 2 * len(slower)),
        },
        "oneHit": {
            "eviction": eviction,
            "gateClosed": one_hit["failed"],
            "differences": [
                [item["trace"], item["figure"], item["before"], item["after"]]
                for item in one_hit["differences"]],
        },
    }


def summary(report):
    def line(what, share):
        return f"{what}: {share['count']} of {share['of']} (95 %: at most {share['atMost']:.1%})"
    unchanged, more = report["unchanged"], report["moreInstructions"]
    return "\n".join([
        "unchanged",
        "  " + line("gate closed", unchanged["gateClosed"]),
        "  " + line("a time called slower or faster", unchanged["anyTimeCalled"]),
        f"  instructions differ by {unchanged['instructionsAtMost'] or 0:.4%} at most",
        f"planted: {more['growth'][0] or 0:.1%} to {more['growth'][1] or 0:.1%} more instructions",
        f"  gate closed: {more['gateClosed']['count']} of {more['gateClosed']['of']}",
        f"  times called slower: {more['timeCalled']['count']} of {more['timeCalled']['of']}",
        f"planted: one hit\n  gate closed: {'yes' if report['oneHit']['gateClosed'] else 'NO'}",
    ])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unchanged", type=int, default=50)
    parser.add_argument("--slower", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--limit", default="2e4", help="requests of each trace")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "results/bench-gate.json")
    parser.add_argument("--tool", type=pathlib.Path, help="a built PlantedLab; built if not given")
    arguments = parser.parse_args()
    if not arguments.tool:
        subprocess.run(["swift", "build", "-c", "release", "--product", "PlantedLab"], cwd=ROOT,
                       check=True)
        arguments.tool = ROOT / ".build/release/PlantedLab"
    arguments.tool = arguments.tool.resolve()
    with tempfile.TemporaryDirectory() as folder:
        report = measure(arguments, pathlib.Path(folder))
    document.write(arguments.output, report)
    print(summary(report))


if __name__ == "__main__":
    main()
