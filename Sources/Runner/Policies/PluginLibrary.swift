import CEvictionLab
import EvictionCore
import Parameters
import Prefixes
import Requests
import Simulation
import Synchronization

/// A policy from outside: from a shared library that exports `evictionlab_policy`, or a table that a program of another
/// language gives. See evictionlab_policy.h.
///
/// Its name is `plugin:./mine.so`, as users write it. Once opened, it is known by that name wherever a policy is named, and
/// stays: code cannot be unloaded safely.
package final class PluginLibrary: Sendable {
  /// The beginning of the names of plug-ins, before a colon.
  package static let prefix = "plugin"

  private static let known = Mutex<[String: PluginLibrary]>([:])

  /// The name, `plugin:./mine.so`.
  package let name: String
  /// True if it always runs in this process: a table of a running program, whose functions may need that program's threads
  /// and locks, or a library that such a program opens.
  package let isInProgram: Bool
  /// Its page in the catalog.
  package let information: PolicyInformation
  nonisolated(unsafe) let functions: UnsafePointer<evl_policy>

  private init(
    _ name: String, _ functions: UnsafePointer<evl_policy>?, isInProgram: Bool
  ) throws(PolicyError) {
    func fail(_ explanation: String) -> PolicyError {
      .conflict(policy: name, explanation: explanation)
    }
    guard let functions else { throw fail("evictionlab_policy() returns no policy") }
    if functions.pointee.version != UInt32(EVL_POLICY_VERSION) {
      throw fail(
        "is built for version \(functions.pointee.version) of evictionlab_policy.h, and this is "
          + "version \(EVL_POLICY_VERSION); compile it anew")
    }
    do throws(PluginPageError) {
      information = try PolicyInformation(functions.pointee, name: name)
    } catch { throw fail(error.description) }
    self.name = name
    self.functions = functions
    self.isInProgram = isInProgram
  }

  /// Opens the library at `path`, unless it is open.
  ///
  /// - Parameters:
  ///   - path: The library's file.
  ///   - child: Opens it first, as a library's own code runs by then; nil for a program whose threads are at work, and which
  ///     runs it in its process only.
  /// - Throws: `PolicyError` that says why it is no policy.
  @discardableResult
  package static func open(
    _ path: String, tryingIn child: ForkedChild? = nil
  ) throws(PolicyError) -> PluginLibrary {
    let name = "\(prefix):\(path)"
    if let library = named(name) { return library }
    try checkFile(of: name)
    if let child {
      let report = child.run { _ in
        // Its errors come again.
        _ = try? load(path, as: name, isInProgram: true)
        return []
      }
      if case .finished = report.end {
      } else {
        throw .conflict(policy: name, explanation: "cannot be loaded: \(report)")
      }
    }
    return add(try load(path, as: name, isInProgram: child == nil))
  }

  private static func load(
    _ path: String, as name: String, isInProgram: Bool
  ) throws(PolicyError) -> PluginLibrary {
    // Without a slash the loader would look in the system's folders.
    guard let handle = dlopen(path.contains("/") ? path : "./\(path)", RTLD_NOW | RTLD_LOCAL)
    else {
      throw .conflict(
        policy: name,
        explanation: "cannot be loaded: \(dlerror().map { String(cString: $0) } ?? "")")
    }
    guard let symbol = dlsym(handle, "evictionlab_policy") else {
      throw .conflict(
        policy: name,
        explanation: "exports no function evictionlab_policy; see evictionlab_policy.h")
    }
    typealias Entry = @convention(c) () -> UnsafePointer<evl_policy>?
    let entry = unsafeBitCast(symbol, to: Entry.self)
    return try PluginLibrary(name, entry(), isInProgram: isInProgram)
  }

  /// The file that a plug-in's name names.
  package static func path(of name: String) -> String { String(name.dropFirst(prefix.count + 1)) }

  /// Throws if the file of a plug-in's name is not there.
  package static func checkFile(of name: String) throws(PolicyError) {
    let path = path(of: name)
    if path.isEmpty {
      throw .conflict(policy: name, explanation: "names no file; write \(prefix):PATH")
    }
    if access(path, F_OK) != 0 { throw .missing(policy: name, file: path) }
  }

  /// Adds a table that a program gives, under the name `plugin:NAME`. The table and what it points to must stay until it is
  /// removed, and until no run uses it.
  @discardableResult
  package static func add(
    _ functions: UnsafePointer<evl_policy>, named name: String
  ) throws(PolicyError) -> PluginLibrary {
    let library = try PluginLibrary("\(prefix):\(name)", functions, isInProgram: true)
    if named(library.name) != nil {
      throw .conflict(policy: library.name, explanation: "is known already; give another name")
    }
    return add(library)
  }

  /// Removes a table that was added under that name.
  ///
  /// - Returns: False if there is none.
  @discardableResult
  package static func remove(named name: String) -> Bool {
    known.withLock { $0.removeValue(forKey: "\(prefix):\(name)") } != nil
  }

  private static func add(_ library: PluginLibrary) -> PluginLibrary {
    known.withLock { known in
      if let first = known[library.name] { return first }
      known[library.name] = library
      return library
    }
  }

  /// The open plug-in of that name, `plugin:./mine.so`; nil if there is none.
  package static func named(_ name: String) -> PluginLibrary? { known.withLock { $0[name] } }

  /// The open plug-in of that name.
  static func opened(_ name: String) throws(PolicyError) -> PluginLibrary {
    guard let library = named(name) else {
      throw .conflict(policy: name, explanation: "is not open")
    }
    return library
  }

  /// Opens the plug-ins among policies as users write them: `lru,plugin:./mine.so:key=value`. Only what a user names is
  /// opened, never what a document names.
  ///
  /// - Parameters:
  ///   - texts: The policies.
  ///   - child: As in ``open(_:tryingIn:)``.
  package static func open(
    among texts: [String], tryingIn child: ForkedChild? = nil
  ) throws(PolicyError) {
    for text in texts.flatMap(\.listItems) where text.hasPrefix("\(prefix):") {
      guard let specification = try? Specification(parsing: text) else { continue }
      if named(specification.name) == nil {
        try open(String(specification.name.dropFirst(prefix.count + 1)), tryingIn: child)
      }
    }
  }

  /// Makes a state.
  func makeState(_ configuration: PolicyConfiguration) throws(PolicyError)
    -> UnsafeMutableRawPointer
  {
    let parameters = information.parameters.map { configuration.arguments.number($0.name) }
    var problem = [CChar](repeating: 0, count: Int(EVL_PROBLEM_BYTES) + 1)
    let state = parameters.withUnsafeBufferPointer { parameters in
      problem.withUnsafeMutableBufferPointer { problem in
        var given = evl_configuration(
          capacity: Int64(configuration.capacity), seed: configuration.seed,
          slots: UInt32(configuration.slots), is_sized: configuration.isSized ? 1 : 0,
          parameters: parameters.baseAddress, context: functions.pointee.context,
          problem: problem.baseAddress)
        return functions.pointee.create(&given)
      }
    }
    if let state { return state }
    let reason = String(
      decoding: problem.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    throw .conflict(policy: name, explanation: reason.isEmpty ? "refuses to run" : reason)
  }

  /// The policy as commands run it.
  package var entry: RunnablePolicyEntry {
    let needs = RequestNeeds(rawValue: UInt8(functions.pointee.needs))
    let description = PolicyDescription(
      CachePolicy(PluginPolicy.self, information: information, needs: needs))
    let keepsChains = functions.pointee.flags & UInt32(EVL_PASSES_OVER_PINNED) != 0
    return RunnablePolicyEntry(
      PolicySimulator(PluginPolicy.self, description, plain: PluginCounter.runs(self)),
      PrefixSimulator(PluginPolicy.self, description, keepsChains: keepsChains), plugin: self)
  }
}

extension Arguments {
  /// The value of a parameter as C has it: a flag is 0 or 1.
  fileprivate func number(_ name: String) -> Double {
    switch value(name) {
    case .integer(let number): Double(number)
    case .fraction(let fraction): fraction.double
    case .flag(let flag): flag ? 1 : 0
    case .text, nil: preconditionFailure("a plug-in has no such parameters")
    }
  }
}
