/// Tree pseudo-LRU in sets of ways, chosen by the key's hash.
final class PLRUSetsModel: PolicyModel {
  private let ways: Int
  private var sets: [[Int?]]  // keys by set and way
  /// By set and by the first way and the number of ways that a node spans.
  private var pointsRight: [[Span: Bool]]
  private var turn = 0

  private struct Span: Hashable {
    let first: Int
    let length: Int
  }

  override init(_ options: ModelOptions) {
    ways = Int(options.parameters["ways"]!)!
    let count = max(1, options.capacity / ways)
    sets = Array(repeating: Array(repeating: nil, count: ways), count: count)
    pointsRight = Array(repeating: [:], count: count)
    super.init(options)
  }

  override var residents: [Int] { sets.flatMap { $0.compactMap { $0 } } }

  /// Hashes are dealt to the sets in equal ranges.
  private func set(of key: Int) -> Int {
    Int(keyHash(key).multipliedFullWidth(by: UInt64(sets.count)).high)
  }

  private func touch(_ way: Int, of set: Int) {
    var span = Span(first: 0, length: ways)
    while span.length > 1 {
      let half = span.length / 2
      let isRight = way >= span.first + half
      pointsRight[set][span] = !isRight
      span = Span(first: span.first + (isRight ? half : 0), length: half)
    }
  }

  override func hit(_ key: Int) {
    let set = set(of: key)
    touch(sets[set].firstIndex(of: key)!, of: set)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    let set = set(of: key)
    while used + size > capacity || !sets[set].contains(nil) {
      if sets[set].allSatisfy({ $0 == nil }) { evict() } else { evict(from: set) }
      if hasRefused { return false }
    }
    sizes[key] = size
    let way = sets[set].firstIndex(of: nil)!
    sets[set][way] = key
    touch(way, of: set)
    return true
  }

  override func evict() {
    while sets[turn].allSatisfy({ $0 == nil }) { turn = (turn + 1) % sets.count }
    let set = turn
    turn = (turn + 1) % sets.count
    evict(from: set)
  }

  private func evict(from set: Int) {
    var ways = Array(0..<ways)
    while ways.count > 1 {
      let (left, right) = (Array(ways.prefix(ways.count / 2)), Array(ways.suffix(ways.count / 2)))
      let isWanted = pointsRight[set][Span(first: ways[0], length: ways.count)] ?? false
      ways = isWanted ? right : left
      if ways.allSatisfy({ sets[set][$0] == nil }) { ways = isWanted ? left : right }
    }
    let victim = sets[set][ways[0]]!
    guard mayEvict(victim) else { return }
    sets[set][ways[0]] = nil
    reportEviction(of: victim)
  }

  override func forget(_ key: Int) {
    let set = set(of: key)
    if let way = sets[set].firstIndex(of: key) { sets[set][way] = nil }
  }
}
