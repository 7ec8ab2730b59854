/// FIFO, LIFO, LRU, MRU: one array, `order`, its first element the one that entered or was used longest ago.
class FIFOModel: PolicyModel {
  var order: [Int] = []

  override var residents: [Int] { order }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity { evict() }
    sizes[key] = size
    order.append(key)
    return true
  }

  override func evict() { reportEviction(of: order.removeFirst()) }

  override func forget(_ key: Int) { order.take(key) }
}

final class LIFOModel: FIFOModel {
  override func evict() { reportEviction(of: order.removeLast()) }
}

final class LRUModel: FIFOModel {
  override func hit(_ key: Int) {
    order.take(key)
    order.append(key)
  }
}

final class MRUModel: FIFOModel {
  override func hit(_ key: Int) {
    order.take(key)
    order.append(key)
  }

  override func evict() { reportEviction(of: order.removeLast()) }
}
