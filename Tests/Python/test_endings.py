"""The tool's ends: streams that cannot be written, terminals that go away, signals, and programs that it started."""

import contextlib
import json
import os
import pathlib
import pty
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))
# Moments at which each command's terminal goes away.
MOMENTS = 50 if os.environ.get("EVICTIONLAB_THOROUGH") else 4
PATIENCE = 60

# Where these tests run without a terminal, hanging up may be ignored, and is then by all that they start.
signal.signal(signal.SIGHUP, signal.SIG_DFL)


@contextlib.contextmanager
def unread_pipe():
    """The writing end of a pipe whose reader has ended."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        yield writing
    finally:
        os.close(writing)


def is_running(process):
    try:
        return ") Z " not in pathlib.Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


def default_signals():
    """A shell's background jobs, and what they start, ignore Ctrl-C, and Python ignores broken pipes."""
    for number in (signal.SIGINT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.trace = cls.folder / "z.csv"
        rows = random.Random(5)
        keys = [int(rows.paretovariate(0.4)) % 50_000 for _ in range(30_000)]
        cls.trace.write_text("time,key,size\n" + "".join(f"{n},{key},{key % 900 + 1}\n" for n, key in enumerate(keys)))
        cls.prompts = cls.folder / "prompts.jsonl"
        subprocess.run([EVICT, "trace", "generate", "chat:requests=5e3", "--output", cls.prompts],
                       check=True, capture_output=True)

    def output(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return pathlib.Path(folder.name) / "out.json"

    def start(self, *words, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
        process = subprocess.Popen([EVICT, *map(str, words)], preexec_fn=default_signals, **options)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def await_file(self, path, process):
        for _ in range(PATIENCE * 20):
            if path.exists() and path.read_text():
                return path.read_text()
            self.assertIsNone(process.poll(), "the tool ended too early")
            time.sleep(0.05)
        self.fail(f"{path} did not come")


class StandardStreams(Case):
    def errors(self):
        """Standard errors that take nothing, each with its name."""
        full = open("/dev/full", "w")
        self.addCleanup(full.close)
        yield "full", full.fileno(), None
        with unread_pipe() as pipe:
            yield "unread", pipe, None
        yield "closed", None, 2

    def run_with(self, words, errors, closed):
        def prepare():
            default_signals()
            if closed is not None:
                os.close(closed)

        return subprocess.run([EVICT, *map(str, words)], stdout=subprocess.PIPE, stderr=errors,
                              stdin=subprocess.DEVNULL, preexec_fn=prepare, timeout=PATIENCE)

    def test_messages_that_cannot_be_written_end_nothing(self):
        copy = self.folder / "copy.evtrace"
        for name, errors, closed in self.errors():
            for words, code in [
                    (["trace", "info", "nosuch"], 66), (["sweep", "--nosuch"], 64), (["nosuch"], 64),
                    (["sweep", self.trace, "--policy", "lru,lirs", "--capacity", "1"], 64),
                    (["trace", "convert", self.trace, "--output", copy], 0)]:
                with self.subTest(errors=name, words=words):
                    self.assertEqual(self.run_with(words, errors, closed).returncode, code)

    def test_notes_that_cannot_be_written_lose_no_document(self):
        for name, errors, closed in self.errors():
            with self.subTest(errors=name):
                output = self.output()
                words = ["sweep", self.trace, "--policy", "all", "--capacity", "3,10%", "--format", "json",
                         "--output", output]
                self.assertEqual(self.run_with(words, errors, closed).returncode, 0)
                # Nothing was written into it that belongs to the stream.
                document = json.loads(output.read_text())
                self.assertNotIn("complete", document)
                whole = self.run_with(words[:-2], subprocess.DEVNULL, None)
                self.assertEqual(len(document["results"]), len(json.loads(whole.stdout)["results"]))

    def commands(self):
        """Command lines that write to standard output and nothing else: every command's help, and more."""
        yield from ([], ["--help"], ["--version"], ["--help-hidden"])
        seen, found = set(), [[]]
        while found:
            words = found.pop()
            text = subprocess.run([EVICT, "help", *words], capture_output=True, text=True).stdout
            names = text.partition("SUBCOMMANDS:")[2].splitlines()
            for line in names:
                name = line.split()[0] if line.startswith("  ") and not line.startswith("   ") else None
                if name and name not in ("See",) and (*words, name) not in seen:
                    seen.add((*words, name))
                    found.append([*words, name])
                    yield [*words, name, "--help"]
                    yield ["help", *words, name]
        self.assertGreater(len(seen), 20, seen)
        vectors = self.folder / "vectors.json"
        subprocess.run([EVICT, "policies", "vectors", self.trace, "--policy", "lru", "--capacity", "9", "--output",
                        vectors], check=True, capture_output=True)
        results = self.folder / "results.json"
        sweep = ["sweep", self.trace, "--policy", "lru", "--capacity", "50"]
        subprocess.run([EVICT, *sweep, "--format", "json", "--output", results], check=True, capture_output=True)
        yield from (
            sweep, ["policies"], ["formats"], ["locks"], ["systems"], ["claims", "--list"],
            ["trace", "fetch", "--list"], ["trace", "info", self.trace], ["report", results],
            ["compare", results, results], ["check", results, "--baseline", results],
            ["policies", "verify", vectors, "--traces", self.folder],
            ["policies", "check", "fifo", "--operations", "100"])

    def test_standard_output_that_fails_is_an_error_of_every_command(self):
        for words in self.commands():
            with self.subTest(words=words):
                with open("/dev/full", "w") as full:
                    run = subprocess.run([EVICT, *map(str, words)], stdout=full, stderr=subprocess.PIPE, text=True,
                                         timeout=PATIENCE)
                self.assertEqual(run.returncode, 74, run.stderr)
                self.assertIn("standard output: cannot write", run.stderr)
                self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
                run = subprocess.run([EVICT, *map(str, words)], preexec_fn=lambda: os.close(1),
                                     stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
                self.assertEqual(run.returncode, 74, run.stderr)

    def test_a_reader_that_has_enough_ends_the_tool_as_any_other(self):
        with unread_pipe() as pipe:
            run = subprocess.run([EVICT, "policies"], stdout=pipe, stderr=subprocess.PIPE, preexec_fn=default_signals)
        self.assertEqual((run.returncode, run.stderr), (-signal.SIGPIPE, b""))


class Terminals(Case):
    def experiments(self):
        small = ",".join(str(n) for n in range(4, 400))
        trace = self.trace
        return {
            "sweep": [trace, "--policy", "lru,arc,lfu,lirs", "--capacity", small],
            "replay": [trace, "--policy", "lru,arc,lfu", "--capacity", "1%,5%", "--time", "300ms"],
            "curve": [trace, "--policy", "lru,arc,lfu,lirs", "--capacity", small],
            "bounds": [trace, "--capacity", "10,20,40,80", "--sized"],
            "disk": [trace, "--capacity", "20%,40%,60%"],
            "prefix": [self.prompts, "--policy", "lru,fifo,lfu,arc", "--capacity", "10%,20%,30%,40%,50%,60%"],
            "speed": [trace, "--policy", "lru,arc", "--capacity", "10%", "--rounds", "20"],
            "suite": ["--folder", ROOT / "traces", "--policy", "lru,arc,lirs"],
        }

    def drop(self, words, moment):
        """Runs the tool in a session of its own, whose terminal goes away."""
        master, slave = pty.openpty()

        def prepare():
            default_signals()
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
            os.setsid()
            import fcntl, termios
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        process = subprocess.Popen([EVICT, *map(str, words)], stdin=slave, stdout=slave, stderr=slave,
                                   preexec_fn=prepare)
        os.close(slave)
        end = time.monotonic() + moment
        os.set_blocking(master, False)
        while time.monotonic() < end and process.poll() is None:
            with contextlib.suppress(OSError):
                os.read(master, 1 << 16)
            time.sleep(0.01)
        os.close(master)
        return process.wait(timeout=PATIENCE)

    def test_a_terminal_that_goes_away_loses_nothing_in_any_command(self):
        chance = random.Random(3)
        stopped = 0
        for command, words in self.experiments().items():
            for number in range(MOMENTS):
                with self.subTest(command=command, number=number):
                    output = self.output()
                    line = [command, *words, "--format", "json", "--output", output]
                    code = self.drop(line, chance.uniform(0.1, 2))
                    self.assertIn(code, (0, 130, -signal.SIGHUP))
                    self.assertFalse(pathlib.Path(f"{output}.unfinished").exists())
                    if code == -signal.SIGHUP:  # before the tool took its signals over
                        self.assertFalse(output.exists())
                    elif output.exists():
                        document = json.loads(output.read_text())
                        self.assertEqual(document.get("complete", True), code == 0)
                        stopped += code == 130
                    else:
                        self.assertEqual(code, 130)
        self.assertGreater(stopped, MOMENTS, "the terminals went away too early or too late")

    def sweep(self, output):
        capacities = ",".join(str(n) for n in range(4, 3000))
        process = self.start("sweep", self.trace, "--policy", "lirs,arc,lfu", "--capacity", capacities,
                             "--format", "json", "--output", output)
        self.await_file(pathlib.Path(f"{output}.journal"), process)
        return process

    def check_stopped(self, process, output):
        errors = process.communicate(timeout=PATIENCE)[1]
        self.assertEqual(process.returncode, 130, errors)
        self.assertIs(json.loads(output.read_text())["complete"], False)

    def test_every_hang_up_is_the_same_one(self):
        output = self.output()
        process = self.sweep(output)
        for _ in range(20):  # the shell's, the system's
            process.send_signal(signal.SIGHUP)
            time.sleep(0.02)
        self.check_stopped(process, output)

    def test_timeout_which_sends_its_signal_twice_loses_nothing(self):
        output = self.output()
        process = self.sweep(output)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.005)
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        self.check_stopped(process, output)


class Signals(Case):
    def test_long_requests_are_stopped(self):
        """Each of these runs takes minutes, and fewer requests than those between two reports of progress."""
        trace = self.folder / "long.csv"
        rows = random.Random(6)
        trace.write_text("key,size\n" + "".join(
            f"{key},{key % 900 + 1}\n" for key in (rows.randrange(10**5) for _ in range(300_000))))
        for words in [
                ["--policy", "rank:sample=1000000:score=hits/(age*size)", "--capacity", "300", "--no-baselines"],
                ["--policy", "hyperbolic:sample=1000000", "--capacity", "300", "--no-baselines"],
                ["--policy", "belady-size:sample=1000000", "--capacity", "9000", "--sized", "--no-baselines"],
                ["--stream", "--policy", "rank:sample=1000000:score=hits/(age*size)", "--capacity", "300"]]:
            with self.subTest(words=words):
                process = self.start("sweep", trace, *words)
                time.sleep(2)
                process.send_signal(signal.SIGTERM)
                errors = process.communicate(timeout=PATIENCE)[1]
                self.assertEqual(process.returncode, 130, errors)

    def test_a_stopped_stream_keeps_its_finished_cells(self):
        small, trace, output = self.folder / "small.txt", self.folder / "long.txt", self.output()
        small.write_text("a\nb\na\n" * 100)
        trace.write_text("".join(row.split(",")[1] + "\n" for row in self.trace.read_text().splitlines()[1:]))
        words = ["sweep", small, trace, "--stream", "--policy", "lru,rank:sample=1000000:score=hits/(age*size)",
                 "--capacity", "30", "--format", "json", "--output", output]
        process = self.start(*words)
        journal = pathlib.Path(f"{output}.journal")
        while not journal.exists() or journal.read_text().count("small.txt") < 2:
            self.assertIsNone(process.poll())
            time.sleep(0.1)
        time.sleep(3)  # until the next trace is counted, whose cells are those that are missing
        process.send_signal(signal.SIGTERM)
        errors = process.communicate(timeout=PATIENCE)[1]
        self.assertEqual(process.returncode, 130, errors)
        document = json.loads(output.read_text())
        self.assertIs(document["complete"], False)
        self.assertEqual({row["trace"] for row in document["results"]}, {"small.txt"})
        self.assertIn(f"{len(document['results'])} of ", errors)
        self.assertIn("those of a pass end together", errors)
        # What is left is another trace by now.
        trace.write_text("a\nb\nc\n" * 100)
        resumed = self.start(*words, "--resume")
        errors = resumed.communicate(timeout=PATIENCE)[1]
        self.assertEqual(resumed.returncode, 0, errors)
        cells = len(document["results"])
        self.assertIn(f"holds {cells} of {cells} cells of small.txt", errors)
        self.assertNotIn("of long.txt", errors)
        whole = json.loads(output.read_text())
        self.assertNotIn("complete", whole)
        self.assertEqual([row for row in whole["results"] if row["trace"] == "small.txt"], document["results"])
        self.assertEqual(len(whole["results"]), 2 * cells)
        self.assertFalse(journal.exists())

    def test_plans_that_cannot_end_say_so_beforehand(self):
        folder = self.output().parent
        for words in [
                ["replay", self.trace, "--policy", "lru", "--capacity", "10", "--miss-penalty", "1h"],
                ["replay", self.trace, "--policy", "lru", "--capacity", "10", "--miss-penalty", "spin:1h"],
                ["claims", "C1", "--repeat", "1000000000", "--budget", "1ns", "--output", folder / "claims"],
                ["claims", "C1", "--repeat", "1000", "--budget", "1h", "--output", folder / "claims"]]:
            with self.subTest(words=words):
                process = self.start(*words)
                self.assertRegex(process.stderr.readline(), r"this takes about \d+ [dh] .*(cells|runs): ")
                process.send_signal(signal.SIGTERM)
                errors = process.communicate(timeout=PATIENCE)[1]
                self.assertEqual(process.returncode, 130, errors)

    def test_drivers_that_hang_end_with_the_tool(self):
        place = self.folder / "driver"
        begin = f"trap '' TERM; echo $$ >'{place}'; read greeting; "
        for name, script in [
                ("never ready", begin + "exec sleep 1000"),
                ("hangs", begin + "echo ready; read batch; exec sleep 1000"),
                ("drips", begin + "echo ready; read batch; while :; do printf 0; sleep 0.3; done"),
                ("does not read", begin + "echo ready; exec sleep 1000 <&-"),
                ("does not end", begin + "echo ready; while read batch; do :; done; while :; do sleep 1; done")]:
            for signals in [1, 3]:
                with self.subTest(name, signals=signals):
                    place.unlink(missing_ok=True)
                    process = self.start(
                        "replay", self.trace, "--policy", "lru", "--capacity", "100", "--limit", "20000", "--repeat", "1",
                        "--no-baselines", "--system", f"exec:{script}")
                    driver = int(self.await_file(place, process))
                    time.sleep(0.3)
                    for _ in range(signals):
                        with contextlib.suppress(ProcessLookupError):
                            process.send_signal(signal.SIGTERM)
                        time.sleep(0.3)
                    process.communicate(timeout=PATIENCE / 2)
                    self.assertEqual(process.returncode, 130)
                    self.assertFalse(is_running(driver), f"{name} runs on")


@unittest.skipUnless(sys.platform == "linux" and os.path.exists("/usr/bin/strace"), "strace is not installed")
class Recordings(Case):
    PROGRAM = ("import os, signal, sys, time\n"
               "signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
               "child = os.fork()\n"
               "for _ in range(500): open('/etc/passwd').close()\n"
               "if child: open(sys.argv[1], 'w').write(f'{os.getpid()} {child}')\n"
               "time.sleep(1000)\n")

    def record(self, output, *options):
        place = self.folder / "programs"
        place.unlink(missing_ok=True)
        process = self.start("trace", "record", *options, "--output", output, "--", sys.executable, "-c", self.PROGRAM,
                             place)
        programs = [int(word) for word in self.await_file(place, process).split()]
        time.sleep(0.3)
        return process, programs

    def test_a_recording_that_is_stopped_is_written_and_says_so(self):
        for options in [[], ["--blocks", "4KiB"]]:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                with self.subTest(number.name, options=options):
                    output = self.folder / f"{number.name}.evtrace"
                    process, programs = self.record(output, *options)
                    process.send_signal(number)
                    time.sleep(0.05)
                    process.send_signal(number)  # a second one leaves nothing running
                    errors = process.communicate(timeout=PATIENCE)[1]
                    self.assertEqual(process.returncode, 130, errors)
                    self.assertRegex(errors, r"stopped; \S+ was ended by signal 9; .*\.evtrace holds \d+ requests")
                    for program in programs:
                        self.assertFalse(is_running(program), "the program runs on, unrecorded")
                    info = subprocess.run([EVICT, "trace", "info", output, "--format", "json"], capture_output=True,
                                          text=True, check=True)
                    trace = json.loads(info.stdout)["traces"][0]
                    self.assertEqual(trace["loss"], {"cutOff": True, "droppedEvents": 0})
                    self.assertGreaterEqual(trace["requests"], 1000)
                    self.assertIn("is not whole: the recording was stopped before the program ended", info.stderr)
                    copy = self.folder / "copy.evtrace.zst"
                    subprocess.run([EVICT, "trace", "convert", output, "--output", copy], check=True,
                                   capture_output=True)
                    run = subprocess.run([EVICT, "sweep", copy, "--policy", "lru", "--capacity", "5"],
                                         capture_output=True, text=True, check=True)
                    self.assertIn("is not whole", run.stderr)

    def test_a_closed_terminal_ends_a_recording_as_a_signal_does(self):
        output = self.folder / "pty.evtrace"
        place = self.folder / "programs"
        place.unlink(missing_ok=True)
        code = Terminals.drop(self, ["trace", "record", "--output", output, "--", sys.executable, "-c", self.PROGRAM,
                                     place], 3)
        self.assertEqual(code, 130)
        for program in place.read_text().split():
            self.assertFalse(is_running(int(program)))
        self.assertTrue(output.exists())

    def test_ctrl_c_of_a_terminal_is_the_programs(self):
        output = self.folder / "interrupt.evtrace"
        master, slave = pty.openpty()

        def prepare():
            default_signals()
            os.setsid()
            import fcntl, termios
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        place = self.folder / "ready"
        program = ("import pathlib, sys, time\n"
                   "try:\n pathlib.Path(sys.argv[1]).write_text('x'); time.sleep(1000)\n"
                   "except KeyboardInterrupt: open('/etc/passwd'); sys.exit(0)\n")
        process = subprocess.Popen(
            [EVICT, "trace", "record", "--output", output, "--", sys.executable, "-c", program, place],
            stdin=slave, stdout=slave, stderr=slave, preexec_fn=prepare)
        self.addCleanup(os.close, master)
        os.close(slave)
        self.await_file(place, process)
        time.sleep(0.3)
        os.write(master, b"\x03")
        self.assertEqual(process.wait(timeout=PATIENCE), 0)
        info = subprocess.run([EVICT, "trace", "info", output, "--format", "json"], capture_output=True, text=True)
        self.assertNotIn("loss", json.loads(info.stdout)["traces"][0])

    @unittest.skipUnless(os.geteuid() == 0, "a small file system is mounted as root only")
    def test_a_full_temporary_folder_cuts_nothing_off(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(os.rmdir, folder)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", folder], capture_output=True).returncode:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", folder], capture_output=True)
        output = self.folder / "full.evtrace"
        run = subprocess.run(
            [EVICT, "trace", "record", "--output", output, "--", sys.executable, "-c",
             "for i in range(20000): open('/etc/passwd').close()"],
            capture_output=True, text=True, env={**os.environ, "TMPDIR": folder}, timeout=10 * PATIENCE)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreaterEqual(int(run.stderr.split(" holds ")[1].split()[0]), 20_000)


if __name__ == "__main__":
    unittest.main()
