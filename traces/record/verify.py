#!/usr/bin/env python3
"""Counts every bundled trace again and compares with the table in ../README.md.

Needs python3 and zstd. Exit code 1, and a line for each difference, if anything disagrees.
"""
import collections, hashlib, pathlib, subprocess, sys

TRACES = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = ["requests", "distinct", "one-hit-wonder share", "bytes requested", "SHA-256"]


def count(path):
    """The five columns of a trace as the README writes them."""
    text = subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, check=True).stdout
    rows = [line.split(",") for line in text.decode().splitlines()]
    sized = path.name.endswith(".csv.zst")
    if sized:
        assert rows.pop(0) == ["time_ns", "key", "size"], f"{path.name}: unexpected header"
        times = [int(time) for time, _, _ in rows]
        assert times[0] == 0 and times == sorted(times), f"{path.name}: times do not rise from 0"
        assert len({(key, size) for _, key, size in rows}) == len({key for _, key, _ in rows}), \
            f"{path.name}: an object changes its size"
    keys = collections.Counter(row[1 if sized else 0] for row in rows)
    once = sum(1 for requests in keys.values() if requests == 1)
    return [str(len(rows)), str(len(keys)), f"{once / len(keys):.4f}",
            str(sum(int(size) for _, _, size in rows)) if sized else "–",
            hashlib.sha256(path.read_bytes()).hexdigest()]


def table():
    """The rows of the README that name a trace and its counts, by file name."""
    rows, header = {}, []
    for line in (TRACES / "README.md").read_text().splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        if set(COLUMNS) <= set(cells):
            header = cells
        elif not line.startswith("|"):
            header = []
        elif header and not set(line) <= set("|-: "):
            row = dict(zip(header, cells))
            rows[row["file"]] = [row[column] for column in COLUMNS]
    return rows


def main():
    stated = table()
    found = {path.name: path for path in TRACES.glob("*.zst")}
    problems = [f"{name}: in the README, but no such file" for name in stated.keys() - found.keys()]
    problems += [f"{name}: not in the README's table" for name in found.keys() - stated.keys()]
    for name in sorted(stated.keys() & found.keys()):
        for column, said, is_now in zip(COLUMNS, stated[name], count(found[name])):
            if said != is_now:
                problems.append(f"{name}: {column} is {is_now}, the README says {said}")
    for problem in sorted(problems):
        print(problem, file=sys.stderr)
    print(f"{len(found)} traces, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
