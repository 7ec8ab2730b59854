import Parameters

/// Admits with probability e^(−size/c), and tunes c by a Markov model of the cache.
public final class AdaptSizeAdmission: AdmissionFilter {
  /// The catalog's entry.
  override public class var information: AdmissionInformation {
    AdmissionInformation(
      name: "adaptsize", summary: "admits with probability e^(−size/c), and tunes c by a model",
      paper: "D. S. Berger, R. K. Sitaraman and M. Harchol-Balter, “AdaptSize: orchestrating the "
        + "hot object memory cache in a content delivery network”, NSDI 2017.",
      idea: "The best c depends on the traffic, by orders of magnitude, and changes with it. How "
        + "often and with what size objects were requested lately is enough to compute the "
        + "object hit ratio of an LRU cache with any c, so the best one is searched for.",
      decision: "Admission is that of size-probability. Requests and sizes are counted by key. "
        + "Before request number `interval` after the last tuning, if the keys known take more "
        + "than 3C (else 10 000 requests later), the counts of the interval become rates: new "
        + "rate = 0.3 × old rate + 0.7 × count, the count itself for a new key; keys below 0.1 "
        + "are forgotten. Then the modelled hits of c = 2², 2⁶, 2¹⁰, … below C are compared, and "
        + "a golden-section search of `iterations` steps over log₂ c goes on from the best. The "
        + "model: an object of rate r and size s is resident with probability "
        + "h = p(e^(rT)−1) / (1 + p(e^(rT)−1)), p = e^(−s/c); T is found from Σ s·h = C in ten "
        + "steps of a fixed-point iteration, and the hits are Σ r·h with e^(rT) by its Padé "
        + "approximant [4/3], h cut to [0, 1].",
      complexity: "O(1) per request; a tuning is O(keys known × (log C + iterations)), and in a "
        + "cache holds the lock meanwhile. About 50 bytes per key known.",
      differences:
        "The constants are those of the authors' simulator. A key's size is its latest; in "
        + "their simulator an object of another size is another object. Keys are summed in the "
        + "order of their first appearance, and e^x is computed without the C library, so that c "
        + "is the same everywhere.",
      parameters: [
        Parameter(
          "interval", .integer(in: 1...1_000_000_000), default: .integer(500_000),
          time: .requests,
          help: "requests between two tunings of c"),
        Parameter(
          "iterations", .integer(in: 0...100), default: .integer(15),
          help: "steps of the golden-section search"),
        Parameter(
          "c", .bytes(in: 1...Int.max), default: .integer(32 << 10),
          help: "the c of the first interval"),
      ],
      needs: .keyHash, needsSizes: true, learningInterval: { $0.integer("interval") })
  }

  private struct State {
    var draw: SizeDraw
    var statistics = KeyStatistics()
    var capacity: Int
    /// Requests until the next tuning.
    var countdown: Int
  }

  private let state: UnsafeMutablePointer<State>
  private let interval: Int
  private let iterations: Int

  /// Starts with the c of the parameters.
  public required init(_ configuration: AdmissionConfiguration) {
    interval = configuration.arguments.integer("interval")
    iterations = configuration.arguments.integer("iterations")
    let c = Double(configuration.arguments.integer("c"))
    state = .allocate(capacity: 1)
    state.initialize(
      to: State(
        draw: SizeDraw(c: c, seed: configuration.seed), capacity: configuration.capacity,
        countdown: interval))
    super.init(configuration)
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Passes on c and the counts.
  override public func visitState(_ state: inout PolicyState) {
    state.visit(&self.state.pointee.draw)
    self.state.pointee.statistics.visitState(&state)
    state.visit(&self.state.pointee.capacity)
    state.visit(&self.state.pointee.countdown)
  }

  /// Tunes c when it is time, and counts the request.
  override public func record(_ request: Request) {
    state.pointee.countdown -= 1
    if state.pointee.countdown == 0 { tune() }
    state.pointee.statistics.count(request.keyHash, size: request.size)
  }

  /// Draws a random number: true with the probability that the newcomer has.
  override public func admits(_ request: Request) -> Bool {
    state.pointee.draw.admits(size: request.size)
  }

  /// The next tuning is for the new capacity.
  override public func resize(to capacity: Int) { state.pointee.capacity = capacity }

  /// The present c.
  override public func showInternals(_ show: (_ name: String, _ value: Double) -> Void) {
    show("c", state.pointee.draw.c)
  }

  private func tune() {
    if state.pointee.statistics.size <= 3 * Double(state.pointee.capacity) {
      state.pointee.countdown = 10_000
      return
    }
    state.pointee.countdown = interval
    state.pointee.statistics.settle(decay: 0.3, least: 0.1)
    let model = AdaptSizeModel(state.pointee.statistics, capacity: state.pointee.capacity)
    if let c = model.bestC(iterations: iterations) { state.pointee.draw.c = c }
  }
}

extension CacheAdmission {
  /// ``AdaptSizeAdmission``.
  ///
  /// - Parameters:
  ///   - interval: The requests between two tunings of c.
  ///   - iterations: The steps of the golden-section search.
  ///   - c: The c of the first interval.
  public static func adaptSize(
    interval: Int? = nil, iterations: Int? = nil, c: Int? = nil
  ) -> CacheAdmission {
    CacheAdmission(
      "adaptsize", parameters: ["interval": interval, "iterations": iterations, "c": c])
  }
}
