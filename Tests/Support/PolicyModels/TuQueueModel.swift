/// TuQueue: three lists, in each the least recent first.
final class TuQueueModel: PolicyModel {
  private var hot: [Int] = []
  private var warm: [Int] = []
  private var cold: [Int] = []
  private let hotShare: String
  private let warmShare: String

  override init(_ options: ModelOptions) {
    hotShare = options.parameters["hot"] ?? "0.33"
    warmShare = options.parameters["warm"] ?? "0.33"
    super.init(options)
  }

  override var residents: [Int] { hot + warm + cold }

  private var hotLimit: Int { ModelOptions.floor(hotShare, of: capacity) }

  override func hit(_ key: Int) {
    if hot.contains(key) {
      if breaks("a hit in hot moves") { return }
      hot.take(key)
      hot.append(key)
    } else if warm.contains(key) {
      if breaks("a hit in warm moves") { return }
      warm.take(key)
      warm.append(key)
    } else {
      cold.take(key)
      if breaks("a hit in cold makes warm") { hot.append(key) } else { warm.append(key) }
      restoreLimits()
    }
  }

  /// Hot and warm overflow into cold.
  override func restoreLimits() {
    while length(of: hot) > hotLimit { cool(hot.removeFirst()) }
    while length(of: warm) > ModelOptions.floor(warmShare, of: capacity) {
      cool(warm.removeFirst())
    }
  }

  private func cool(_ key: Int) {
    cold.insert(key, at: breaks("overflow enters as the most recent") ? 0 : cold.count)
  }

  /// The newcomer pushes out of hot first, and the cache evicts afterwards.
  override func miss(_ key: Int, size: Int) -> Bool {
    while !hot.isEmpty && length(of: hot) + size > hotLimit { cool(hot.removeFirst()) }
    while used + size > capacity { evict() }
    sizes[key] = size
    if size > hotLimit { cold.append(key) } else { hot.append(key) }
    return true
  }

  override func evict() {
    let victim =
      if !cold.isEmpty { cold.removeFirst() } else if !warm.isEmpty { warm.removeFirst() } else {
        hot.removeFirst()
      }
    reportEviction(of: victim)
  }

  override func forget(_ key: Int) {
    hot.take(key)
    warm.take(key)
    cold.take(key)
  }
}
