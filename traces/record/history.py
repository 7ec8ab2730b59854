#!/usr/bin/env python3
"""Records the objects that Git reads from a repository's history: traces/history.txt.zst.

Needs: apt-get install python3 git zstd ca-certificates. Takes half a minute.
Usage: history.py [OUTPUT-FOLDER]

The releases of Jinja up to 3.1.6, from PyPI, become a repository with one commit per changed file.
Then Git does what people ask of it: log -p, blame, diff, grep. The key of a request is the offset
in the pack file of the object that Git unpacks, a commit, tree or blob.
"""
import io, json, os, pathlib, random, subprocess, sys, tarfile, tempfile, urllib.request

INDEX = "https://pypi.org/simple/jinja2/"
UNTIL = "2025-04-01"
QUESTIONS = 330
TEXTS = (".py", ".rst", ".txt", ".html", ".toml", "CHANGES")
generator = random.Random(42)


def below(n):
    return int(generator.random() * n)


def skewed(sequence):
    return sequence[int(len(sequence) ** generator.random()) - 1]


def releases():
    """(name, {path: content}) of each release, oldest upload first."""
    accept = {"Accept": "application/vnd.pypi.simple.v1+json"}
    index = json.load(urllib.request.urlopen(urllib.request.Request(INDEX, headers=accept)))
    uploads = sorted((file["upload-time"], file["url"]) for file in index["files"]
                     if file["filename"].endswith(".tar.gz") and file["upload-time"] < UNTIL)
    for number, (_, url) in enumerate(uploads):
        archive = tarfile.open(fileobj=io.BytesIO(urllib.request.urlopen(url).read()))
        files = {}
        for member in archive:
            path = member.name.partition("/")[2].removeprefix("src/")
            if member.isfile() and path.endswith(TEXTS):
                files[path] = archive.extractfile(member).read()
        yield f"r{number}", files


def history():
    """The repository as a stream for git fast-import; dates are fixed, so are all hashes."""
    before, clock = {}, 1_200_000_000
    for name, files in releases():
        for path in sorted(before.keys() | files.keys()):
            if before.get(path) == files.get(path):
                continue
            clock += 3_600
            message = f"{name}: {path}".encode()
            yield (b"commit refs/heads/main\ncommitter D <d@example.org> %d +0000\n" % clock
                   + b"data %d\n%s\n" % (len(message), message))
            content = files.get(path)
            if content is not None:
                yield b"M 644 inline %s\ndata %d\n%s\n" % (path.encode(), len(content), content)
            else:
                yield b"D %s\n" % path.encode()
        yield b"reset refs/tags/%s\nfrom refs/heads/main\n\n" % name.encode()
        before = files


def record(folder):
    with tempfile.TemporaryDirectory() as scratch:
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1",
                       "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_PAGER": "cat", "GIT_DIR": scratch}

        def git(*arguments, input=None, check=True):
            return subprocess.run(["git", *arguments], env=environment, input=input, check=check,
                                  stdout=subprocess.PIPE).stdout

        git("init", "-q", "--bare", "-b", "main")
        git("fast-import", "--quiet", input=b"".join(history()))
        # One thread: otherwise the deltas, and with them the offsets, depend on timing.
        git("-c", "pack.threads=1", "repack", "-q", "-a", "-d", "-f", "--window=10", "--depth=50")
        tags = git("tag", "--sort=-creatordate").decode().split()
        log = os.path.join(scratch, "accesses")
        environment["GIT_TRACE_PACK_ACCESS"] = log

        git("log", "-p", "-n", "600")
        for question in range(QUESTIONS):
            tag = skewed(tags)
            paths = git("ls-tree", "-r", "--name-only", tag).decode().split("\n")[:-1]
            paths = [path for path in paths if path.endswith((".py", ".rst"))]
            path = skewed(sorted(paths, key=hash_rank))
            dice = generator.random()
            if dice < 0.10:
                git("log", "-p", "-n", "40", tag, "--", path)
            elif dice < 0.16:
                git("blame", tag, "--", path)
            elif dice < 0.40:
                git("diff", tags[below(len(tags))], tag)
            elif dice < 0.70:
                git("show", f"{tag}:{path}")
            elif dice < 0.90:
                git("log", "-p", "-n", "30", tag)
            else:
                # Threads would read in an order of their own; nothing found is no error.
                git("grep", "--threads=1", "-c", "def ", tag, check=False)
        keys = [line.split()[-1] for line in open(log)]
    trace = pathlib.Path(folder, "history.txt.zst")
    subprocess.run(["zstd", "-19", "-q", "-f", "-o", trace],
                   input="".join(f"{key}\n" for key in keys).encode(), check=True)
    print(f"{trace}: {len(keys)} requests, {git_version()}")


def hash_rank(path):
    """A fixed order of paths that is not the alphabet's: which files are popular is arbitrary."""
    return sum((i + 7) * byte * byte for i, byte in enumerate(path.encode())) % 1_009


def git_version():
    return subprocess.run(["git", "--version"], stdout=subprocess.PIPE).stdout.decode().strip()


record(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
