"""Faults to plant in the catalog's own policies, for a regression gate to find.

A fault is one replacement in a copy of the sources. What it replaces must be there exactly once, so that an edit which
moves it away is noticed: `Tests/Python/test_gate.py` applies all of them to the sources as they are.
"""
import re
from typing import NamedTuple

POLICIES = "Sources/Eviction/Policies"
LRU = "Sources/EvictionCore/Policies/LRU.swift"
LOOPS = "Sources/Simulation/Theorems"

# A policy alone, and inside the cache. Offline ones run alone only, and alone some policies fuse a miss: what they evict
# and insert otherwise shows inside the cache, and in the comparison that begins each sweep's run.
REAL = ("policy", "cache")
ALONE = ("policy",)
INSIDE = ("cache",)
THEOREM = ("theorem",)

# Every eighth object.
SOME = "request.slot & 7 == 3"

# Steps of a generator that the compiler cannot leave out.
WORK = """
    var planted = UInt64(request.slot) | 1
    for _ in 0..<12 {
      planted ^= planted << 13
      planted ^= planted >> 7
      planted ^= planted << 17
    }
    precondition(planted != 0)
"""


class Fault(NamedTuple):
    """A fault: what it is, whose, which rows of the gate must show it in which figure, and the replacement."""
    kind: str
    policy: str
    forms: tuple
    figure: str
    file: str
    pattern: str
    replacement: str

    def planted(self, text):
        """The file's text with the fault."""
        places = re.findall(self.pattern, text)
        if len(places) != 1:
            raise LookupError(
                f"{self.file}: “{self.pattern}” of the fault “{self.kind} of {self.policy}” is there "
                f"{len(places)} times, not once; adapt Tests/Benchmarks/faults.py")
        return re.sub(self.pattern, lambda match: match.expand(self.replacement), text)


def swap(kind, policy, forms, file, old, new):
    """A fault in the counts that replaces a piece of code."""
    return Fault(kind, policy, forms, "hits", file, re.escape(old), new.replace("\\", r"\\"))


def entry(function):
    """The head of a function of the policy, up to its brace."""
    return rf"(\bfunc {function}(?:<[^>]*>)?\((?:[^{{}}]*)\{{)(?!\}})"


# The nine policies whose plain gets sweeps count, or counted, by loops.
FILES = {
    "lru": LRU, "fifo": f"{POLICIES}/FIFO.swift", "random": f"{POLICIES}/Random.swift",
    "lfu": f"{POLICIES}/LFU.swift", "slru": f"{POLICIES}/SLRU.swift", "arc": f"{POLICIES}/ARC.swift",
    "wtinylfu": f"{POLICIES}/WTinyLFU.swift", "opt": f"{POLICIES}/OPT.swift",
    "belady-size": f"{POLICIES}/BeladySize.swift",
}
OFFLINE = {"opt", "belady-size"}
# Nothing depends on their hits.
UNMOVED = {"fifo", "random"}
FUSED = {"random": f"{POLICIES}/Random.swift", "lfu": f"{POLICIES}/LFU.swift",
         "slru": "Sources/EvictionCore/Slots/RecencyLists.swift"}


def forms(policy):
    return ALONE if policy in OFFLINE else REAL


def victim(policy, old, new, found=None):
    return swap("wrong victim", policy, found or forms(policy), FILES[policy], old, new)


def loop(policy, file, old, new):
    return swap("wrong count", policy, THEOREM, f"{LOOPS}/{file}", old, new)


FAULTS = [
    victim("lru", "lists.evictBack(of: .first, host: &host)", "lists.evictFront(of: .first, host: &host)"),
    victim("fifo", "    queues.evictOldest(of: .first, host: &host)",
           "    queues.moveFront(of: .first, to: .first, size: 1)\n"
           "    queues.evictOldest(of: .first, host: &host)"),
    victim("random", "    residents.draw(&generator, host: host)",
           "    _ = residents.draw(&generator, host: host)\n"
           "    return residents.draw(&generator, host: host)", INSIDE),
    victim("random", "let index = drawn.index(below: residents.count)",
           "let index = drawn.index(below: residents.count) / 2", ALONE),
    victim("lfu", "      levels.insert(request.slot)",
           f"      levels.insert(request.slot)\n      if {SOME} {{ levels.increment(request.slot) }}", INSIDE),
    victim("slru", "var segment: UInt8 = 1",
           "var segment = lists.lacksVictim(ListID(segments), host: host) ? 1 : segments", INSIDE),
    victim("arc", "if target.takesFromT1(lists, forGhostOfB2: isOfB2, host: host) {", "if !lists.isEmpty(.t1) {"),
    victim("wtinylfu", "if frequency(of: candidate) <= frequency(of: victim) {",
           "if frequency(of: candidate) > frequency(of: victim) {"),
    victim("opt", "if bypasses && isFarthest(request) {", f"if {SOME} || bypasses && isFarthest(request) {{"),
    victim("belady-size", "guard makeRoom(for: request, host: &host) else {",
           f"guard !({SOME}), makeRoom(for: request, host: &host) else {{"),
    loop("lru", "LRUCounter.swift", "room = capacity\n", "room = capacity - 1\n"),
    loop("fifo", "FIFOCounter.swift", "self.capacity = UInt32(capacity)", "self.capacity = UInt32(capacity - 1)"),
    loop("opt", "MINCounter.swift", "room = options.run.capacity",
         "room = options.run.capacity - 1"),
]
FAULTS += [
    Fault("missed promotion", policy, forms(policy), "hits", file, entry("hit"),
          rf"\1\n    if {SOME} {{ return }}")
    for policy, file in FILES.items() if policy not in UNMOVED | OFFLINE]
FAULTS += [
    Fault("useless work", policy, INSIDE if policy in FUSED else forms(policy), "instructions", file,
          entry("insert"), rf"\1{WORK}")
    for policy, file in FILES.items() if policy != "arc"]
FAULTS += [
    Fault("useless work", policy, ALONE, "instructions", file, entry("steadyRequest"),
          rf"\1{WORK.replace('request.slot', 'slot')}") for policy, file in FUSED.items()]
# Its insertion is one expression.
FAULTS.append(Fault(
    "useless work", "arc", REAL, "instructions", FILES["arc"],
    re.escape("    admit(request, lists: &lists, host: &host)"),
    rf"{WORK}    return admit(request, lists: &lists, host: &host)"))


def plant(kinds, read):
    """The faults of these kinds, and the texts of the files that they change; `read` gives those as they are."""
    faults = [fault for fault in FAULTS if fault.kind in kinds]
    texts = {}
    for fault in faults:
        texts[fault.file] = fault.planted(texts.get(fault.file) or read(fault.file))
    return faults, texts
