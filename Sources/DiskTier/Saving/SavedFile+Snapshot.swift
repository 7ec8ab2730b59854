import EvictionCore

// A snapshot as bytes: numbers of eight bytes, the lowest first, and texts and bytes after their lengths.
extension SavedFileWriter {
  mutating func write<Key: DiskKey, Value>(
    _ snapshot: CacheSnapshot<Key, Value>, _ coder: ValueCoder<Value>
  ) throws(SavedCacheError) {
    let form = snapshot.form
    try write(form.policy)
    try write(form.admission)
    try write(form.countsCosts ? 1 : 0)
    try write(form.capacity ?? -1)
    try write(Int(form.time))
    try write(snapshot.policyState)
    try write(snapshot.filterState)
    try write(snapshot.free.count)
    for slot in snapshot.free { try write(Int(slot)) }
    try write(snapshot.known.count)
    for known in snapshot.known {
      try write(Int(known.slot))
      try write(known.cost)
      try write(known.key.diskBytes)
      guard let value = known.value else {
        try write(0)
        continue
      }
      try write(1)
      try write(known.times)
      try write(known.tags.count)
      for tag in known.tags.sorted() { try write(tag) }
      do { try write(try coder.encode(value)) } catch let error as SavedCacheError {
        throw error
      } catch {
        throw .coding(path: path, key: "\(known.key)", problem: "\(error)")
      }
    }
  }

  private mutating func write(_ times: SavedTimes) throws(SavedCacheError) {
    for time in [times.end, times.idle, times.deadline, times.refresh, times.age] {
      try write(time)
    }
  }
}

extension SavedFileReader {
  mutating func form(seed: UInt64) throws(SavedCacheError) -> SnapshotForm {
    let (policy, admission) = (try text(), try text())
    let countsCosts = try number() != 0
    let capacity = try integer()
    return SnapshotForm(
      policy: policy, admission: admission, countsCosts: countsCosts, seed: seed,
      capacity: capacity < 0 ? nil : capacity, time: Int64(try integer()))
  }

  mutating func snapshot<Key: DiskKey, Value>(
    _ form: SnapshotForm, _ coder: ValueCoder<Value>
  ) throws(SavedCacheError) -> CacheSnapshot<Key, Value> {
    var snapshot = CacheSnapshot<Key, Value>(
      form: form, policyState: try bytes(), filterState: try bytes(), known: [], free: [])
    for _ in 0..<(try count(bytesEach: 8)) { snapshot.free.append(try slot()) }
    let known = try count(bytesEach: 32)
    snapshot.known.reserveCapacity(known)
    for _ in 0..<known { snapshot.known.append(try self.known(coder)) }
    return snapshot
  }

  private mutating func known<Key: DiskKey, Value>(
    _ coder: ValueCoder<Value>
  ) throws(SavedCacheError) -> CacheSnapshot<Key, Value>.Known {
    let (slot, cost) = (try slot(), try integer())
    guard let key = Key(diskBytes: try bytes()) else {
      throw damaged("its keys are of another type")
    }
    guard try number() != 0 else {
      return .init(slot: slot, key: key, cost: cost, value: nil)
    }
    let times = try times()
    var tags: Set<String> = []
    for _ in 0..<(try count(bytesEach: 8)) { tags.insert(try text()) }
    let bytes = try bytes()
    do {
      return .init(
        slot: slot, key: key, cost: cost, value: try coder.decode(bytes), times: times, tags: tags)
    } catch { throw .coding(path: path, key: "\(key)", problem: "\(error)") }
  }

  private mutating func slot() throws(SavedCacheError) -> Slot {
    guard let slot = Slot(exactly: try number()) else { throw damaged("it is damaged") }
    return slot
  }

  private mutating func times() throws(SavedCacheError) -> SavedTimes {
    var times = SavedTimes()
    times.end = try number()
    times.idle = try number()
    times.deadline = try number()
    times.refresh = try number()
    times.age = try number()
    return times
  }
}
