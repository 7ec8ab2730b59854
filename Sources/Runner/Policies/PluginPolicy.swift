import CEvictionLab
import CInline
import EvictionCore
import Parameters

/// A policy of a ``PluginLibrary`` at work: passes each call on to its functions in C.
///
/// It knows itself which slots are resident and which are ghosts, and ends the process with a line that says what the
/// plug-in did wrong, before any host counts on it. A host that checks policies is told all of it instead.
struct PluginPolicy: PinnablePolicy, ~Copyable {
  private let library: PluginLibrary
  private let functions: UnsafePointer<evl_policy>
  private let host: PluginHost
  private var state: UnsafeMutableRawPointer
  private var configuration: PolicyConfiguration
  /// The request as C reads it; only fields that the plug-in needs are written anew.
  private let told: UnsafeMutablePointer<evl_request>

  /// The page of no plug-in in particular: each library has its own.
  static let information = PolicyInformation(
    name: PluginLibrary.prefix, summary: "A policy from a shared library.", paper: "–",
    bytesPerSlot: 0)

  /// All that a plug-in may need; of the columns of a trace, those are prepared that it does need.
  @inlinable @inline(__always)
  static var needs: RequestNeeds { [.knownToCaches, .nextUse] }

  init(_ configuration: PolicyConfiguration) throws(PolicyError) {
    // All that throws comes first: a part of a noncopyable value is not destroyed.
    let library = try PluginLibrary.opened(configuration.arguments.name)
    let state = try library.makeState(configuration)
    self.library = library
    self.configuration = configuration
    self.state = state
    functions = library.functions
    host = PluginHost(library.name, slots: configuration.slots, isSized: configuration.isSized)
    told = .allocate(capacity: 1)
    told.initialize(to: evl_request(Request(slot: 0)))
  }

  deinit {
    functions.pointee.destroy(state)
    host.free()
    told.deallocate()
  }

  @inline(__always)
  func contains(_ slot: Slot) -> Bool {
    if host.state.pointee.isChecked, let contains = functions.pointee.contains {
      return contains(state, slot) != 0
    }
    return host.kind(of: slot) == .resident
  }

  @inline(__always)
  mutating func hit(_ request: Request, host caller: inout some SlotHost & ~Copyable) {
    tell(request)
    host.call(&caller, for: nil) { functions.pointee.hit(state, $0, told) }
  }

  mutating func insert(_ request: Request, host caller: inout some SlotHost & ~Copyable) -> Bool {
    tell(request)
    let isGhost = host.kind(of: request.slot) == .ghost
    let hadRoom = caller.hasRoom(for: request)
    host.told.pointee.has_room = hadRoom ? 1 : 0
    let answer = host.call(&caller, for: request) { functions.pointee.insert(state, $0, told) }
    let hasRoom = host.told.pointee.has_room != 0
    switch answer {
    case UInt32(EVL_ADMITTED):
      if !hasRoom { host.breach(answer: answer, for: request.slot) }
      host.become(.resident, request.slot)
      return true
    case UInt32(EVL_REMEMBERED):
      // One that the policy knew stays a ghost as it is.
      if !isGhost || host.kind(of: request.slot) != .ghost { caller.didRemember(request) }
      host.become(.ghost, request.slot)
      return false
    case UInt32(EVL_REJECTED):
      host.become(.unknown, request.slot)
      caller.didForget(request.slot)
      return false
    default:
      host.breach(answer: answer, for: request.slot)
      return false
    }
  }

  /// Runs plain gets of objects that count one, all at once in C.
  ///
  /// - Returns: The hits, and the newcomers that were admitted.
  mutating func run(
    _ requests: UnsafePointer<Slot>, count: Int, ahead: Int
  ) -> (hits: Int, insertions: Int) {
    guard let run = functions.pointee.run else { preconditionFailure("the plug-in has none") }
    return host.run(requests, count: count, ahead: ahead, capacity: configuration.capacity) {
      run(state, $0, $1)
    }
  }

  /// Ends the process if the account that ``run(_:count:ahead:)`` has kept does not add up.
  func checkAccount() { host.checkAccount() }

  /// Ends the process, as ``run(_:count:ahead:)`` has called a miss a hit, or the other way round.
  func endMiscounted(_ slot: Slot, isHit: Bool) -> Never {
    host.end(
      isHit
        ? "counts a hit of slot \(slot), which was not resident"
        : "counts a miss of slot \(slot), which was resident")
  }

