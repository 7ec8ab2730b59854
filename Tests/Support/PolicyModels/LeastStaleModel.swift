import EvictionTesting

/// Least-Stale: for each resident its layer, the pass that used it last, and when it moved last.
final class LeastStaleModel: PolicyModel {
  private struct Use {
    var layer: Int
    var pass: Int
    var moved: Int
  }

  private var uses: [Int: Use] = [:]
  private var pass = 0
  private var layer = 0
  private let ordersLayers: Bool

  override init(_ options: ModelOptions) {
    ordersLayers = options.parameters["order"] != "fifo"
    super.init(options)
  }

  override var residents: [Int] { Array(uses.keys) }

  private func begin(_ key: Int) {
    let next = Workload.requestClass(of: key)
    if next < layer { pass += 1 }
    layer = next
  }

  override func hit(_ key: Int) {
    begin(key)
    let before = uses[key]!
    let moves = ordersLayers || before.pass < pass
    uses[key] = Use(layer: layer, pass: pass, moved: moves ? now : before.moved)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    begin(key)
    while used + size > capacity {
      evict()
      if hasRefused { return false }
    }
    sizes[key] = size
    uses[key] = Use(layer: layer, pass: pass, moved: now)
    return true
  }

  /// The largest leaves first: stale, behind the layer, far from it, moved long ago.
  private func urgency(_ key: Int) -> [Int] {
    let use = uses[key]!
    let isStale = use.pass < pass ? 1 : 0
    if !ordersLayers { return [isStale, -use.moved] }
    return [isStale, use.layer < layer ? 1 : 0, abs(use.layer - layer), -use.moved]
  }

  override func evict() {
    let victim = uses.keys.max { urgency($0).lexicographicallyPrecedes(urgency($1)) }!
    if !mayEvict(victim) { return }
    uses[victim] = nil
    reportEviction(of: victim)
  }

  override func forget(_ key: Int) { uses[key] = nil }
}
