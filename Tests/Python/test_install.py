"""What `make install` puts on a machine: the tool, its manual page, and completions."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@unittest.skipUnless((ROOT / ".build/release/evict").exists(), "needs make build")
class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.place = pathlib.Path(folder.name)
        # The tool is built: only what follows is tested.
        subprocess.run(
            ["make", "--silent", "--old-file=build", "install", f"DESTDIR={cls.place}", "PREFIX=/usr"],
            cwd=ROOT, check=True, capture_output=True, text=True)

    def test_tool_runs(self):
        result = subprocess.run(
            [self.place / "usr/bin/evict", "formats"], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_manual_has_every_command_and_option(self):
        page = (self.place / "usr/share/man/man1/evict.1").read_text()
        self.assertTrue(page.isascii())
        for text in [".SS evict trace info", ".SS evict policies check", "\\-\\-warmup <n>", ".SH EXIT STATUS"]:
            self.assertIn(text, page)
        if shutil.which("groff"):
            result = subprocess.run(
                ["groff", "-man", "-Tutf8", "-ww", "-z"], input=page, capture_output=True, text=True)
            self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_completions_complete(self):
        script = self.place / "usr/share/bash-completion/completions/evict"
        for line, expected in [("evict sw", "sweep"), ("evict sweep --pol", "--policy"), ("evict sweep --war", "--warmup")]:
            words = line.split()
            result = subprocess.run(
                ["bash", "-c", f"""
                 source {script}
                 COMP_WORDS=({line}) COMP_CWORD={len(words) - 1} COMP_LINE="{line}" COMP_POINT={len(line)}
                 _evict evict {words[-1]} {words[-2]}
                 echo "${{COMPREPLY[@]}}" """],
                capture_output=True, text=True)
            self.assertEqual(result.stdout.split(), [expected], f"{line}: {result.stderr}")
        for name in ["zsh/site-functions/_evict", "fish/vendor_completions.d/evict.fish"]:
            self.assertIn("sweep", (self.place / "usr/share" / name).read_text())


if __name__ == "__main__":
    unittest.main()
