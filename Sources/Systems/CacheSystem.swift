import EvictionCore
import Parameters

/// A cache that people argue about, made of this project's parts, or of Foundation's.
///
/// A system holds real values, keeps the parameters of its original, and tells time by the clock that it is
/// given, so that its rules of seconds and weeks fire at the same requests on every machine. It is safe for any
/// number of threads.
package protocol CacheSystem: AnyObject, Sendable {
  /// The system's page in the catalog.
  static var information: SystemInformation { get }

  /// An empty system.
  init(_ setup: SystemSetup) throws(SystemError)

  /// Returns the value of `key`, or nil.
  func value(forKey key: UInt32) throws(SystemError) -> SystemValue?

  /// Stores a value. The system may refuse it, at once or later.
  func set(_ value: SystemValue, forKey key: UInt32, cost: Int) throws(SystemError)

  /// Removes the value of `key`, if there is one.
  func remove(_ key: UInt32) throws(SystemError)

  /// Removes all values.
  func removeAll() throws(SystemError)

  /// Insertions, evictions and residents.
  var statistics: CacheStatistics { get }

  /// Waits for work that goes on beside the calls.
  func finish() throws(SystemError)
}

extension CacheSystem {
  package func finish() throws(SystemError) {}
}

/// A value in a system: bytes.
package typealias SystemValue = [UInt8]

/// A system's page in the catalog.
package struct SystemInformation: Sendable {
  /// The name on the command line.
  package let name: String
  /// One line.
  package let summary: String
  /// The policy that the system is compared with, by name.
  package let policy: String
  /// The system's own lock, by name, `own` for one that only the system sees; nil where the replay chooses it.
  package let lock: String?
  /// True if values are written to a folder.
  package let usesDisk: Bool
  /// The reason why the capacity is ignored; nil where it is kept.
  package let unboundedBecause: String?
  /// The requests that a replay may have without `all=true`, as each set costs more than the last.
  package let requestLimit: Int?
  /// The parameters beyond the capacity.
  package let parameters: [Parameter]

  package init(
    name: String, summary: String, policy: String, lock: String? = nil, usesDisk: Bool = false,
    unboundedBecause: String? = nil, requestLimit: Int? = nil, parameters: [Parameter] = []
  ) {
    self.name = name
    self.summary = summary
    self.policy = policy
    self.lock = lock
    self.usesDisk = usesDisk
    self.unboundedBecause = unboundedBecause
    self.requestLimit = requestLimit
    self.parameters = parameters
  }
}

/// The surroundings of a system.
package struct SystemSetup: Sendable {
  /// The capacity, in objects or in bytes; nil for a system without limits.
  package var capacity: Int?
  /// True if the capacity is in bytes.
  package var isSized = false
  /// The system's parameters.
  package var arguments: Arguments
  /// The seed of everything random.
  package var seed: UInt64 = 42
  /// The clock of ages and of repeated work.
  package var clock = SystemClock()
  /// The events that the system hears of.
  package var events = SystemEvents()
  /// The policy of this project's own caches.
  package var policy = CachePolicy.standard
  /// The keys as policies see them.
  package var key: @Sendable (UInt32) -> SystemKey = {
    SystemKey(id: $0, hash: $0.stableHash(seed: 42), keyLength: 4)
  }
  /// A folder of the system's own, which exists; empty for systems in memory.
  package var folder = ""
  /// Makes a lock, or one with a meter around it: of the kind that the system asks for, or, for nil, of the kind
  /// that the replay chose.
  package var lock: @Sendable ((any CacheLock.Type)?) -> any CacheLock = {
    ($0 ?? AdaptiveLock.self).init()
  }

  /// A setup with the system's defaults.
  package init(_ system: (any CacheSystem.Type), capacity: Int? = nil) {
    self.init(Arguments(parameters: system.information.parameters), capacity: capacity)
  }

  package init(_ arguments: Arguments, capacity: Int? = nil) {
    self.arguments = arguments
    self.capacity = capacity
  }

  /// The limit in objects; nil for none.
  var countLimit: Int? { isSized ? nil : capacity }
  /// The limit in bytes; nil for none.
  var costLimit: Int? { isSized ? capacity : nil }

  /// A fraction of the capacity, rounded down, at least 1; nil without a capacity.
  func part(_ fraction: Fraction) -> Int? { capacity.map { max(1, fraction.floor(of: $0)) } }
}

extension Parameter {
  /// The requests from one time in the background to the next.
  static func background(every requests: Int) -> Parameter {
    Parameter(
      "background", .integer(in: 0...Int.max), default: .integer(requests),
      help: "requests from one time in the background to the next; 0 for never")
  }
}

/// The reason why a system cannot be made, or failed.
package enum SystemError: Error, Equatable {
  /// No system of the catalog has this name.
  case unknown(name: String)
  /// The specification is wrong.
  case specification(String)
  /// A policy refuses to run so.
  case policy(PolicyError)
  /// Files or the database failed.
  case disk(path: String, problem: String)
  /// The trace does not suit the system.
  case trace(system: String, problem: String)
  /// A program that drives a cache failed.
  case driver(DriverError)
}

extension SystemError: CustomStringConvertible {
  /// One line: the fault, and the remedy.
  package var description: String {
    switch self {
    case .unknown(let name):
      let known = SystemCatalog.all.map { $0.information.name }
      return "no system is called “\(name)”; \(known.remedy(for: name))"
    case .specification(let problem): return problem
    case .policy(let error): return "\(error)"
    // The store names the file itself.
    case .disk(let path, let problem):
      return problem.hasPrefix(path) ? problem : "\(path): \(problem)"
    case .driver(let error): return "\(error)"
    case .trace(let system, let problem): return "\(system): \(problem)"
    }
  }
}
