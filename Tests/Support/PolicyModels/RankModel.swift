import Eviction
import Parameters

/// The lowest score leaves; of equals, the one used longest ago. Scores are closures, by the text of their formula.
public final class RankModel: PolicyModel {
  /// The attributes of a resident.
  public struct Attributes {
    var frequency: Double
    var age: Double
    var lastUse: Double
    var size: Double
    var ghostFrequency: Double
    var hits: Double { frequency - 1 }
  }

  /// The scores that the model knows.
  public static let scores: [String: @Sendable (Attributes) -> Double] = [
    "frequency/size": { $0.frequency / $0.size },
    "-lastUse": { -$0.lastUse },
    "frequency": { $0.frequency },
    "hits/(age*size)": { $0.hits / ($0.age * $0.size) },
    "frequency - 0.25*lastUse - age/8": { $0.frequency - 0.25 * $0.lastUse - $0.age / 8 },
    "log(frequency+ghostFrequency)/size": {
      ($0.frequency + $0.ghostFrequency == 1
        ? 0 : PortableMath.log($0.frequency + $0.ghostFrequency)) / $0.size
    },
    "if(lastUse>20,-lastUse,min(frequency+ghostFrequency,7)/max(1,size))": {
      $0.lastUse > 20
        ? -$0.lastUse
        : Swift.min($0.frequency + $0.ghostFrequency, 7) / Swift.max(1, $0.size)
    },
    "sqrt(hits)-abs(-age)*2 <= -10.5": { $0.hits.squareRoot() - $0.age * 2 <= -10.5 ? 1 : 0 },
    "0/hits": { $0.hits == 0 ? -.infinity : 0 / $0.hits },
  ]

  private var order: [Int] = []  // the least recent first
  private var drawn: [Int] = []
  private var history: [Int] = []
  private var frequency: [Int: Int] = [:]
  private var earlier: [Int: Int] = [:]
  private var entered: [Int: Int] = [:]
  private var lastUse: [Int: Int] = [:]
  private var requests = 0
  private var generator: SplitMix64

  private let score: @Sendable (Attributes) -> Double
  private let sample: Int
  private let ghostShare: String?

  override init(_ options: ModelOptions) {
    let text = options.parameters["score"] ?? "frequency/size"
    score = RankModel.scores[text]!
    sample = Int(options.parameters["sample"] ?? "0")!
    ghostShare = text.contains("ghostFrequency") ? options.parameters["ghosts"] ?? "1" : nil
    generator = SplitMix64(seed: options.seed)
    super.init(options)
  }

  override public var residents: [Int] { order }
  override public var ghosts: [Int] { history }

  override func hit(_ key: Int) {
    requests += 1
    frequency[key]! += 1
    lastUse[key] = requests
    order.take(key)
    order.append(key)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    requests += 1
    if !history.contains(key) { earlier[key] = 0 }
    history.take(key)
    while used + size > capacity { evict() }
    sizes[key] = size
    frequency[key] = 1
    entered[key] = requests
    lastUse[key] = requests
    order.append(key)
    drawn.append(key)
    return true
  }

  private func value(of key: Int) -> Double {
    score(
      Attributes(
        frequency: Double(frequency[key]!), age: Double(requests - entered[key]! + 1),
        lastUse: Double(requests - lastUse[key]! + 1), size: Double(sizes[key]!),
        ghostFrequency: Double(earlier[key]!)))
  }

  override func evict() {
    let candidates =
      sample == 0 ? order : (0..<sample).map { _ in drawn[generator.index(below: drawn.count)] }
    var victim = candidates[0]
    for key in candidates {
      let (one, other) = (value(of: key), value(of: victim))
      if one < other || (one == other && lastUse[key]! < lastUse[victim]!) { victim = key }
    }
    leave(victim)
    if let ghostShare {
      earlier[victim]! += frequency[victim]!
      if ModelOptions.floor(ghostShare, of: capacity) > 0 { history.append(victim) }
    }
    reportEviction(of: victim)
    restoreLimits()
  }

  private func leave(_ key: Int) {
    order.take(key)
    guard let index = drawn.firstIndex(of: key) else { return }
    drawn[index] = drawn[drawn.count - 1]
    drawn.removeLast()
  }

  override func restoreLimits() {
    let limit = ghostShare.map { ModelOptions.floor($0, of: capacity) } ?? 0
    while length(of: history) > limit { history.removeFirst() }
  }

  override func forget(_ key: Int) {
    leave(key)
    history.take(key)
  }
}
