extension Trace {
  /// The SHA-256 of the stream of requests: of the dense ids, and of the operations' roles where some requests
  /// are no references.
  ///
  /// Ids are numbered in order of first appearance, so that it is the same whatever the keys are called and
  /// whatever format they are stored in. Sizes, times and the like do not count. O(requests).
  package var requestChecksum: String {
    var digest = SHA256()
    ids.withUnsafeBufferPointer { digest.update(UnsafeRawBufferPointer($0)) }
    if let operations, operations.contains(where: { $0.role != .reference }) {
      let roles = operations.map { $0.role.number }
      roles.withUnsafeBytes { digest.update($0) }
    }
    return digest.hexadecimal()
  }
}

extension TraceOperation.Role {
  fileprivate var number: UInt8 {
    switch self {
    case .reference: 0
    case .update: 1
    case .removal: 2
    case .renewal: 3
    }
  }
}
