import Glibc

/// Threads that use something together, and what must hold.
public struct Scenario {
  /// The name on the command line.
  public let name: String
  /// True if it has a fault, which must be found.
  public let isFaulty: Bool
  private let body: () -> Void

  /// A scenario; `body` sets up, starts threads, and checks.
  public init(_ name: String, isFaulty: Bool = false, _ body: @escaping () -> Void) {
    self.name = name
    self.isFaulty = isFaulty
    self.body = body
  }

  /// Runs it under the schedule of `seed`.
  ///
  /// - Returns: The number of points, and the choices at them in one number.
  func run(seed: UInt64) -> (points: Int, fingerprint: UInt64) {
    let run = Run(name, seed: seed)
    alarm(10)
    run.whole(body)
    alarm(0)
    return (run.points, run.fingerprint)
  }

  /// Runs it under schedules from `seed` on for so many seconds.
  ///
  /// - Returns: The number of schedules and of points.
  func explore(seconds: Double, from seed: UInt64) -> (schedules: Int, points: Int) {
    // The real clock, unlike `clock_gettime` in this program.
    let end = ContinuousClock.now + .seconds(seconds)
    var (schedules, points) = (0, 0)
    repeat {
      let next = seed &+ UInt64(schedules)
      let choices = run(seed: next)
      if schedules % 256 == 0 && run(seed: next) != choices {
        print(
          "FAILED \(name): seed \(next) has two schedules; what is drawn elsewhere, or an address, decides"
        )
        exit(1)
      }
      points += choices.points
      schedules += 1
    } while ContinuousClock.now < end
    return (schedules, points)
  }
}

/// The command line of an explorer:
///
///     Interleavings [SECONDS] [--scenario NAME] [--seed N]
///
/// Without names, all scenarios that have no fault share the seconds. A failure is printed with the seed that shows
/// it again, and ends the program with status 1.
public enum ScenarioCommand {
  /// Runs what the arguments say.
  ///
  /// - Parameters:
  ///   - scenarios: Those that there are.
  ///   - known: Schedules that failed once, by scenario and seed: they run first.
  public static func run(_ scenarios: [Scenario], known: [(scenario: String, seed: UInt64)]) {
    repeatHashes()
    reportTraps()
    var arguments = Array(CommandLine.arguments.dropFirst())
    let name = take("--scenario", from: &arguments)
    let seed = take("--seed", from: &arguments).map { number($0, UInt64.init) }
    let seconds = arguments.popLast().map { number($0, Double.init) } ?? 30
    let chosen = scenarios.filter { name == nil ? !$0.isFaulty : $0.name == name }
    if chosen.isEmpty || !arguments.isEmpty {
      refuse("scenarios: " + scenarios.map(\.name).joined(separator: ", "))
    }
    if let seed, chosen.count == 1 {
      let (points, fingerprint) = chosen[0].run(seed: seed)
      return print(
        "ok \(chosen[0].name): schedule \(String(fingerprint, radix: 16)), \(points) points")
    }
    for known in known {
      for scenario in chosen where scenario.name == known.scenario {
        _ = scenario.run(seed: known.seed)
      }
    }
    let start = seed ?? UInt64(time(nil)) &* 1_000_000_000
    for scenario in chosen {
      let found = scenario.explore(seconds: seconds / Double(chosen.count), from: start)
      print(
        "ok \(scenario.name): \(found.schedules) schedules, \(found.points) points, from seed \(start)"
      )
      fflush(nil)
    }
  }

  private static func take(_ option: String, from arguments: inout [String]) -> String? {
    guard let place = arguments.firstIndex(of: option) else { return nil }
    if place + 1 == arguments.count { refuse("\(option) needs a value") }
    defer { arguments.removeSubrange(place...place + 1) }
    return arguments[place + 1]
  }

  private static func number<Number>(_ text: String, _ read: (String) -> Number?) -> Number {
    guard let number = read(text) else { refuse("“\(text)” is no number") }
    return number
  }

  private static func refuse(_ message: String) -> Never {
    print(message)
    exit(2)
  }

  /// Starts the program again with hashes that are the same in every process, on which a schedule may depend.
  private static func repeatHashes() {
    if getenv("SWIFT_DETERMINISTIC_HASHING") != nil { return }
    setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
    var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
    execv("/proc/self/exe", &arguments)
  }

  /// A trap in what a scenario uses is a failure with a seed as well, and so is a thread that waits for what the
  /// explorer does not know.
  private static func reportTraps() {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS] {
      signal(number) { number in
        Run.current?.fail("trap (signal \(number))")
        _exit(1)
      }
    }
    signal(SIGALRM) { _ in
      // A machine may stand still for long; not twice at one point.
      let run = Run.current
      if let run, run.points == run.pointsAtAlarm {
        run.fail("a thread waits outside of the explorer")
      }
      run?.pointsAtAlarm = run?.points
      alarm(10)
    }
  }
}
