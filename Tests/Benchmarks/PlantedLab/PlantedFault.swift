import Eviction
import EvictionCore
import Experiments
import Foundation

/// LRU with a fault that the environment plants, for a regression gate to find:
///
/// - `PLANTED_WORK`: so many steps of useless work at every sixteenth request;
/// - `PLANTED_EVICTION`: the number of the eviction that takes the newest object, not the oldest.
struct PlantedFault: ListPolicy, ~Copyable {
  static let information = PolicyInformation(
    name: "planted", summary: "lru with a fault that the environment plants",
    paper: "None: what it is for is to be found.",
    idea: "PLANTED_WORK=n is work at every sixteenth request, PLANTED_EVICTION=n a wrong victim.",
    bytesPerSlot: 9)

  var lists: SlotLists<UInt8>
  private let work: Int
  private let wrongEviction: Int
  private var requests = 0
  private var evictions = 0
  private var state: UInt64 = 1

  init(_ configuration: PolicyConfiguration) {
    lists = SlotLists(count: 1, slots: configuration.slots)
    work = PlantedFault.planted("PLANTED_WORK")
    wrongEviction = PlantedFault.planted("PLANTED_EVICTION")
  }

  /// A number of the environment, read without a dictionary of all of it: this is counted, too.
  private static func planted(_ name: String) -> Int {
    getenv(name).map { Int(atoi($0)) } ?? 0
  }

  mutating func hit(_ request: Request, host: inout some SlotHost & ~Copyable) {
    takeTime()
    lists.moveToFront(request.slot, of: .first)
  }

  mutating func insert(_ request: Request, host: inout some SlotHost & ~Copyable) -> Bool {
    takeTime()
    guard makeRoom(for: request, host: &host) else { return refuse(request, host: &host) }
    lists.prepend(request.slot, to: .first, size: request.size)
    return true
  }

  mutating func evict(for request: Request?, host: inout some SlotHost & ~Copyable) {
    evictions += 1
    if evictions == wrongEviction {
      lists.evictFront(of: .first, host: &host)
    } else {
      lists.evictBack(of: .first, host: &host)
    }
  }

  /// A xorshift generator's steps, which nobody needs and no compiler can leave out.
  @inline(__always)
  private mutating func takeTime() {
    requests &+= 1
    if requests & 15 != 0 || work == 0 { return }
    for _ in 0..<work {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
    }
    precondition(state != 0, "a xorshift generator never reaches zero")
  }
}

extension PlantedFault: RunnablePolicy {}
