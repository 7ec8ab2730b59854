"""Looks for a formula of an eviction policy by random search against `evict score`.

    python3 notebooks/search_formula.py --seconds 60

A formula is an expression for `rank:score=…`: the object with the lowest value leaves. Each step changes the best one at a random
place and keeps the change if the public score rises. The hidden traces of each step have a salt of their own, and decide
nothing: only the winner is judged on them, beside LFU.
"""

import argparse
import json
import pathlib
import random
import subprocess
import time

NUMBERS = ("1", "2", "10", "100", "1000")
ATTRIBUTES = ("frequency", "hits", "age", "lastUse", "ghostFrequency")
UNARY, BINARY = ("log", "sqrt"), ("+", "-", "*", "/", "min", "max")


def evaluate(program, suite="quick", evict="evict", salt=None, time="10s"):
    """Judges a program: a formula, or a file with one or with a policy in C. What frameworks of searches call."""
    is_file = len(program) < 200 and pathlib.Path(program).is_file()
    candidate = program if is_file and program.endswith(".c") else (
        "rank:score=" + (pathlib.Path(program).read_text().strip() if is_file else program))
    words = [evict, "score", candidate, "--suite", suite, "--time", time, "--format", "json"]
    run = subprocess.run(words + (["--salt", str(salt)] if salt is not None else []), capture_output=True, text=True)
    if not run.stdout:
        return {"combined_score": -1.0, "hidden_score": -1.0, "error": run.stderr.strip()}
    found = json.loads(run.stdout)
    return {"combined_score": found["combinedScore"] if found["contract"]["conforms"] else -1.0,
            "hidden_score": found["hidden"]["combinedScore"], "overfit": found["overfit"]["exceeded"]}


def expression(depth):
    """A random expression: a name, a number, or a tuple of an operation and its operands."""
    if depth == 0 or random.random() < 0.3:
        return random.choice(ATTRIBUTES if random.random() < 0.8 else NUMBERS)
    if random.random() < 0.25:
        return (random.choice(UNARY), expression(depth - 1))
    return (random.choice(BINARY), expression(depth - 1), expression(depth - 1))


def changed(tree):
    """The expression with another one at a random place."""
    if isinstance(tree, str) or random.random() < 0.3:
        return random.choice((expression(1), expression(2), (random.choice(BINARY), tree, expression(1))))
    place = random.randrange(1, len(tree))
    return tree[:place] + (changed(tree[place]),) + tree[place + 1:]


def text(tree):
    if isinstance(tree, str):
        return tree
    first, *operands = tree
    operands = [text(operand) for operand in operands]
    return f"({first.join(operands)})" if first in "+-*/" else f"{first}({','.join(operands)})"


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--evict", default="evict")
    given = options.parse_args()
    random.seed(given.seed)
    end, tried, best, top = time.time() + given.seconds, {"frequency"}, "frequency", None
    top = evaluate(text(best), evict=given.evict)["combined_score"]
    print(f"{top:.4f}  {text(best)}", flush=True)
    while time.time() < end:
        tree = changed(best)
        if text(tree) in tried or len(text(tree)) > 120:
            continue
        tried.add(text(tree))
        found = evaluate(text(tree), evict=given.evict)["combined_score"]
        if found > top:
            best, top = tree, found
            print(f"{top:.4f}  {text(best)}", flush=True)
    print(f"{len(tried)} formulas; on the longer hidden traces, which decided nothing:")
    for formula in ("frequency", text(best)):
        print(f"{evaluate(formula, 'standard', given.evict, given.seed, '5min')['hidden_score']:.4f}  {formula}")


if __name__ == "__main__":
    main()
