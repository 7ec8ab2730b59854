import CInline
import EvictionCore
import Parameters

/// The candidate's side of a judged run: a plug-in that answers requests as they come, in a process of its own.
///
/// The judge knows what is resident, and sends the requests up to the next miss in one message: all of them hits except the
/// last. So nothing that is still to come is in this process when the policy decides. The answer to a message says
/// whether the last request was admitted, and what has been evicted; the judge counts, and believes neither. A policy that
/// evicts at hits may miss what was to be a hit: then the judge begins anew, with one request a message.
package enum JudgedPlugin {
  /// A request as it is sent.
  package struct Message: BitwiseCopyable {
    package var slot: UInt64
    package var keyHash: UInt64
    package var time: Int64

    package init(slot: Slot, keyHash: UInt64, time: Int64) {
      self.slot = UInt64(slot)
      self.keyHash = keyHash
      self.time = time
    }
  }

  /// The most requests of a message.
  package static let mostRequests = 1 << 11
  /// The answer that no message may have more than one request.
  package static let asksForSingles: Slot = 2
  /// The most numbers of an answer.
  package static let mostNumbers = 1 << 14

  /// Answers requests until the judge has no more.
  ///
  /// - Parameters:
  ///   - plugin: The plug-in, which is open.
  ///   - specification: Its name and parameters.
  ///   - capacity: C, in objects.
  ///   - seed: The random seed.
  ///   - channel: Carries messages, each whole.
  /// - Throws: `PolicyError` for a policy that cannot run.
  package static func serve(
    _ plugin: PluginLibrary, _ specification: Specification, capacity: Int, seed: UInt64,
    channel: Int32
  ) throws(PolicyError) {
    let choice = try PolicyChoice(specification)
    var slots = 1 << 10
    var policy = try PluginPolicy(
      PolicyConfiguration(capacity: capacity, seed: seed, slots: slots, arguments: choice.arguments)
    )
    var host = JudgedHost(capacity: capacity)
    let messages = UnsafeMutableBufferPointer<Message>.allocate(capacity: mostRequests)
    defer { messages.deallocate() }
    while true {
      let bytes = recv(
        channel, messages.baseAddress, mostRequests * MemoryLayout<Message>.stride, 0)
      if bytes <= 0 { return }
      host.answer = [0]
      for message in messages.prefix(bytes / MemoryLayout<Message>.stride) {
        let request = Request(
          slot: Slot(message.slot), keyHash: message.keyHash, time: message.time)
        if message.slot >= slots {
          slots = max(2 * slots, Int(message.slot) + 1)
          policy.reserve(slots: slots)
        }
        if policy.contains(request.slot) {
          policy.hit(request, host: &host)
        } else if host.answer.dropFirst().contains(request.slot) {
          var answer = asksForSingles
          _ = evl_send(channel, &answer, MemoryLayout<Slot>.size)
          return
        } else if policy.insert(request, host: &host) {
          host.used += 1
          host.answer[0] = 1
        }
      }
      let sent = host.answer.withUnsafeBytes { evl_send(channel, $0.baseAddress, $0.count) }
      if sent < 0 { return }
    }
  }
}

/// The host of a judged plug-in: objects count one, and evictions are passed on.
private struct JudgedHost: SlotHost, ~Copyable {
  let capacity: Int
  var used = 0
  /// 1 if the newcomer was admitted, and the evicted slots.
  var answer: [Slot] = [0]

  init(capacity: Int) { self.capacity = capacity }

  static var asksFilter: Bool { false }

  func hasRoom(for request: Request) -> Bool { used < capacity }

  func size(of slot: Slot) -> Int { 1 }

  mutating func didEvict(_ slot: Slot) {
    used -= 1
    answer.append(slot)
  }

  mutating func didForget(_ slot: Slot) {}
}
