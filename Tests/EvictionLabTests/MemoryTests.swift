import EvictionLab
import Foundation
import Testing
import Traces

/// Memory is compared with what there is before it is short; where it is short all the same, the tool says so.
@Suite struct MemoryTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  /// Writes what a system would say.
  private func write(_ files: [String: String]) throws {
    for (file, text) in files {
      let url = shell.folder.appendingPathComponent(file)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try shell.write(text, to: file)
    }
  }

  private var available: Int? { AvailableMemory.bytes(root: shell.folder.path) }

  @Test func leastOfWhatMachineGroupsAndLimitsLeaveIsAvailable() throws {
    #expect(available == nil)
    try write(["proc/meminfo": "MemTotal: 9000 kB\nMemAvailable:    8000 kB\nSwapFree:  192 kB\n"])
    #expect(available == 8192 << 10)
    try write([
      "proc/self/cgroup": "0::/app/job\n",
      "sys/fs/cgroup/app/memory.max": "6000000\n", "sys/fs/cgroup/app/memory.current": "2000000\n",
      "sys/fs/cgroup/app/memory.stat": "anon 1\ninactive_file 500000\nactive_file 7\n",
      "sys/fs/cgroup/app/job/memory.max": "max\n", "sys/fs/cgroup/app/job/memory.current": "1\n",
    ])
    #expect(available == 4_500_000)
    try write([
      "proc/self/status": "Name:\tevict\nVmSize:\t  1000 kB\nVmData:\t  500 kB\n",
      "proc/self/limits": """
      Limit                     Soft Limit           Hard Limit           Units
      Max data size             unlimited            unlimited            bytes
      Max address space         3024000              unlimited            bytes

      """,
    ])
    #expect(available == 2_000_000)
  }

  @Test func groupOfTheFirstKindIsAskedWhereAContainerSeesIt() throws {
    try write([
      "proc/self/cgroup": "5:cpu:/x\n4:hugetlb,memory:/docker/1\n0::/\n",
      "sys/fs/cgroup/memory/memory.limit_in_bytes": "1000\n",
      "sys/fs/cgroup/memory/memory.usage_in_bytes": "900\n",
      "sys/fs/cgroup/memory/memory.stat": "inactive_file 1\ntotal_inactive_file 50\n",
    ])
    #expect(available == 150)
  }

  /// Limits the address space; of it, an allocator takes as much for each thread as these tests leave.
  private static func limit(_ kilobytes: Int) -> String {
    "ulimit -v \(kilobytes); export MALLOC_ARENA_MAX=1; "
  }

  /// Runs a sweep with little memory.
  private func sweep(_ arguments: String, kilobytes: Int) async throws -> Outcome {
    try await shell.run(
      Self.limit(kilobytes) + "evict sweep \(arguments) --policy lru --capacity 10")
  }

  @Test func traceThatCannotFitIsRefusedAtOnceOrReadBlockByBlock() async throws {
    let kilobytes = try await Self.kilobytes(shell)
    // 100 M requests for ten keys take 400 MB.
    let made = try await shell.run(
      "evict trace generate loop:keys=10:requests=1e8 --output big.oracleGeneral.zst")
    #expect(made.code == 0, "\(made)")
    let streamed = try await sweep(
      "big.oracleGeneral.zst --expansion 100000 --format csv", kilobytes: kilobytes + (160 << 10))
    #expect(streamed.code == 0 && streamed.errors.contains("as by --stream"), "\(streamed)")
    #expect(streamed.output.contains("lru"), "\(streamed)")
    // A stream shows no internals.
    let outcome = try await sweep(
      "big.oracleGeneral.zst --trace-internals 2", kilobytes: kilobytes + (64 << 10))
    #expect(outcome.code == 71 && outcome.output.isEmpty, "\(outcome)")
    #expect(
      outcome.errors.wholeMatch(
        of:
          /evict: big.oracleGeneral.zst: needs at least \d+ MB more memory, \d+ MB are available; use .*\n/
      )
        != nil, "\(outcome)")
    let limited = try await sweep(
      "big.oracleGeneral.zst --limit 1e6 --jobs 1", kilobytes: kilobytes + (64 << 10))
    #expect(limited.code == 0, "\(limited)")
  }

  @Test(arguments: ["trace info", "curve --policy lru,fifo", "replay --policy lru"])
  func aTraceThatIsNeededWholeIsRefusedWhereItCannotFit(_ command: String) async throws {
    let kilobytes = try await Self.kilobytes(shell)
    let made = try await shell.run(
      "evict trace generate loop:keys=10:requests=1e8 --output big.oracleGeneral.zst")
    #expect(made.code == 0, "\(made)")
    let outcome = try await shell.run(
      Self.limit(kilobytes + (64 << 10)) + "evict \(command) big.oracleGeneral.zst")
    #expect(outcome.code == 71 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains("evict trace sample"), "\(outcome)")
  }

  @Test func runningOutOfMemoryIsOneLine() async throws {
    let kilobytes = try await Self.kilobytes(shell)
    // Nothing vouches for what a packed recording says of itself.
    let made = try await shell.run(
      "evict trace generate uniform:keys=1e6:requests=2e7 --output big.evtrace.zst")
    #expect(made.code == 0, "\(made)")
    let outcome = try await sweep("big.evtrace.zst", kilobytes: kilobytes + (32 << 10))
    #expect(outcome.code == 71 && outcome.output.isEmpty, "\(outcome)")
    #expect(
      outcome.errors
        == "evict: out of memory; use evict trace sample, --limit or --no-baselines\n",
      "\(outcome)")
  }

  /// The address space that the tool takes for a small trace.
  private static func kilobytes(_ shell: Shell) async throws -> Int {
    for kilobytes in stride(from: 64 << 10, through: 4 << 20, by: 64 << 10) {
      let line = limit(kilobytes) + "evict sweep tiny.txt --policy lru --capacity 2"
      if try await shell.run(line).code == 0 { return kilobytes }
    }
    throw Unlimited()
  }

  private struct Unlimited: Error {}
}
