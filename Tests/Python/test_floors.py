"""Package.swift keeps to the floors, and the page "Where is what" draws them as they are.

`python3 Tests/Python/test_floors.py --draw` writes the drawing into the page again.
"""

import collections
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Sources/EvictionLab/EvictionLab.docc/WhereIsWhat.md"
BUILD = ROOT / ".build/release"
# A floor imports only floors below it, and no target of its own floor but where a comment says so.
FLOORS = [
    ["Parameters"],
    ["EvictionCore", "Traces", "Statistics", "Results", "Rendering"],
    ["Learned"],
    ["Eviction", "DiskTier", "Conformance", "Recording", "EvictionMetrics", "Requests",
     "TraceAnalysis", "Comparison", "Reports"],
    ["EvictionTesting", "EvictionLifecycle", "Simulation", "Prefixes", "CacheReplay", "Systems"],
    ["Runner"],
    ["EvictionC", "Experiments", "Claims"],
    ["EvictionLab"],
    ["evict"],
]
# The interface to other languages and what it stands on: neither Foundation nor GSL is linked with them.
BARE = {
    "Parameters", "EvictionCore", "Learned", "Eviction", "Conformance", "Traces", "Requests", "Results", "Simulation", "Prefixes",
    "Runner", "EvictionC"}
# Only these are compiled again when a policy changes.
ENGINES = {"Simulation", "Prefixes"}
# The closures in which, or beside which, a release build compiles a policy's loops, and the target that compiles them.
LOOPS = {
    r"partial apply forwarder for UnitHost closure #1 .*Simulation\.SimulationRun<[^>]*>\.run\(": "Simulation",
    r"partial apply forwarder for SizedHost closure #1 .*Simulation\.SimulationRun<[^>]*>\.run\(": "Simulation",
    r"closure #1 .* in Prefixes\.PrefixSimulator\.init<": "Prefixes",
}
# What a cache calls of its policy on a hit and for a newcomer: compiled beside the policies.
CALLS = [r"closure #2 .* in EvictionCore\.PolicyFunctions\.init<", r"closure #3 .* in EvictionCore\.PolicyFunctions\.init<"]
SYSTEM = {"AllocationCounter", "CEvictionLab", "CInline", "CZlib", "CLZMA", "CZstd", "CSQLite", "CGSL", "CXGBoost"}


def targets():
    """The targets under Sources with the targets of this package that they declare."""
    return declared((ROOT / "Package.swift").read_text().split("// Tests mirror the sources.")[0])


def declared(text):
    """The targets of a manifest with the targets that each declares."""
    text = text[text.index("targets: [\n") :]
    found = {}
    for block in re.split(r"\n    \.(?=target|executableTarget|systemLibrary|testTarget)", text)[1:]:
        name = re.search(r'name: "(\w+)"', block)[1]
        own = re.sub(r"\.product\((?:[^()]|\([^()]*\))*\)", "", re.sub(r"//.*", "", block))
        own = re.sub(r", condition: \.when\([^()]*\)", "", own)
        listed = re.search(r"dependencies: \[(.*?)\]", own, re.S)
        found[name] = re.findall(r'"(\w+)"', listed[1] if listed else "")
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
            line, first = f"   {name:<17}", True
            for other in below:
                if other in reached:
                    continue
                if len(line) + len(other) + 1 > 99:
                    lines.append(line)
                    line = " " * 20
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

    def test_what_other_languages_stand_on_imports_no_foundation(self):
        declared = targets()
        for name in BARE:
            self.assertLessEqual(reach(name, declared) - SYSTEM, BARE, f"{name} stands on more")
            self.assertNotIn("CGSL", reach(name, declared))
            for file in (ROOT / "Sources" / name).rglob("*.swift"):
                self.assertNotRegex(file.read_text(), r"(?m)^ *(@\w+ )?import Foundation", file.relative_to(ROOT))

    def test_the_package_of_invariants_has_the_same_targets(self):
        whole = declared((ROOT / "Package.swift").read_text())
        part = declared((ROOT / "Tests/Invariants/Package.swift").read_text())
        self.assertIn("EvictionCoreTests", part)
        for name, names in part.items():
            self.assertEqual(names, whole[name], name)

    def test_the_page_draws_the_targets_as_they_are(self):
        self.assertIn(drawing(), PAGE.read_text(), "run Tests/Python/test_floors.py --draw")

    def test_the_page_names_files_that_exist(self):
        for path in re.findall(r"`((?:Sources|Tests)/[^`*]+)`", PAGE.read_text()):
            self.assertTrue((ROOT / path).exists(), path)


