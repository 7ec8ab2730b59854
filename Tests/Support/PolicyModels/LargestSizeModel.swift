/// The largest leaves; of equals, the one used longest ago.
final class LargestSizeModel: LRUModel {
  override func evict() {
    let largest = order.map { sizes[$0]! }.max()!
    evict(at: order.firstIndex { sizes[$0]! == largest }!)
  }
}
