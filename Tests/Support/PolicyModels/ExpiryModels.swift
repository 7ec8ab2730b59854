import EvictionTesting

/// The key that expires soonest or latest leaves; among equals the least recently used.
class ExpireSoonestModel: LRUModel {
  private var expiry: [Int: Int] = [:]

  func leavesBefore(_ expiry: Int, _ other: Int) -> Bool { expiry < other }

  override func hit(_ key: Int) {
    super.hit(key)
    expiry[key] = now + Workload.timeToLive(of: key)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    expiry[key] = now + Workload.timeToLive(of: key)
    return super.miss(key, size: size)
  }

  override func evict() {
    var victim = order[0]
    for key in order where leavesBefore(expiry[key]!, expiry[victim]!) { victim = key }
    order.take(victim)
    reportEviction(of: victim)
  }
}

final class ExpireLatestModel: ExpireSoonestModel {
  override func leavesBefore(_ expiry: Int, _ other: Int) -> Bool { expiry > other }
}

/// Of the keys whose time is over at the last request, the one that expired first leaves, among equals
/// the one whose expiry was set first; if there is none, the least recently used.
final class TLRUModel: LRUModel {
  private var expiry: [Int: Int] = [:]
  private var setAt: [Int: Int] = [:]
  private var lastRequest = 0

  private func use(_ key: Int) {
    lastRequest = now
    expiry[key] = now + Workload.timeToLive(of: key)
    setAt[key] = now
  }

  override func hit(_ key: Int) {
    super.hit(key)
    use(key)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    use(key)
    return super.miss(key, size: size)
  }

  override func evict() {
    let expired = order.filter { expiry[$0]! <= lastRequest }
    let victim =
      expired.min { (expiry[$0]!, setAt[$0]!) < (expiry[$1]!, setAt[$1]!) } ?? order[0]
    order.take(victim)
    reportEviction(of: victim)
  }
}

/// The longest or the shortest key leaves; among equals the least recently used.
final class KeyLengthModel: LRUModel {
  private let evictsShortest: Bool

  override init(_ options: ModelOptions) {
    evictsShortest = options.parameters["order"] == "shortest"
    super.init(options)
  }

  override func evict() {
    var victim = order[0]
    for key in order {
      let difference = Workload.length(of: key) - Workload.length(of: victim)
      if evictsShortest ? difference < 0 : difference > 0 { victim = key }
    }
    order.take(victim)
    reportEviction(of: victim)
  }
}
