"""Policies in C: those of Tests/Fixtures/Plugins count what the catalog's do, to the last hit; each broken one is caught by
name; errors name the remedy; a document needs no library."""

import collections
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))
TRACES = ROOT / "traces"
HEADERS = ROOT / "Sources/CEvictionLab"
FIXTURES = ROOT / "Tests/Fixtures/Plugins"
#: Policies of the catalog, and the same in C.
EQUALS = {
    "lru": "lru", "sieve": "sieve", "s3fifo": "s3fifo", "arc": "arc",
    "s3fifo:keep=true:small=0.29:threshold=0": "s3fifo:keep=true:small=0.29:threshold=0",
    "lru:admission=tinylfu": "lru:admission=tinylfu",
    "sieve:admission=tinylfu": "sieve:admission=tinylfu",
    "arc:admission=tinylfu": "arc:admission=tinylfu",
    "s3fifo:admission=tinylfu": "s3fifo:admission=tinylfu",
    "arc:admission=bloom": "arc:admission=bloom",
}
#: Each fault of broken.c, and the words by which it is caught.
FAULTS = {
    name: words.replace("\\\\", "\\")
    for name, words in re.findall(r'FAULT\(\w+, "([\w-]+)", "(.*)"\)', (FIXTURES / "broken.c").read_text())}
HARMLESS = ["cannot-run", "remembers-all", "prints"]
CHECK = ["--rounds", "3", "--time-limit", "5"]
COMPILER = shutil.which("cc")


def evict(*words, **options):
    return subprocess.run([EVICT, *map(str, words)], capture_output=True, text=True, **options)


def limit_memory():
    """Before what fills memory fills the machine's."""
    resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30))


def label(result):
    """The policy of a result as the command line names it."""
    return ":".join([result["policy"], *(f"{name}={json.dumps(value)}".replace('"', "")
                                         for name, value in sorted(result["parameters"].items()))])


def counts(result):
    """What a result counts, whatever its policy is called."""
    return {name: result[name] for name in
            ["trace", "capacity", "unit", "requests", "hits", "insertions", "evictions", "byteHitRatio", "hitRatio"]}


