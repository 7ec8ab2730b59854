/// LIRS2 as its authors' program does it: a stack S with its bottom first, a queue Q with its front first.
///
/// S has a block at most twice: for the request before the last, and above that for the last one. The bottom of S is
/// always a LIR block: that is the pruning, done after every step. Q is that of LIRS.
final class LIRS2Model: LIRSModel {
  private var new: Set<Int> = []  // those whose lower place is without a request
  private let multiple: Int

  init(_ options: ModelOptions) {
    multiple = Int(options.parameters["stack"] ?? "8")!
    super.init(options, leastHIR: 4, remembersAll: true)
  }

  override func hit(_ key: Int) {
    if key == last && !breaks("a repeat changes nothing") { return }
    last = key
    let hadBoth = place(key)
    if !lir.contains(key) {
      queue.take(key)
      if hadBoth { lir.insert(key) } else { queue.append(key) }
    }
    restoreStack()
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    let fillsLIR = fillsLIR(size: size)
    while used + size > capacity { evictOne() }
    sizes[key] = size
    if evicted.contains(key) {
      evicted.take(key)
      if place(key) || fillsLIR { lir.insert(key) } else { queue.append(key) }
    } else {
      stack += [key, key]
      if !breaks("a place without a request does not count") { new.insert(key) }
      if fillsLIR { lir.insert(key) } else { queue.append(key) }
    }
    if lir.contains(key) && places(of: key) == 1 {
      stack.append(key)
      new.insert(key)
    }
    restoreStack()
    boundGhosts()
    last = key
    return true
  }

  /// The block's lower place moves to the top. Returns true if S had both from requests.
  private func place(_ key: Int) -> Bool {
    let hadBoth = places(of: key) == 2
    if hadBoth { stack.take(key) }
    stack.append(key)
    let wasNew = new.remove(key) != nil
    return (hadBoth || breaks("both places are in S")) && !wasNew
  }

  private func places(of key: Int) -> Int { stack.count { $0 == key } }

  /// There are not too many LIR blocks, and S holds 8 C.
  private func restoreStack() {
    demote()
    while length(of: stack) > multiple * capacity {
      guard let lowest = stack.firstIndex(where: { !lir.contains($0) }) else { break }
      stack.remove(at: lowest)
    }
  }

  override func forget(_ key: Int) {
    new.remove(key)
    super.forget(key)
  }

  override func restoreLimits() {
    restoreStack()
    boundGhosts()
  }
}
