import EvictionTesting

/// GreedyDual-Size with ratios cut to their highest bits: the lowest priority leaves, among equals that
/// of the larger ratio, and in one ratio the least recently used. Then L is the lowest priority left.
final class CAMPModel: PolicyModel {
  private var priority: [Int: Double] = [:]  // of residents
  private var ratio: [Int: Int] = [:]
  private var lastUse: [Int: Int] = [:]
  private var l = 0.0
  private var scale = 1
  private var clock = 0
  private let precision: Int

  override init(_ options: ModelOptions) {
    precision = Int(options.parameters["precision"] ?? "4")!
    super.init(options)
  }

  override var residents: [Int] { Array(priority.keys) }

  /// The number with every binary digit zero but its first `precision`.
  private func cut(_ number: Int) -> Int {
    var digits = Array(String(number, radix: 2))
    for index in digits.indices where index >= precision { digits[index] = "0" }
    return Int(String(digits), radix: 2)!
  }

  private func use(_ key: Int) {
    clock += 1
    lastUse[key] = clock
    scale = max(scale, sizes[key]!)
    let exact = cost(key) * Double(scale) / Double(max(sizes[key]!, 1))
    ratio[key] = cut(Int(min(exact, 0x1p52)))
    priority[key] = l + Double(ratio[key]!)
  }

  override func hit(_ key: Int) { use(key) }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity { evict() }
    sizes[key] = size
    use(key)
    return true
  }

  override func evict() {
    let victim = residents.min {
      (priority[$0]!, -ratio[$0]!, lastUse[$0]!) < (priority[$1]!, -ratio[$1]!, lastUse[$1]!)
    }!
    priority[victim] = nil
    if let lowest = priority.values.min() { l = lowest }
    reportEviction(of: victim)
  }

  override func forget(_ key: Int) { priority[key] = nil }
}