  /// The objects in the cache.
  var residents: Int { host.state.pointee.residents }

  mutating func evict(for request: Request?, host caller: inout some SlotHost & ~Copyable) {
    let before = host.state.pointee.residents
    if let request { tell(request) }
    host.call(&caller, for: request) {
      functions.pointee.evict(state, $0, request == nil ? nil : UnsafePointer(told))
    }
    if host.state.pointee.residents >= before && !caller.hasRefused {
      host.breach("evicts nothing")
    }
  }

  mutating func remove(_ slot: Slot, host caller: inout some SlotHost & ~Copyable) {
    if host.kind(of: slot) == .unknown { return }
    host.call(&caller, for: nil) { functions.pointee.remove(state, $0, slot) }
    host.become(.unknown, slot)
    caller.didForget(slot)
  }

  mutating func removeAll() {
    host.removeAll()
    if let removeAll = functions.pointee.remove_all { return removeAll(state) }
    functions.pointee.destroy(state)
    configuration.slots = max(configuration.slots, host.state.pointee.slots)
    do throws(PolicyError) {
      state = try library.makeState(configuration)
    } catch { host.end("\(error)") }
  }

  mutating func resize(to capacity: Int, host caller: inout some SlotHost & ~Copyable) {
    configuration.capacity = capacity
    guard let resize = functions.pointee.resize else { return }
    host.call(&caller, for: nil) { resize(state, $0, Int64(capacity)) }
  }

  mutating func changeSize(of slot: Slot, by difference: Int) {
    functions.pointee.change_size?(state, slot, Int64(difference))
  }

  mutating func changeExpiry(of slot: Slot, to expiry: Int64) {
    functions.pointee.change_expiry?(state, slot, expiry)
  }

  func ignoresHit(of slot: Slot) -> Bool {
    functions.pointee.ignores_hit.map { $0(state, slot) != 0 } ?? false
  }

  mutating func reserve(slots: Int) {
    host.reserve(slots: slots)
    functions.pointee.reserve?(state, UInt32(slots))
  }

  mutating func visitState(_ written: inout PolicyState) {
    guard let visit = functions.pointee.visit_state else { return written.refuse() }
    let slots = written.visit(count: host.state.pointee.slots, bytesEach: 1)
    reserve(slots: slots)
    host.visitState(&written, slots: slots)
    withUnsafeMutablePointer(to: &written) { written in
      var archive = evl_archive()
      archive.context = UnsafeMutableRawPointer(written)
      archive.is_reading = written.pointee.isReading ? 1 : 0
      archive.visit = { context, bytes, count in
        guard let context, let bytes, count <= 1 << 40 else { return }
        context.assumingMemoryBound(to: PolicyState.self).pointee.visit(
          bytes.assumingMemoryBound(to: UInt8.self), count: Int(count))
      }
      visit(state, &archive)
    }
  }

  func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    guard let showInternals = functions.pointee.show_internals else { return }
    withoutActuallyEscaping(show) { show in
      withUnsafePointer(to: show) { show in
        showInternals(
          state,
          { context, name, value in
            guard let context, let name else { return }
            typealias Show = (String, Double) -> Void
            context.assumingMemoryBound(to: Show.self).pointee(String(cString: name), value)
          }, UnsafeMutableRawPointer(mutating: show))
      }
    }
  }

  @inline(__always)
  func prefetch(_ slot: Slot) {
    host.prefetch(slot)
    functions.pointee.prefetch?(state, slot)
  }

  @inline(__always)
  func prefetchFurther(_ slot: Slot, keyHash: UInt64) {
    functions.pointee.prefetch_further?(state, slot, keyHash)
  }

  @inline(__always)
  private func tell(_ request: Request) {
    told.pointee.slot = request.slot
    told.pointee.size = Int64(request.size)
    if functions.pointee.needs != 0 { told.pointee = evl_request(request) }
  }
}

extension evl_request {
  @inline(__always)
  fileprivate init(_ request: Request) {
    self.init(
      size: Int64(request.size), cost: request.cost, key_hash: request.keyHash,
      time: request.time, index: Int64(request.index), next_use: Int64(request.nextUse),
      expiry: request.expiry, key_length: Int64(request.keyLength), slot: request.slot)
  }
}
