"""No file is lost: each command that writes, against each way of naming a file that is there, whatever it holds.

The commands are those of the tool's own tree: a new option whose value may be a file is a failure until it has its line here.
"""

import contextlib
import hashlib
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))
ATTRIBUTE = "user.evictionlab.command"
TRACE = "time,key,size\n" + "".join(f"{n},{n * n % 7},{n % 5 + 1}\n" for n in range(60))
SWEEP = ["--policy", "lru", "--capacity", "2", "--no-baselines"]
FETCHED = "t.txt"

# Names of values that are no files.
PLAIN_VALUES = {"bytes", "capacity", "cost", "fraction", "generator", "i/n", "list", "n", "n,…", "n|fill", "n|time", "name", "penalty",
                "percent", "places", "price", "rules", "time|nrequests", "seconds", "share", "time", "id", "policies",
                "subcommands", "command"}
# Options and arguments that name files which are read.
READING = {("check", "baseline"), ("check", "results"), ("compare", "after"), ("compare", "before"), ("report", "results"),
           ("suite", "folder"), ("suite", "list"), ("trace fetch", "manifest"), ("reproduce", "traces"),
           ("policies verify", "traces"), ("policies verify", "vectors"), ("score", "candidate"), ("prefix", "prices")}


class Writer:
    """A command line that writes files: where a file's name is chosen by the tool, it is `name` in a folder."""

    def __init__(self, command, words, option="output", name=None, mark=None, inputs=("web.csv",), after=(), ending=""):
        self.command, self.words, self.option, self.name = command, words, option, name
        self.mark, self.inputs, self.after, self.ending = mark or command, inputs, after, ending

    def __repr__(self):
        return f"{self.mark} --{self.option}"

    def line(self, place, swapped=None, more=()):
        """The command line for a place; `swapped` stands for its first input."""
        place = pathlib.Path(place).parent if self.name else place
        words = [swapped if swapped and word == self.inputs[0] else word for word in self.words]
        return [*self.command.split(), *words, f"--{self.option}", str(place), *self.after, *more]


DOCUMENTS = ("a.json", "b.json")
WRITERS = [
    Writer("sweep", ["web.csv", *SWEEP]),
    Writer("sweep", ["--merge", "1.json", "2.json"], mark="sweep --merge", inputs=("1.json", "2.json")),
    Writer("curve", ["web.csv", "--policy", "lru", "--capacity", "2"]),
    Writer("bounds", ["web.csv", "--capacity", "2"]),
    Writer("replay", ["web.csv", *SWEEP, "--repeat", "1"]),
    Writer("replay", ["web.csv", *SWEEP, "--repeat", "1"], option="histograms",
           name="web.csv-lru_at_2-1_thread-adaptive-get.hgrm"),
    Writer("disk", ["web.csv", "--policy", "lru", "--capacity", "20"]),
    Writer("disk", ["web.csv", "--policy", "lru", "--capacity", "20"], option="folder", name="evict-disk-1"),
    Writer("prefix", ["prompts.jsonl", "--policy", "lru", "--capacity", "20"], inputs=("prompts.jsonl",)),
    Writer("speed", ["web.csv", *SWEEP, "--rounds", "1"]),
    Writer("suite", ["--list", "list.json", "--folder", ".", "--policy", "lru"], inputs=("list.json",)),
    Writer("trace info", ["web.csv"]),
    Writer("trace convert", ["web.csv"]),
    Writer("trace sample", ["web.csv", "--first", "9"]),
    Writer("trace filter", ["web.csv", "--policy", "lru", "--capacity", "2"]),
    Writer("trace generate", ["zipf:keys=9:requests=30"], inputs=()),
    Writer("trace record", [], inputs=(), after=("--", "/bin/cat", "web.csv"), ending=".evtrace"),
    Writer("trace fetch", ["--manifest", "manifest.json"], option="folder", name=FETCHED, inputs=("manifest.json",)),
    Writer("report", ["a.json", "b.json"], inputs=DOCUMENTS),
    Writer("compare", ["a.json", "b.json"], inputs=DOCUMENTS),
    Writer("check", ["a.json", "--baseline", "a.json"], inputs=("a.json",)),
    Writer("check", ["a.json", "--update"], option="baseline", inputs=("a.json",)),
    Writer("score", ["lru", "--suite", "quick", "--salt", "1"], inputs=()),
    Writer("claims", ["C3", "--quick"], name="C3.json", inputs=()),
    Writer("policies vectors", ["web.csv", "--policy", "lru", "--capacity", "2"]),
]
# Their finished cells are in a journal beside the output.
EXPERIMENTS = {"sweep", "curve", "bounds", "replay", "disk", "prefix", "speed", "suite"}


