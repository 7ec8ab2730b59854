"""Builds the wheel of `evictionlab`, the library inside: a build backend (PEP 517) that needs nothing else.

A wheel is an archive of the package and four files about it. `pip wheel notebooks` calls `build_wheel`. The library is
the one that EVICTIONLAB_LIBRARY names, or the one that `swift build -c release` left in `.build/release`. `strip` takes
its symbols that only a debugger needs, where there is one.

The package is Python for any version, the library is machine code: the wheel's tag is `py3-none-` and the platform,
with the version of glibc that this machine has. Two builds of one library and one package are equal, byte by byte.
"""

import ast
import base64
import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import zipfile

FOLDER = pathlib.Path(__file__).resolve().parent
PACKAGE = FOLDER / "evictionlab"
#: What policies in C include: Policy.from_c compiles with it.
HEADERS = [
    FOLDER.parents[1] / "Sources/CEvictionLab" / name for name in ("evictionlab_lists.h", "evictionlab_policy.h")]
LIBRARY = "libevictionlab.dylib" if sys.platform == "darwin" else "libevictionlab.so"


def field(name):
    """A text of pyproject.toml's table `project`. Python 3.9 and 3.10 have no reader for such files."""
    text = (FOLDER.parent / "pyproject.toml").read_text(encoding="utf-8")
    return re.search(rf'(?m)^{name} = (?:\{{ text = )?"(.*)"', text)[1]


def platform_tag():
    """The machines that the wheel is for: manylinux_2_36_x86_64 was built with glibc 2.36, and needs no less."""
    name, version = platform.libc_ver()
    if sys.platform.startswith("linux") and name == "glibc":
        return f"manylinux_{'_'.join(version.split('.')[:2])}_{platform.machine()}"
    return re.sub(r"[-.]", "_", sysconfig.get_platform())


def library():
    """The library that goes into the wheel."""
    path = pathlib.Path(
        os.environ.get("EVICTIONLAB_LIBRARY", FOLDER.parents[1] / ".build/release" / LIBRARY))
    if not path.exists():
        raise SystemExit(
            f"{path} is missing: run make wheel, which builds it, or name another in EVICTIONLAB_LIBRARY")
    return path


def stripped(path, folder):
    """A library without what only a debugger needs; the library itself where there is no strip."""
    copy = pathlib.Path(folder) / LIBRARY
    shutil.copyfile(path, copy)
    if shutil.which("strip"):
        options = ["-x"] if sys.platform == "darwin" else ["--strip-unneeded"]
        subprocess.run(["strip", *options, str(copy)], check=True)
    return copy


def about():
    """The wheel's METADATA and WHEEL. The description is what `help(evictionlab)` begins with."""
    description = ast.get_docstring(ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8")))
    metadata = (
        f"Metadata-Version: 2.1\nName: {field('name')}\nVersion: {field('version')}\n"
        f"Summary: {field('description')}\nLicense: {field('license')}\n"
        f"Requires-Python: {field('requires-python')}\nDescription-Content-Type: text/plain\n\n{description}\n")
    wheel = (
        "Wheel-Version: 1.0\nGenerator: evictionlab\nRoot-Is-Purelib: false\n"
        f"Tag: py3-none-{platform_tag()}\n")
    return {"METADATA": metadata, "WHEEL": wheel}


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel into a folder, and returns its file name."""
    release = f"{field('name')}-{field('version')}"
    name = f"{release}-py3-none-{platform_tag()}.whl"
    date = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", 315532800)))[:6]
    records = []
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(
            pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:

        def add(path, data):
            entry = zipfile.ZipInfo(path, date)
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            records.append(f"{path},sha256={digest},{len(data)}\n")

        for source in sorted(PACKAGE.glob("*.py")) + [PACKAGE / "py.typed", *HEADERS]:
            add(f"evictionlab/{source.name}", source.read_bytes())
        add(f"evictionlab/{LIBRARY}", stripped(library(), folder).read_bytes())
        for title, text in about().items():
            add(f"{release}.dist-info/{title}", text.encode())
        record = f"{release}.dist-info/RECORD"
        records.append(f"{record},,\n")
        archive.writestr(zipfile.ZipInfo(record, date), "".join(records))
    return name


def build_sdist(sdist_directory, config_settings=None):
    """Not there: the library's sources are the whole project's."""
    raise SystemExit("there is no source archive of evictionlab: run make wheel in a clone of the project")
