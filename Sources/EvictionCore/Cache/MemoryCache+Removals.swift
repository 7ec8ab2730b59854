import CInline
import Dispatch

/// The reports of a cache that a thread is making.
@usableFromInline
struct Reporting {
  @usableFromInline let cache: UnsafeRawPointer
  /// The removals that happened meanwhile: `Departures` of the cache's keys and values.
  @usableFromInline let further: UnsafeMutableRawPointer
  /// The reports of another cache, one of whose callbacks used this one.
  @usableFromInline let outer: UnsafeMutableRawPointer?

  @inlinable
  init(
    cache: UnsafeRawPointer, further: UnsafeMutableRawPointer, outer: UnsafeMutableRawPointer?
  ) {
    self.cache = cache
    self.further = further
    self.outer = outer
  }
}

// What happens to values that have left, once the lock is given back.
extension MemoryCache {
  /// Reports what left the cache, and has it released where the options say.
  ///
  /// What a callback, or a value as it dies, makes leave is left to the call that reports already on this
  /// thread: a chain of removals of any length takes no more of the stack than one.
  @inlinable
  func attend(to departures: inout Departures<Key, Value>) {
    let latest = evl_thread_pointer()!
    var place = latest.pointee
    while let reporting = place?.assumingMemoryBound(to: Reporting.self).pointee {
      if reporting.cache == UnsafeRawPointer(core) {
        let further = reporting.further.assumingMemoryBound(to: Departures<Key, Value>.self)
        return departures.takeAll().forEach { further.pointee.append($0) }
      }
      place = reporting.outer
    }
    var further = Departures<Key, Value>()
    withUnsafeMutablePointer(to: &further) { further in
      var own = Reporting(cache: core, further: further, outer: latest.pointee)
      withUnsafeMutablePointer(to: &own) { own in
        latest.pointee = UnsafeMutableRawPointer(own)
        finish(&departures)
        while !further.pointee.isEmpty {
          departures = further.pointee.takeAll()
          finish(&departures)
        }
        latest.pointee = own.pointee.outer
      }
    }
  }

  @inlinable
  func finish(_ departures: inout Departures<Key, Value>) {
    departures.forEach { departure in
      guard let key = departure.key else { return }
      if holdsDiscardables { detach(departure.value, key: key) }
      onRemoval?(key, departure.value, departure.cause)
    }
    if options.release == .caller {
      departures = Departures()
    } else {
      release(departures.takeAll())
    }
  }

  /// Has values released where the options say.
  @usableFromInline
  func release(_ departures: consuming Departures<Key, Value>) {
    // Nothing is left here: whoever holds the last reference releases the value.
    let parcel = Parcel(departures)
    options.release.queue?.async { parcel.release() }
  }
}

extension ValueRelease {
  /// The queue; nil for the calling thread.
  fileprivate var queue: DispatchQueue? {
    switch self {
    case .caller: nil
    case .background: .global(qos: .utility)
    case .main: .main
    }
  }
}

/// Values on their way to where they are released: one thread packs them, another one opens.
private final class Parcel<Key, Value>: @unchecked Sendable {
  private var content: Departures<Key, Value>

  init(_ content: consuming Departures<Key, Value>) { self.content = content }

  func release() { content = Departures() }
}