def mark(path, command):
    """Marks a file as the tool does that wrote it."""
    status = os.stat(path)
    seconds, nanoseconds = divmod(status.st_mtime_ns, 10**9)
    os.setxattr(path, ATTRIBUTE, f"{status.st_size}@{seconds}.{nanoseconds} {command}".encode())


def tree(folder):
    """All that is in a folder: what links point to, and the bytes and modes of files."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_symlink():
            found[path] = os.readlink(path)
        elif path.is_file():
            found[path] = (path.read_bytes(), path.stat().st_mode, path.stat().st_nlink)
    return found


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(TRACE)))
        self.end_headers()
        self.wfile.write(TRACE.encode())

    def log_message(self, *arguments):
        pass


def keeps_attributes():
    with tempfile.NamedTemporaryFile() as file, contextlib.suppress(OSError, AttributeError):
        os.setxattr(file.name, "user.test", b"1")
        return True
    return False


@unittest.skipUnless(keeps_attributes(), "temporary files have no attributes")
class Replacing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.server.server_close)
        cls.addClassCleanup(cls.server.shutdown)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.inputs = pathlib.Path(folder.name)
        (cls.inputs / "web.csv").write_text(TRACE)
        sha256 = hashlib.sha256(TRACE.encode()).hexdigest()
        (cls.inputs / "list.json").write_text(json.dumps({
            "schema": "evictionlab.suite/1", "capacities": ["50%"],
            "traces": [{"name": "web.csv", "group": "block", "sha256": sha256}]}))
        (cls.inputs / "manifest.json").write_text(json.dumps({"schema": "evictionlab.manifest/1", "traces": [{
            "name": FETCHED, "format": "csv", "url": f"http://127.0.0.1:{cls.server.server_port}/t", "sha256": sha256,
            "bytes": len(TRACE), "requests": 60, "distinct": 7, "licence": "none", "citation": "none"}]}))
        for words in [
                ["trace", "generate", "chat:requests=20", "--output", "prompts.jsonl"],
                ["sweep", "web.csv", *SWEEP, "--format", "json", "--output", "a.json"],
                ["sweep", "web.csv", *SWEEP, "--format", "json", "--output", "b.json"],
                ["sweep", "web.csv", *SWEEP, "--shard", "1/2", "--output", "1.json"],
                ["sweep", "web.csv", *SWEEP, "--shard", "2/2", "--output", "2.json"],
                ["curve", "web.csv", "--capacity", "2", "--format", "json", "--output", "curve.json"],
                ["bounds", "web.csv", "--capacity", "2", "--format", "html", "--output", "bounds.html"],
                ["curve", "web.csv", "--capacity", "2", "--format", "html", "--output", "curve.html"],
                ["trace", "generate", "zipf:keys=9:requests=30", "--output", "made.evtrace"],
                ["trace", "convert", "web.csv", "--output", "converted.evtrace"]]:
            run = subprocess.run([EVICT, *words], cwd=cls.inputs, capture_output=True, text=True)
            assert run.returncode == 0, run.stderr
        cls.writers = [writer for writer in WRITERS
                       if writer.command != "trace record" or shutil.which("strace")]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for path in self.inputs.iterdir():
            shutil.copy2(path, self.folder)

    def run_tool(self, words, **options):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **options}
        return subprocess.run([EVICT, *map(str, words)], cwd=self.folder, stderr=subprocess.PIPE, timeout=60, **options)

    def refuse(self, words, code=64, **options):
        """Runs a command that must fail, and change nothing."""
        before = tree(self.folder)
        run = self.run_tool(words, **options)
        after = tree(self.folder)
        self.assertEqual({path for path in before if after.get(path) != before[path]}, set(), words)
        self.assertEqual(set(after) - set(before), set(), words)
        self.assertEqual(run.returncode, code, (words, run.stderr))
        self.assertEqual(run.stderr.count(b"\n"), 1, run.stderr)
        return run.stderr.decode()

    # The tree of commands

    def test_no_option_that_names_a_file_is_forgotten(self):
        written = {(writer.command, writer.option) for writer in WRITERS}
        found = set()

        def walk(command, words):
            name = " ".join(words)
            for argument in command.get("arguments", []):
                if argument["kind"] == "flag" or argument["valueName"] in PLAIN_VALUES:
                    continue
                option = argument["names"][0]["name"] if argument.get("names") else argument["valueName"]
                found.add((name, option))
                if option == "output":
                    self.assertIn((name, option), written)
                elif argument["kind"] == "option" or argument["valueName"] != "trace":
                    self.assertTrue((name, option) in written or (name, option) in READING, (name, option))
            for next in command.get("subcommands", []):
                walk(next, [*words, next["commandName"]])

        text = subprocess.run([EVICT, "--experimental-dump-help"], capture_output=True, check=True).stdout
        walk(json.loads(text)["command"], [])
        self.assertEqual(written - found, set(), "these are no more")

    # What is there

    def contents(self, writer):
        """Contents that the writer did not write, each with a function that puts it into a place."""
        texts = {
            "a trace known by its name": "1 7 100\n2 8 50\n3 7 100\n",
            "a CSV without a header": "1538323200,4096,8,1,1283\n1538323201,4104,8,0,1283\n",
            "a thesis": "# Caches\n\nA thesis, of many words. With lines, and commas.\n",
            "a page": "<!DOCTYPE html>\n<html><title>mine</title>\n",
            "a document": '{"mine": 1}\n',
            "a list of traces": (self.folder / "list.json").read_text(),
            "a part of a journal": "{",
            "a part of a download": TRACE[:200],
        }
        for name, text in texts.items():
            yield name, lambda place, text=text: place.write_text(text)

        def copied(source):
            return lambda place: shutil.copy2(self.folder / source, place)

        if writer.command != "check" or writer.option != "baseline":  # which replaces results, as is its task
            yield "another's document", copied("a.json" if writer.command == "curve" else "curve.json")
            yield "another's unmarked document", lambda place: place.write_bytes(
                (self.folder / ("a.json" if writer.command == "curve" else "curve.json")).read_bytes())
        yield "another's page", copied("bounds.html" if writer.command == "curve" else "curve.html")
        yield "another's trace", copied(
            "made.evtrace" if writer.command == "trace convert" else "converted.evtrace")
        yield "an unmarked trace", lambda place: place.write_bytes((self.folder / "made.evtrace").read_bytes())
        if writer.mark == "sweep --merge":
            yield "a partition", copied("1.json")

        def changed(place):
            place.write_text("a table\n")
            mark(place, writer.mark)
            with place.open("a") as file:
                file.write("and a thought\n")

        yield "its own table, changed since", changed

    def places(self, writer):
        """Names of a file, each with a function that makes them name it."""
        name = writer.name or "victim" + writer.ending

        def place(kind):
            folder = self.folder / kind
            folder.mkdir(exist_ok=True)
            return folder / name

        def original(make):
            path = self.folder / ("original" + writer.ending)
            path.unlink(missing_ok=True)
            make(path)
            return path

        def same(make):
            make(place("same"))

        yield f"same/{name}", same
        yield f"./same/{name}", same
        yield f"{self.folder}/same/{name}", same
        yield f"linked/{name}", lambda make: (same(make), (self.folder / "linked").symlink_to("same"))
        yield f"link/{name}", lambda make: place("link").symlink_to(original(make))
        yield f"hard/{name}", lambda make: os.link(original(make), place("hard"))

    def clear(self):
        for name in ("same", "link", "hard"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        for name in ("linked", "original", "original.evtrace"):
            (self.folder / name).unlink(missing_ok=True)

    def test_nothing_is_replaced_that_the_command_did_not_write(self):
        for writer in self.writers:
            if writer.option == "folder" and writer.command == "disk":
                continue
            for content, make in self.contents(writer):
                for place, put in self.places(writer):
                    with self.subTest(writer=writer, content=content, place=place):
                        self.clear()
                        put(make)
                        errors = self.refuse(writer.line(place))
                        self.assertIn(place.split("/")[-1], errors)
                        self.assertIn("or remove the file first", errors)

    def test_a_link_to_nothing_stays(self):
        for writer in self.writers:
            if writer.option == "folder" and writer.command == "disk":
                continue
            with self.subTest(writer=writer):
                self.clear()
                name = writer.name or "victim" + writer.ending
                (self.folder / "same").mkdir()
                (self.folder / "same" / name).symlink_to("nowhere")
                self.refuse(writer.line(f"same/{name}"))

    def test_a_folder_of_caches_loses_nothing(self):
        for name in ("evict-disk-1", "evict-disk-mine/.lock", "evict-disk-mine/data/1"):
            (self.folder / "same" / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / "same" / name).write_text("mine")
        before = tree(self.folder)
        writer = next(writer for writer in WRITERS if (writer.command, writer.option) == ("disk", "folder"))
        self.assertEqual(self.run_tool(writer.line(f"same/{writer.name}")).returncode, 0)
        self.assertEqual(tree(self.folder), before)

    def test_the_first_file_of_a_glob_stays(self):
        kinds = [("a.tr", "1 7 100\n2 8 50\n3 7 100\n"), ("a.csv", TRACE), ("made.evtrace", None), ("a.json", None),
                 ("1.json", None)]
        for writer in self.writers:
            if writer.name or not set(writer.inputs) & {"web.csv", "a.json", "1.json"}:
                continue
            own = [word for word in writer.words if word not in writer.inputs]
            for name, text in kinds:
                with self.subTest(writer=writer, name=name):
                    self.clear()
                    (self.folder / "same").mkdir()
                    for number in range(3):
                        path = self.folder / f"same/{number}{name}"
                        path.write_text(text) if text else shutil.copy2(self.folder / name, path)
                    if name in ("a.json", "1.json") and (writer.mark == "sweep" or writer.option == "baseline"):
                        continue  # its own, or its task
                    before = tree(self.folder)
                    more = sorted(str(path.relative_to(self.folder)) for path in (self.folder / "same").iterdir())
                    options = ["--format", "json"] if writer.command in ("report", "compare", "sweep") else []
                    run = self.run_tool([*writer.command.split(), *own, *options, f"--{writer.option}", *more])
                    self.assertIn(run.returncode, (64, 65), run.stderr)
                    self.assertEqual(tree(self.folder), before)

    # What is read

    def input_places(self, source):
        os.symlink(source, self.folder / "link")
        os.link(self.folder / source, self.folder / "hard")
        os.symlink(".", self.folder / "linked")
        return [source, f"./{source}", f"{self.folder}/{source}", "link", "hard", f"linked/{source}"]

    def test_no_input_is_replaced_under_any_name(self):
        for writer in self.writers:
            if not writer.inputs or writer.option == "folder" and writer.command == "disk":
                continue
            for source in writer.inputs:
                source = self.copied_input(writer, source)
                first = {"swapped": source} if source not in writer.words else {}
                if writer.name:
                    (self.folder / "same").mkdir()
                    places = [f"same/{writer.name}"]
                    os.link(self.folder / source, self.folder / places[0])
                else:
                    places = self.input_places(source)
                for place in places:
                    with self.subTest(writer=writer, place=place):
                        self.assertIn("would replace the input", self.refuse(writer.line(place, **first)))
                for suffix in (".unfinished", ".journal", ".part")[:3 if writer.name else 2]:
                    if writer.option == "histograms" or suffix == ".journal" and writer.command not in EXPERIMENTS:
                        continue
                    with self.subTest(writer=writer, suffix=suffix):
                        self.clear()
                        place = f"same/{writer.name}" if writer.name else "new"
                        (self.folder / "same").mkdir(exist_ok=True)
                        os.rename(self.folder / source, self.folder / (place + suffix))
                        line = writer.line(place, **first)
                        line = [place + suffix if word == source else word for word in line]
                        self.refuse(line)
                        os.rename(self.folder / (place + suffix), self.folder / source)
                self.clear()
                for name in ("link", "hard"):
                    (self.folder / name).unlink(missing_ok=True)

    def copied_input(self, writer, source):
        """An input of the name that a trace's writer writes, marked as its own: only that it is read protects it."""
        name = source
        if writer.command.startswith("trace ") and source == "web.csv":
            name = "web.txt"
            shutil.copy(self.folder / source, self.folder / name)
        mark(self.folder / name, writer.mark)
        return name

    def test_standard_input_is_not_replaced(self):
        for writer in self.writers:
            if not writer.inputs or writer.name or writer.command == "suite":
                continue
            source = self.copied_input(writer, writer.inputs[0])
            for name in ("-", "/dev/stdin"):
                with self.subTest(writer=writer, name=name), open(self.folder / source) as file:
                    line = [name if word == source else word for word in writer.line(source, swapped=source)]
                    place = line.index(f"--{writer.option}") + 1
                    line[place] = source
                    self.refuse(line, stdin=file)

    def test_nothing_is_appended_to_an_input(self):
        lines = [(writer.words, writer.inputs[0], writer) for writer in self.writers
                 if writer.inputs and writer.option == "output"]
        lines = [([*writer.command.split(), *words, *(["--output", "-"] if writer.command.startswith("trace ")
                   and writer.command != "trace info" else []), *writer.after], source) for words, source, writer in lines]
        self.run_tool(["policies", "vectors", "web.csv", "--policy", "lru", "--capacity", "2", "--output", "v.json"])
        lines += [(["policies", "verify", "v.json", "--traces", "."], "v.json"),
                  (["trace", "fetch", "--list", "--manifest", "manifest.json"], "manifest.json")]
        for line, source in lines:
            for words in (line, ["-" if word == source else word for word in line]):
                if "-" in words and words[0] in ("suite", "speed"):
                    continue  # which do not read standard input
                with self.subTest(line=words), open(self.folder / source, "a") as output, \
                        open(self.folder / source) as given:
                    errors = self.refuse(words, stdin=given, stdout=output)
                    self.assertIn("standard output", errors)

    # What is beside it

    def test_files_of_the_names_beside_an_output_stay(self):
        for writer in self.writers:
            if writer.command == "disk" and writer.option == "folder" or writer.option == "histograms":
                continue
            name = writer.name or "new" + writer.ending
            for suffix in (".unfinished", ".journal", ".part"):
                for kind in ("file", "link", "hard", "pipe")[:1 if writer.command == "speed" else 4]:
                    with self.subTest(writer=writer, suffix=suffix, kind=kind):
                        self.clear()
                        (self.folder / "same").mkdir()
                        place = self.folder / "same" / (name + suffix)
                        original = self.folder / "original"
                        original.write_text("{")
                        if kind == "file":
                            place.write_text("{")
                        elif kind == "link":
                            place.symlink_to(original)
                        elif kind == "hard":
                            os.link(original, place)
                        else:
                            os.mkfifo(place)
                        before = tree(self.folder)
                        run = self.run_tool(writer.line(f"same/{name}"))
                        taken = {"journal": EXPERIMENTS, "part": {"trace fetch"}}.get(suffix[1:], ())
                        self.assertEqual(run.returncode, 64 if writer.mark in taken else 0, run.stderr)
                        after = tree(self.folder)
                        self.assertEqual({path: after.get(path) for path in before}, before)
                        self.assertTrue(place.is_fifo() or kind != "pipe")

    def test_long_names_are_written(self):
        for length in range(240, 256):
            name = "n" * length
            for _ in range(2):
                run = self.run_tool(["sweep", "web.csv", *SWEEP, "--output", name])
                self.assertEqual(run.returncode, 0, run.stderr)
            (self.folder / name).unlink()
        self.assertEqual(set(os.listdir(self.folder)), set(os.listdir(self.inputs)))

    # What is replaced

    def test_a_command_replaces_what_it_wrote(self):
        for writer in self.writers:
            if writer.command == "speed" or writer.option == "folder":
                continue
            with self.subTest(writer=writer):
                self.clear()
                place = self.folder / "same" / (writer.name or "new" + writer.ending)
                place.parent.mkdir()
                for _ in range(2):
                    run = self.run_tool(writer.line(place))
                    self.assertEqual(run.returncode, 0, run.stderr)
                    self.assertTrue(place.exists(), os.listdir(place.parent))
                    self.assertTrue(os.getxattr(place, ATTRIBUTE).endswith(f" {writer.mark}".encode()))

    def test_a_fetched_trace_is_replaced(self):
        writer = next(writer for writer in WRITERS if writer.command == "trace fetch")
        place = self.folder / "same" / FETCHED
        place.parent.mkdir()
        place.write_text("of last year\n")
        mark(place, writer.mark)
        for note in ("", " (was there)"):
            run = self.run_tool(writer.line(place))
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(place.read_text(), TRACE)
            self.assertIn(f"{FETCHED}{note}\n".encode(), run.stdout)

    def test_documents_and_reports_without_marks_tell_themselves(self):
        """Such as Git and cp leave."""
        line = ["sweep", "web.csv", "--policy", "lru", "--capacity", "2,4", "--no-baselines"]
        for form in ("json", "csv", "markdown", "html", "svg", "junit"):
            with self.subTest(form=form):
                place = self.folder / f"r.{form}"
                for _ in range(2):
                    run = self.run_tool([*line, "--format", form, "--output", place])
                    self.assertEqual(run.returncode, 0, run.stderr)
                    os.removexattr(place, ATTRIBUTE)
                if form in ("markdown", "json"):
                    with place.open("a") as file:
                        file.write("A note of mine.\n")
                    if form == "markdown":
                        self.refuse([*line, "--format", form, "--output", place])
        self.run_tool(["report", "a.json", "curve.json", "--format", "json", "--output", "all.json"])
        for line in (["report", "a.json", "--format", "json"], [*line, "--format", "json"]):
            os.setxattr(self.folder / "all.json", ATTRIBUTE, b"none")
            self.assertIn("all.json holds results", self.refuse([*line, "--output", "all.json"]))

    def test_the_cells_of_a_stopped_sweep_stay(self):
        line = ["sweep", "web.csv", "--policy", "lru,fifo", *SWEEP[2:], "--output", "stopped.json"]
        self.assertEqual(self.run_tool(line).returncode, 0)
        place = self.folder / "stopped.json"
        document = json.loads(place.read_text())
        document["complete"] = False
        del document["results"][1:]
        place.write_text(json.dumps(document))
        refused = self.run_tool(line)
        self.assertEqual(refused.returncode, 64)
        self.assertIn(b"stopped.json holds 1 cells of this command, and lacks others; add --resume", refused.stderr)
        self.assertEqual(len(json.loads(place.read_text())["results"]), 1)
        done = self.run_tool([*line, "--resume"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(json.loads(place.read_text())["results"]), 2)

    def test_a_merged_document_is_completed(self):
        self.assertEqual(self.run_tool(["sweep", "--merge", "1.json", "2.json", "--output", "whole.json"]).returncode, 0)
        more = ["--policy", "lru,fifo", *SWEEP[2:], "--resume"]
        run = self.run_tool(["sweep", "web.csv", *more, "--output", "whole.json"])
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(json.loads((self.folder / "whole.json").read_text())["results"]), 2)

    def test_a_journal_is_not_begun_again_before_its_cells_are_kept(self):
        trace = self.folder / "long.csv"
        trace.write_text("key\n" + "".join(f"{n * n % 30011}\n" for n in range(200_000)))
        line = ["sweep", trace, "--policy", "lru,fifo,lirs,arc,lfu", "--capacity",
                ",".join(str(n) for n in range(10, 400)), "--format", "json", "--output", "out.json"]
        process = subprocess.Popen([EVICT, *map(str, line)], cwd=self.folder, stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        journal = self.folder / "out.json.journal"
        while not journal.exists() or journal.read_bytes().count(b"\n") < 4:
            self.assertIsNone(process.poll(), "it was over before it was killed")
        process.kill()
        process.wait()
        errors = self.refuse(line)
        self.assertIn("cells that an earlier run finished; add --resume to keep them, or remove the file", errors)


if __name__ == "__main__":
    unittest.main()
