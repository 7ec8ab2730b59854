#!/usr/bin/env python3
"""How often the regression gate is wrong: it is run on equal programs, and on ones with planted faults.

    gate.py [--unchanged 50] [--slower 20] [--output results/bench-gate.json]

Each run is `evict speed` as in `make check`, checked against a run before it, so that each check has a baseline of its
own. Equal programs run three policies, as does one whose policies do useless work; the faults of `faults.py` are planted
in the catalog's own policies, in a copy of the sources under `.build/planted`, which is built once for each kind. Of each
fault must be found each form that it is in. A quiet machine is not needed, but the times tell which one it was.

Prints a summary and writes every figure as JSON. `atMost` is the 95 % limit of a share (Clopper and Pearson).
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

import document
import faults

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOME = "lru,arc,sieve"
TRACES = ["orders.txt.zst", "hotscan.txt.zst"]
COPIED = ("Package.swift", "Package.resolved", "Sources", "Tests")


def speed(tool, output, arguments, policies, rounds):
    """Measures the policies, and returns the results document that it wrote."""
    subprocess.run(
        [tool, "speed", *TRACES, "--policy", policies, "--capacity", "10%", "--limit", arguments.limit,
         "--no-baselines", "--rounds", str(rounds), "--format", "json", "--output", output],
        check=True, cwd=ROOT / "traces")
    return json.loads(output.read_text())


def check(tool, results, baseline):
    """What the gate says: the comparison, as a document."""
    run = subprocess.run([tool, "check", results, "--baseline", baseline, "--instruction-tolerance", "2",
                          "--require-instructions", "--format", "json"], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(run.stderr)
    comparison = json.loads(run.stdout)
    if comparison["failed"] != (run.returncode == 1):
        sys.exit(f"exit code {run.returncode} and “failed”: {comparison['failed']} disagree")
    return comparison


def found(comparison, figure, verdict):
    """How many runs got that verdict on that figure."""
    return sum(item["figure"] == figure and item["verdict"] == verdict
               for item in comparison["differences"])


def closed(comparison, figure, policy, form):
    """True if the gate closed for that figure of a policy in that form."""
    return any(item["severity"] == "failure" and item["figure"] == figure and item["policy"] == policy
               and item.get("form", "policy") == form for item in comparison["differences"])


def growth(results, baseline, figure="instructions"):
    """By what share the instructions of each row grew, by policy and form; the smallest of the traces."""
    def counts(document):
        return {(row["policy"], row["form"], row["trace"]): row["speed"][figure]
                for row in document["results"]}
    grown = {}
    before = counts(baseline)
    for (policy, form, trace), after in counts(results).items():
        share = after / before[policy, form, trace] - 1
        grown[policy, form] = min(share, grown.get((policy, form), share))
    return grown


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


class Copy:
    """A copy of the sources in which faults are planted, with a build folder of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.tool = folder / ".build/release/evict"
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                                check=True, capture_output=True, text=True).stdout
        names = {name for name in listed.split("\0") if name.split("/")[0] in COPIED and (ROOT / name).is_file()}
        for path in [path for part in COPIED for path in folder.glob(f"{part}/**/*")]:
            if path.is_file() and str(path.relative_to(folder)) not in names:
                path.unlink()
        for name in names:
            self.write(name, (ROOT / name).read_bytes())

    def write(self, name, content):
        """Writes a file, unless it has that content: what is not changed is not compiled again."""
        path = self.folder / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def build(self, texts):
        """Builds it with these files changed, and takes the seconds."""
        for name, text in texts.items():
            self.write(name, text.encode())
        start = time.monotonic()
        subprocess.run(["swift", "build", "-c", "release", "--product", "evict"], cwd=self.folder, check=True,
                       stdout=sys.stderr)
        return round(time.monotonic() - start, 1)

    def restore(self, texts):
        for name in texts:
            self.write(name, (ROOT / name).read_bytes())


