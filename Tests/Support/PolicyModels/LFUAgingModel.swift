/// The lowest frequency leaves, among equals the least recently used; frequencies are counted up to a
/// maximum, and halved (rounding up) while their average is above a limit.
final class LFUAgingModel: PolicyModel {
  private var frequency: [Int: Int] = [:]
  private var lastUse: [Int: Int] = [:]
  private let average: Int
  private let maximum: Int

  override init(_ options: ModelOptions) {
    average = Int(options.parameters["average"] ?? "10")!
    maximum = options.parameters["maximum"].map { Int($0)! } ?? .max
    super.init(options)
  }

  override var residents: [Int] { Array(frequency.keys) }

  override func hit(_ key: Int) {
    frequency[key] = min(frequency[key]! + 1, maximum)
    lastUse[key] = now
    age()
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity { evict() }
    sizes[key] = size
    frequency[key] = 1
    lastUse[key] = now
    age()
    return true
  }

  private func age() {
    while Double(frequency.values.reduce(0, +)) / Double(frequency.count) > Double(average) {
      frequency = frequency.mapValues { $0 / 2 + $0 % 2 }
    }
  }

  override func evict() {
    let victim = residents.min { (frequency[$0]!, lastUse[$0]!) < (frequency[$1]!, lastUse[$1]!) }!
    frequency[victim] = nil
    reportEviction(of: victim)
  }

  override func forget(_ key: Int) { frequency[key] = nil }
}
