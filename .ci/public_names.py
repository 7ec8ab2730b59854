#!/usr/bin/env python3
"""Compares the public names of the products with the list that is kept of them.

public_names.py LIST CHANGES GRAPH…: the list, the article that tells of changes, and the modules' symbol graphs. Both
differing names and an article whose newest section does not bear the list's mark are failures. With --write the list is
written, and what has come and gone is printed for the article.
"""
import hashlib
import json
import re
import sys
from pathlib import Path


def names(graphs):
    """The declarations of every public symbol, a line each, after its module and the type that it belongs to."""
    lines = set()
    for graph in graphs:
        module = Path(graph).name.split(".")[0].split("@")[0]
        for symbol in json.loads(Path(graph).read_text())["symbols"]:
            if "::SYNTHESIZED::" in symbol["identifier"]["precise"]:
                continue
            words = "".join(part["spelling"] for part in symbol.get("declarationFragments", []))
            owner = ".".join(symbol["pathComponents"][:-1])
            lines.add(f"{module} {owner + ': ' if owner else ''}{' '.join(words.split())}")
    return sorted(lines)


def mark(lines):
    """What the newest section of the article bears of these names."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]


def main(arguments):
    writes = "--write" in arguments
    kept_path, article, *graphs = (word for word in arguments if word != "--write")
    found = names(graphs)
    kept_path = Path(kept_path)
    kept = kept_path.read_text().splitlines() if kept_path.exists() else []
    changes = [f"+ {line}" for line in found if line not in set(kept)]
    changes += [f"- {line}" for line in kept if line not in set(found)]
    if writes:
        kept_path.write_text("".join(f"{line}\n" for line in found))
        print("\n".join(changes))
        print(f"{len(found)} names; a section of {article} has to bear `{mark(found)}`")
        return 0
    if changes:
        print("\n".join(changes[:40]), file=sys.stderr)
        print(
            f"{len(changes)} public names differ from {kept_path}: make names writes it; "
            f"then tell of them in {article}", file=sys.stderr)
        return 1
    newest = re.search(r"^## .*`([0-9a-f]{8})`", Path(article).read_text(), re.MULTILINE)
    if not newest or newest[1] != mark(found):
        print(
            f"{article}: its first section is not about these public names; tell what changed under a "
            f"heading with `{mark(found)}`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
