"""Downloads from a server of this machine's own: whole, cut off, changed, missing, on to a full disk."""

import hashlib
import http.server
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import unittest.mock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EVICT = os.path.join(ROOT, ".build", "release", "evict")
CONTENT = b"".join(b"%d\n" % (number * number % 1009) for number in range(100_000))


class Server(http.server.ThreadingHTTPServer):
    """Serves CONTENT, or what is in `contents`, under any name; `cuts` ends the answers to a name after some bytes."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.cuts, self.contents = {}, {}
        self.ranges = []
        self.stalled, self.over = threading.Event(), threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, name):
        return f"http://127.0.0.1:{self.server_port}/{name}"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path[1:]
        wanted = self.headers.get("Range")
        self.server.ranges.append(wanted)
        if name == "gone":
            return self.send_error(404)
        if name == "busy":
            return self.send_error(503)
        if name == "moved":
            self.send_response(302)
            self.send_header("Location", "/good")
            self.send_header("Content-Length", "5")
            self.end_headers()
            self.wfile.write(b"there")
            return
        if name == "stalled":
            self.send_response(200)
            self.send_header("Content-Length", str(len(CONTENT)))
            self.end_headers()
            self.wfile.write(CONTENT[:1000])
            self.server.stalled.set()
            self.server.over.wait(60)
            return
        if name == "endless":
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(CONTENT)
            except OSError:
                return
        content = self.server.contents.get(name, CONTENT)
        start = int(wanted[len("bytes=") : -1]) if wanted and not name.startswith("whole") else 0
        if start >= len(content):
            return self.send_error(416)
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        if name != "more":
            self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        if name == "more":
            self.wfile.write(content)
        cuts = self.server.cuts.get(name, [])
        end = start + cuts.pop(0) if cuts else len(content)
        self.wfile.write(content[start:end])
        self.close_connection = True

    def log_message(self, *arguments):
        pass


class FetchTest(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.home = temporary.name
        self.folder = os.path.join(self.home, "evictionlab", "traces")

    def start(self, name, size=len(CONTENT)):
        """Starts a download and returns its process."""
        self.fetch(name, options=["--list"], size=size)
        process = subprocess.Popen(
            [EVICT, "trace", "fetch", "--manifest", os.path.join(self.home, "manifest.json")],
            stderr=subprocess.PIPE, text=True, env={**os.environ, "XDG_CACHE_HOME": self.home},
            # A shell's background jobs, and what they start, ignore Ctrl-C, with nohup a hang-up, and so would this.
            preexec_fn=lambda: [signal.signal(kind, signal.SIG_DFL) for kind in (signal.SIGINT, signal.SIGHUP)])
        self.addCleanup(process.kill)
        return process

    def start_stalled(self):
        """Starts a download that stalls; returns its process and partial file once that holds what was sent."""
        self.addCleanup(self.server.over.set)
        self.server.stalled.clear()
        process = self.start("stalled")
        self.assertTrue(self.server.stalled.wait(30))
        part = os.path.join(self.folder, "stalled.txt.part")
        while not os.path.exists(part) or os.path.getsize(part) < 1000:
            time.sleep(0.01)
        return process, part

    def test_stalled_server_is_left_at_once(self):
        for kind in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
            process, part = self.start_stalled()
            start = time.monotonic()
            process.send_signal(kind)
            errors = process.communicate(timeout=30)[1]
            self.assertLess(time.monotonic() - start, 10)
            self.assertEqual(process.returncode, 130)
            self.assertEqual(
                errors,
                f"evict: stalled.txt: stopped; 1000 of {len(CONTENT)} bytes are kept, run it again to go on\n")
            self.assertEqual(self.files(), ["stalled.txt.part"])
            os.remove(part)

    def test_second_signal_denies_nothing_that_is_kept(self):
        process, part = self.start_stalled()
        for kind in [signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGCONT]:
            process.send_signal(kind)
        errors = process.communicate(timeout=30)[1]
        # They come together, and are one.
        self.assertEqual(
            (process.returncode, errors),
            (130, f"evict: stalled.txt: stopped; 1000 of {len(CONTENT)} bytes are kept, run it again to go on\n"))
        self.assertEqual(os.path.getsize(part), 1000)

    def test_two_downloads_do_not_mix(self):
        process, part = self.start_stalled()
        result = self.fetch("stalled")
        process.kill()
        process.communicate()
        self.assertEqual(
            (result.returncode, result.stderr),
            (64, f"evict: {part} is in use by another download; wait for it, or give another --folder\n"),
        )
        self.assertEqual(os.path.getsize(part), 1000)

    def test_endless_answer_is_cut_off(self):
        for size in [21, 100_000_000]:
            start = time.monotonic()
            process = self.start("endless", size=size)
            errors = process.stderr.read()
            process.stderr.close()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 65)
            self.assertIn(
                f"it sends more than {size} bytes; the file there has changed, and nothing was kept\n", errors)
            self.assertEqual(self.files(), [])
            self.assertLess(time.monotonic() - start, 10)
            self.assertLess(usage.ru_maxrss, 256 << 10, "kilobytes of memory")

    def test_endless_answer_is_left_at_once(self):
        process = self.start("endless", size=10**12)
        part = os.path.join(self.folder, "endless.txt.part")
        while not os.path.exists(part) or os.path.getsize(part) < 10**7:
            time.sleep(0.01)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=30)[1]
        self.assertLess(time.monotonic() - start, 10)
        self.assertEqual(process.returncode, 130)
        self.assertIn(f": stopped; {os.path.getsize(part)} of {10**12} bytes are kept", errors)

    def fetch(self, *names, options=(), sha256=hashlib.sha256(CONTENT).hexdigest(), url=None,
              size=len(CONTENT)):
        manifest = os.path.join(self.home, "manifest.json")
        traces = [
            {
                "name": f"{name}.txt", "format": "plain", "url": url or self.server.url(name),
                "sha256": sha256, "bytes": size, "requests": 100_000, "distinct": 505,
                "licence": "free to use", "citation": "Nobody. Squares. 2024.",
            }
            for name in names
        ]
        with open(manifest, "w") as file:
            json.dump({"schema": "evictionlab.manifest/1", "traces": traces}, file)
        return subprocess.run(
            [EVICT, "trace", "fetch", "--manifest", manifest, *options], capture_output=True,
            text=True, timeout=60, env={**os.environ, "XDG_CACHE_HOME": self.home},
        )

    def files(self):
        return sorted(os.listdir(self.folder)) if os.path.isdir(self.folder) else []

    def expect_content(self, name):
        with open(os.path.join(self.folder, name), "rb") as file:
            self.assertEqual(file.read(), CONTENT)

    def test_file_comes_with_its_terms_and_is_not_fetched_twice(self):
        result = self.fetch("good")
        place = os.path.join(self.folder, "good.txt")
        terms = "  licence: free to use\n  cite: Nobody. Squares. 2024.\n"
        self.assertEqual((result.returncode, result.stdout), (0, f"{place}\n{terms}"), result.stderr)
        self.assertEqual(self.files(), ["good.txt"])
        self.expect_content("good.txt")
        self.assertEqual(self.fetch("good").stdout, f"{place} (was there)\n{terms}")
        self.assertEqual(self.server.ranges, [None])

    def test_damaged_file_is_fetched_again(self):
        self.fetch("good")
        place = os.path.join(self.folder, "good.txt")
        status = os.stat(place)
        with open(place, "r+b") as file:
            file.write(b"!")
        os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns))  # the disk's work, not a user's
        self.assertEqual(self.fetch("good").returncode, 0)
        self.expect_content("good.txt")

    def test_files_of_a_traces_name_are_left(self):
        place = os.path.join(self.folder, "good.txt")
        os.makedirs(self.folder)
        with open(place, "w") as file:
            file.write("mine\n")
        result = self.fetch("good")
        self.assertEqual(result.returncode, 64, result.stderr)
        self.assertIn("give another --folder, or remove the file first", result.stderr)
        with open(place) as file:
            self.assertEqual(file.read(), "mine\n")
        os.remove(place)
        self.fetch("good")
        with open(place, "ab") as file:
            file.write(b"a note\n")
        result = self.fetch("good")
        self.assertEqual(result.returncode, 64, result.stderr)
        self.assertIn("was changed after evict trace fetch wrote it", result.stderr)
        self.assertEqual(self.files(), ["good.txt"])

    def test_list_downloads_nothing(self):
        result = self.fetch("good", "gone", options=["--list"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("good.txt", result.stdout)
        self.assertEqual(self.server.ranges, [])

    def test_cut_connection_is_taken_up_where_it_broke(self):
        self.server.cuts["cut"] = [100_000, 150_000]
        result = self.fetch("cut")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.server.ranges, [None, "bytes=100000-", "bytes=250000-"])
        self.expect_content("cut.txt")

    def test_what_was_kept_is_resumed_by_the_next_call(self):
        self.server.cuts["cut"] = [100_000, 0]
        result = self.fetch("cut")
        self.assertEqual(result.returncode, 74)
        self.assertIn(f"100000 of {len(CONTENT)} bytes are kept, run it again to go on", result.stderr)
        self.assertEqual(self.files(), ["cut.txt.part"])
        self.assertEqual(self.fetch("cut").returncode, 0)
        self.assertEqual(self.server.ranges[-1], "bytes=100000-")
        self.expect_content("cut.txt")

    def test_server_without_ranges_sends_everything_again(self):
        self.server.cuts["whole"] = [100_000]
        self.assertEqual(self.fetch("whole").returncode, 0)
        self.expect_content("whole.txt")

    def test_wrong_checksum_keeps_nothing(self):
        result = self.fetch("good", sha256="0" * 64)
        self.assertEqual(result.returncode, 65)
        found = hashlib.sha256(CONTENT).hexdigest()
        self.assertEqual(
            result.stderr,
            f"evict: good.txt: the SHA-256 of {self.server.url('good')} is {found}, not {'0' * 64}; "
            "the file there has changed, and nothing was kept\n",
        )
        self.assertEqual(self.files(), [])

    def test_checksum_may_have_upper_case_letters(self):
        result = self.fetch("good", sha256=hashlib.sha256(CONTENT).hexdigest().upper())
        self.assertEqual(result.returncode, 0, result.stderr)
        self.expect_content("good.txt")

    def test_files_of_a_downloads_name_that_are_none_are_left(self):
        os.makedirs(self.folder)
        part = os.path.join(self.folder, "good.txt.part")
        mine = os.path.join(self.folder, "mine")
        with open(mine, "wb") as file:
            file.write(b"mine")
        os.symlink("mine", part)
        self.assertEqual(self.fetch("good").returncode, 64)
        os.remove(part)
        os.mkfifo(part)
        self.assertEqual(self.fetch("good").returncode, 64)
        os.remove(part)
        os.rename(mine, part)
        result = self.fetch("good")
        self.assertEqual(result.returncode, 64)
        self.assertIn("is there and no download of this tool; move it away", result.stderr)
        with open(part, "rb") as file:
            self.assertEqual(file.read(), b"mine")
        self.assertEqual(self.files(), ["good.txt.part"])

    def test_stale_beginning_is_not_the_servers_fault(self):
        os.makedirs(self.folder)
        with open(os.path.join(self.folder, "good.txt.part"), "wb") as file:
            os.fchmod(file.fileno(), 0o3600)  # as an earlier call leaves it
            file.write(b"stale")
        result = self.fetch("good")
        self.assertEqual(result.returncode, 65)
        self.assertIn("the SHA-256 of what an earlier call kept and the rest of", result.stderr)
        self.assertEqual(self.files(), [])
        self.assertEqual(self.fetch("good").returncode, 0)

    def test_status_is_named(self):
        for name, status, code, remedy in [
            ("gone", 404, 66, "it has moved, look for it elsewhere"), ("busy", 503, 74, "try later"),
        ]:
            result = self.fetch(name)
            url = self.server.url(name)
            self.assertEqual(
                (result.returncode, result.stderr),
                (code, f"evict: {name}.txt: {url} answers with status {status}; {remedy}\n"),
            )
            self.assertEqual(self.files(), [])

    def test_no_server_is_said(self):
        result = self.fetch("good", url="http://127.0.0.1:1/good")
        self.assertEqual(result.returncode, 74)
        self.assertRegex(
            result.stderr, r"^evict: good.txt: http://127.0.0.1:1/good: .*; 0 of \d+ bytes are kept.*\n$")

    def test_server_that_sends_more_or_less_is_said(self):
        result = self.fetch("more")
        url = self.server.url("more")
        self.assertEqual(
            (result.returncode, result.stderr),
            (65, f"evict: more.txt: {url}: it sends more than {len(CONTENT)} bytes; "
                "the file there has changed, and nothing was kept\n"),
        )
        # The beginning that an earlier call kept goes, too: with it every other call would fail alike.
        with open(os.path.join(self.folder, "good.txt.part"), "wb") as file:
            os.fchmod(file.fileno(), 0o3600)  # as an earlier call leaves it
            file.write(CONTENT[:5])
        result = self.fetch("good", size=len(CONTENT) - 1)
        self.assertEqual(result.returncode, 65)
        self.assertIn(f"it sends more than {len(CONTENT) - 1} bytes; the file there has changed", result.stderr)
        self.assertEqual(self.files(), [])
        size = len(CONTENT) + 1
        url = self.server.url("good")
        with open(os.path.join(self.folder, "good.txt.part"), "wb") as file:
            os.fchmod(file.fileno(), 0o3600)  # as an earlier call leaves it
            file.write(CONTENT)
        result = self.fetch("good", size=size)
        self.assertEqual(
            (result.returncode, result.stderr),
            (65, f"evict: good.txt: {url}: it holds fewer than {size} bytes; "
                "the file there has changed, and nothing was kept\n"),
        )
        self.assertEqual(self.files(), [])

    def test_missing_curl_is_said(self):
        with tempfile.TemporaryDirectory() as empty, unittest.mock.patch.dict(os.environ, {"PATH": empty}):
            result = self.fetch("good")
        self.assertEqual(
            (result.returncode, result.stderr),
            (64, "evict: curl, which downloads, is not installed; install it (apt-get install curl)\n"),
        )
        self.assertEqual(self.files(), [])

    def test_redirection_is_followed(self):
        result = self.fetch("moved")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.expect_content("moved.txt")

    def test_wrong_usage_is_said(self):
        result = self.fetch("good", options=["nope"])
        self.assertEqual(
            (result.returncode, result.stderr),
            (64, "evict: no trace is called “nope”; known are good.txt\n"),
        )
        result = self.fetch("good", url="file:///etc/passwd")
        self.assertEqual(result.returncode, 65)
        self.assertIn("an address of http or https", result.stderr)
        result = self.fetch("../good")
        self.assertEqual(result.returncode, 65)
        self.assertIn("a file's name", result.stderr)

    def test_full_disk_is_said_and_the_start_kept(self):
        os.makedirs(self.folder)
        mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", self.folder]
        if subprocess.run(mount, capture_output=True).returncode != 0:
            self.skipTest("a small file system cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", self.folder], check=True)
        result = self.fetch("good")
        self.assertEqual(result.returncode, 74)
        self.assertRegex(
            result.stderr,
            r"^evict: .*/good.txt.part: cannot write at byte \d+: no space left on device; "
            r"free some space\n$",
        )
        self.assertEqual(self.files(), ["good.txt.part"])


if __name__ == "__main__":
    unittest.main()
