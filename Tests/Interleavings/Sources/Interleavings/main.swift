import CInline
import Glibc
import Interleaving

// Threads that take turns do so fastest on one processor.
_ = evl_pin_thread(UInt32(getpid()) % UInt32(evl_processor_count()))

ScenarioCommand.run(
  Scenario.locks + Scenario.buffers + [.ring] + Scenario.loads + Scenario.caches + Scenario.faults,
  // A schedule that failed once is added here, with what it was that failed.
  known: [])
