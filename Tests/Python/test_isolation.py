"""Plug-ins that trap, hang, call exit() or write where they must not: what `evict` says, and what goes on."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVICT = pathlib.Path(os.environ.get("EVICT", ROOT / ".build/release/evict"))
COMPILER = shutil.which("cc")
TRACE = ROOT / "traces/history.txt.zst"

# FIFO in links by slot; the insertion of number `at` has a fault.
FIFO = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "evictionlab_policy.h"

typedef struct { uint32_t *next, *previous; uint32_t slots, first, last, insertions; int64_t capacity; double at, above; } state_t;

static void reserve(void *s, uint32_t slots) {
  state_t *state = s;
  if (slots <= state->slots) return;
  state->next = realloc(state->next, slots * sizeof(uint32_t));
  state->previous = realloc(state->previous, slots * sizeof(uint32_t));
  state->slots = slots;
}
static void *create(const evl_configuration *configuration) {
  state_t *state = calloc(1, sizeof *state);
  state->first = state->last = EVL_NO_SLOT;
  state->capacity = configuration->capacity;
  state->at = configuration->parameters[0];
  state->above = configuration->parameters[1];
  reserve(state, configuration->slots);
  return state;
}
static void destroy(void *s) { state_t *state = s; free(state->next); free(state->previous); free(state); }
static void hit(void *s, evl_host *host, const evl_request *request) {}
static void take(state_t *state, uint32_t slot) {
  uint32_t next = state->next[slot], previous = state->previous[slot];
  if (next == EVL_NO_SLOT) state->last = previous; else state->previous[next] = previous;
  if (previous == EVL_NO_SLOT) state->first = next; else state->next[previous] = next;
}
static void evict(void *s, evl_host *host, const evl_request *request) {
  state_t *state = s;
  uint32_t slot = state->first;
  if (!evl_may_evict(host, slot)) return;
  take(state, slot);
  evl_evict(host, slot);
}
static uint32_t insert(void *s, evl_host *host, const evl_request *request) {
  state_t *state = s;
  if (++state->insertions == state->at && state->capacity > state->above) { FAULT; }
  while (!evl_has_room(host)) { evict(s, host, request); if (evl_has_refused(host)) return EVL_REJECTED; }
  uint32_t slot = request->slot;
  state->next[slot] = EVL_NO_SLOT;
  state->previous[slot] = state->last;
  if (state->last == EVL_NO_SLOT) state->first = slot; else state->next[state->last] = slot;
  state->last = slot;
  return EVL_ADMITTED;
}
static void removed(void *s, evl_host *host, uint32_t slot) { take(s, slot); }
static void remove_all(void *s) { state_t *state = s; state->first = state->last = EVL_NO_SLOT; }

static const evl_parameter parameters[] = {
  {"at", "the insertion with the fault", EVL_WHOLE, 0, 0, 1000000},
  {"above", "the greatest capacity without it", EVL_WHOLE, 0, 0, 1000000}};
static const evl_policy policy = {
  .version = EVL_POLICY_VERSION, .parameter_count = 2, .bytes_per_slot = 8, .summary = "first in, first out",
  .parameters = parameters, .create = create, .destroy = destroy, .reserve = reserve, .hit = hit, .insert = insert,
  .evict = evict, .remove = removed, .remove_all = remove_all};
EVL_EXPORT const evl_policy *evictionlab_policy(void) { return &policy; }
"""

FAULTS = {
    "crash": "*(volatile int *)8 = 1",
    "end": 'printf("gives up\\n"); exit(3)',
    "hang": "for (;;) *(volatile int *)&state->slots",
    "past": "state->next[state->slots] = 1",
    "before": "state->next[-1] = 1",
    "freed": "free(state->next); state->next[0] = 1; state->next = NULL",
    "stranger": "evl_evict(host, request->slot)",
}


