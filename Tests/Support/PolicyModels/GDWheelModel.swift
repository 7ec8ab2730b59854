import EvictionTesting

/// Wheels of queues as in the paper, the hands moving one queue at a time; in each queue the head, the
/// most recent, comes first.
final class GDWheelModel: PolicyModel {
  private var wheels: [[[Int]]]
  private var hands: [Int]
  private let queues: Int

  override init(_ options: ModelOptions) {
    let count = Int(options.parameters["wheels"] ?? "2")!
    queues = Int(options.parameters["queues"] ?? "256")!
    wheels = Array(repeating: Array(repeating: [], count: queues), count: count)
    hands = Array(repeating: 0, count: count)
    super.init(options)
  }

  override var residents: [Int] { wheels.flatMap { $0.flatMap { $0 } } }

  /// queues to the power of `exponent`.
  private func power(_ exponent: Int) -> Int {
    var power = 1
    for _ in 0..<exponent { power *= queues }
    return power
  }

  private func cost(of key: Int) -> Int {
    Int(min(max(cost(key).rounded(), 1), Double(power(wheels.count) - 1)))
  }

  private func rounded(_ cost: Int, by unit: Int) -> Int {
    Int((Double(cost) / Double(unit)).rounded())
  }

  private func use(_ key: Int) {
    var chosen = 0
    for wheel in wheels.indices where rounded(cost(of: key), by: power(wheel)) > 0 {
      chosen = wheel
    }
    put(key, rounded(cost(of: key), by: power(chosen)), on: chosen)
  }

  private func put(_ key: Int, _ distance: Int, on wheel: Int) {
    wheels[wheel][(distance + hands[wheel]) % queues].insert(key, at: 0)
  }

  private func migrate(_ wheel: Int) {
    hands[wheel] = (hands[wheel] + 1) % queues
    if hands[wheel] == 0 && wheel + 1 < wheels.count { migrate(wheel + 1) }
    while let key = wheels[wheel][hands[wheel]].popLast() {
      put(key, rounded(cost(of: key) % power(wheel), by: power(wheel - 1)), on: wheel - 1)
    }
  }

  override func hit(_ key: Int) {
    forget(key)
    use(key)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity { evict() }
    sizes[key] = size
    use(key)
    return true
  }

  override func evict() {
    while wheels[0][hands[0]].isEmpty {
      hands[0] += 1
      if hands[0] == queues {
        hands[0] = 0
        if wheels.count > 1 { migrate(1) }
      }
    }
    reportEviction(of: wheels[0][hands[0]].removeLast())
  }

  override func forget(_ key: Int) {
    for wheel in wheels.indices {
      for queue in 0..<queues { wheels[wheel][queue].take(key) }
    }
  }
}
