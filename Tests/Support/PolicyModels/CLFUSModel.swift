/// CLFUS; in each queue the oldest first.
final class CLFUSModel: PolicyModel {
  private var queue: [Int] = []
  private var remembered: [Int] = []
  private var hits: [Int: Int] = [:]
  private var knownSize: [Int: Int] = [:]
  private var mean = 0.0
  private var seen = [UInt16](repeating: 0, count: 128)
  private let usesSeen: Bool

  override init(_ options: ModelOptions) {
    usesSeen = options.parameters["seen"] != "false"
    super.init(options)
  }

  override var residents: [Int] { queue }

  private func worth(_ key: Int) -> Double {
    Double(Float(hits[key]! + 1) / Float(min(knownSize[key]!, 1 << 31 - 1) + 256))
  }

  override func hit(_ key: Int) {
    if worth(key) > mean {
      queue.take(key)
      queue.append(key)
    }
    hits[key]! += 1
  }

  /// Takes the next victim off the queue.
  private func turn(_ patience: inout Int) -> Int? {
    while !queue.isEmpty {
      let key = queue.removeFirst()
      mean = (worth(key) + mean * 99) / 100
      if worth(key) <= mean || patience == 0 { return key }
      patience -= 1
      queue.append(key)
    }
    return nil
  }

  private func tick(residents: Int, remembering extra: Int) {
    if remembered.isEmpty { return }
    let oldest = remembered.removeFirst()
    hits[oldest]! /= 2
    if hits[oldest]! == 0 { return }
    hits[oldest]! -= 1
    remembered.append(oldest)
    if remembered.count + extra > residents + 10 { remembered.removeFirst() }
  }

  private func requeue(_ key: Int) {
    hits[key] = max(0, hits[key]! - 1)
    queue.append(key)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    let isKnown = remembered.contains(key)
    if isKnown {
      remembered.take(key)
      hits[key]! += 1
      if worth(key) < mean {
        remembered.append(key)
        return false
      }
    }
    if !remembered.isEmpty || length(of: queue) + size > capacity {
      if !isKnown && usesSeen {
        let word = Int(keyHash(key) % UInt64(seen.count))
        let tag = UInt16(keyHash(key) >> 48)
        let wasSeen = seen[word] == tag
        seen[word] = tag
        if remembered.count >= queue.count && !wasSeen { return false }
      }
      if !replace(for: key, size: size, isKnown: isKnown) {
        if !isKnown {
          hits[key] = 1
          knownSize[key] = size
        }
        remembered.append(key)
        return false
      }
    }
    if !isKnown && queue.count > seen.count { seen = [UInt16](repeating: 0, count: 2 * seen.count) }
    if !isKnown { hits[key] = 1 }
    sizes[key] = size
    knownSize[key] = size
    queue.append(key)
    return true
  }

  private func replace(for key: Int, size: Int, isKnown: Bool) -> Bool {
    var victims: [Int] = []
    var patience = 100
    var together = 0.0
    var isRefused = false
    while !isRefused && (victims.isEmpty || length(of: queue) + size > capacity),
      let victim = turn(&patience)
    {
      victims.append(victim)
      together += worth(victim)
      tick(residents: queue.count + victims.count, remembering: isKnown ? 1 : 0)
      let free = capacity - length(of: queue) - size
      isRefused = !isKnown || free < sizes[victim]! && together > worth(key)
    }
    var fits = !isRefused && length(of: queue) + size <= capacity
    while fits, let victim = victims.first {
      if length(of: queue) + size + sizes[victim]! <= capacity {
        requeue(victims.removeFirst())
      } else if mayEvict(victim) {
        remembered.append(victims.removeFirst())
        reportEviction(of: victim)
      } else {
        fits = false
      }
    }
    for victim in victims { requeue(victim) }
    return fits
  }

  override func evict() {
    var patience = 100
    let victim = turn(&patience)!
    tick(residents: queue.count + 1, remembering: 0)
    remembered.append(victim)
    reportEviction(of: victim)
  }

  override func forget(_ key: Int) { queue.take(key) }

  override func forgetAll() {
    queue = []
    remembered = []
  }

  override func restoreLimits() {
    for key in queue { knownSize[key] = sizes[key]! }
  }
}
