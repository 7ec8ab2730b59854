#!/usr/bin/env python3
"""What documents of benchmarks begin with: their schema, the commit, and the machine.

    document.py FILE    # puts that in front of what a benchmark wrote
"""

import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = "evictionlab.benchmark/1"


def machine():
    """Processor, cores that may be used, and system."""
    cpu = platform.processor()
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        cpu = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    usable = getattr(os, "sched_getaffinity", None)
    try:
        system = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        system = platform.platform()
    return {"cpu": cpu, "cores": len(usable(0)) if usable else os.cpu_count(), "os": system}


def head():
    """The members that come first; the commit says whether anything but results was changed since."""
    def git(*words):
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    named = git("rev-parse", "HEAD")
    commit = named.stdout.strip() if named.returncode == 0 else None
    if commit and git("diff", "--quiet", "HEAD", "--", ".", ":(exclude)results").returncode:
        commit += "-dirty"
    return {"schema": SCHEMA, "commit": commit, "machine": machine()}


def write(path, members):
    """Writes a document, whole or not at all."""
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as file:
        file.write(json.dumps(head() | members, indent=2) + "\n")
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


if __name__ == "__main__":
    written = json.loads(pathlib.Path(sys.argv[1]).read_text())
    write(sys.argv[1], {key: value for key, value in written.items() if key != "schema"})
