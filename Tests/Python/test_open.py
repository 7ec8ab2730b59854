"""`.ci/open`: pages are opened at a terminal with a display, and nowhere else."""

import os
import pathlib
import pty
import subprocess
import tempfile
import time
import unittest

OPEN = pathlib.Path(__file__).resolve().parents[2] / ".ci" / "open"


class OpenTest(unittest.TestCase):
    """A script stands in for xdg-open and open, and writes down what it is asked for."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.asked = self.folder / "asked"
        for name in ["xdg-open", "open"]:
            script = self.folder / name
            script.write_text(f'#!/bin/sh\necho "$1" >"{self.asked}.new"; '
                              f'mv "{self.asked}.new" "{self.asked}"\n')
            script.chmod(0o755)

    def run_open(self, terminal, **variables):
        """What it prints."""
        environment = {"PATH": f"{self.folder}:/usr/bin:/bin", **variables}
        if not terminal:
            return subprocess.run(
                [OPEN, "a b.html"], env=environment, check=True, capture_output=True,
                text=True).stdout
        ours, theirs = pty.openpty()
        subprocess.run(
            [OPEN, "a b.html"], env=environment, check=True, stdin=subprocess.DEVNULL,
            stdout=theirs, stderr=theirs)
        os.close(theirs)
        text = os.read(ours, 1000).decode().replace("\r\n", "\n")
        os.close(ours)
        return text

    def test_page_is_opened_at_a_terminal_with_a_display(self):
        self.assertEqual(self.run_open(True, DISPLAY=":0"), "opened a b.html\n")
        deadline = time.monotonic() + 30
        while not self.asked.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(self.asked.read_text(), "a b.html\n")

    def test_path_is_printed_elsewhere(self):
        display = {"DISPLAY": ":0"}
        for name, printed in [
                ("no terminal", self.run_open(False, **display)),
                ("continuous integration", self.run_open(True, CI="true", **display))]:
            with self.subTest(name):
                self.assertEqual(printed, "page: a b.html\n")
        self.assertFalse(self.asked.exists())

    @unittest.skipIf(os.uname().sysname == "Darwin", "there is always a display")
    def test_path_is_printed_without_a_display(self):
        self.assertEqual(self.run_open(True), "page: a b.html\n")


if __name__ == "__main__":
    unittest.main()