class Loops(unittest.TestCase):
    """The loops that a release build compiled, in its object files: the linker folds second copies."""

    @classmethod
    def setUpClass(cls):
        if not BUILD.exists():
            raise unittest.SkipTest(f"{BUILD} is not built")
        cls.symbols = {}
        for name in set(targets()) - SYSTEM:
            # Objects of sources that are gone may still lie there.
            sources = (ROOT / "Sources" / name).rglob("*.swift")
            objects = [BUILD / f"{name}.build" / f"{source.name}.o" for source in sources]
            objects = [path for path in objects if path.exists()]
            cls.symbols[name] = demangled(objects) if objects else []
        if not all(cls.symbols[name] for name in ENGINES):
            raise unittest.SkipTest(f"{BUILD} has no engines")
        catalog = (ROOT / "Sources/Eviction/PolicyCatalog.swift").read_text()
        # A release build has no trait of them.
        catalog = re.sub(r"#if Learned(?:.|\n)*?#endif", "", catalog)
        cls.policies = re.findall(r"visitor\.visit\((\w+)\.self\)", catalog)
        # Policies over lists of some kind, by the names that they have in the catalog.
        kinds = r"(?:EvictionCore\.SlotLists<Swift\.UInt8>|EvictionCore\.SlotLogs|EvictionCore\.PinnedLists)"
        names = {r"Eviction\.LeastFrequent<Eviction\.Frequency(?:Lists|Logs)>": "Eviction.LFU"}
        cls.listed = set()
        for file in (ROOT / "Sources/Eviction/Policies").glob("*.swift"):
            for name, rules in re.findall(r"typealias (\w+) = ListedPolicy<(\w+), ", file.read_text()):
                names[rf"EvictionCore\.ListedPolicy<Eviction\.{rules}, {kinds}>"] = f"Eviction.{name}"
                cls.listed.add(name)
        for target, symbols in cls.symbols.items():
            for pattern, name in names.items():
                symbols = [(kind, re.sub(pattern, name, symbol)) for kind, symbol in symbols]
            counter = r"<Simulation\.PolicyCounter<(Eviction(?:Core)?\.\w+), Simulation\.(\w+), Requests\.\w+>> of "
            cls.symbols[target] = [(kind, re.sub(counter, r"<\1> of \2 ", symbol)) for kind, symbol in symbols]

    def test_what_other_languages_stand_on_links_no_foundation(self):
        for name in BARE:
            linked = [symbol for _, symbol in self.symbols[name] if re.search(r"\bFoundation\w*\.|^gsl_", symbol)]
            self.assertEqual(linked, [], f"{name} links it")

    def test_each_engine_compiles_its_loops_once_for_each_policy(self):
        self.assertTrue(self.policies, "the catalog's form has changed")
        expected = collections.Counter(
            (target, loop, policy) for loop, target in LOOPS.items() for policy in self.policies
        )
        specialised = r"(partial apply forwarder for )?generic specialization <Eviction(?:Core)?\.(\w+)> of (.*)"
        # Plain gets of rules over lists run over links where keys are few, and over logs where they are many.
        expected.update(
            (target, loop, policy) for loop, target in LOOPS.items() if "UnitHost" in loop for policy in self.listed)
        found = collections.Counter()
        for target, symbols in self.symbols.items():
            defined = (re.fullmatch(specialised, name) for kind, name in symbols if kind != "U")
            for forwarder, policy, function in (match.groups("") for match in defined if match):
                found.update((target, loop, policy) for loop in LOOPS if re.match(loop, forwarder + function))
        self.assertEqual(found - expected, {}, "compiled twice, or for another engine")
        self.assertEqual(expected - found, {}, "runs unspecialised")

    @unittest.skipUnless(shutil.which("objdump"), "objdump tells who calls whom")
    def test_no_simulation_reads_a_property_of_its_policy_by_a_coroutine(self):
        """Such a call costs as much as all that a hit does."""
        slow = {
            (caller, called) for caller, called in calls(BUILD / "Simulation.build/PolicySimulator.swift.o")
            # A property's read or modify, as a protocol's witness.
            if re.search(r"v[rMxy]TW$", called)}
        self.assertEqual(slow, set(), "read it into a local, or write the member in the policy itself")

    def test_what_caches_call_is_compiled_for_each_policy(self):
        names = "\n".join(name for _, name in self.symbols["Eviction"])
        for policy in self.policies:
            for call in CALLS:
                specialised = rf"generic specialization <Eviction(?:Core)?\.{policy}> of {call}"
                self.assertRegex(names, specialised, f"{policy} runs unspecialised in caches")

    def test_engines_call_no_policy_that_is_not_compiled_for_their_host(self):
        generic_over_hosts = r"<.*: EvictionCore\.SlotHost.*\("
        for target in ENGINES:
            called = [name for kind, name in self.symbols[target] if kind == "U"]
            self.assertTrue(called)
            generic = [name for name in called if re.search(generic_over_hosts, name)]
            self.assertEqual(generic, [], f"{target} calls what is not @inlinable")


def calls(path):
    """The mangled names of who calls whom in an object file."""
    listing = subprocess.Popen(
        ["objdump", "-dr", "--no-show-raw-insn", path], stdout=subprocess.PIPE, text=True)
    caller = ""
    with listing:
        for line in listing.stdout:
            if begins := re.match(r"[0-9a-f]+ <(.+)>:$", line):
                caller = begins[1]
            elif called := re.search(r"\sR_\w+\s+(\$s\S+?)(?:[-+]0x[0-9a-f]+)?$", line):
                yield caller, called[1]


def demangled(objects):
    """The kind and the readable name of each symbol of some object files."""
    listing = subprocess.run(["nm", *objects], capture_output=True, text=True, check=True).stdout
    symbols = re.findall(r"^[0-9a-f ]+ (\w) (\$s\S+)$", listing, re.M)
    mangled = "\n".join(name for _, name in symbols)
    names = subprocess.run(
        ["swift", "demangle"], input=mangled, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return [(kind, name) for (kind, _), name in zip(symbols, names, strict=True)]


if __name__ == "__main__":
    if sys.argv[1:] == ["--draw"]:
        page = PAGE.read_text()
        PAGE.write_text(re.sub(r"```\n\d  -(?:.|\n)*?\n```", lambda _: drawing(), page))
    else:
        unittest.main()
