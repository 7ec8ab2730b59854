import CInline

extension UnsafeMutablePointer {
  /// Allocates memory for one record per slot: as `allocate(capacity:)` does, and where it is large, on huge pages
  /// if the system grants them, as requests reach its records in no order.
  @usableFromInline
  package static func allocateRecords(capacity: Int) -> UnsafeMutablePointer {
    let (bytes, overflow) = capacity.multipliedReportingOverflow(by: MemoryLayout<Pointee>.stride)
    precondition(!overflow && capacity >= 0, "too many records")
    guard MemoryLayout<Pointee>.alignment <= 16, let memory = evl_allocate(bytes) else {
      return allocate(capacity: capacity)
    }
    return memory.bindMemory(to: Pointee.self, capacity: capacity)
  }
}
