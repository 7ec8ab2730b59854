"""Package.swift keeps to the floors, and the page "Where is what" draws them as they are.

`python3 Tests/Python/test_floors.py --draw` writes the drawing into the page again.
"""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Sources/EvictionLab/EvictionLab.docc/WhereIsWhat.md"
EVICT = ROOT / ".build/release/evict"
# A floor imports only floors below it, and no target of its own floor but where a comment says so.
FLOORS = [
    ["Parameters"],
    ["EvictionCore", "Traces", "Statistics", "Results", "Rendering"],
    ["Eviction", "DiskTier", "Conformance", "Recording", "Requests", "TraceAnalysis", "Comparison", "Reports"],
    ["EvictionTesting", "Simulation", "CacheReplay"],
    ["Experiments"],
    ["EvictionLab"],
    ["evict"],
]
# Only these are compiled again when a policy changes.
ENGINES = {"Simulation", "CacheReplay"}
SYSTEM = {"AllocationCounter", "CInline", "CZlib", "CLZMA", "CZstd", "CSQLite", "CGSL"}


def targets():
    """The targets under Sources with the targets of this package that they declare."""
    text = (ROOT / "Package.swift").read_text().split("// Tests mirror the sources.")[0]
    text = text[text.index("targets: [\n") :]
    found = {}
    for block in re.split(r"\n    \.(?=target|executableTarget|systemLibrary)", text)[1:]:
        name = re.search(r'name: "(\w+)"', block)[1]
        declared = re.search(r"dependencies: \[(.*)\]", block, re.S)
        names = re.sub(r"\.product\([^)]*\)", "", declared[1] if declared else "")
        found[name] = re.findall(r'"(\w+)"', re.sub(r"//.*", "", names))
    return found


def floor(name):
    return next(number for number, names in enumerate(FLOORS) if name in names)


def drawing():
    """The floors, the highest first, each target with what it declares of this package."""
    declared = targets()
    lines = []
    for number in reversed(range(len(FLOORS))):
        lines.append(f"{number}  " + "-" * 96)
        for name in FLOORS[number]:
            below = [other for other in declared[name] if other not in SYSTEM]
            # What is reached through another one goes without saying.
            reached = {far for near in below for far in reach(near, declared)}
            line, first = f"   {name:<16}", True
            for other in below:
                if other in reached:
                    continue
                if len(line) + len(other) + 1 > 99:
                    lines.append(line)
                    line = " " * 19
                line += (" -> " if first else " ") + other
                first = False
            lines.append(line.rstrip())
    return "```\n" + "\n".join(lines) + "\n```"


def reach(name, declared):
    """Everything that a target imports, also through others."""
    below = set(declared.get(name, []))
    return below.union(*(reach(other, declared) for other in below)) if below else below


class Floors(unittest.TestCase):
    def test_every_target_has_a_floor(self):
        named = {name for names in FLOORS for name in names}
        self.assertEqual(named, set(targets()) - SYSTEM)

    def test_each_floor_imports_only_floors_below(self):
        for name, declared in targets().items():
            for other in set(declared) - SYSTEM:
                self.assertGreater(floor(name), floor(other), f"{name} imports {other}")

    def test_sources_import_only_what_their_target_declares(self):
        known = targets()
        for name, declared in known.items():
            for file in (ROOT / "Sources" / name).rglob("*.swift"):
                text = re.sub(r'"""(?:.|\n)*?"""', "", file.read_text())
                pattern = r"^\s*(?:@\w+ )?import (?:\w+ )?(\w+)"
                for other in set(re.findall(pattern, text, re.M)) & set(known):
                    self.assertIn(other, declared, f"{file.relative_to(ROOT)} imports {other}")

    def test_nothing_above_the_engines_declares_the_policies(self):
        users = {name for name, declared in targets().items() if "Eviction" in declared}
        self.assertEqual(users, ENGINES)

    def test_the_page_draws_the_targets_as_they_are(self):
        self.assertIn(drawing(), PAGE.read_text(), "run Tests/Python/test_floors.py --draw")

    def test_the_page_names_files_that_exist(self):
        for path in re.findall(r"`((?:Sources|Tests)/[^`*]+)`", PAGE.read_text()):
            self.assertTrue((ROOT / path).exists(), path)


class Loops(unittest.TestCase):
    def test_each_policy_has_one_set_of_simulation_loops(self):
        if not EVICT.exists():
            self.skipTest(f"{EVICT} is not built")
        symbols = subprocess.run(["nm", EVICT], capture_output=True, text=True).stdout
        loops = re.findall(r" [tT] (\S*SimulationLoopV\S*)", symbols)
        if not loops:
            self.skipTest(f"{EVICT} is stripped")
        catalog = (ROOT / "Sources/Eviction/PolicyCatalog.swift").read_text()
        policies = re.findall(r"visitor\.visit\((\w+)\.self\)", catalog)
        self.assertTrue(policies, "the catalog's form has changed")
        for policy in policies:
            mangled = f"{len(policy)}{policy}V"
            own = [name for name in loops if mangled in name]
            self.assertTrue(own, f"{policy} has no loop of its own: it runs unspecialised")
            owners = {name for name in own if name.startswith("$s10Simulation")}
            self.assertEqual(len(own), len(set(own)), f"{policy} has two copies of a loop")
            self.assertTrue(owners, f"the loops of {policy} are not those of Simulation")


if __name__ == "__main__":
    if sys.argv[1:] == ["--draw"]:
        page = PAGE.read_text()
        PAGE.write_text(re.sub(r"```\n6  -(?:.|\n)*?\n```", lambda _: drawing(), page))
    else:
        unittest.main()
