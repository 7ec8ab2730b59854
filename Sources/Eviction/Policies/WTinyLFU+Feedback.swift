extension WTinyLFU {
  /// The values of `feedback`: what a candidate changes that is refused again soon.
  public enum Feedback: String, CaseIterable, Sendable {
    /// Nothing.
    case off
    /// The number of times that a miss counts further.
    case gain
    /// The window's quota.
    case window
  }
}

/// Remembers in a Bloom filter who was refused in the last half period, to judge the refusals.
///
/// A candidate that is refused a second time in it stays in the victim's place. That raises a *level*, once in a period;
/// candidates that are refused for the first time lower it where nothing has for a while. The level is the number of
/// times that a miss counts further, or by how much the window has grown.
///
/// - Source: ben-manes/caffeine, FeedbackTinyLfuPolicy.java and FeedbackWindowTinyLfuPolicy.java.
@usableFromInline
struct RefusalFeedback: ~Copyable {
  /// The largest quota that a window begins with, and the most by which it grows.
  static var widest: Int { 256 }

  @usableFromInline let form: WTinyLFU.Feedback
  /// With room for the longest period: a smaller cache clears it more often.
  @usableFromInline var refused: BloomFilter
  @usableFromInline var level = 0
  var period = 1
  var highest = 0
  var requests = 0
  /// The number of this period, and of the one that last changed the level.
  var periods = 0
  var adjusted = 0

  init(_ form: WTinyLFU.Feedback) {
    self.form = form
    refused = BloomFilter(capacity: form == .off ? 1 : RefusalFeedback.longestPeriod(form))
  }

  private static func longestPeriod(_ form: WTinyLFU.Feedback) -> Int {
    form == .window ? 1_024 : 256
  }

  mutating func visitState(_ state: inout PolicyState) {
    refused.visitState(&state)
    state.visit(&level)
    state.visit(&period)
    state.visit(&highest)
    state.visit(&requests)
    state.visit(&periods)
    state.visit(&adjusted)
  }

  /// Starts over for a cache of that capacity and protected segment.
  mutating func begin(capacity: Int, protected: Int) {
    if form == .off { return }
    period = max(1, min(RefusalFeedback.longestPeriod(form), capacity))
    highest = form == .window ? min(RefusalFeedback.widest, protected) : 5
    refused.clear()
    (level, requests, periods, adjusted) = (0, 0, 0, 0)
  }

  /// Counts a request, which may begin a period or its half.
  @usableFromInline
  mutating func count() {
    if requests % period == 0 { periods += 1 }
    if requests % max(1, period / 2) == 0 { refused.clear() }
    requests += 1
  }

  /// Judges a candidate that is not more frequent than its victim.
  ///
  /// - Returns: True if it stays in the victim's place, and what was added to the level.
  @usableFromInline
  mutating func judge(_ hash: UInt64) -> (stays: Bool, growth: Int) {
    if adjusted == periods {
      refused.insert(hash)
      return (false, 0)
    }
    let wait = form == .gain ? level : 0
    let before = level
    if refused.contains(hash) {
      if periods >= adjusted + wait {
        adjusted = periods
        level = min(level + (form == .window ? 8 : 1), highest)
      }
      return (true, level - before)
    }
    if periods > adjusted + wait + 1 {
      adjusted = periods
      level = max(0, level - (form == .window ? 4 : 1))
    }
    refused.insert(hash)
    return (false, level - before)
  }
}

extension WindowTinyLFU {
  /// Counts the request: a miss further as the gain says, and with `feedback=window` a protected object's hit twice.
  @inlinable @inline(never)
  mutating func countForFeedback<Lists: RecencyLists & ~Copyable>(
    _ request: Request, hitIn slot: Slot?, lists: borrowing Lists
  ) {
    feedback.count()
    if feedback.form == .window {
      if let slot, lists.owner(of: slot) == .protected { sketch.record(request.keyHash) }
    } else if slot == nil {
      for _ in 0..<feedback.level { sketch.record(request.keyHash) }
    }
  }

  /// Lets the window grow or shrink with the level; the gain is the level itself.
  @inlinable
  mutating func follow<Lists: RecencyLists & ~Copyable>(
    _ growth: Int, taken: Int, lists: inout Lists, host: inout some SlotHost & ~Copyable
  ) {
    guard feedback.form == .window else { return }
    if growth > 0 {
      growWindow(by: growth, taken: taken, lists: &lists, host: &host)
    } else if growth < 0 {
      windowQuota += growth
      protectedQuota -= growth
      demoteWindow(to: windowQuota, lists: &lists, host: host)
    }
  }
}