@unittest.skipUnless(COMPILER, "there is no compiler for C")
class Isolation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for name, fault in FAULTS.items():
            source = cls.folder / f"{name}.c"
            source.write_text(FIFO.replace("FAULT", fault))
            subprocess.run(
                [COMPILER, "-O1", "-w", "-shared", "-fPIC", "-I", ROOT / "Sources/CEvictionLab", "-o",
                 cls.folder / f"{name}.so", source], check=True)

    def evict(self, *arguments, code=0):
        done = subprocess.run(
            [EVICT, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder, timeout=600)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def check(self, *policies, code=1):
        return self.evict(
            "policies", "check", *policies, "--rounds", 1, "--time-limit", 2, code=code).stdout

    def test_a_plug_in_without_a_fault_conforms(self):
        self.assertEqual(self.check("plugin:./past.so", code=0), "plugin:./past.so: conforms\n")

    def test_each_fault_costs_its_own_row(self):
        ends = {
            "crash": r"crashed \(signal 11\)",
            "end": r"called exit\(3\): gives up",
            "hang": r"did not return within 2 seconds",
            "past": r"crashed \(signal 11|6\)",
            "before": r"crashed \(signal 6\): writes before the beginning of a block of \d+ bytes",
            "freed": r"crashed \(signal 11\)",
        }
        names = [f"plugin:./{name}.so:at=7" for name in ends]
        output = self.check("lru", *names, "fifo")
        self.assertTrue(output.startswith("lru: conforms\n") and output.endswith("fifo: conforms\n"), output)
        for name, end in zip(names, ends.values()):
            self.assertRegex(
                output,
                rf"\n{name}: fails\n  keeps the contract with its host: {end}, seed 42, .*, at operation \d+\n")

    def test_a_write_one_element_past_an_array_is_found_at_its_operation(self):
        output = self.check("plugin:./past.so:at=3")
        self.assertRegex(output, r"(signal 11\)|signal 6\): writes past the end of a block of \d+ bytes), seed 42")

    def test_a_policy_that_learns_in_miniature_conforms(self):
        self.assertEqual(self.check("s4fifo-learned", code=0), "s4fifo-learned: conforms\n")
        done = self.evict("policies", "check", "s4fifo-learned:learn=1", "--rounds", 3)
        self.assertEqual(done.stdout, "s4fifo-learned:learn=1: conforms\n")

    def test_a_check_has_no_parameters_of_runs(self):
        done = self.evict("policies", "check", "fifo", "lru:resize=true:admission=tinylfu", code=64)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr, "evict: lru: a check runs the policy alone; leave out resize, admission\n")

    def test_a_plug_in_that_needs_more_room_says_so_once(self):
        source = self.folder / "small.c"
        source.write_text(FIFO.replace("FAULT", "").replace(".parameters =", ".minimum_capacity = 5, .parameters ="))
        subprocess.run(
            [COMPILER, "-O1", "-w", "-shared", "-fPIC", "-I", ROOT / "Sources/CEvictionLab", "-o",
             self.folder / "small.so", source], check=True)
        done = self.evict("sweep", TRACE, "--policy", "plugin:./small.so", "--capacity", 3, code=64)
        self.assertEqual(done.stderr.count("cannot run at capacity 3; give at least 5"), 1, done.stderr)

    def test_a_policy_that_cannot_run_is_wrong_usage(self):
        done = self.evict("policies", "check", "wtinylfu:window=0.9999", "fifo", "nonsense", code=64)
        self.assertEqual(done.stdout, "")

    def sweep(self, *arguments, code=1):
        output = self.folder / "results.json"
        output.unlink(missing_ok=True)
        done = self.evict(
            "sweep", TRACE, "--no-baselines", "--format", "json", "--output", output, *arguments, code=code)
        rows = json.loads(output.read_text())["results"] if output.exists() else []
        return done, rows

    def test_cells_go_on_beside_those_that_crash(self):
        crashing = "plugin:./crash.so:at=50:above=100"
        done, rows = self.sweep("--policy", f"{crashing},fifo", "--capacity", "50,100,200,300", "--jobs", 2)
        found = sorted((row["policy"], row["capacity"]) for row in rows)
        self.assertEqual(
            found, [("fifo", size) for size in (50, 100, 200, 300)]
            + [("plugin:./crash.so", size) for size in (50, 100)])
        hits = {(row["policy"], row["capacity"]): row["hits"] for row in rows}
        for size in (50, 100):
            self.assertEqual(hits["plugin:./crash.so", size], hits["fifo", size])
        # Each cell is named that is left out, and nobody has stopped the others.
        self.assertRegex(
            done.stderr,
            r"\Aevict: 2 of 8 cells failed: plugin:\./crash\.so\S* at [23]00 on \S+: crashed \(signal 11\)\n"
            r"evict: plugin:\./crash\.so\S* at [23]00 on \S+: crashed \(signal 11\)\n\Z")

    def test_one_cell_that_crashes_has_one_line(self):
        done, rows = self.sweep("--policy", "plugin:./crash.so:at=7,fifo", "--capacity", "50")
        self.assertEqual([row["policy"] for row in rows], ["fifo"])
        self.assertRegex(
            done.stderr,
            r"\Aevict: 1 of 2 cells failed: plugin:\./crash\.so:at=7 at 50 on \S+: crashed \(signal 11\)\n\Z")
        table = self.evict("report", "results.json").stdout
        self.assertIn("Not complete, as it was stopped or cells failed: these are the 1 finished runs.", table)

    def test_a_breach_is_told_in_its_own_words(self):
        done, rows = self.sweep("--policy", "plugin:./stranger.so:at=5,fifo", "--capacity", "50")
        self.assertEqual([row["policy"] for row in rows], ["fifo"])
        self.assertRegex(
            done.stderr, r"crashed \(signal \d+\).*plugin:./stranger.so evicts slot \d+, which is unknown")

    def test_a_plug_in_counts_in_a_child_as_in_the_process(self):
        _, rows = self.sweep(
            "--policy", "plugin:./crash.so,fifo", "--capacity", "1%,10%", "--windows", "7",
            "--trace-internals", "3", "--check", code=0)
        ours = [row for row in rows if row["policy"] == "fifo"]
        theirs = [row for row in rows if row["policy"] != "fifo"]
        self.assertEqual(len(ours), 2)
        for one, other in zip(ours, theirs):
            for key in set(one) - {"policy", "parameters", "seconds", "requestsPerSecond", "nanosecondsPerRequest"}:
                self.assertEqual(one[key], other.get(key), key)

    def test_a_plug_in_is_charged_as_declared(self):
        charge = ["--policy", "plugin:./crash.so,fifo", "--charge-metadata", "--object-size", "40", "--capacity"]
        _, (one, other) = self.sweep(*charge, "200", code=0)
        self.assertEqual((one["hits"], one["metadata"]), (other["hits"], other["metadata"]))
        done, rows = self.sweep(*charge, "1")
        self.assertEqual(rows, [])
        self.assertRegex(done.stderr, r"plugin:\./crash\.so at 1 on \S+: .*its own memory, 9\.0 B at capacity 1, leaves no room")

    def test_ctrl_c_ends_a_hanging_cell(self):
        process = subprocess.Popen(
            [EVICT, "sweep", TRACE, "--policy", "plugin:./hang.so:at=7", "--capacity", "50"], cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        child = busy_child(process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        await_end(self, child)

    def test_a_child_ends_with_its_parent(self):
        process = subprocess.Popen(
            [EVICT, "policies", "check", "plugin:./hang.so:at=7"], cwd=self.folder, stdout=subprocess.PIPE)
        child = busy_child(process)
        process.kill()
        process.communicate()
        await_end(self, child)


def busy_child(process):
    """The child that has used the processor for a while: the one that hangs in a loop, and none that looked at a file."""
    children = pathlib.Path(f"/proc/{process.pid}/task")
    while process.poll() is None:
        for task in children.glob("*/children"):
            with contextlib.suppress(OSError):  # A thread, or the child, has ended meanwhile.
                for child in map(int, task.read_text().split()):
                    if int(state(child)[11]) >= 20:
                        return child
        time.sleep(0.01)
    raise AssertionError(f"no child has hung: {process.returncode}")


def state(process):
    """The fields of a process behind its name: the state first, the eleventh after it the ticks it has used."""
    return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()


def await_end(case, process):
    """Waits until a process has ended, if nobody has taken its end yet."""
    deadline = time.monotonic() + 60
    with contextlib.suppress(OSError):
        while state(process)[0] != "Z":
            case.assertLess(time.monotonic(), deadline, "it lives")
            time.sleep(0.05)


if __name__ == "__main__":
    unittest.main()
