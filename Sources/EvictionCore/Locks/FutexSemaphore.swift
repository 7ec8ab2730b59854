#if os(Linux)
  import CInline
  import Synchronization

  /// A number of permits, for which threads sleep in the kernel.
  struct FutexSemaphore: @unchecked Sendable {
    private let word: UnsafeMutablePointer<Atomic<UInt32>>

    /// Creates one without permits.
    init() {
      word = .allocate(capacity: 1)
      word.initialize(to: Atomic(0))
    }

    /// Its maker does this last.
    func deallocate() { word.deallocate() }

    /// Takes a permit, and sleeps until there is one.
    func take() {
      var permits = word.pointee.load(ordering: .relaxed)
      while true {
        if permits == 0 {
          evl_sleep_while(word, 0)
          permits = word.pointee.load(ordering: .relaxed)
          continue
        }
        let (isTaken, seen) = word.pointee.compareExchange(
          expected: permits, desired: permits - 1, ordering: .acquiring)
        if isTaken { return }
        permits = seen
      }
    }

    /// Adds permits, and wakes as many threads.
    func give(_ permits: UInt32) {
      word.pointee.wrappingAdd(permits, ordering: .releasing)
      evl_wake(word, Int32(permits))
    }
  }
#endif