def planted(copy, kinds, arguments, folder, rounds=1):
    """What the gate says of programs with faults of these kinds, one in each policy that can have it."""
    policies = ",".join(faults.FILES)
    before, after = folder / "before.json", folder / "after.json"
    base = speed(arguments.tool, before, arguments, policies, rounds)
    planted, texts = faults.plant(kinds, lambda name: (ROOT / name).read_text())
    seconds = {"build": copy.build(texts)}
    start = time.monotonic()
    grown = growth(speed(copy.tool, after, arguments, policies, rounds), base)
    comparison = check(copy.tool, after, before)
    seconds["gate"] = round(time.monotonic() - start, 1)
    copy.restore(texts)
    return {
        "kinds": kinds, "seconds": seconds,
        "faults": [
            {"kind": fault.kind, "policy": fault.policy, "file": fault.file, "figure": fault.figure, "form": form,
             "gateClosed": closed(comparison, fault.figure, fault.policy, form),
             "instructionsGrown": grown[fault.policy, form]}
            for fault in planted for form in fault.forms],
    }


def measure(arguments, folder):
    last, now, slow = (folder / name for name in ("last.json", "now.json", "slow.json"))
    base = speed(arguments.tool, last, arguments, SOME, arguments.rounds)
    if base["results"][0]["speed"]["instructions"] is None:
        sys.exit("valgrind is not installed: instructions cannot be counted")
    copy = Copy(arguments.folder)
    kinds = [["wrong victim", "wrong count"], ["missed promotion"], ["useless work"]]
    plantings = [planted(copy, some, arguments, folder) for some in kinds]
    # The last of them is the one that works in vain.
    unchanged, slower, noise = [], [], []
    for number in range(max(arguments.unchanged, arguments.slower)):
        document = speed(arguments.tool, now, arguments, SOME, arguments.rounds)
        if number < arguments.unchanged:
            unchanged.append(check(arguments.tool, now, last))
            noise += growth(document, base).values()
        if number < arguments.slower:
            speed(copy.tool, slow, arguments, SOME, arguments.rounds)
            slower.append(check(arguments.tool, slow, now))
        now.replace(last)
        print(f"\r{number + 1} of {max(arguments.unchanged, arguments.slower)}", end="",
              file=sys.stderr)
    print(file=sys.stderr)

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
        "slower": {"gateClosed": rate(sum(c["failed"] for c in slower), len(slower))},
        "planted": plantings,
    }


def summary(report):
    def line(what, share):
        return f"{what}: {share['count']} of {share['of']} (95 %: at most {share['atMost']:.1%})"
    unchanged = report["unchanged"]
    lines = [
        "unchanged",
        "  " + line("gate closed", unchanged["gateClosed"]),
        "  " + line("a time called slower or faster", unchanged["anyTimeCalled"]),
        f"  instructions differ by {unchanged['instructionsAtMost'] or 0:.4%} at most",
        f"slower: gate closed {report['slower']['gateClosed']['count']} of {report['slower']['gateClosed']['of']}",
    ]
    for planting in report["planted"]:
        times = planting["seconds"]
        lines.append(f"{', '.join(planting['kinds'])}: built in {times['build']} s, checked in {times['gate']} s")
        for fault in planting["faults"]:
            lines.append(f"  {fault['policy']:12} {fault['form']:8} {fault['figure']:12} "
                         + ("found" if fault["gateClosed"] else "NOT FOUND"))
    return "\n".join(lines)


def missed(report):
    """The faults that the gate let through."""
    return [fault for planting in report["planted"] for fault in planting["faults"] if not fault["gateClosed"]]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unchanged", type=int, default=50)
    parser.add_argument("--slower", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--limit", default="2e4", help="requests of each trace")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "results/bench-gate.json")
    parser.add_argument("--tool", type=pathlib.Path, help="a built evict; built if not given")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / ".build/planted",
                        help="where the copy with the faults is built")
    arguments = parser.parse_args()
    if not arguments.tool:
        subprocess.run(["swift", "build", "-c", "release", "--product", "evict"], cwd=ROOT,
                       check=True)
        arguments.tool = ROOT / ".build/release/evict"
    arguments.tool = arguments.tool.resolve()
    with tempfile.TemporaryDirectory() as folder:
        report = measure(arguments, pathlib.Path(folder))
    document.write(arguments.output, report)
    print(summary(report))
    if missed(report):
        sys.exit(1)


if __name__ == "__main__":
    main()
