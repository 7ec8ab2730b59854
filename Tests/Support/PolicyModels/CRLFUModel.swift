/// The lowest frequency leaves; of equals, the one used last.
final class CRLFUModel: LRUModel {
  private var frequency: [Int: Int] = [:]

  override func hit(_ key: Int) {
    super.hit(key)
    frequency[key]! += 1
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    frequency[key] = 1
    return super.miss(key, size: size)
  }

  override func evict() {
    let lowest = order.map { frequency[$0]! }.min()!
    evict(at: order.lastIndex { frequency[$0]! == lowest }!)
  }
}
