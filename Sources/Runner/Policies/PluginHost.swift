import CEvictionLab
import CInline
import EvictionCore
import Parameters

/// The host that a plug-in talks to: passes on to the host of the call what the plug-in says, once it is known to be true.
struct PluginHost {
  /// The use of a slot.
  enum Kind: UInt8 {
    case unknown
    case resident
    case ghost
  }

  /// The account of one state, where C finds it.
  struct State {
    let name: String
    /// The structure that C is given.
    let told: UnsafeMutablePointer<evl_host>
    /// By slot, raw values of ``Kind``.
    var kinds: UnsafeMutablePointer<UInt8>
    var slots: Int
    var residents = 0
    /// True once a host has called that notes itself what a policy does wrong.
    var isChecked = false
    /// The host of the call, and its functions.
    var host: UnsafeMutableRawPointer?
    var functions: HostFunctions?
    /// The request of the call.
    var request: Request?
  }

  let state: UnsafeMutablePointer<State>
  let told: UnsafeMutablePointer<evl_host>

  init(_ name: String, slots: Int, isSized: Bool) {
    state = .allocate(capacity: 1)
    told = .allocate(capacity: 1)
    state.initialize(
      to: State(name: name, told: told, kinds: .allocateRecords(capacity: slots), slots: slots))
    state.pointee.kinds.initialize(repeating: 0, count: slots)
    told.initialize(
      to: evl_host(
        context: UnsafeMutableRawPointer(state),
        evict: { PluginHost($0).evict($1, keepsGhost: $2 != 0) },
        forget: { PluginHost($0).forget($1) },
        size: { Int64(PluginHost($0).size(of: $1)) },
        may_evict: { PluginHost($0).mayEvict($1) ? 1 : 0 },
        is_pinned: { PluginHost($0).isPinned($1) ? 1 : 0 },
        has_room: 0, has_refused: 0, is_sized: isSized ? 1 : 0, asks_filter: 0, pins_slots: 0,
        slots: 0, kinds: nil, residents: 0))
  }

  private init(_ context: UnsafeMutableRawPointer?) {
    guard let context else { preconditionFailure("a plug-in has changed its host") }
    state = context.assumingMemoryBound(to: State.self)
    told = state.pointee.told
  }

  func free() {
    state.pointee.kinds.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
    told.deallocate()
  }

  /// The functions of a type of hosts: none of them captures anything.
  struct HostFunctions {
    typealias Host = UnsafeMutableRawPointer
    let type: ObjectIdentifier
    let evict: (Host, Slot, _ keepsGhost: Bool, Request?) -> Bool
    let forget: (Host, Slot) -> Void
    let size: (Host, Slot) -> Int
    let mayEvict: (Host, Slot) -> (mayLeave: Bool, hasRefused: Bool)
    let isPinned: (Host, Slot) -> Bool

    init<Caller: SlotHost & ~Copyable>(_ caller: Caller.Type) {
      type = ObjectIdentifier(caller)
      evict = { host, slot, keepsGhost, request in
        let host = host.assumingMemoryBound(to: Caller.self)
        if keepsGhost { host.pointee.didEvict(slot) } else { host.pointee.didEvictAndForget(slot) }
        return request.map { host.pointee.hasRoom(for: $0) } ?? true
      }
      forget = { $0.assumingMemoryBound(to: Caller.self).pointee.didForget($1) }
      size = { $0.assumingMemoryBound(to: Caller.self).pointee.size(of: $1) }
      mayEvict = {
        let host = $0.assumingMemoryBound(to: Caller.self)
        return (host.pointee.mayEvict($1), host.pointee.hasRefused)
      }
      isPinned = { $0.assumingMemoryBound(to: Caller.self).pointee.isPinned($1) }
    }
  }

  /// Makes a call in which C may talk to `caller`.
  @inline(__always)
  func call<Caller: SlotHost & ~Copyable, Answer>(
    _ caller: inout Caller, for request: Request?,
    _ body: (UnsafeMutablePointer<evl_host>) -> Answer
  ) -> Answer {
    if state.pointee.functions?.type != ObjectIdentifier(Caller.self) {
      state.pointee.functions = HostFunctions(Caller.self)
      state.pointee.isChecked = Caller.notesBreaches
      told.pointee.pins_slots = Caller.pinsSlots ? 1 : 0
      told.pointee.asks_filter = Caller.asksFilter ? 1 : 0
    }
    state.pointee.request = request
    told.pointee.has_refused = caller.hasRefused ? 1 : 0
    return withUnsafeMutablePointer(to: &caller) { caller in
      state.pointee.host = UnsafeMutableRawPointer(caller)
      let answer = body(told)
      state.pointee.host = nil
      return answer
    }
  }

  /// Runs plain requests at once by `body`, with the account where C has it.
  ///
  /// - Returns: The hits, and the newcomers that were admitted.
  func run(
    _ requests: UnsafePointer<Slot>, count: Int, ahead: Int, capacity: Int,
    _ body: (UnsafeMutablePointer<evl_host>, UnsafeMutablePointer<evl_run>) -> Void
  ) -> (hits: Int, insertions: Int) {
    var run = evl_run()
    run.requests = requests
    run.count = UInt64(count)
    run.ahead = UInt64(ahead)
    run.capacity = Int64(capacity)
    told.pointee.kinds = state.pointee.kinds
    told.pointee.slots = UInt32(state.pointee.slots)
    told.pointee.residents = Int64(state.pointee.residents)
    body(told, &run)
    let before = state.pointee.residents
    told.pointee.kinds = nil
    if run.done < run.count { breach(answer: run.answer, for: requests[Int(run.done)]) }
    // No request is both, and none leaves more behind than it has brought in.
    let (hits, insertions) = (run.hits, run.insertions)
    let residents = Int(told.pointee.residents)
    if hits > run.count || insertions > run.count - hits
      || !(0...min(capacity, before + Int(insertions))).contains(residents)
    {
      end(
        "says that \(hits) of \(run.count) requests hit, \(insertions) objects came and "
          + "\(residents) are in a cache of \(capacity) that held \(before)")
    }
    state.pointee.residents = residents
    return (Int(hits), Int(insertions))
  }

