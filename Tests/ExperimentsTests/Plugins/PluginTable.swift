import CEvictionLab

/// FIFO as a program of another language gives it: a table of functions over a state that C does not look into.
final class PluginTable: @unchecked Sendable {
  /// The table, where it stays.
  let policy = UnsafeMutablePointer<evl_policy>.allocate(capacity: 1)
  private var texts: [UnsafeMutablePointer<CChar>] = []
  private let parameters = UnsafeMutablePointer<evl_parameter>.allocate(capacity: 3)

  /// The state of one FIFO.
  private final class Queue {
    var slots: [evl_slot] = []
    static func of(_ state: UnsafeMutableRawPointer?) -> Queue {
      Unmanaged<Queue>.fromOpaque(state!).takeUnretainedValue()
    }
  }

  init() {
    policy.initialize(to: evl_policy())
    policy.pointee.version = UInt32(EVL_POLICY_VERSION)
    policy.pointee.summary = text("First in, first out.")
    policy.pointee.bytes_per_slot = 4
    policy.pointee.create = { configuration in
      let given = configuration!.pointee
      if let parameters = given.parameters, parameters[0] == 9 {
        for (place, byte) in "9 is too many\0".utf8.enumerated() {
          given.problem[place] = CChar(bitPattern: byte)
        }
        return nil
      }
      return Unmanaged.passRetained(Queue()).toOpaque()
    }
    policy.pointee.destroy = { Unmanaged<Queue>.fromOpaque($0!).release() }
    policy.pointee.hit = { _, _, _ in }
    policy.pointee.evict = { state, host, _ in
      let queue = Queue.of(state)
      if evl_may_evict(host, queue.slots[0]) == 1 { evl_evict(host, queue.slots.removeFirst()) }
    }
    policy.pointee.insert = { state, host, request in
      let queue = Queue.of(state)
      while evl_has_room(host) == 0 {
        if evl_may_evict(host, queue.slots[0]) == 0 { return UInt32(EVL_REJECTED) }
        evl_evict(host, queue.slots.removeFirst())
      }
      queue.slots.append(request!.pointee.slot)
      return UInt32(EVL_ADMITTED)
    }
    policy.pointee.remove = { state, _, slot in
      Queue.of(state).slots.removeAll { $0 == slot }
    }
  }

  /// Declares three parameters: a whole number, a number and a flag.
  func declareParameters() {
    parameters.initialize(
      to: evl_parameter(
        name: text("count"), help: text("A count."), kind: UInt32(EVL_WHOLE), default_value: 3,
        least: 1, most: 10))
    (parameters + 1).initialize(
      to: evl_parameter(
        name: text("part"), help: nil, kind: UInt32(EVL_NUMBER), default_value: 0.25, least: 0,
        most: 1))
    (parameters + 2).initialize(
      to: evl_parameter(
        name: text("on"), help: nil, kind: UInt32(EVL_FLAG), default_value: 1, least: 0, most: 0))
    policy.pointee.parameters = UnsafePointer(parameters)
    policy.pointee.parameter_count = 3
  }

  /// Gives a parameter another declaration.
  func change(_ parameter: Int, _ change: (inout evl_parameter) -> Void) {
    change(&parameters[parameter])
  }

  func text(_ text: String) -> UnsafePointer<CChar> {
    let bytes = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
    for (place, byte) in (text + "\0").utf8.enumerated() { bytes[place] = CChar(bitPattern: byte) }
    texts.append(bytes)
    return UnsafePointer(bytes)
  }

  deinit {
    texts.forEach { $0.deallocate() }
    parameters.deallocate()
    policy.deallocate()
  }
}
