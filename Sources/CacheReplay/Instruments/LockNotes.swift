import CInline

/// One thread's notes of the locks that it takes: no other thread writes here.
struct LockNotes {
  private let acquisitions: UnsafeMutablePointer<Int>
  private let locks: Int
  private var contended = 0
  private var sampler: Sampler
  let watch = Stopwatch.standard
  private let thread: Int
  private let times: ThreadParts<LockRecord>
  private var waits: [UInt64] = []
  private var holdings: [UInt64] = []

  private static let limit = 256

  init(
    locks: Int, sampler: Sampler, thread: Int, times: ThreadParts<LockRecord>
  ) {
    acquisitions = .allocate(capacity: locks)
    acquisitions.initialize(repeating: 0, count: locks)
    self.locks = locks
    self.sampler = sampler
    self.thread = thread
    self.times = times
    waits.reserveCapacity(LockNotes.limit)
    holdings.reserveCapacity(LockNotes.limit)
  }

  /// Counts an acquisition of a lock. Returns whether its holding is timed.
  @inline(__always)
  mutating func take(_ lock: Int) -> Bool {
    acquisitions[lock] &+= 1
    return sampler.choosesNext()
  }

  /// Notes an acquisition's wait, if it was contended, and its holding, if that was timed. To be called when
  /// the lock is free again.
  mutating func note(wait: UInt64?, holding: UInt64?) {
    if let wait {
      contended += 1
      waits.append(wait)
    }
    if let holding { holdings.append(holding) }
    if waits.count == LockNotes.limit || holdings.count == LockNotes.limit { handOver() }
  }

  private mutating func handOver() {
    times.update(thread) { record in
      for wait in waits { record.waits.record(wait) }
      for holding in holdings { record.holdings.record(holding) }
    }
    waits.removeAll(keepingCapacity: true)
    holdings.removeAll(keepingCapacity: true)
  }

  mutating func end() {
    handOver()
    times.update(thread) { record in
      record.contended += contended
      for index in 0..<locks { record.acquisitions[index] += acquisitions[index] }
    }
    acquisitions.deallocate()
  }

  // Each object file has a place of its own, so it is looked up here only.

  @inline(never)
  static func setOwn(_ notes: UnsafeMutablePointer<LockNotes>?) {
    evl_thread_pointer()!.pointee = UnsafeMutableRawPointer(notes)
  }

  /// This thread's; nil where it is not watched.
  static var own: UnsafeMutablePointer<LockNotes>? {
    @inline(never) get {
      evl_thread_pointer()!.pointee?.assumingMemoryBound(to: LockNotes.self)
    }
  }
}
