import Synchronization

/// All that happens to the values of a cache, as a sequence for a task of one's own: removals and loads.
///
///     let events = CacheEvents<String, Page>()
///     let pages = MemoryCache<String, Page>(countLimit: 1_000, events: events)
///     for await event in events {
///       switch event {
///       case .removed(let key, _, let cause): log.debug("\(key) left: \(cause)")
///       case .loaded, .loadFailed: break
///       case .dropped(let count): log.warning("\(count) events were missed")
///       }
///     }
///
/// Events wait for their reader, at most ``limit`` of them: of more, the oldest are dropped, and their number comes
/// instead. So a slow reader costs a cache nothing but the room, for values that have left, too. Those of one thread come in its order, those of
/// several in the order in which the operations report them, after their lock.
///
/// Several caches may send to one sequence, which ends when the last of them is released. One task reads it.
public final class CacheEvents<Key: Sendable, Value: Sendable>: AsyncSequence, Sendable {
  /// Something that happened to a value.
  public enum Event: Sendable {
    /// A value left the cache; on disk and in tiers it is nil, as it is not read for that.
    case removed(key: Key, value: Value?, cause: RemovalCause)
    /// A load brought a value, which the cache holds unless it was refused or out of date.
    case loaded(key: Key, value: Value)
    /// A load threw an error.
    case loadFailed(key: Key, error: any Error)
    /// The number of events that came before this point and were dropped, as too many waited.
    case dropped(Int)
  }

  /// The most events that wait for the reader.
  public let limit: Int
  private let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation
  private let droppedCount = Atomic(0)
  private let cacheCount = Atomic(0)

  /// Creates a sequence without events.
  ///
  /// - Precondition: The limit is at least 1.
  public init(limit: Int = 1_024) {
    precondition(limit >= 1, "at least one event waits")
    self.limit = limit
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(limit))
  }

  /// Begins where the reader before ended.
  public func makeAsyncIterator() -> Iterator {
    Iterator(events: self, base: stream.makeAsyncIterator())
  }

  /// Waits for events.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let events: CacheEvents
    fileprivate var base: AsyncStream<Event>.Iterator
    /// The event before which others were dropped.
    private var held: Event?

    fileprivate init(events: CacheEvents, base: AsyncStream<Event>.Iterator) {
      self.events = events
      self.base = base
    }

    /// The next event; nil when there will be no more, or the task is cancelled.
    public mutating func next() async -> Event? {
      if let event = held.take() { return event }
      let event = await base.next()
      let dropped = events.droppedCount.exchange(0, ordering: .acquiringAndReleasing)
      if dropped == 0 { return event }
      held = event
      return .dropped(dropped)
    }
  }

  /// Gives the reader an event.
  @usableFromInline
  package func send(_ event: Event) {
    if case .dropped = continuation.yield(event) {
      droppedCount.add(1, ordering: .acquiringAndReleasing)
    }
  }

  /// One more cache sends.
  package func begin() { cacheCount.add(1, ordering: .acquiringAndReleasing) }

  /// A cache sends no more.
  package func end() {
    if cacheCount.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
      continuation.finish()
    }
  }
}