@unittest.skipUnless(COMPILER, "there is no cc")
@unittest.skipUnless(EVICT.exists(), f"{EVICT} is not built")
class Plugins(unittest.TestCase):
    """Libraries that are compiled anew, in a folder of their own."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    @classmethod
    def compiled(cls, source, *flags, name=None):
        """The library of a source, compiled once."""
        library = cls.folder / f"{name or pathlib.Path(source).stem}.so"
        if not library.exists():
            subprocess.run(
                [COMPILER, "-O2", "-fPIC", "-shared", *flags, "-I", HEADERS, FIXTURES / source, "-o", library, "-lpthread"],
                check=True)
        return library

    @classmethod
    def plugin(cls, specification):
        """A policy of the fixtures, as the command line names it: s3fifo:keep=true."""
        name, _, parameters = specification.partition(":")
        library = cls.compiled(f"{name}.c", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
        return f"plugin:{library}" + (f":{parameters}" if parameters else "")

    @classmethod
    def broken(cls, fault):
        return f"plugin:{cls.compiled('broken.c', '-w')}:{fault}=true"

    def results(self, *words):
        run = evict("sweep", *words, "--no-baselines", "--format", "json")
        self.assertEqual((run.returncode, run.stderr), (0, ""), words)
        return json.loads(run.stdout)["results"]


class Counts(Plugins):
    def check_equal(self, trace, *words, policies=EQUALS):
        """The catalog's policies and those in C have equal rows."""
        plugins = {ours: self.plugin(theirs) for ours, theirs in policies.items()}
        rows = collections.defaultdict(list)
        for row in self.results(trace, *words, "--policy", ",".join([*plugins, *plugins.values()])):
            rows[label(row)].append(counts(row))
        for ours, theirs in plugins.items():
            with self.subTest(trace=trace, words=words, policy=ours):
                self.assertEqual(rows[ours], rows[theirs])
                self.assertTrue(any(row["hits"] > 0 for row in rows[ours]))

    def test_counts_are_those_of_the_catalog(self):
        traces = sorted(TRACES.glob("*.zst"))
        self.assertGreaterEqual(len(traces), 6)
        for trace in traces:
            self.check_equal(trace, "--capacity", "1,10,1%,29%,80%", "--limit", "40000")

    def test_counts_with_sizes_are_those_of_the_catalog(self):
        self.check_equal(
            TRACES / "build.csv.zst", "--sized", "--capacity", "1MB,30MB,3%,29%,90%", "--limit", "40000",
            policies=EQUALS | {"lru:admission=size-probability": "lru:admission=size-probability"})

    def test_counts_with_operations_are_those_of_the_catalog(self):
        trace = self.folder / "operations.csv"
        state, lines = 7, ["time,key,size,op"]
        for time in range(30_000):
            state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
            key = (state >> 33) % 40 * ((state >> 40) % 20)
            operation = ["get", "get", "get", "get", "set", "set", "add", "delete"][state >> 50 & 7]
            # Sets change sizes, and some are of nothing.
            lines.append(f"{time},{key},{(state >> 20) % 100 * (state >> 15 & 1)},{operation}")
        trace.write_text("\n".join(lines) + "\n")
        policies = EQUALS | {f"{name}:resize=true": f"{name}:resize=true" for name in ["lru", "sieve", "s3fifo", "arc"]}
        for words in [[], ["--sized"], ["--sized", "--count-sets"]]:
            capacities = "500,2000,9000" if "--sized" in words else "5,20,150"
            self.check_equal(trace, *words, "--capacity", capacities, policies=policies)

    def test_quotas_are_exact(self):
        # 0.29 × 100, 0.07 × 100 and 0.57 × 100 are below 29, 7 and 57 in doubles.
        policies = {f"s3fifo:small={part}": f"s3fifo:small={part}" for part in ["0.07", "0.29", "0.57", "0.1", "1", "0"]}
        self.check_equal(TRACES / "zipf.txt.zst", "--capacity", "100,1000,1001", "--limit", "20000", policies=policies)

    def test_vectors_are_those_of_the_catalog(self):
        for ours, theirs in EQUALS.items():
            if "admission" in ours:
                continue
            both = []
            for policy in [ours, self.plugin(theirs)]:
                run = evict("policies", "vectors", TRACES / "orders.txt.zst", "--policy", policy, "--capacity", "50,500",
                            "--limit", "20000")
                self.assertEqual(run.returncode, 0, run.stderr)
                both.append([[vector["hits"], vector["evictions"], vector["checkpoints"]]
                             for vector in json.loads(run.stdout)["vectors"]])
            with self.subTest(policy=ours):
                self.assertEqual(*both)

    def test_caches_and_prefixes_run_them(self):
        trace = TRACES / "search.txt.zst"
        run = evict("replay", trace, "--policy", f"lru,{self.plugin('lru')},s3fifo,{self.plugin('s3fifo')}", "--capacity", "500",
                    "--limit", "20000", "--repeat", "1", "--no-baselines", "--format", "json")
        self.assertEqual(run.returncode, 0, run.stderr)
        hits = [row["hits"] for row in json.loads(run.stdout)["results"]]
        self.assertEqual((hits[0], hits[2]), (hits[1], hits[3]))
        prompts = self.folder / "chat.jsonl"
        evict("trace", "generate", "chat:requests=2e3", "--output", prompts, check=True)
        for name in ["lru", "sieve", "s3fifo", "arc"]:
            run = evict("prefix", prompts, "--policy", f"{name},{self.plugin(name)}", "--capacity", "5%,20%", "--format", "json")
            self.assertEqual(run.returncode, 0, run.stderr)
            rows = [row for row in json.loads(run.stdout)["results"] if name in row["policy"]]
            with self.subTest(policy=name):
                halves = [[row["hitTokens"] for row in rows if row["policy"].startswith("plugin:") == is_plugin]
                          for is_plugin in [False, True]]
                self.assertEqual(*halves)
                self.assertGreater(sum(halves[0]), 0)

    def test_those_that_are_right_conform(self):
        for name in ["lru", "sieve", "s3fifo", "s3fifo:keep=true:small=0.29", "arc"]:
            run = evict("policies", "check", self.plugin(name), *CHECK)
            with self.subTest(policy=name):
                self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
                self.assertIn(": conforms", run.stdout)

    def test_headers_are_of_c_and_cpp(self):
        flags = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
        for compiler, standard, language in [
                ("gcc", "c11", "c"), ("clang", "c11", "c"), ("g++", "c++11", "c++"), ("clang++", "c++11", "c++")]:
            if not shutil.which(compiler):
                continue
            for header in ["evictionlab_policy.h", "evictionlab_lists.h"]:
                with self.subTest(compiler=compiler, header=header):
                    subprocess.run(
                        [compiler, f"-std={standard}", "-x", language, *flags, "-I", HEADERS, "-include", header, "-"],
                        check=True, input=b"")


    def test_lists_are_those_of_a_plain_model(self):
        if not shutil.which("g++"):
            self.skipTest("there is no g++")
        program = self.folder / "lists"
        subprocess.run(
            ["g++", "-std=c++11", "-Wall", "-Wextra", "-Werror", "-g", "-O1", "-fsanitize=address,undefined", "-I", HEADERS,
             FIXTURES / "lists.cpp", "-o", program], check=True)
        run = subprocess.run([program], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "ok\n", ""))


