/// MQ as the paper's pseudo-code says; in each queue the head first.
final class MQModel: PolicyModel {
  private var queues: [[Int]]
  private var out: [Int] = []
  private var frequency: [Int: Int] = [:]
  private var entered: [Int: Int] = [:]
  private var clock = 0
  private let lifetimeShare: String
  private let ghostShare: String

  override init(_ options: ModelOptions) {
    queues = Array(repeating: [], count: options.parameters["queues"].map { Int($0)! } ?? 8)
    lifetimeShare = options.parameters["lifetime"] ?? "4"
    ghostShare = options.parameters["ghosts"] ?? "4"
    super.init(options)
  }

  override var residents: [Int] { queues.flatMap { $0 } }
  override var ghosts: [Int] { out }

  override func hit(_ key: Int) {
    forget(key, keepsFrequency: true)
    refer(key)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity { evict() }
    if out.contains(key) { out.take(key) } else { frequency[key] = nil }
    sizes[key] = size
    refer(key)
    return true
  }

  private func refer(_ key: Int) {
    frequency[key, default: 0] += 1
    var queue = 0
    while frequency[key]! >> (queue + 1) > 0 && queue < queues.count - 1 { queue += 1 }
    queues[queue].append(key)
    entered[key] = clock
    // Adjust
    clock += 1
    for queue in queues.indices.dropFirst() {
      let lifetime = ModelOptions.floor(lifetimeShare, of: capacity)
      if let head = queues[queue].first, entered[head]! + lifetime < clock {
        queues[queue].removeFirst()
        queues[queue - 1].append(head)
        entered[head] = clock
      }
    }
  }

  override func evict() {
    let lowest = queues.firstIndex { !$0.isEmpty }!
    let victim = queues[lowest].removeFirst()
    out.append(victim)
    reportEviction(of: victim)
    restoreLimits()
  }

  override func forget(_ key: Int) { forget(key, keepsFrequency: false) }

  private func forget(_ key: Int, keepsFrequency: Bool) {
    for queue in queues.indices { queues[queue].take(key) }
    out.take(key)
    if !keepsFrequency { frequency[key] = nil }
  }

  override func restoreLimits() {
    while length(of: out) > ModelOptions.floor(ghostShare, of: capacity) { out.removeFirst() }
  }
}
