import Eviction

/// FIFO, LRU, MRU: one array, `order`, its first element the one that entered or was used longest ago.
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

class LRUModel: FIFOModel {
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

/// An index into the array of residents is drawn; whatever leaves, the last resident takes its place.
final class RandomModel: PolicyModel {
  private var array: [Int] = []
  private var generator: SplitMix64

  override init(_ options: ModelOptions) {
    generator = SplitMix64(seed: options.seed)
    super.init(options)
  }

  override var residents: [Int] { array }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity { evict() }
    sizes[key] = size
    array.append(key)
    return true
  }

  override func evict() {
    let victim = array[generator.index(below: array.count)]
    forget(victim)
    reportEviction(of: victim)
  }

  override func forget(_ key: Int) {
    guard let index = array.firstIndex(of: key) else { return }
    array[index] = array[array.count - 1]
    array.removeLast()
  }
}