  /// Compares the account that a plug-in has kept while it ran requests at once with what it says of it.
  func checkAccount() {
    var residents = 0
    for slot in 0..<state.pointee.slots {
      switch Kind(rawValue: state.pointee.kinds[slot]) {
      case .resident: residents += 1
      case .ghost, .unknown: continue
      case nil: end("leaves slot \(slot) in no state: \(state.pointee.kinds[slot])")
      }
    }
    if residents != state.pointee.residents {
      end("says that \(state.pointee.residents) objects are in the cache, and \(residents) are")
    }
  }

  @inline(__always)
  func kind(of slot: Slot) -> Kind {
    Int(slot) < state.pointee.slots
      ? Kind(rawValue: state.pointee.kinds[Int(slot)]) ?? .unknown : .unknown
  }

  @inline(__always)
  func become(_ kind: Kind, _ slot: Slot) {
    let place = state.pointee.kinds + Int(slot)
    if place.pointee == Kind.resident.rawValue { state.pointee.residents &-= 1 }
    if kind == .resident { state.pointee.residents &+= 1 }
    place.pointee = kind.rawValue
  }

  @inline(__always)
  func prefetch(_ slot: Slot) { evl_prefetch(state.pointee.kinds + Int(slot)) }

  func reserve(slots: Int) {
    if slots <= state.pointee.slots { return }
    let larger = UnsafeMutablePointer<UInt8>.allocateRecords(capacity: slots)
    larger.update(from: state.pointee.kinds, count: state.pointee.slots)
    (larger + state.pointee.slots).initialize(
      repeating: 0, count: slots - state.pointee.slots)
    state.pointee.kinds.deallocate()
    (state.pointee.kinds, state.pointee.slots) = (larger, slots)
  }

  func removeAll() {
    state.pointee.kinds.update(repeating: 0, count: state.pointee.slots)
    state.pointee.residents = 0
  }

  func visitState(_ written: inout PolicyState, slots: Int) {
    written.visit(state.pointee.kinds, count: slots)
    written.visit(&state.pointee.residents)
    let kinds = UnsafeBufferPointer(start: state.pointee.kinds, count: slots)
    if kinds.contains(where: { Kind(rawValue: $0) == nil }) { written.refuse() }
  }

  /// Notes what the plug-in did wrong: it ends here, unless the host that calls finds it, too.
  func breach(_ what: String) {
    if !state.pointee.isChecked { end(what) }
  }

  /// Notes that `insert` gave a wrong answer for the newcomer in `slot`.
  func breach(answer: UInt32, for slot: Slot) {
    breach(
      answer == UInt32(EVL_ADMITTED)
        ? "admits slot \(slot) without room" : "answers \(answer) to an insertion")
  }

  /// Ends the process, with a line that names the plug-in.
  func end(_ what: String) -> Never {
    let line = "\(state.pointee.name) \(what)\n"
    _ = line.withCString { write(2, $0, strlen($0)) }
    abort()
  }
}

// MARK: - Calls from C

extension PluginHost {
  private func evict(_ slot: Slot, keepsGhost: Bool) {
    if kind(of: slot) != .resident { breach("evicts slot \(slot), which is \(kind(of: slot))") }
    let (host, functions) = caller("evicts slot \(slot)")
    if kind(of: slot) == .resident { become(keepsGhost ? .ghost : .unknown, slot) }
    let hasRoom = functions.evict(host, slot, keepsGhost, state.pointee.request)
    told.pointee.has_room = hasRoom ? 1 : 0
  }

  private func forget(_ slot: Slot) {
    if kind(of: slot) != .ghost { breach("forgets slot \(slot), which is \(kind(of: slot))") }
    let (host, functions) = caller("forgets slot \(slot)")
    if kind(of: slot) == .ghost { become(.unknown, slot) }
    functions.forget(host, slot)
  }

  private func size(of slot: Slot) -> Int {
    let (host, functions) = caller("asks for the size of slot \(slot)")
    if Int(slot) >= state.pointee.slots {
      end("asks for the size of slot \(slot), where \(state.pointee.slots) are reserved")
    }
    return functions.size(host, slot)
  }

  private func mayEvict(_ slot: Slot) -> Bool {
    let (host, functions) = caller("asks about slot \(slot)")
    if kind(of: slot) != .resident {
      breach("asks whether slot \(slot) may leave, which is \(kind(of: slot))")
      return true
    }
    let (mayLeave, hasRefused) = functions.mayEvict(host, slot)
    told.pointee.has_refused = hasRefused ? 1 : 0
    return mayLeave
  }

  private func isPinned(_ slot: Slot) -> Bool {
    let (host, functions) = caller("asks whether slot \(slot) is pinned")
    if Int(slot) >= state.pointee.slots {
      end("asks whether slot \(slot) is pinned, where \(state.pointee.slots) are reserved")
    }
    return functions.isPinned(host, slot)
  }

  @inline(__always)
  private func caller(
    _ what: @autoclosure () -> String
  ) -> (UnsafeMutableRawPointer, HostFunctions) {
    guard let host = state.pointee.host, let functions = state.pointee.functions else {
      end("\(what()) outside a call")
    }
    return (host, functions)
  }
}
