/// A binary tree whose nodes point left or right. A node or leaf is named by the turns that lead to it
/// from the root; the leaves are all at one depth.
final class PLRUModel: PolicyModel {
  private typealias Path = [Bool]  // true: right

  private var pointsRight: [Path: Bool] = [:]
  private var places: [Path: Int] = [:]  // keys by leaf
  private var left: [Path] = []  // leaves that were left, the last one at the end
  private var depth = 0
  private var taken = 0  // leaves that ever were

  override var residents: [Int] { Array(places.values) }

  private func leaf(of key: Int) -> Path { places.first { $0.value == key }!.key }

  private func touch(_ leaf: Path) {
    for level in 0..<leaf.count { pointsRight[Array(leaf.prefix(level))] = !leaf[level] }
  }

  override func hit(_ key: Int) { touch(leaf(of: key)) }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity { evict() }
    sizes[key] = size
    let leaf = takeLeaf()
    places[leaf] = key
    touch(leaf)
    return true
  }

  private func takeLeaf() -> Path {
    if let leaf = left.popLast() { return leaf }
    if taken == 1 << depth {
      depth += 1
      places = [Path: Int](uniqueKeysWithValues: places.map { ($0.key + [false], $0.value) })
    }
    taken += 1
    // The lowest bit of its number is the first turn.
    return (0..<depth).map { (taken - 1) >> $0 & 1 == 1 }
  }

  override func evict() {
    var path: Path = []
    while path.count < depth {
      let wanted = path + [pointsRight[path] ?? false]
      let other = path + [!wanted.last!]
      path = places.keys.contains { $0.starts(with: wanted) } ? wanted : other
    }
    reportEviction(of: leave(path))
  }

  @discardableResult
  private func leave(_ leaf: Path) -> Int {
    let key = places.removeValue(forKey: leaf)!
    left.append(leaf)
    if places.isEmpty {
      left = []
      taken = 0
    }
    return key
  }

  override func forget(_ key: Int) {
    if places.values.contains(key) { leave(leaf(of: key)) }
  }
}
