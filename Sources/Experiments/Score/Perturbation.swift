import Traces

/// Changes of a trace that a salt decides, and that keep what policies may rely on: the length, the keys, and nearly how often
/// and how soon they return.
package struct Perturbation: Sendable {
  /// The requests that a request may change places with, on either side.
  package static let reach = 8

  private var random: RandomSource

  /// The changes of the trace of that number.
  package init(salt: UInt64, trace: Int) {
    random = RandomSource(seed: KeyHash.finish(salt) ^ KeyHash.finish(UInt64(trace) &+ 1))
  }

  /// The next random number: the seed of a generator.
  package mutating func draw() -> UInt64 { random.next() }

  /// A random place: where a window begins.
  package mutating func place(in range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  /// Moves requests within ``reach``, and gives the keys other names.
  package mutating func perturb(_ keys: inout [UInt64]) {
    var places: [(place: Int, request: Int)] = []
    places.reserveCapacity(keys.count)
    for request in keys.indices {
      places.append((request + place(in: 0...Perturbation.reach), request))
    }
    places.sort { $0 < $1 }
    let names = random.next() | 1
    keys = places.map { KeyHash.finish(keys[$0.request] &+ names) }
  }
}
