/// FIFO, LIFO, LRU, MRU: one array, `order`, its first element the one that entered or was used longest ago.
class FIFOModel: PolicyModel {
  var order: [Int] = []

  override var residents: [Int] { order }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity {
      evict()
      if hasRefused { return false }
    }
    sizes[key] = size
    order.append(key)
    return true
  }

  override func evict() {
    if mayEvict(order[0]) { reportEviction(of: order.removeFirst()) }
  }

  override func forget(_ key: Int) { order.take(key) }
}

class LIFOModel: FIFOModel {
  override func evict() {
    if mayEvict(order[order.count - 1]) { reportEviction(of: order.removeLast()) }
  }
}

final class LRUModel: FIFOModel {
  override func hit(_ key: Int) {
    order.take(key)
    order.append(key)
  }
}

final class MRUModel: LIFOModel {
  override func hit(_ key: Int) {
    order.take(key)
    order.append(key)
  }
}
