/// A host's side of an admission filter: passes the requests on, and knows for which newcomer a policy
/// makes room.
///
/// Without a filter each member is one comparison with nil.
public struct AdmissionGate: ~Copyable {
  @usableFromInline let filter: AdmissionFilter?
  /// The key hash of the newcomer that is being inserted, while the gate is open.
  @usableFromInline var newcomer: UInt64 = 0
  @usableFromInline var isOpen = false
  @usableFromInline var refused = false
  /// While true, the filter hears of requests and refuses nothing.
  @usableFromInline package var isSuspended = false

  /// The gate of a host with that filter, or with none.
  public init(_ filter: AdmissionFilter?) { self.filter = filter }

  /// True if there is a filter.
  @inlinable @inline(__always)
  public var hasFilter: Bool { filter != nil }

  /// True if the filter has refused the newcomer that is being inserted.
  @inlinable @inline(__always)
  public var hasRefused: Bool { refused }

  /// Passes a request on, before anything is decided about it.
  @inlinable @inline(__always)
  public func record(_ request: Request) {
    if let filter { filter.record(request) }
  }

  /// Returns true if the policy may hear of this miss.
  @inlinable @inline(__always)
  public func admits(_ request: Request) -> Bool {
    guard let filter, !isSuspended else { return true }
    return filter.admits(request)
  }

  /// The policy is about to insert the newcomer: the filter is asked about victims until ``close()``.
  @inlinable @inline(__always)
  public mutating func open(for request: Request) {
    newcomer = request.keyHash
    isOpen = filter != nil && !isSuspended
  }

  /// True if the filter must be asked about a victim; otherwise it may leave.
  @inlinable @inline(__always)
  public var isAsking: Bool { isOpen }

  /// Returns true if the resident with the key hash `victim` may leave for the newcomer; if not, the newcomer
  /// is refused.
  public mutating func mayEvict(_ victim: UInt64) -> Bool {
    assert(isOpen && !refused, "nothing is evicted for a newcomer that was refused")
    refused = filter?.prefers(victim, over: newcomer) ?? false
    return !refused
  }

  /// The request is over.
  @inlinable @inline(__always)
  public mutating func close() {
    isOpen = false
    refused = false
  }

  /// Tells the filter that the newcomer was admitted, and how many objects are resident now.
  @inlinable @inline(__always)
  public func admitted(residents: Int) {
    if let filter { filter.admitted(residents: residents) }
  }

  /// Shows what the filter has learned, if there is one.
  package func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    filter?.showInternals(show)
  }

  /// Tells the filter of another capacity.
  public func resize(to capacity: Int) { filter?.resize(to: capacity) }
}
