#if Learned
  import EvictionCore
  import Parameters

  /// A policy at work in a cache whose slots are the keys.
  struct LearnedRun<Policy: ReplacementPolicy & ~Copyable>: ~Copyable {
    struct Host: SlotHost, ~Copyable {
      var capacity: Int
      var used = 0
      var sizes: [Int]
      var evicted: [Slot] = []
      var forgotten = 0

      func hasRoom(for request: Request) -> Bool { used + request.size <= capacity }
      func size(of slot: Slot) -> Int { sizes[Int(slot)] }
      mutating func didEvict(_ slot: Slot) {
        used -= sizes[Int(slot)]
        evicted.append(slot)
      }
      mutating func didForget(_ slot: Slot) { forgotten += 1 }
    }

    var policy: Policy
    var host: Host
    private(set) var hits: [Bool] = []

    init(
      _ parameters: String, capacity: Int, isSized: Bool = false, seed: UInt64 = 42, slots: Int,
      isBeside: Bool = false
    ) throws {
      let name = Policy.information.name
      let arguments = try Specification(
        parsing: parameters.isEmpty ? name : "\(name):\(parameters)"
      )
      .arguments(for: Policy.information.parameters)
      var configuration = PolicyConfiguration(
        capacity: capacity, isSized: isSized, seed: seed, slots: slots, arguments: arguments)
      configuration.trainsBesideRequests = isBeside
      policy = try Policy(configuration)
      host = Host(capacity: capacity, sizes: [Int](repeating: 0, count: slots))
    }

    mutating func request(_ slot: Slot, size: Int = 1, time: Int64 = 0) {
      let isHit = policy.contains(slot)
      hits.append(isHit)
      if isHit {
        policy.hit(Request(slot: slot, size: host.size(of: slot), time: time), host: &host)
      } else if policy.insert(Request(slot: slot, size: size, time: time), host: &host) {
        host.sizes[Int(slot)] = size
        host.used += size
      }
    }

    /// Requests of a few popular keys, of some that are requested at regular intervals, and of others; below 2,000.
    static func mixture(seed: UInt64, count: Int) -> [Slot] {
      var generator = SplitMix64(seed: seed)
      return (0..<count).map { number in
        switch generator.index(below: 4) {
        case 0: Slot(generator.index(below: 20))
        case 1: Slot(20 + number / 4 % 60)
        case 2: Slot(80 + generator.index(below: 200))
        default: Slot(280 + number % 1_000)
        }
      }
    }
  }
#endif