class Faults(Plugins):
    def test_each_fault_has_words(self):
        self.assertGreaterEqual(len(FAULTS), 40)

    def test_each_fault_is_caught_by_name(self):
        for fault, words in FAULTS.items():
            if fault in HARMLESS:
                continue
            with self.subTest(fault=fault):
                run = evict("policies", "check", self.broken(fault), *CHECK, timeout=120, preexec_fn=limit_memory)
                self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
                self.assertRegex(run.stdout + run.stderr, words)
                self.assertIn(f"{self.broken(fault)}: fails", run.stdout)

    def test_the_base_of_all_faults_has_none(self):
        for policy in [f"plugin:{self.compiled('broken.c', '-w')}", self.broken("remembers-all")]:
            run = evict("policies", "check", policy, *CHECK)
            self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)

    def test_a_fault_ends_no_check_of_others(self):
        run = evict("policies", "check", self.broken("aborts"), "lru", *CHECK)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("lru: conforms", run.stdout)

    def test_a_fault_takes_no_rows_of_others(self):
        trace = TRACES / "search.txt.zst"
        words = ["--capacity", "50,500", "--limit", "20000"]
        expected = [counts(row) for row in self.results(trace, *words, "--policy", "lru")]
        for fault in ["evicts-twice", "uses-null", "aborts", "exits", "makes-no-room", "forgets-resident", "recurses",
                      "exits-at-once", "crashes-at-once", "crashes-at-last", "forks"]:
            with self.subTest(fault=fault):
                run = evict("sweep", trace, *words, "--policy", f"lru,{self.broken(fault)}", "--no-baselines", "--format", "json",
                            timeout=120)
                self.assertEqual(run.returncode, 1, run.stderr)
                self.assertEqual(len(re.findall("plugin:.* on search.txt.zst: ", run.stderr)), 2, run.stderr)
                rows = [counts(row) for row in json.loads(run.stdout)["results"] if row["policy"] == "lru"]
                self.assertEqual(rows, expected)

    def test_what_a_plugin_prints_is_not_the_answer(self):
        run = evict("sweep", TRACES / "search.txt.zst", "--capacity", "50", "--limit", "1000", "--policy",
                    self.broken("prints"), "--no-baselines", "--format", "json")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(json.loads(run.stdout)["results"]), 1)
        self.assertIn("a line of a plug-in", run.stderr)

    def test_a_loop_that_does_something_else_is_caught(self):
        lru = (FIXTURES / "lru.c").read_text()
        # One forgets hits; the other is wrong behind the requests that are compared, where the loop keeps the account.
        other = {
            "static void other(void *s, evl_host *h, const evl_request *r) { (void)s, (void)h, (void)r; }\n"
            "EVL_RUN(run, other, insert,": "`run` of plugin:.* counts \\d+ hits and \\d+ evictions of the first 10000 requests",
            "static int count;\nstatic void other(void *s, evl_host *h, const evl_request *r) {\n"
            "  hit(s, h, r);\n  if (++count == 40000) evl_evict(h, 4000000000u);\n}\n"
            "EVL_RUN(run, other, insert,": "evicts slot 4000000000, which is unknown",
            "static int count;\nstatic uint32_t other(void *s, evl_host *h, const evl_request *r) {\n"
            "  if (++count < 40000) return insert(s, h, r);\n  return EVL_ADMITTED;\n}\n"
            "EVL_RUN(run, hit, other,": "admits slot \\d+ without room",
            "EVL_RUN(right, hit, insert, evl_listed_prefetch)\n"
            "static void run(void *s, evl_host *h, evl_run *r) {\n"
            "  static uint64_t count;\n  right(s, h, r);\n"
            "  if ((count += r->count) > 40000) r->hits = r->count, r->insertions = 0;\n}\n"
            "EVL_RUN(unused, hit, insert,": "counts a hit of slot \\d+, which was not resident",
            "EVL_RUN(right, hit, insert, evl_listed_prefetch)\n"
            "static void run(void *s, evl_host *h, evl_run *r) {\n"
            "  static uint64_t count;\n  right(s, h, r);\n"
            "  if (count < 100000 && (count += r->count) >= 100000) h->residents -= 1;\n}\n"
            "EVL_RUN(unused, hit, insert,": "says that \\d+ objects are in the cache, and \\d+ are",
        }
        for number, (text, words) in enumerate(other.items()):
            source = self.folder / f"other{number}.c"
            source.write_text(lru.replace("EVL_RUN(run, hit, insert,", text))
            library = source.with_suffix(".so")
            subprocess.run([COMPILER, "-O2", "-fPIC", "-shared", "-I", HEADERS, source, "-o", library], check=True)
            run = evict("sweep", TRACES / "orders.txt.zst", "--capacity", "1%", "--policy", f"plugin:{library}", "--no-baselines")
            with self.subTest(words):
                self.assertEqual(run.returncode, 1)
                self.assertRegex(run.stderr, words)

    def test_one_that_cannot_run_says_why(self):
        for words in [["policies", "check"], ["sweep", TRACES / "search.txt.zst", "--capacity", "50", "--policy"]]:
            run = evict(*words, self.broken("cannot-run"))
            self.assertEqual(run.returncode, 64, run.stdout)
            self.assertIn("out of order: no parts", run.stderr)


