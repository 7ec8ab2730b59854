/// FIFO, LIFO, LRU, MRU: one array, `order`, its first element the one that entered or was used longest
/// ago.
class FIFOModel: PolicyModel {
  var order: [Int] = []

  override var residents: [Int] { order }

  override func hit(_ key: Int) { if breaks("a hit changes nothing") { makeNewest(key) } }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity {
      evict()
      if hasRefused { return false }
    }
    sizes[key] = size
    order.insert(key, at: breaks("a newcomer enters as the newest") ? 0 : order.count)
    return true
  }

  override func evict() { evict(at: breaks("the victim's end") ? order.count - 1 : 0) }

  func makeNewest(_ key: Int) {
    order.take(key)
    order.append(key)
  }

  func evict(at index: Int) {
    if mayEvict(order[index]) { reportEviction(of: order.remove(at: index)) }
  }

  override func forget(_ key: Int) { order.take(key) }
}

class LIFOModel: FIFOModel {
  override func evict() { evict(at: breaks("the victim's end") ? 0 : order.count - 1) }
}

class LRUModel: FIFOModel {
  override func hit(_ key: Int) { if !breaks("a hit moves") { makeNewest(key) } }
}

final class MRUModel: LIFOModel {
  override func hit(_ key: Int) { if !breaks("a hit moves") { makeNewest(key) } }
}
