import CInline
import Dispatch

/// The reports of a cache that a thread is making.
@usableFromInline
struct Reporting {
  /// The number of caches that may report within each other's reports. More of them would need too much of the
  /// stack; theirs are made by the outermost.
  private static let depthLimit = 32

  @usableFromInline let cache: UnsafeRawPointer
  /// The reports of another cache, one of whose callbacks or values used this one.
  @usableFromInline let outer: UnsafeMutableRawPointer?
  /// The reports that are to be made after these.
  @usableFromInline var late: Unmanaged<LateReports>?

  @inlinable @inline(__always)
  init(cache: UnsafeRawPointer, outer: UnsafeMutableRawPointer?) {
    self.cache = cache
    self.outer = outer
  }

  /// Returns the reports, of those that are being made from the `latest` on, that the ones of `cache` are left
  /// to; nil if they are to be made at once.
  @usableFromInline
  static func host(
    of cache: UnsafeRawPointer, latest: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<Reporting>? {
    var reporting = latest.assumingMemoryBound(to: Reporting.self)
    var depth = 1
    while reporting.pointee.cache != cache {
      guard let outer = reporting.pointee.outer else {
        return depth < depthLimit ? nil : reporting
      }
      reporting = outer.assumingMemoryBound(to: Reporting.self)
      depth += 1
    }
    return reporting
  }

  /// Has `report` made after the reports of `host`.
  static func leave(_ report: @escaping () -> Void, to host: UnsafeMutablePointer<Reporting>) {
    if host.pointee.late == nil { host.pointee.late = .passRetained(LateReports()) }
    host.pointee.late?.takeUnretainedValue().all.append(report)
  }

  /// Makes the reports that were left to `host`, and those that are left to it meanwhile.
  @usableFromInline
  static func makeLate(of host: UnsafeMutablePointer<Reporting>) {
    guard let late = host.pointee.late?.takeRetainedValue() else { return }
    while let report = late.next() { report() }
    host.pointee.late = nil
  }
}

/// Reports that are to be made.
@usableFromInline
final class LateReports {
  fileprivate var all: [() -> Void] = []
  private var made = 0

  /// Returns the first that is left.
  fileprivate func next() -> (() -> Void)? {
    if made == all.count { return nil }
    defer {
      made += 1
      if made == all.count || made == 1_024 {
        all.removeFirst(made)
        made = 0
      }
    }
    return all[made]
  }
}

// What happens to values that have left, once the lock is given back.
extension MemoryCache {
  /// Reports what left the cache, and has it released where the options say.
  ///
  /// What a callback, or a value as it dies, makes leave is left to the call that reports already on this
  /// thread: a chain of removals of any length takes no more of the stack than one.
  @inlinable @inline(__always)
  func attend(to departures: inout Departures<Key, Value>?) {
    let latest = evl_thread_reporting()!
    let outer = latest.pointee
    if let outer, let host = Reporting.host(of: core, latest: outer) {
      return leave(departures.take(), to: host)
    }
    var own = Reporting(cache: core, outer: outer)
    withUnsafeMutablePointer(to: &own) { own in
      latest.pointee = UnsafeMutableRawPointer(own)
      if !onlyReleases { report(&departures) }
      departures = nil
      if own.pointee.late != nil { Reporting.makeLate(of: own) }
      latest.pointee = outer
    }
  }

  /// Has what left reported after the reports of `host`.
  @usableFromInline
  func leave(_ departures: Departures<Key, Value>?, to host: UnsafeMutablePointer<Reporting>) {
    let isOwn = host.pointee.cache == UnsafeRawPointer(core)
    var left = departures
    Reporting.leave(
      { [self] in
        if isOwn {
          report(&left)
          left = nil
        } else {
          attend(to: &left)
        }
      }, to: host)
  }

  /// Reports what left, and hands it over to be released, unless that is for the caller.
  @inlinable @inline(never)
  func report(_ departures: inout Departures<Key, Value>?) {
    departures?.forEach { departure in
      guard let key = departure.key else { return }
      if holdsDiscardables { detach(departure.value, key: key) }
      onRemoval?(key, departure.value, departure.cause)
      events?.send(.removed(key: key, value: departure.value, cause: departure.cause))
    }
    // Without a copy, which could be the last one here.
    if options.release != .caller && departures != nil { release(departures!.takeAll()) }
  }

  /// Has values released where the options say.
  @usableFromInline
  func release(_ departures: consuming Departures<Key, Value>) {
    // Nothing is left here: anyone who holds the last reference releases the value.
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
