import Parameters

/// Admits a newcomer only if it was requested more often lately than each victim that must leave for it.
public final class TinyLFUAdmission: AdmissionFilter {
  /// The catalog's entry.
  override public class var information: AdmissionInformation {
    AdmissionInformation(
      name: "tinylfu", summary: "admits a newcomer requested more often lately than its victims",
      paper: "G. Einziger, R. Friedman and B. Manes, “TinyLFU: a highly efficient cache admission "
        + "policy”, ACM Transactions on Storage 13(4), 2017.",
      idea:
        "Whatever a policy evicts by, the exchange pays only if the newcomer is worth more than "
        + "the victim. How often both were requested in the recent past tells, and a sketch of "
        + "four-bit counters knows that of residents and strangers alike.",
      decision:
        "Every request counts its key in the sketch; after a sample of `sample` requests per "
        + "resident all counts are halved. For each victim that the policy proposes for a newcomer, "
        + "their frequencies are compared: the victim leaves if the newcomer's is greater, "
        + "otherwise the newcomer is refused. While there is room, everything is admitted.",
      complexity:
        "O(1) per request, amortised. 8 bytes per resident, rounded up to a power of two; "
        + "the doorkeeper takes one byte per request of the sample.",
      differences:
        "Nothing is admitted by chance. Where objects have sizes, victims that lost have left "
        + "before one wins; the size-aware variants of the same authors (ACM Transactions on "
        + "Storage 18(3), 2022) also compare with all victims together. Counters and sample "
        + "follow the largest number of residents so far.",
      parameters: [
        Parameter(
          "sample", .integer(in: 1...1_000_000), default: .integer(10),
          help: "frequencies are halved after this many requests per resident"),
        Parameter(
          "doorkeeper", .flag, default: .flag(false),
          help: "a Bloom filter takes the first request of each key"),
        Parameter(
          "conservative", .flag, default: .flag(false),
          help: "only the smallest of a key's counters grow"),
      ],
      needs: .keyHash, miniatureError: 0.015)
  }

  private let sketch: UnsafeMutablePointer<FrequencySketch>

  /// Makes an empty sketch.
  public required init(_ configuration: AdmissionConfiguration) {
    let arguments = configuration.arguments
    sketch = .allocate(capacity: 1)
    sketch.initialize(
      to: FrequencySketch(
        samplesPerObject: arguments.integer("sample"),
        hasDoorkeeper: arguments.flag("doorkeeper"),
        isConservative: arguments.flag("conservative")))
    super.init(configuration)
  }

  deinit {
    sketch.deinitialize(count: 1)
    sketch.deallocate()
  }

  /// Passes on the sketch.
  override public func visitState(_ state: inout PolicyState) {
    sketch.pointee.visitState(&state)
  }

  /// Counts the key.
  override public func record(_ request: Request) { sketch.pointee.record(request.keyHash) }

  /// Returns true if the victim is as frequent as the newcomer, or more.
  override public func prefers(_ victim: UInt64, over newcomer: UInt64) -> Bool {
    sketch.pointee.frequency(of: victim) >= sketch.pointee.frequency(of: newcomer)
  }

  /// Counters and sample grow with the number of residents.
  override public func admitted(residents: Int) { sketch.pointee.note(residents: residents) }

  /// A smaller capacity shortens the sample.
  override public func resize(to capacity: Int) { sketch.pointee.limit(residents: capacity) }
}

extension CacheAdmission {
  /// ``TinyLFUAdmission``.
  ///
  /// - Parameters:
  ///   - sample: Frequencies are halved after this many requests per resident.
  ///   - doorkeeper: A Bloom filter takes the first request of each key.
  ///   - conservative: Only the smallest of a key's counters grow.
  public static func tinyLFU(
    sample: Int? = nil, doorkeeper: Bool? = nil, conservative: Bool? = nil
  ) -> CacheAdmission {
    CacheAdmission(
      "tinylfu",
      parameters: ["sample": sample, "doorkeeper": doorkeeper, "conservative": conservative])
  }
}
