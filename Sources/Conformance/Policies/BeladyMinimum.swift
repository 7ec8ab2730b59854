/// Belady's MIN, written plainly: what no policy can do better than, where every object counts one.
///
/// - Paper: L. A. Belady, “A study of replacement algorithms for a virtual-storage computer”, IBM
///   Systems Journal 5(2), 1966.
public enum BeladyMinimum {
  /// The fewest misses of any policy on these requests.
  ///
  /// - Parameters:
  ///   - keys: The requests, by key.
  ///   - capacity: The number of objects that fit.
  ///   - bypass: True if the newcomer may be refused: the bound for policies that do that.
  /// - Complexity: O(requests × capacity).
  public static func misses(_ keys: [Int], capacity: Int, bypass: Bool = false) -> Int {
    var nextUses = [Int](repeating: .max, count: keys.count)
    var coming: [Int: Int] = [:]
    for index in keys.indices.reversed() {
      nextUses[index] = coming[keys[index]] ?? .max
      coming[keys[index]] = index
    }
    var residents: [Int: Int] = [:]  // next uses, by key
    var misses = 0
    for (index, key) in keys.enumerated() {
      if residents[key] == nil {
        misses += 1
        if residents.count == capacity, let farthest = residents.max(by: { $0.value < $1.value }) {
          if bypass && nextUses[index] >= farthest.value { continue }
          residents[farthest.key] = nil
        }
      }
      residents[key] = nextUses[index]
    }
    return misses
  }
}
