import EvictionCore
import Parameters
import Requests
import Results
import Runner
import Traces

/// The hits and evictions of a policy on a trace, so that another implementation can be compared with it, or it with
/// another.
///
/// Keys are numbered in the order of their first appearance, from 0. Every request is a get, and a miss
/// inserts; `requests` is the number of requests from the trace's start.
package struct TestVector: Sendable, Equatable {
  /// The trace's file name.
  package var trace: String
  /// The format of the trace, where its name and content don't tell: `binary:bits=32`.
  package var traceFormat: String?
  /// The number of requests.
  package var requests: Int
  /// SHA-256 of the requests: for each the number of its key, 32 bits, and in bytes its size, 64 bits;
  /// all little-endian.
  package var requestsDigest: String
  /// The policy with its parameters, as on a command line.
  package var policy: Specification
  /// The capacity, in ``unit``.
  package var capacity: Int
  /// The unit of the capacity.
  package var unit: Measurement.Unit
  /// The random seed.
  package var seed: Int
  /// Requests that found their object resident.
  package var hits: Int
  /// Hashes of the first evictions; the last one is for all.
  package var checkpoints: [Checkpoint]
  /// The numbers of the evicted keys, all of them; nil where the checkpoints are all that is known.
  package var sequence: [Slot]?

  /// The hash of the first evictions.
  package struct Checkpoint: Sendable, Equatable {
    /// The number of evictions.
    package var evictions: Int
    /// Their hash.
    package var hash: EvictionHash

    /// The hash of a number of evictions.
    package init(evictions: Int, hash: EvictionHash) {
      self.evictions = evictions
      self.hash = hash
    }
  }

  /// The number of evictions.
  package var evictions: Int { checkpoints.last?.evictions ?? 0 }

  /// The digest of a stream's requests, as ``requestsDigest`` defines it.
  ///
  /// - Complexity: O(requests).
  package static func digest(of stream: RequestStream) -> String {
    var sum = SHA256()
    var bytes: [UInt8] = []
    for index in 0..<stream.requests {
      withUnsafeBytes(of: stream.ids[index].littleEndian) { bytes.append(contentsOf: $0) }
      if let sizes = stream.sizes {
        withUnsafeBytes(of: sizes[index].littleEndian) { bytes.append(contentsOf: $0) }
      }
      if bytes.count >= 1 << 16 || index == stream.requests - 1 {
        bytes.withUnsafeBytes { sum.update($0) }
        bytes.removeAll(keepingCapacity: true)
      }
    }
    return sum.hexadecimal()
  }
}

/// FNV-1a (64 bits) over the numbers of evicted keys, 32 bits little-endian each.
package struct EvictionHash: Sendable, Equatable {
  /// The hash.
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The hash of no eviction.
  package init() {}

  /// A hash that was computed before, in 16 hexadecimal digits; nil for any other text.
  package init?(_ text: String) {
    guard text.utf8.count == 16, let value = UInt64(text, radix: 16) else { return nil }
    self.value = value
  }

  /// Takes in the next evicted key.
  package mutating func add(_ slot: Slot) {
    for shift in stride(from: 0, to: 32, by: 8) {
      value = (value ^ UInt64(slot >> shift & 0xFF)) &* 0x100_0000_01B3
    }
  }

  /// The hash in 16 hexadecimal digits.
  package var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
