import Glibc

/// A run of a scenario under the schedule of one seed.
final class Run: @unchecked Sendable {
  /// The run under way. Only the thread with the baton looks at it.
  nonisolated(unsafe) static var current: Run?

  private let name: String
  private let seed: UInt64
  private var schedule: Schedule
  private var strands: [Strand] = []
  private var ready: [Strand] = []
  private var started = 0
  private let done = Baton()
  /// The strand that has the baton.
  private(set) var own: Strand!
  private(set) var points = 0
  /// The points when the run had taken long.
  var pointsAtAlarm: Int?
  /// Nanoseconds of the run's own clock.
  private(set) var clock: UInt64 = 1_000_000_000
  private let tick: UInt64
  private let hasShortPauses: Bool
  /// The choices, in one number.
  private(set) var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
  private var log: [(strand: Int, operation: StaticString)] = []

  /// More points than this are taken for threads that wait for each other by asking.
  private static let pointLimit = 50_000

  init(_ name: String, seed: UInt64) {
    self.name = name
    self.seed = seed
    schedule = Schedule(seed: seed)
    // Machines are fast or slow beside the times that a scenario waits.
    tick = [20, 1_000, 100_000][schedule.draw(below: 3)]
    hasShortPauses = schedule.draw(below: 2) == 0
  }

  /// Runs `body`, and all threads that it starts, to the end.
  func whole(_ body: @escaping () -> Void) {
    Run.current = self
    start(body)
    own = strands[0]
    own.resume()
    done.take()
    Run.current = nil
  }

  @discardableResult
  func start(isDaemon: Bool = false, _ body: @escaping () -> Void) -> Strand {
    let strand = Strand.make(body)
    strand.number = started
    strand.isDaemon = isDaemon
    strand.priority = schedule.priority()
    started += 1
    strands.append(strand)
    return strand
  }

  func draw(below bound: Int) -> Int { schedule.draw(below: bound) }

  /// True if only daemons are left.
  var isEnding: Bool { strands.allSatisfy(\.isDaemon) }

  /// The thread stands before `operation`: another one may go on.
  func point(_ operation: StaticString) {
    let own = own!
    own.operation = operation
    pass(from: own)
  }

  func yield(_ operation: StaticString) {
    own.hasYielded = true
    point(operation)
  }

  func pause() {
    clock += max(tick / 16, 32)
    if hasShortPauses && schedule.draw(below: 64) == 0 { yield("pause") }
  }

  /// The thread waits for `condition`, or until the deadline.
  func wait(_ operation: StaticString, until deadline: UInt64?, _ condition: @escaping () -> Bool) {
    let own = own!
    (own.condition, own.deadline) = (condition, deadline)
    point(operation)
    (own.condition, own.deadline) = (nil, nil)
  }

  /// The strand has run to its end.
  func end(_ strand: Strand) {
    strands.removeAll { $0 === strand }
    if strands.isEmpty { done.give() } else { pass(from: nil) }
  }

  private func pass(from own: Strand?) {
    points += 1
    clock += tick
    if points > Run.pointLimit {
      fail("no end after \(points) points: threads wait for each other by asking")
    }
    findReady()
    let next = schedule.next(ready, at: points, own: own)
    fingerprint = (fingerprint ^ UInt64(next.number)) &* 0x100_0000_01B3
    if log.last.map({ $0.strand != next.number }) ?? true || own != nil {
      log.append((next.number, next.operation))
    }
    self.own = next
    if next === own { return }
    next.resume()
    own?.suspend()
  }

  private func findReady() {
    let isEnding = isEnding
    while true {
      ready.removeAll(keepingCapacity: true)
      for strand in strands {
        guard let condition = strand.condition else {
          ready.append(strand)
          continue
        }
        let isLate = strand.deadline.map { $0 <= clock } ?? false
        if isLate || (isEnding && strand.isDaemon) || condition() { ready.append(strand) }
      }
      if !ready.isEmpty { return }
      // Time passes when nothing else can happen.
      guard let next = strands.compactMap(\.deadline).min() else {
        fail("every thread waits, for ever")
      }
      clock = max(clock, next)
    }
  }

  /// Says what went wrong and how to see it again, and ends the program.
  func fail(_ message: String) -> Never {
    var text = "FAILED \(name): \(message)\n"
    text += "replay with --scenario \(name) --seed \(seed)\n"
    text += "schedule \(String(fingerprint, radix: 16)), \(points) points; the last ones:\n"
    for entry in log.suffix(200) { text += "  thread \(entry.strand) \(entry.operation)\n" }
    for strand in strands where strand.condition != nil {
      text += "  thread \(strand.number) waits: \(strand.operation)\n"
    }
    print(text, terminator: "")
    fflush(nil)
    _exit(1)
  }
}
