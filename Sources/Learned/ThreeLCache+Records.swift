#if Learned
  import EvictionCore

  extension ThreeLCache {
    /// The past of an object, as far as it predicts the next request.
    @usableFromInline
    struct History: BitwiseCopyable {
      /// The number of features: the age, three intervals, the size and the frequency.
      static var columns: Int { 6 }

      @usableFromInline var lastRequest: Int64 = 0
      /// The time from which the next request is measured; 0 for none.
      @usableFromInline var sampled: Int64 = 0
      /// The intervals between its last requests, the last one first; NaN where there were fewer.
      @usableFromInline var intervals: (Float, Float, Float) = (.nan, .nan, .nan)
      /// The number of its requests, at most 65,535.
      @usableFromInline var frequency: UInt16 = 1

      @inlinable @inline(__always)
      init(requestedAt time: Int64 = 0) { lastRequest = time }

      @inlinable @inline(__always)
      mutating func request(at time: Int64) {
        intervals = (Float(time &- lastRequest), intervals.0, intervals.1)
        lastRequest = time
        frequency = max(frequency, frequency &+ 1)
      }

      /// Appends the features at `time`.
      func append(to rows: inout FloatRows, at time: Int64, size: Int) {
        rows.append(Float(time &- lastRequest))
        rows.append(intervals.0)
        rows.append(intervals.1)
        rows.append(intervals.2)
        rows.append(Float(size))
        rows.append(Float(frequency))
      }
    }

    /// The predicted time of the next request, farthest first, and of equals the least recent.
    @usableFromInline
    struct Prediction: Comparable, BitwiseCopyable {
      @usableFromInline let next: Float
      /// The low bits of the time of the last request.
      @usableFromInline let lastRequest: UInt32

      @inlinable
      init(next: Float, lastRequest: Int64) {
        self.next = next
        self.lastRequest = UInt32(truncatingIfNeeded: lastRequest)
      }

      @inlinable @inline(__always)
      static func < (left: Prediction, right: Prediction) -> Bool {
        left.next > right.next
          || (left.next == right.next && left.lastRequest < right.lastRequest)
      }
    }

    /// The evictions of candidates that a part of a scan found, and the number of those.
    @usableFromInline
    struct Yield: BitwiseCopyable {
      @usableFromInline var evicted = 0
      @usableFromInline var picked = 0

      @inlinable
      init() {}
    }

    /// The two scans that pick candidates: of the list, from the least recent on, and of the newcomers.
    @usableFromInline
    struct Scan {
      /// The resident that the scan of the list comes to next; nil for the least recent.
      @usableFromInline var place: Slot?
      /// The residents when the round began; 0 before the first.
      @usableFromInline var length = 0
      /// The residents passed in this round.
      @usableFromInline var passed = 0
      /// The most candidates picked at a time.
      @usableFromInline var step = 1
      /// The part of the list, from the least recent on, of which the scan picks all.
      @usableFromInline var oldPercent = 1
      /// The part of the cache that is left to newcomers.
      @usableFromInline var newcomerPercent = 2
      /// The highest frequency that is picked beyond that part.
      @usableFromInline var highestFrequency = 1
      /// The yield of that part, once the scan is beyond it, and of what the scan is in.
      @usableFromInline var old = Yield()
      @usableFromInline var current = Yield()
      /// The last request of the last resident picked.
      @usableFromInline var reached: Int64 = 0
      /// The evictions of this round by the logarithm of the frequency.
      @usableFromInline var evictedFrequencies = [Int](repeating: 0, count: 16)

      init() {}

      @inlinable @inline(__always)
      mutating func noteEviction(_ history: History) {
        evictedFrequencies[15 &- history.frequency.leadingZeroBitCount] &+= 1
        if history.lastRequest <= reached { current.evicted &+= 1 }
      }
    }

    /// The window of history: the ghosts that are kept, and what hits of them would have gained.
    @usableFromInline
    struct Window: BitwiseCopyable {
      /// The window's width, as a multiple of the number of residents; ghosts are all but one of them.
      @usableFromInline var width = 2
      /// True once a ghost was forgotten since the window last became wider.
      @usableFromInline var isFull = false
      @usableFromInline var requests = 0
      @usableFromInline var hits = 0
      @usableFromInline var ghostHits = 0
      /// The longest time since the last request of a ghost that was forgotten, and its value at the last training.
      @usableFromInline var longestWait: Int64 = 0
      @usableFromInline var boundary: Int64 = 0

      init() {}

      @inlinable @inline(__always)
      mutating func count(isHit: Bool, isGhost: Bool = false) {
        if !isFull { return }
        requests &+= 1
        if isHit { hits &+= 1 }
        if isGhost { ghostHits &+= 1 }
      }

      /// Becomes wider if many requests find ghosts, and few enough find neither: asked at trainings.
      mutating func adapt(after least: Int, widest: Int) {
        if !isFull || requests <= least { return }
        let worth = Double(ghostHits) > 0.01 * Double(hits * (width - 1))
        if worth && width < widest && width - 1 < (requests - hits) / ghostHits {
          width += 1
          isFull = false
        }
        (requests, hits, ghostHits) = (0, 0, 0)
      }
    }
  }
#endif
