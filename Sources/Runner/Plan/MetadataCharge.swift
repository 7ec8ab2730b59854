import EvictionCore
import Parameters
import Results

/// The charge of each policy's own memory to its capacity, so that policies are compared at equal bytes.
package struct MetadataCharge: Sendable, Equatable {
  /// The bytes of an object; nil where the capacity counts bytes.
  package let objectSize: Int?

  package init(objectSize: Int?) { self.objectSize = objectSize }

  /// The charge as a results document's options hold it.
  package var members: [JSON.Member] {
    [JSON.Member("chargeMetadata", .boolean(true))]
      + (objectSize.map { [JSON.Member("objectSize", .integer($0))] } ?? [])
  }

  /// The bytes of `units` of the capacity, as many as numbers hold.
  func bytes(of units: Int) -> Int {
    let (bytes, isMore) = units.multipliedReportingOverflow(by: objectSize ?? 1)
    return isMore ? .max : bytes
  }
}

/// A search for the largest capacity whose objects and metadata take no more bytes than the requested capacity.
///
/// Each step is a run at the capacity ``next``. The search ends where the largest capacity that fits is known to one
/// object or half a percent, given that metadata grow with the capacity, ever more slowly: what the result takes was
/// counted, and fits in any case.
package struct ChargedSearch {
  private struct Step {
    let capacity: Int
    let metadata: Int
  }

  private let charge: MetadataCharge
  private let requested: Int
  private let minimum: Int
  /// The largest capacity that fits so far.
  private var low: Step?
  /// The smallest that does not, the latest last.
  private var high: [Step] = []
  private var steps = 0

  package init(_ charge: MetadataCharge, of requested: Int, atLeast minimum: Int) {
    self.charge = charge
    self.requested = requested
    self.minimum = minimum
  }

  /// Takes the bytes of the metadata of a run.
  ///
  /// - Returns: True if they fit.
  package mutating func record(_ metadata: Int, at capacity: Int) -> Bool {
    steps += 1
    let step = Step(capacity: capacity, metadata: metadata)
    let fits = metadata <= charge.bytes(of: requested - capacity)
    if fits { low = step } else { high.append(step) }
    return fits
  }

  /// The capacity to run at next; nil at the end, which has no result where nothing fits.
  package var next: Int? {
    guard let last = high.last else { return low == nil ? requested : nil }
    let least = low.map { $0.capacity + 1 } ?? minimum
    let most = last.capacity - 1
    if least > most { return nil }
    let root: Double
    if let low {
      root = crossing(low, last)
      let isKnown = root - Double(low.capacity) <= Double(low.capacity) / 400
      if isKnown || last.capacity - low.capacity <= low.capacity / 200 { return nil }
      // Halves the ratio now and then, so that the search ends wherever metadata leap.
      if steps % 3 == 0 && steps > 3 {
        return Int((Double(low.capacity) * Double(last.capacity)).squareRoot()).clamped(least, most)
      }
    } else if high.count == 1 {
      root = crossing(Step(capacity: 0, metadata: 0), last)
    } else if high.count == 2 {
      root = crossing(last, high[0])
    } else {
      return minimum
    }
    // A little below, so that it fits.
    return Int(min(max(root * 0.999, 0), Double(most))).clamped(least, most)
  }

  /// The capacity at which the bytes are used up if metadata grow evenly from one step to the other; 0 where they never are.
  private func crossing(_ one: Step, _ other: Step) -> Double {
    let unit = Double(charge.bytes(of: 1))
    func excess(_ step: Step) -> Double {
      unit * (Double(step.capacity) - Double(requested)) + Double(step.metadata)
    }
    let slope = (excess(other) - excess(one)) / Double(other.capacity - one.capacity)
    return slope > 0 ? Double(one.capacity) - excess(one) / slope : 0
  }
}

extension Int {
  fileprivate func clamped(_ least: Int, _ most: Int) -> Int {
    Swift.min(Swift.max(self, least), most)
  }
}

extension PolicyChoice {
  /// Throws ``PlanError`` if a part of the policy has memory that nothing counts.
  func refuseUncountedMemory() throws(PlanError) {
    let part =
      prefetcher.map { "prefetcher \($0.name)" } ?? admission.map { "admission filter \($0.name)" }
    guard let part else { return }
    throw .policy(
      .conflict(
        policy: name,
        explanation: "the memory of the \(part) is not counted; leave it out, or --charge-metadata")
    )
  }
}
