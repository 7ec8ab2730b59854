/// What a scenario, and the twins of the system's modules, ask of the run under way.
///
/// Of the threads of a run exactly one runs at a time. A twin calls ``point(_:)`` around each operation on
/// what threads share, and ``wait(_:until:for:)`` where the real one would sleep. Memory is sequentially consistent:
/// what a processor or a compiler reorders is for the thread sanitizer. Without a run there is one thread, and nothing
/// waits.
public enum Exploration {
  /// Another thread may go on here.
  public static func point(_ operation: StaticString) { Run.current?.point(operation) }

  /// Another thread goes on here if there is one: this one asks again and again.
  public static func yield(_ operation: StaticString) { Run.current?.yield(operation) }

  /// The thread asks again soon. In some runs a pause is hardly ever a point, as a thread may have to ask for long until
  /// the one that it waits for has a processor.
  public static func pause() { Run.current?.pause() }

  /// Sleeps until `condition` is true, or the clock reaches `deadline`.
  public static func wait(
    _ operation: StaticString, until deadline: UInt64? = nil, for condition: () -> Bool
  ) {
    guard let run = Run.current else {
      precondition(condition(), "\(operation) waits, and there is no other thread")
      return
    }
    withoutActuallyEscaping(condition) { run.wait(operation, until: deadline, $0) }
  }

  /// Starts a thread; the run does not end before it, unless it is a daemon.
  public static func start(isDaemon: Bool = false, _ body: @escaping () -> Void) {
    guard let run = Run.current else { return body() }
    run.start(isDaemon: isDaemon, body)
  }

  /// Runs each of these in a thread, and returns when all have ended.
  public static func together(_ bodies: [() -> Void]) {
    final class Count: @unchecked Sendable { var left = 0 }
    let count = Count()
    count.left = bodies.count
    for body in bodies {
      start {
        body()
        count.left -= 1
      }
    }
    wait("for threads") { count.left == 0 }
  }

  /// Runs `body` in so many threads, with their numbers, and returns when all have ended.
  public static func threads(_ count: Int, _ body: @escaping (Int) -> Void) {
    together((0..<count).map { number in { body(number) } })
  }

  /// Ends the exploration, unless `condition` is true.
  public static func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if condition { return }
    guard let run = Run.current else { fatalError(message()) }
    run.fail(message())
  }

  /// A number from 0 that the seed decides.
  public static func draw(below bound: Int) -> Int { Run.current?.draw(below: bound) ?? 0 }

  /// The number of the thread, from 0; 0 without a run.
  public static var thread: Int { Run.current?.own.number ?? 0 }

  /// The points so far: the order of what happens.
  public static var points: Int { Run.current?.points ?? 0 }

  /// Nanoseconds of the run's own clock, which goes on with each point, and to the next deadline when all wait.
  public static var clock: UInt64 { Run.current?.clock ?? 1 }

  /// True if only daemons are left, which should end.
  public static var isEnding: Bool { Run.current?.isEnding ?? true }
}