class Pages(Plugins):
    def test_a_page_shows_summary_and_parameters(self):
        plugin = self.plugin("s3fifo")
        for words in [["policies", plugin], ["policies", "show", plugin]]:
            run = evict(*words)
            self.assertEqual(run.returncode, 0, run.stderr)
            for words in ["a small FIFO queue before a main one", "SOSP 2023", "threshold", "Sc, as a share of the capacity"]:
                self.assertIn(words, " ".join(run.stdout.split()))
        page = json.loads(evict("policies", plugin, "--format", "json", check=True).stdout)["policies"][0]
        self.assertEqual(page["name"], plugin)
        parameters = {parameter["name"]: parameter for parameter in page["parameters"]}
        self.assertEqual(list(parameters)[:3], ["small", "threshold", "keep"])
        self.assertEqual((parameters["threshold"]["type"], parameters["keep"]["type"]), ("integer", "flag"))
        self.assertEqual((parameters["small"]["default"], parameters["keep"]["default"]), (0.1, False))

    def test_errors_name_the_plugin_and_the_remedy(self):
        (self.folder / "text.so").write_text("no library\n")
        flawed = [f"plugin:{self.compiled('broken.c', '-w', f'-DFLAWED={number}', name=f'flawed{number}')}"
                  for number in range(1, 7)]
        lru, s3fifo = self.plugin("lru"), self.plugin("s3fifo")
        errors = {
            "plugin:./gone.so": "there is no file ./gone.so",
            "plugin:gone.so": "there is no file gone.so",
            f"plugin:{self.folder}/text.so": "text.so: cannot be loaded",
            f"plugin:{self.folder}": "cannot be loaded",
            flawed[0]: "version 999 of evictionlab_policy.h, and this is version 1; compile it anew",
            flawed[1]: "lacks insert",
            flawed[2]: "evictionlab_policy\\(\\) returns no policy",
            flawed[3]: "exports no function evictionlab_policy",
            flawed[4]: "cannot be loaded: crashed \\(signal 11\\)",
            flawed[5]: "cannot be loaded: called exit\\(0\\)",
            f"{lru}:depth=3": "depth",
            f"{s3fifo}:smal=0.2": "smal.*small",
            f"{s3fifo}:small=1.5": "small.*1\\.5.*0…1",
            f"{s3fifo}:threshold=4": "threshold.*4.*0…3",
            f"{s3fifo}:threshold=1.5": "threshold",
            f"{s3fifo}:keep=maybe": "keep.*maybe",
            "plugin:": "plugin",
        }
        for policy, words in errors.items():
            for command in [["sweep", TRACES / "search.txt.zst", "--capacity", "50", "--policy"], ["policies", "check"]]:
                run = evict(*command, policy)
                with self.subTest(policy=policy, command=command[0]):
                    code = 66 if "no file" in words else 64
                    self.assertEqual((run.returncode, run.stdout), (code, ""), run.stderr)
                    self.assertRegex(run.stderr, words)
                    self.assertEqual(len(run.stderr.splitlines()), 1)


