import Synchronization

/// A value that may drop its content when memory is needed, unless it is in use.
///
/// Anyone who uses the content counts himself in and out; content that is not in use may be discarded. A
/// cache never returns a value that was discarded: it removes it. A cache asks a value that leaves it to
/// discard its content. ``DiscardableValue`` is the usual conformance.
public protocol DiscardableContent: AnyObject, Sendable {
  /// Counts a user in.
  ///
  /// - Returns: False, and no use is counted, if the content was discarded.
  func beginContentAccess() -> Bool

  /// Counts a user out.
  func endContentAccess() throws(DiscardableContentError)

  /// Discards the content if it is not in use.
  func discardContentIfPossible()

  /// True if the content is gone.
  ///
  /// A cache asks with its lock held: the answer must be quick and must not use the cache.
  var isContentDiscarded: Bool { get }

  /// The observers of the content's discard; nil, the default, for content that reports none. A cache then
  /// notices at the next use of the value's key, or at its next trim.
  var discardObservers: DiscardObservers? { get }
}

extension DiscardableContent {
  /// No observers.
  public var discardObservers: DiscardObservers? { nil }
}

/// A use of discardable content that was not counted in.
public enum DiscardableContentError: Error, Equatable, CustomStringConvertible {
  /// The content was discarded.
  case discarded
  /// No use of it has begun.
  case notAccessed

  /// The problem and the remedy, in one line.
  public var description: String {
    switch self {
    case .discarded: "discardable content: it was discarded; make it again"
    case .notAccessed:
      "discardable content: used without a begun access; call beginContentAccess() first"
    }
  }
}

/// Content that is discarded when it is not in use and its memory is needed.
///
///     let photo = DiscardableValue(pixels)      // in use by its maker
///     try photo.endContentAccess()
///     cache.set(photo, forKey: 7)
///     …
///     try cache.value(forKey: 7)?.withContent { draw($0) }
public final class DiscardableValue<Content: Sendable>: DiscardableContent {
  private struct State {
    var content: Content?
    var users = 1
  }

  private let state: Mutex<State>
  /// The observers of the content's discard.
  public let discardObservers: DiscardObservers? = DiscardObservers()

  /// Content that its maker uses, until ``endContentAccess()``.
  public init(_ content: Content) { state = Mutex(State(content: content)) }

  /// Counts a user in; users nest.
  public func beginContentAccess() -> Bool {
    state.withLock { state in
      if state.content == nil { return false }
      state.users += 1
      return true
    }
  }

  /// Counts a user out.
  public func endContentAccess() throws(DiscardableContentError) {
    try state.withLock { state throws(DiscardableContentError) in
      if state.users == 0 { throw .notAccessed }
      state.users -= 1
    }
  }

  /// Discards the content if it is not in use.
  public func discardContentIfPossible() {
    let discarded = state.withLock { state in state.users == 0 ? state.content.take() : nil }
    if discarded != nil { discardObservers?.notify() }
  }

  /// True if the content is gone.
  public var isContentDiscarded: Bool { state.withLock { $0.content == nil } }

  /// The content, for who has begun to use it.
  public func content() throws(DiscardableContentError) -> Content {
    try state.withLock { state throws(DiscardableContentError) in
      guard let content = state.content else { throw .discarded }
      if state.users == 0 { throw .notAccessed }
      return content
    }
  }

  /// Runs `body` with the content, as a user that is counted in and out.
  ///
  /// - Returns: The result of `body`, or nil if the content was discarded.
  public func withContent<Result>(_ body: (Content) throws -> Result) throws -> Result? {
    guard beginContentAccess() else { return nil }
    let result = Swift.Result { try body(content()) }
    try endContentAccess()
    return try result.get()
  }
}

/// The observers of discarded content: at most one call for each cache and key.
public final class DiscardObservers: Sendable {
  /// An entry of a cache.
  struct Place: Hashable {
    let cache: ObjectIdentifier
    let keyHash: UInt64
  }

  private let observers = Mutex<[Place: @Sendable () -> Void]>([:])

  /// Creates an empty list.
  public init() {}

  /// Tells everybody, once. For who discards the content, after it is gone.
  ///
  /// Not to be called with a lock held that ``DiscardableContent/isContentDiscarded`` takes: the caches that
  /// are told ask for that at once, and wait for their own locks, whose holders may be asking for it.
  public func notify() {
    let all = observers.withLock { observers in
      let all = observers
      observers = [:]
      return all
    }
    for tell in all.values { tell() }
  }

  func add(_ tell: @escaping @Sendable () -> Void, at place: Place) {
    observers.withLock { $0[place] = tell }
  }

  func remove(at place: Place) { observers.withLock { $0[place] = nil } }
}
