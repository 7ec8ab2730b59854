"""The service of Tests/Fixtures/Service over HTTP: it stays within its limit, its recording replays to the hits that it
counted, it stops without losing what waits for the disk, and bad input ends it with one line.

`make test` builds it. EVICTIONLAB_THOROUGH=1, as in `make soak`, sends a million requests instead of fifty thousand.
"""

import contextlib
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVICE = ROOT / ".build/service/debug/Service"
EVICT = ROOT / ".build/release/evict"
EXAMPLE = ROOT / "Tests/Fixtures/Service"
GUIDE = ROOT / "Sources/Eviction/Eviction.docc/InAService.md"
REQUESTS = 1_000_000 if os.environ.get("EVICTIONLAB_THOROUGH") else 50_000
MIB = 1 << 20
#: What the process may take at its peak beyond the limit of the cache in memory: program and libraries, HTTP buffers, the
#: database's pages, the recording's current file (13 MB), the keys of the live curve (all 50 000), and the allocator's rounding.
ALLOWANCE = 96 * MIB
LOADED = 'cache_loads{cache="pages",result="loaded"}'


class Running:
    """A service that runs."""

    def __init__(self, folder, memory, before=(), policy=()):
        self.process = subprocess.Popen(
            [*before, SERVICE, "0", folder, str(memory), *policy], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("listening on port "), line + self.process.communicate()[1]
        self.port = int(line.split()[-1])

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def get(self, path):
        """The body of one answer."""
        with self.connect() as connection:
            return next(answers(connection, [path]))[1]

    def metrics(self):
        """The value of each metric."""
        lines = self.get("/metrics").decode().splitlines()
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}

    def status(self, field):
        """Bytes that the system counts for the process."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"^{field}:\s+(\d+) kB$", text, re.M)[1]) << 10

    def stop(self):
        """The exit code, and what it wrote to standard error."""
        self.process.send_signal(signal.SIGTERM)
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors

    def kill(self):
        self.process.kill()
        self.process.communicate()


def answers(connection, paths, depth=32):
    """The status and the body of the answer to each path, in order; `depth` requests are sent at once."""
    buffer, place = b"", 0
    for start in range(0, len(paths), depth):
        batch = paths[start : start + depth]
        connection.sendall(b"".join(f"GET {path} HTTP/1.1\r\nHost: here\r\n\r\n".encode() for path in batch))
        for _ in batch:
            while (end := buffer.find(b"\r\n\r\n", place)) < 0:
                buffer, place = buffer[place:] + received(connection), 0
            head = buffer[place:end].lower()
            length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
            body, place = end + 4, end + 4 + length
            while len(buffer) < place:
                buffer += received(connection)
            yield int(head[9:12]), buffer[body:place]


def received(connection):
    data = connection.recv(1 << 18)
    if not data:
        raise ConnectionError("the service closed the connection")
    return data


def page(number, largest=4_000):
    """A path whose page has a size of its own."""
    return f"/pages/{number}/{200 + number * 2_654_435_761 % largest}"


def body(path):
    """The page that the service renders for a path."""
    return (path.encode() + b"\n").ljust(int(path.rsplit("/", 1)[1]), b".")


class Service(unittest.TestCase):
    def setUp(self):
        if not SERVICE.exists():
            self.skipTest(f"{SERVICE} is not built; make test builds it")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def start(self, memory, before=(), policy=()):
        service = Running(self.folder, memory, before, policy)
        self.addCleanup(service.kill)
        return service

    def drive(self, service, paths, connections=8):
        """Gets all paths over a few connections at once; each must bring its page."""
        wrong = []

        def client(mine):
            try:
                with service.connect() as connection:
                    for path, (status, found) in zip(mine, answers(connection, mine)):
                        if status != 200 or found != body(path):
                            wrong.append((path, status))
            except OSError as error:
                wrong.append(error)

        threads = [threading.Thread(target=client, args=(paths[n::connections],)) for n in range(connections)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong[:3], [])

    def recording(self):
        """The files of the recording, in order."""
        number = re.compile(r"pages\.?(\d*)\.evtrace")
        return sorted(self.folder.glob("pages*.evtrace"), key=lambda path: int(number.match(path.name)[1] or 1))

    def test_it_stays_within_its_limit_and_its_recording_has_the_hits_that_it_counted(self):
        memory = 16
        draw = random.Random(7)
        keys = 50_000
        weights, total = [], 0.0
        for number in range(1, keys + 1):
            total += 1 / number
            weights.append(total)
        paths = [page(number) for number in draw.choices(range(keys), cum_weights=weights, k=REQUESTS)]
        service = self.start(memory)
        begin = time.monotonic()
        costs = []
        quarter = len(paths) // 4
        for start in range(0, len(paths), quarter):
            self.drive(service, paths[start : start + quarter])
            costs.append(service.metrics()['cache_cost{cache="memory"}'])
        seconds = time.monotonic() - begin
        metrics = service.metrics()
        peak = service.status("VmHWM")
        self.assertEqual(service.stop(), (0, ""))

        def count(name, **dimensions):
            words = [f'{key}="{value}"' for key, value in {"cache": "memory", **dimensions}.items()]
            return metrics[f"{name}{{{','.join(words)}}}"]

        hits, misses = count("cache_gets", result="hit"), count("cache_gets", result="miss")
        self.assertEqual(hits + misses, REQUESTS)
        self.assertGreater(hits, misses)
        self.assertLessEqual(max(costs), memory * MIB)
        self.assertGreater(max(costs), 0.9 * memory * MIB, "the limit was never reached")
        self.assertLessEqual(peak, memory * MIB + ALLOWANCE, f"{peak / MIB:.0f} MiB in the process")
        removals = {cause: count("cache_removals", cause=cause)
                    for cause in ["size", "expired", "replaced", "removed", "discarded"]}
        self.assertGreater(removals["size"], 1_000)
        # Two requests may bring a page from the disk at once, where the second finds that of the first.
        self.assertLess(removals.pop("replaced"), 20)
        self.assertEqual(removals, {**dict.fromkeys(removals, 0), "size": removals["size"]})
        curve = [count("cache_miss_ratio", capacity=size * MIB) for size in (memory // 2, memory, 2 * memory)]
        self.assertEqual(curve, sorted(curve, reverse=True))
        self.assertTrue(0 < curve[2] < curve[0] < 1, curve)

        def evict(*words):
            return subprocess.run([EVICT, *words], capture_output=True, text=True, check=True).stdout

        # A long recording has several files.
        evict("trace", "convert", *self.recording(), "--output", self.folder / "whole.evtrace")
        [result] = json.loads(evict(
            "sweep", self.folder / "whole.evtrace", "--policy", "s3fifo", "--capacity", f"{memory * MIB}B",
            "--no-baselines", "--format", "json"))["results"]
        self.assertEqual(result["hits"], hits)
        if os.environ.get("EVICTIONLAB_THOROUGH"):
            print(f"\n{REQUESTS} requests in {seconds:.0f} s, {hits:.0f} hits, at most {max(costs):.0f} bytes of "
                  f"{memory * MIB} in the cache, {peak} in the process, estimated miss ratios {curve}")

    def test_it_survives_an_attack_that_asks_for_ever_new_pages(self):
        """In a control group of twice the limit: 256 MiB of pages that nothing asks for again."""
        memory = 64
        attack = [f"/pages/attack-{number}/65536" for number in range(4_096)]
        with control_group(2 * memory * MIB) as joining:
            if joining is None:
                self.skipTest("no control group for memory can be made here")
            service = self.start(memory, joining)
            self.drive(service, attack)
            self.assertIsNone(service.process.poll())
            self.assertLessEqual(service.metrics()['cache_cost{cache="memory"}'], memory * MIB)
            self.assertEqual(service.get(page(1)), body(page(1)))
            self.assertEqual(service.stop(), (0, ""))
        # The group does limit it: without a limit of its own the service is killed.
        with control_group(2 * memory * MIB) as joining:
            service = self.start(1 << 15, joining)
            with self.assertRaises(AssertionError):
                self.drive(service, attack)
            self.assertEqual(service.process.wait(timeout=60), -signal.SIGKILL)

    def test_what_waits_for_the_disk_is_there_after_a_stop(self):
        paths = [page(number) for number in range(500)]
        rendered = []
        for _ in range(2):
            service = self.start(8)
            self.drive(service, paths)
            rendered.append(service.metrics()[LOADED])
            self.assertEqual(service.stop(), (0, ""))
        self.assertEqual(rendered, [500, 0])

    def test_its_memory_may_have_a_policy_that_learns(self):
        draw = random.Random(3)
        hot, cold = range(200), iter(range(200, 100_000))
        paths = [page(draw.choice(hot) if draw.random() < 0.5 else next(cold)) for _ in range(20_000)]
        service = self.start(1, policy=["3l-cache:batch=512"])
        self.drive(service, paths)
        metrics = service.metrics()
        self.assertLessEqual(metrics['cache_cost{cache="memory"}'], MIB)
        self.assertGreater(metrics['cache_gets{cache="memory",result="hit"}'], 1_000)
        self.assertEqual(service.stop(), (0, ""))

    def test_it_stops_while_connections_are_open(self):
        service = self.start(8)
        with service.connect() as idle:
            self.assertEqual(next(answers(idle, [page(1)])), (200, body(page(1))))
            self.assertEqual(service.stop(), (0, ""))

    def test_bad_requests_are_refused(self):
        service = self.start(8)
        with service.connect() as connection:
            paths = ["/pages/a/x", "/pages/a/-1", f"/pages/a/{1 << 19}", "/nothing", page(1)]
            self.assertEqual([status for status, _ in answers(connection, paths)], [400, 400, 400, 404, 200])

    def check_failure(self, words, status, pattern, **options):
        run = subprocess.run([SERVICE, *map(str, words)], capture_output=True, text=True, timeout=60, **options)
        self.assertEqual(run.returncode, status, run.stderr)
        self.assertRegex(run.stderr, r"\A[^\n]*" + pattern + r"[^\n]*\n\Z")

    def test_bad_input_ends_it_with_one_line(self):
        for words in [[], ["0"], ["x", self.folder, 8], [0, self.folder, "-8"], [0, self.folder, 0]]:
            with self.subTest(words=words):
                self.check_failure(words, os.EX_USAGE, "usage: Service")
        self.check_failure([0, self.folder, 8, "lruu"], os.EX_USAGE, "lruu")
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            self.check_failure([port, self.folder, 8], os.EX_UNAVAILABLE, f"port {port}: address already in use")
        (self.folder / "file").write_text("")
        self.check_failure([0, self.folder / "file", 8], os.EX_CANTCREAT, "file")
        locked = self.folder / "locked"
        locked.mkdir(mode=0o555)
        self.folder.chmod(0o755)
        # Root may write anywhere.
        user = {"user": 65534} if os.geteuid() == 0 else {}
        self.check_failure([0, locked, 8], os.EX_CANTCREAT, "locked.*permission denied", **user)

    def test_a_recording_that_cannot_be_written_ends_it_with_one_line(self):
        (self.folder / "pages.evtrace").mkdir()
        service = self.start(8)
        self.drive(service, [page(1)], connections=1)
        status, errors = service.stop()
        self.assertEqual(status, os.EX_IOERR)
        self.assertRegex(errors, r"\A[^\n]*pages\.evtrace: is a folder[^\n]*\n\Z")
        # The cache was closed nevertheless.
        (self.folder / "pages.evtrace").rmdir()
        service = self.start(8)
        self.drive(service, [page(1)], connections=1)
        self.assertEqual(service.metrics()[LOADED], 0)

    def test_the_guide_prints_the_example(self):
        shown = re.findall(r"```swift\n(.*?)```", GUIDE.read_text(), re.S)
        # The trait is for a test, and needs another library.
        manifest = re.sub(
            r"    //.*\n    \.package\(name: \"EvictionLab\", path: \"../../..\"", '    .package(path: "../EvictionLab"',
            (EXAMPLE / "Package.swift").read_text().replace(', "Learned"', ""))
        self.assertEqual(shown, [manifest, (EXAMPLE / "Sources/Service/PageService.swift").read_text()])


@contextlib.contextmanager
def control_group(limit):
    """The beginning of a command that runs in a control group with that limit in bytes, of either version; or None."""
    for place, file in [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")]:
        group = pathlib.Path(place) / f"evictionlab-{os.getpid()}"
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            (group / file).write_text(str(limit))
        except OSError:
            group.rmdir()
            continue
        try:
            yield ["sh", "-c", f'echo $$ >{group}/cgroup.procs && exec "$@"', "sh"]
        finally:
            # A group is removed once its processes have ended.
            for _ in range(100):
                with contextlib.suppress(OSError):
                    group.rmdir()
                    break
                time.sleep(0.1)
        return
    yield None


if __name__ == "__main__":
    unittest.main()