class Documents(Plugins):
    def test_a_document_needs_no_library(self):
        library = self.folder / "moved.so"
        shutil.copy(self.plugin("lru").partition(":")[2], library)
        document = self.folder / "results.json"
        run = evict("sweep", TRACES / "search.txt.zst", "--capacity", "50,500", "--limit", "20000", "--policy",
                    f"fifo,plugin:{library}", "--no-baselines", "--format", "json", "--output", document)
        self.assertEqual(run.returncode, 0, run.stderr)
        library.unlink()
        for form in ["table", "csv", "markdown", "html", "json"]:
            run = evict("report", document, "--format", form)
            with self.subTest(format=form):
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertIn("moved.so", run.stdout)
        for words in [["compare", document, document], ["check", document, "--baseline", document]]:
            run = evict(*words)
            with self.subTest(command=words[0]):
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        other = json.loads(document.read_text())
        row = next(row for row in other["results"] if row["policy"].startswith("plugin:") and row["capacity"] == 500)
        row["hits"] -= 100
        row["hitRatio"] = row["hits"] / row["requests"]
        changed = self.folder / "changed.json"
        changed.write_text(json.dumps(other))
        run = evict("check", changed, "--baseline", document)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("moved.so", run.stdout + run.stderr)

    def test_shares_of_two_libraries_are_not_merged(self):
        library = self.folder / "changing.so"
        shares = [self.folder / f"{share}.json" for share in (1, 2)]
        for share, policy in zip(shares, ["lru", "sieve"]):
            shutil.copy(self.plugin(policy).partition(":")[2], library)
            run = evict("sweep", TRACES / "search.txt.zst", TRACES / "zipf.txt.zst", "--capacity", "50,500", "--policy",
                        f"fifo,plugin:{library}", "--limit", "20000", "--no-baselines", "--format", "json", "--shard",
                        f"{share.stem}/2", "--output", share)
            self.assertEqual(run.returncode, 0, run.stderr)
        merged = self.folder / "merged.json"
        run = evict("sweep", "--merge", *shares, "--output", merged)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn(f"they differ in the library of plugin:{library}", run.stderr)
        self.assertFalse(merged.exists())
        # The same library on both is one sweep.
        run = evict("sweep", TRACES / "search.txt.zst", TRACES / "zipf.txt.zst", "--capacity", "50,500", "--policy",
                    f"fifo,plugin:{library}", "--limit", "20000", "--no-baselines", "--format", "json", "--shard", "1/2",
                    "--output", shares[0])
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(evict("sweep", "--merge", *shares, "--output", merged).returncode, 0)


if __name__ == "__main__":
    unittest.main()
