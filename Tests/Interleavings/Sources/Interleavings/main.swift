import CInline
import Glibc
import Interleaving

// Threads that take turns do so fastest on one processor.
_ = evl_pin_thread(UInt32(getpid()) % UInt32(evl_processor_count()))

ScenarioCommand.run(
  Scenario.locks + [.patience, .ring] + Scenario.buffers + Scenario.loads + Scenario.caches
    + Scenario.faults,
  // Schedules that failed once, and what it was that failed: they run first.
  known: [
    // The check took the return of `forget` for its begin.
    ("flights", 1_795_794_466_000_008_211),
    // The explorer's timer left no time to others.
    ("upkeep", 1_795_794_065_000_000_046),
  ])
