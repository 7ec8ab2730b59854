import Parameters

/// All forms of S4-FIFO in miniature: caches of a part of the capacity, before which only the requests of as large a part
/// of the keys come.
final class MiniatureRace {
  /// A form's cache, and its hits since they count.
  struct Entrant: ~Copyable {
    var policy: S4FIFO
    var used = 0
    var hits = 0
  }

  /// The view that an entrant's policy sees of its cache.
  struct Host: SlotHost, ~Copyable {
    let capacity: Int
    let sizes: UnsafePointer<Int>
    var used: Int

    func hasRoom(for request: Request) -> Bool { used + request.size <= capacity }
    func size(of slot: Slot) -> Int { sizes[Int(slot)] }
    mutating func didEvict(_ slot: Slot) { used -= size(of: slot) }
    mutating func didForget(_ slot: Slot) {}
  }

  private let salt: UInt64
  private var share: Int
  private var sample: SpatialSample
  private var capacity: Int
  private let entrants: UnsafeMutablePointer<Entrant>
  private var index = KeyIndex()
  /// By number, as keys come first: the hash, and the size that all caches take for it.
  private var hashes: [UInt64] = []
  private var sizes: [Int] = []
  private var reserved = 0
  /// The requests whose hits counted.
  private var counted = 0

  /// Empty caches.
  ///
  /// - Parameters:
  ///   - capacity: That of the whole cache.
  ///   - share: One key in this many is taken.
  ///   - salt: Which.
  init(capacity: Int, share: Int, salt: UInt64) {
    self.salt = salt
    self.share = share
    sample = SpatialSample(ratio: 1 / Double(share), salt: salt)
    let part = max(1, capacity / share)
    self.capacity = part
    entrants = .allocate(capacity: S4FIFOForm.all.count)
    for (number, form) in S4FIFOForm.all.enumerated() {
      (entrants + number).initialize(to: Entrant(policy: S4FIFO(form, capacity: part)))
    }
  }

  deinit {
    entrants.deinitialize(count: S4FIFOForm.all.count)
    entrants.deallocate()
  }

  /// Passes on what changes.
  func visitState(_ state: inout PolicyState) {
    state.visit(&hashes)
    state.visit(&sizes)
    state.visit(&counted)
    state.visit(&capacity)
    state.visit(&share)
    if state.isReading {
      guard share > 0, capacity > 0 else { return state.refuse() }
      sample = SpatialSample(ratio: 1 / Double(share), salt: salt)
      let known = min(hashes.count, sizes.count)
      index = KeyIndex()
      reserve(known)
      for number in 0..<known { index.insert(Slot(number), hash: hashes[number]) }
    }
    for number in S4FIFOForm.all.indices {
      entrants[number].policy.visitState(&state)
      state.visit(&entrants[number].used)
      state.visit(&entrants[number].hits)
    }
  }

  /// Runs a request through every cache, if its key is of the sample; one that is larger than they are is not.
  ///
  /// - Parameter counts: True if hits count.
  func request(_ request: Request, counts: Bool) {
    guard sample.contains(request.keyHash), let number = number(of: request) else { return }
    let size = sizes[Int(number)]
    if counts { counted += 1 }
    let inMiniature = Request(slot: number, size: size)
    sizes.withUnsafeBufferPointer { sizes in
      guard let base = sizes.baseAddress else { return }
      for place in S4FIFOForm.all.indices {
        var host = Host(capacity: capacity, sizes: base, used: entrants[place].used)
        if entrants[place].policy.contains(number) {
          entrants[place].policy.hit(inMiniature, host: &host)
          if counts { entrants[place].hits += 1 }
        } else if entrants[place].policy.insert(inMiniature, host: &host) {
          host.used += size
        }
        entrants[place].used = host.used
      }
    }
  }

  /// The form with the most hits, of equals the first; the first of all forms, if that saves less than a part of its misses.
  ///
  /// - Parameter margin: The part.
  func leader(margin: Fraction) -> Int {
    var leader = 0
    for place in S4FIFOForm.all.indices where entrants[place].hits > entrants[leader].hits {
      leader = place
    }
    let saved = entrants[leader].hits - entrants[0].hits
    return saved > margin.floor(of: counted - entrants[0].hits) ? leader : 0
  }

  /// The number of a key in the caches, the next one for a new key; nil where it does not fit in.
  private func number(of request: Request) -> Slot? {
    let known = index.find(request.keyHash) { hashes[Int($0)] == request.keyHash }
    if let known { return known }
    if request.size > capacity { return nil }
    let number = Slot(hashes.count)
    hashes.append(request.keyHash)
    sizes.append(request.size)
    if hashes.count > reserved { reserve(2 * hashes.count) }
    index.insert(number, hash: request.keyHash)
    return number
  }

  private func reserve(_ slots: Int) {
    reserved = slots
    index.reserve(slots: slots)
    for place in S4FIFOForm.all.indices { entrants[place].policy.reserve(slots: slots) }
  }
}
