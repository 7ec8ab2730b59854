"""What `make install` puts on a machine: the tool, its manual page, completions and the library; and what `make dist` packs
for machines without Swift."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


BUILT = [ROOT / ".build/release" / name for name in ["evict", "libevictionlab.so"]]
# They are built: only what follows is tested.
MAKE = ["make", "--silent", "--old-file=build", "--old-file=library"]


@unittest.skipUnless(all(path.exists() for path in BUILT), "needs make build library")
class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.place = pathlib.Path(folder.name)
        subprocess.run(
            [*MAKE, "install", f"DESTDIR={cls.place}", "PREFIX=/usr"],
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

    def test_library_and_header(self):
        source = self.place / "a.c"
        source.write_text("""
            #include <evictionlab.h>
            int main(void) { return evl_abi_version() != EVL_ABI_VERSION; }
        """)
        usr = self.place / "usr"
        subprocess.run(
            ["cc", "-I", usr / "include", source, usr / "lib/libevictionlab.so", f"-Wl,-rpath,{usr}/lib", "-o",
             self.place / "a.out"], check=True)
        subprocess.run([self.place / "a.out"], check=True)
        policy = ROOT / "Tests/Fixtures/Plugins/lru.c"
        subprocess.run(
            ["cc", "-O2", "-fPIC", "-shared", "-I", usr / "include", policy, "-o", self.place / "lru.so"], check=True)
        shown = subprocess.run(
            [usr / "bin/evict", "policies", "check", "plugin:./lru.so", "--rounds", "1"], cwd=self.place, check=True,
            capture_output=True, text=True).stdout
        self.assertEqual(shown, "plugin:./lru.so: conforms\n")


@unittest.skipUnless(all(path.exists() for path in BUILT), "needs make build library")
@unittest.skipUnless(shutil.which("dpkg-query") and os.getuid() == 0, "needs Debian's packages, and root for chroot")
class Archive(unittest.TestCase):
    """The archive in a root that has the files of Debian's base and of the packages that its README names."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name)
        made = cls.root / "made"
        # The make that it calls would build, too. To pack well takes a minute.
        subprocess.run(
            [*MAKE, "dist", f"MAKE={' '.join(MAKE)}", "XZ_OPT=-0"], cwd=ROOT, check=True, capture_output=True, text=True)
        made.mkdir()
        archive = next((ROOT / ".build").glob("evictionlab-linux-*.tar.xz"))
        subprocess.run(["tar", "-xJf", archive, "-C", made, "--strip-components=1"], check=True)
        text = (made / "README.txt").read_text()
        named = re.search(r"apt-get install (.*)", text).group(1).split()
        cls.library = sorted(set(named) - {"libgsl27", "libgslcblas0", "libsqlite3-0"})
        # The base that matters: the C library.
        for package in ["libc6", *named]:
            cls.copy(package)

    @classmethod
    def copy(cls, package):
        listed = subprocess.run(["dpkg-query", "--listfiles", package], capture_output=True, text=True)
        if listed.returncode:
            raise unittest.SkipTest(f"{package} is no package here")
        for name in listed.stdout.splitlines():
            source = pathlib.Path(name)
            target = cls.root / source.parent.resolve().relative_to("/") / source.name
            if ".so" in source.name and source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
        # What /lib64 leads to names the loader.
        for link in ["lib", "lib64"]:
            place = pathlib.Path("/") / link
            if place.is_symlink() and not (cls.root / link).exists():
                (cls.root / place.readlink()).mkdir(parents=True, exist_ok=True)
                (cls.root / link).symlink_to(place.readlink())

    def run_there(self, *words):
        # Swift's runtime finds its arguments by /proc.
        (self.root / "proc").mkdir(exist_ok=True)
        mounting = ["unshare", "--mount", "sh", "-c", f'mount --bind /proc {self.root}/proc && exec "$@"', "sh"]
        if subprocess.run([*mounting, "true"], capture_output=True).returncode:
            self.skipTest("nothing can be mounted here")
        return subprocess.run(
            [*mounting, shutil.which("chroot", path="/usr/sbin:/sbin:/usr/bin"), self.root, *words],
            capture_output=True, text=True, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TZ": "UTC"})

    def test_tool_runs(self):
        shutil.copy(ROOT / "traces/hotscan.txt.zst", self.root / "made")
        words = ["/made/bin/evict", "sweep", "made/hotscan.txt.zst", "--policy", "lru,s3fifo", "--capacity", "10%",
                 "--format", "json"]
        there = self.run_there(*words)
        self.assertEqual((there.returncode, there.stderr), (0, ""))
        here = subprocess.run(
            [BUILT[0], "sweep", "traces/hotscan.txt.zst", *words[3:]], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(self.hits(there.stdout), self.hits(here.stdout))

    def hits(self, text):
        return [row["hits"] for row in json.loads(text)["results"]]

    def test_library_needs_what_is_said(self):
        needed = subprocess.run(
            ["readelf", "-d", self.root / "made/lib/libevictionlab.so"], check=True, capture_output=True, text=True)
        for name in re.findall(r"NEEDED.*\[(.*)\]", needed.stdout):
            self.assertNotRegex(name, "gsl|sqlite|swift|Foundation")

    def test_the_wheel_is_in_it(self):
        wheels = list((self.root / "made/python").iterdir())
        self.assertEqual([wheel.suffix for wheel in wheels], [".whl"])
        self.assertTrue(wheels[0].match("evictionlab-*.whl"))
        self.assertIn("pip install python/evictionlab-*.whl", (self.root / "made/README.txt").read_text())

    def test_it_is_stripped(self):
        self.assertLess((self.root / "made/bin/evict").stat().st_size, 100e6)
        self.assertLess((self.root / "made/lib/libevictionlab.so").stat().st_size, 30e6)


if __name__ == "__main__":
    unittest.main()
