import EvictionCore
import Parameters
import Requests
import Results
import Traces

/// What a policy did on a trace, so that another implementation can be compared with it, or it with
/// another: hits, and the evictions in their order.
///
/// Keys are numbered in the order of their first appearance, from 0. Every request is a get, and a miss
/// inserts; `requests` is the number of requests from the trace's start.
public struct TestVector: Sendable, Equatable {
  /// The trace's file name.
  public var trace: String
  /// How the trace is stored, where its name and content don't tell: `binary:bits=32`.
  public var traceFormat: String?
  /// How many requests are run.
  public var requests: Int
  /// SHA-256 of the requests: for each the number of its key, 32 bits, and in bytes its size, 64 bits;
  /// all little-endian.
  public var requestsDigest: String
  /// The policy with its parameters, as on a command line.
  public var policy: Specification
  /// The capacity, in ``unit``.
  public var capacity: Int
  /// What the capacity counts.
  public var unit: Measurement.Unit
  /// Where every random draw starts from.
  public var seed: Int
  /// Requests that found their object resident.
  public var hits: Int
  /// How far the evictions are told: after so many, ``EvictionHash`` is this. The last one is for all.
  public var checkpoints: [Checkpoint]
  /// The numbers of the evicted keys, all of them; nil where the checkpoints are all that is known.
  public var sequence: [Slot]?

  /// The hash of the first evictions.
  public struct Checkpoint: Sendable, Equatable {
    /// How many evictions.
    public var evictions: Int
    /// Their hash.
    public var hash: EvictionHash

    /// The hash of so many evictions.
    public init(evictions: Int, hash: EvictionHash) {
      self.evictions = evictions
      self.hash = hash
    }
  }

  /// How many evictions there are.
  public var evictions: Int { checkpoints.last?.evictions ?? 0 }

  /// The digest of a stream's requests, as ``requestsDigest`` defines it.
  ///
  /// - Complexity: O(requests).
  public static func digest(of stream: RequestStream) -> String {
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
public struct EvictionHash: Sendable, Equatable {
  /// The hash.
  public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The hash of no eviction.
  public init() {}

  /// A hash that was computed before, in 16 hexadecimal digits; nil if the text is none.
  public init?(_ text: String) {
    guard text.utf8.count == 16, let value = UInt64(text, radix: 16) else { return nil }
    self.value = value
  }

  /// Takes in the next evicted key.
  public mutating func add(_ slot: Slot) {
    for shift in stride(from: 0, to: 32, by: 8) {
      value = (value ^ UInt64(slot >> shift & 0xFF)) &* 0x100_0000_01B3
    }
  }

  /// The hash in 16 hexadecimal digits.
  public var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
