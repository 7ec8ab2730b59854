import Glibc

/// A thread of an exploration, which runs while it has the baton.
final class Strand: @unchecked Sendable {
  /// From 0, in the order in which threads of the run were started.
  var number = 0
  /// True if the run may end before it, as it may before a timer.
  var isDaemon = false
  /// The value of a thread's number that its scheduler compares; the greatest runs.
  var priority = 0
  /// True if it asked to let others run.
  var hasYielded = false
  /// Waits for this to be true; nil if it does not wait.
  var condition: (() -> Bool)?
  /// Waits no longer than to this time of the run's clock.
  var deadline: UInt64?
  /// The operation at which it stands.
  var operation: StaticString = "start"

  private let baton = Baton()
  private var body: () -> Void = {}

  /// Strands without work, whose threads are used again.
  nonisolated(unsafe) private static var idle: [Strand] = []

  /// A strand that runs `body` once it gets the baton, and then calls `end`.
  static func make(_ body: @escaping () -> Void) -> Strand {
    let strand = idle.popLast() ?? Strand()
    strand.body = body
    (strand.isDaemon, strand.hasYielded) = (false, false)
    (strand.condition, strand.deadline) = (nil, nil)
    strand.operation = "start"
    return strand
  }

  private init() {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self).toOpaque()
    let code = pthread_create(
      &thread, nil,
      { context in
        let strand = Unmanaged<Strand>.fromOpaque(context!).takeUnretainedValue()
        while true {
          strand.baton.take()
          strand.body()
          strand.body = {}
          Strand.idle.append(strand)
          Run.current!.end(strand)
        }
      }, context)
    precondition(code == 0, "no thread could be started")
  }

  func resume() { baton.give() }

  /// Sleeps until it is resumed.
  func suspend() { baton.take() }
}

/// What the one thread that runs holds.
final class Baton: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit { semaphore.deallocate() }

  func give() { sem_post(semaphore) }

  func take() { while sem_wait(semaphore) != 0 {} }
}
