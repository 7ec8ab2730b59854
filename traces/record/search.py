#!/usr/bin/env python3
"""Records the files that a session of searches reads: traces/search.txt.zst.

Needs: apt-get install python3 strace zstd grep findutils xz-utils. Takes half a minute.
Usage: search.py [OUTPUT-FOLDER]

Someone who looks for something greps a source tree again and again, narrows the search to a
folder, opens what was found, and starts over: loops longer than most caches, of a few lengths.
A request is one file opened; its key is the file's rank among the tree's sorted paths.
"""
import hashlib, pathlib, random, re, subprocess, sys, tempfile, urllib.request

RELEASE = "git-2.39.5"
URL = "http://deb.debian.org/debian/pool/main/g/git/git_2.39.5.orig.tar.xz"
SHA256 = "c58da92c378df4a986ca33266897a7397e86c22ee266a284d8c2432c39066b59"
SESSIONS = 14
FOLDERS = ["Documentation", "builtin", "builtin", "t", "refs", "compat", "po", "contrib"]
WORDS = ["strbuf_add", "oid_to_hex", "ref_store", "pathspec", "rename", "hashmap", "BUG(",
         "lockfile", "upstream", "quote", "reflog", "parse_opt", "worktree", "attr", "notes"]
generator = random.Random(42)


def pick(sequence):
    return sequence[int(generator.random() * len(sequence))]


def search(folder, word):
    # Sorted, because the order in which a file system lists a folder is its own affair, and by way
    # of files, because processes on a pipe run at once and their opens mix.
    return (f"find {folder} -type f >../all; sort ../all >../sorted; "
            f"xargs -a ../sorted -d '\\n' grep -l -e '{word}' >../found; ")


def browse(count):
    return f"head -n {count} ../found >../top; xargs -a ../top -d '\\n' -r -n 1 cat; "


def session():
    word = pick(WORDS)
    script = search(".", word)
    for _ in range(1 + int(generator.random() * 3)):
        folder = pick(FOLDERS)
        for _ in range(2 + int(generator.random() * 4)):
            script += search(folder, pick([word, pick(WORDS)])) + browse(30)
    return script + search("*.[ch]", word) + browse(40)


def main(folder):
    with tempfile.TemporaryDirectory() as scratch:
        archive = urllib.request.urlopen(URL).read()
        assert hashlib.sha256(archive).hexdigest() == SHA256, f"{URL} has changed"
        subprocess.run(["tar", "-xJ", "-C", scratch], input=archive, check=True)
        root = pathlib.Path(scratch, RELEASE).resolve()
        paths = sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())
        ranks = {path: rank for rank, path in enumerate(paths)}
        log = pathlib.Path(scratch, "log")
        script = "".join(session() for _ in range(SESSIONS))
        subprocess.run(["strace", "-f", "--seccomp-bpf", "-z", "-y", "-e", "trace=openat",
                        "-e", "signal=none", "-o", log, "sh", "-c", script],
                       cwd=root, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
                       stdout=subprocess.DEVNULL, check=True)
        opened = re.compile(rf"O_RDONLY\b.*\) += \d+<{re.escape(str(root))}/(.*)>$")
        matches = (opened.search(line.rstrip("\n")) for line in open(log))
        keys = [ranks[match[1]] for match in matches if match and match[1] in ranks]
    trace = pathlib.Path(folder, "search.txt.zst")
    subprocess.run(["zstd", "-19", "-q", "-f", "-o", trace],
                   input="".join(f"{key}\n" for key in keys).encode(), check=True)
    print(f"{trace}: {len(keys)} requests")


main(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
