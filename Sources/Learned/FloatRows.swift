#if Learned
  import EvictionCore

  /// Numbers that grow at the end, and whose memory stays when they are removed: features, row by row, or labels.
  @usableFromInline package struct FloatRows: ~Copyable, @unchecked Sendable {
    @usableFromInline var base: UnsafeMutablePointer<Float>
    private var capacity: Int
    package private(set) var count = 0

    /// Creates no numbers, with room for `capacity`.
    package init(capacity: Int) {
      base = .allocate(capacity: capacity)
      self.capacity = capacity
    }

    deinit { base.deallocate() }

    /// The numbers, until one is appended.
    package var values: UnsafeBufferPointer<Float> {
      UnsafeBufferPointer(start: base, count: count)
    }

    /// The numbers, to be changed, until one is appended.
    package var mutableValues: UnsafeMutableBufferPointer<Float> {
      mutating get { UnsafeMutableBufferPointer(start: base, count: count) }
    }

    /// The memory that the numbers take.
    package var bytes: Int { capacity * MemoryLayout<Float>.stride }

    package mutating func append(_ value: Float) {
      reserve(count + 1)
      (base + count).initialize(to: value)
      count += 1
    }

    package mutating func append(contentsOf values: UnsafeBufferPointer<Float>) {
      guard let first = values.baseAddress else { return }
      reserve(count + values.count)
      (base + count).initialize(from: first, count: values.count)
      count += values.count
    }

    /// Makes the number of values `count`; new ones are 0.
    package mutating func resize(to count: Int) {
      reserve(count)
      if count > self.count {
        (base + self.count).initialize(repeating: 0, count: count - self.count)
      }
      self.count = count
    }

    package mutating func removeAll() { count = 0 }

    /// Passes on the numbers.
    package mutating func visitState(_ state: inout PolicyState) {
      resize(to: state.visit(count: count, bytesEach: MemoryLayout<Float>.stride))
      state.visit(base, count: count)
    }

    private mutating func reserve(_ least: Int) {
      if least <= capacity { return }
      let larger = max(least, 2 * capacity)
      let new = UnsafeMutablePointer<Float>.allocate(capacity: larger)
      new.moveInitialize(from: base, count: count)
      base.deallocate()
      (base, capacity) = (new, larger)
    }
  }
#endif
