import EvictionCore
import Parameters

/// A filter that now and then prefers the victim.
final class RandomRefusals: AdmissionFilter {
  private let dice: UnsafeMutablePointer<SplitMix64>

  required init(_ configuration: AdmissionConfiguration) {
    dice = .allocate(capacity: 1)
    dice.initialize(to: SplitMix64(seed: configuration.seed))
    super.init(configuration)
  }

  convenience init(_ workload: Workload) {
    self.init(
      AdmissionConfiguration(
        capacity: workload.capacity, seed: workload.seed, arguments: Arguments(parameters: [])))
  }

  deinit { dice.deallocate() }

  override func prefers(_ victim: UInt64, over newcomer: UInt64) -> Bool {
    dice.pointee.index(below: 4) == 0
  }
}
