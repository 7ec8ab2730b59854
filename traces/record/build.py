#!/usr/bin/env python3
"""Records the files that a C build reads: traces/build.csv.zst.

Needs: apt-get install python3 strace zstd gcc make libc6-dev zlib1g-dev xz-utils.
Takes a minute or two.
Usage: build.py [OUTPUT-FOLDER]

Git is built from its release, then edited and rebuilt a few times as its developers would.
A request is one successful open for reading; time is ns since the first, the clock's step is
1000 ns; size is the whole file's. Only regular files that still exist after the build are kept:
for them the size is known, and the compiler's temporaries have random names.
"""
import hashlib, os, pathlib, re, subprocess, sys, tempfile, urllib.request

RELEASE = "git-2.39.5"
URL = "http://deb.debian.org/debian/pool/main/g/git/git_2.39.5.orig.tar.xz"
SHA256 = "c58da92c378df4a986ca33266897a7397e86c22ee266a284d8c2432c39066b59"
# One job, and no pipe between compiler and assembler: the order of opens must not depend on timing.
MAKE = ("make -j1 CFLAGS=-O0 NO_OPENSSL=1 NO_CURL=1 NO_EXPAT=1 NO_GETTEXT=1 NO_TCLTK=1 "
        "NO_PYTHON=1 NO_PERL=1 NO_REGEX=1 git")
EDITS = ["diff.c", "builtin/log.c", "revision.c", "diff.c", "strbuf.c", "blame.h", "builtin/log.c",
         "diff.c", "revision.c", "diff.c"]


def main(folder):
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch).resolve()
        archive = urllib.request.urlopen(URL).read()
        assert hashlib.sha256(archive).hexdigest() == SHA256, f"{URL} has changed"
        subprocess.run(["tar", "-xJ", "-C", root], input=archive, check=True)
        script = MAKE + "".join(f" && touch {edit} && {MAKE}" for edit in EDITS)
        # A bare environment: what a developer has configured must not enter the recording.
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(["strace", "-f", "--seccomp-bpf", "-z", "-y", "-e", "trace=openat",
                        "-e", "signal=none", "--absolute-timestamps=format:unix,precision:us",
                        "-o", root / "log", "sh", "-c", script],
                       cwd=root / RELEASE, env=environment, stdout=subprocess.DEVNULL, check=True)
        # strace writes a call down when it returns, and with the time at which it began.
        requests = sorted(read(root), key=lambda request: request[0])
    trace = pathlib.Path(folder, "build.csv.zst")
    lines = "".join(f"{time - requests[0][0]},{key},{size}\n" for time, key, size in requests)
    subprocess.run(["zstd", "-19", "-q", "-f", "-o", trace],
                   input=f"time_ns,key,size\n{lines}".encode(), check=True)
    print(f"{trace}: {len(requests)} requests")


def read(root):
    call = re.compile(r"^\d+ +(\d+)\.(\d{6}) openat\(.*, O_RDONLY\b.*\) += \d+<(/.*)>$")
    sizes = {}
    for line in open(root / "log"):
        if not (match := call.match(line)):
            continue
        seconds, micros, path = match.groups()
        if path not in sizes:
            regular = os.path.isfile(path) and not path.startswith(("/proc/", "/sys/", "/dev/"))
            sizes[path] = os.path.getsize(path) if regular else None
        if sizes[path] is not None:
            # The sources become git-2.39.5/…, free of the scratch folder; the system's files keep
            # their paths.
            yield int(seconds + micros) * 1_000, path.removeprefix(f"{root}/"), sizes[path]


main(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
