import Parameters

/// Admits small objects more often than large ones: with probability e^(−size/c).
public final class SizeProbabilityAdmission: AdmissionFilter {
  /// The catalog's entry.
  override public class var information: AdmissionInformation {
    AdmissionInformation(
      name: "size-probability", summary: "admits with probability e^(−size/c), for a fixed c",
      paper: "D. S. Berger, R. K. Sitaraman and M. Harchol-Balter, “AdaptSize: orchestrating the "
        + "hot object memory cache in a content delivery network”, NSDI 2017; the "
        + "exponential rule.",
      idea: "As a limit for the size, without its hard edge: a large object that is requested "
        + "often enters at last.",
      decision: "Each miss of an object that fits draws one of 2⁵³ equal steps of [0, 1) from "
        + "SplitMix64, seeded by the run; it is admitted if that is below e^(−size/c).",
      complexity: "O(1) per miss, no memory.",
      differences: "The authors' formula with a fixed c; its default is this project's.",
      parameters: [
        Parameter(
          "c", .bytes(in: 1...Int.max), default: .integer(1_000_000),
          help: "the size at which 37 % of the newcomers are admitted")
      ],
      needsSizes: true)
  }

  private let draw: UnsafeMutablePointer<SizeDraw>

  /// Takes c from the parameters.
  public required init(_ configuration: AdmissionConfiguration) {
    draw = .allocate(capacity: 1)
    draw.initialize(
      to: SizeDraw(c: Double(configuration.arguments.integer("c")), seed: configuration.seed))
    super.init(configuration)
  }

  deinit { draw.deallocate() }

  /// Passes on where the random numbers are.
  override public func visitState(_ state: inout PolicyState) {
    state.visit(&draw.pointee)
  }

  /// Draws a random number: true with the probability that the newcomer has.
  override public func admits(_ request: Request) -> Bool {
    draw.pointee.admits(size: request.size)
  }
}

/// Draws with probability e^(−size/c).
struct SizeDraw: BitwiseCopyable {
  var c: Double
  private var generator: SplitMix64

  init(c: Double, seed: UInt64) {
    self.c = c
    generator = SplitMix64(seed: seed)
  }

  mutating func admits(size: Int) -> Bool {
    Double(generator.next() >> 11) * 0x1p-53 < PortableMath.exp(-Double(size) / c)
  }
}

extension CacheAdmission {
  /// ``SizeProbabilityAdmission``.
  ///
  /// - Parameter c: The size at which 37 % of the newcomers are admitted.
  public static func sizeProbability(
    c: Int? = nil
  ) -> CacheAdmission {
    CacheAdmission(
      "size-probability", parameters: ["c": c])
  }
}
