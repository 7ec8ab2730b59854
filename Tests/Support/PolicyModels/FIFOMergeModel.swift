/// FIFO-Merge; the oldest first. `passed` is the object that the hand would look at next.
final class FIFOMergeModel: FIFOModel {
  private var counter: [Int: Int] = [:]
  private var hand: Int?
  private let examined: Int
  private let kept: Int

  override init(_ options: ModelOptions) {
    examined = Int(options.parameters["examine"] ?? "100")!
    kept = Int(options.parameters["keep"] ?? "50")!
    super.init(options)
  }

  override func hit(_ key: Int) { counter[key]! += 1 }

  override func miss(_ key: Int, size: Int) -> Bool {
    _ = super.miss(key, size: size)
    counter[key] = 0
    return true
  }

  private func after(_ key: Int) -> Int? {
    let next = order.firstIndex(of: key)! + 1
    return next < order.count ? order[next] : nil
  }

  override func evict() {
    var seen: [Int] = []
    for _ in 0..<(order.count <= examined ? 1 : examined) {
      let key = hand ?? order[0]
      seen.append(key)
      hand = after(key)
    }
    if seen.count == 1 && order.count <= examined {
      leave(seen[0])
      return
    }
    while seen.count > kept {
      var worst = 0
      for index in seen.indices {
        let (key, other) = (seen[index], seen[worst])
        let worth = counter[key]!.multipliedFullWidth(by: max(sizes[other]!, 1))
        let least = counter[other]!.multipliedFullWidth(by: max(sizes[key]!, 1))
        if (worth.high, worth.low) < (least.high, least.low) { worst = index }
      }
      leave(seen.remove(at: worst))
    }
    for key in seen { counter[key] = (counter[key]! + 1) / 2 }
  }

  private func leave(_ key: Int) {
    forget(key)
    reportEviction(of: key)
  }

  override func forget(_ key: Int) {
    if key == hand { hand = after(key) }
    order.take(key)
  }
}
