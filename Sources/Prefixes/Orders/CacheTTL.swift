import Parameters
import Requests

/// Pins the blocks of a prompt for a time to live after it, while a tool runs; blocks that are not pinned leave first,
/// and recency decides among them and among the pinned.
///
/// The time to live τ is the one of the highest P(τ) × (queue + reload) − τ, where P(τ) is the fraction of pauses
/// that were no longer, reload the time to compute the prompt's tokens again, and queue the time for which a prompt
/// waits longer if its blocks were evicted. τ is 0 or one of the pauses; of equals it is the shortest. Until enough
/// pauses are known they are taken as exponential with a mean of a second, so τ is ln(queue + reload) or 0. A pin ends
/// with its time, or with the next prompt of its session; a block is pinned as long as one of its prompts pins it.
///
/// Differences from the paper: traces do not tell tools, so all pauses are those of one tool and every prompt
/// may be followed by a call; times are those of arrivals, so a pause holds the time of the answer; the wait in the
/// queue is a parameter, as nothing queues here; and pauses are learned from a window, the length of which the paper
/// leaves open. Without times or sessions nothing is pinned, and this is LRU.
///
/// - Paper: H. Li, R. He, Q. Mang, Q. Zhang, H. Mao, X. Chen, H. Zhou, A. Cheung, J. Gonzalez and I. Stoica, “CacheTTL:
///   Efficient and Robust Multi-Turn LLM Agent Scheduling with KV Cache Time-to-Live” (at first “Continuum”),
///   arXiv:2511.02230, equation 2.
/// - The authors' preview (Hanchenli/vllm-continuum 316a5879, `estimate_with_func.py`) pins for two seconds those tools
///   whose calls take no longer on average: `fixed=2`.
/// - Complexity: O(1) a block, and O(window + pins) a prompt. Memory: 4 bytes for each block ever seen.
struct CacheTTL: LeafOrder {
  static let information = CatalogEntry(
    name: "cache-ttl",
    summary: "pins the blocks of a session for a time while its tools run",
    parameters: [
      Parameter(
        "speed", .integer(in: 1...1_000_000_000), default: .integer(10_000),
        help: "tokens of a prompt that are computed in a second"),
      Parameter(
        "queue", .fraction(in: Fraction(0)...Fraction(1_000_000)), default: .fraction(Fraction(0)),
        help: "seconds that a prompt waits longer if its blocks were evicted"),
      Parameter(
        "least", .integer(in: 0...1_000_000), default: .integer(100),
        help: "pauses up to which their distribution is not learned, but exponential"),
      Parameter(
        "window", .integer(in: 1...1_000_000), default: .integer(1000),
        help: "last pauses that are known"),
      Parameter(
        "fixed", .fraction(in: Fraction(0)...Fraction(1_000_000)), default: .fraction(Fraction(0)),
        help: "seconds of every pin, if pauses are no longer on average; 0 learns them"),
    ])

  static let origin = """
    H. Li, R. He, Q. Mang et al., “CacheTTL: Efficient and Robust Multi-Turn LLM Agent Scheduling with KV Cache \
    Time-to-Live” (at first “Continuum”), arXiv:2511.02230, equation 2, with all tools as one and the queue's delay \
    given; with fixed=2 the authors' preview (Hanchenli/vllm-continuum 316a5879)
    """

  /// The blocks of a prompt, which do not leave before others for a time.
  private struct Pin {
    var session: UInt32
    var prompt: Int
    /// The last nanosecond.
    var end: Int64
  }

  let kinds = 2
  private(set) var revision = 0
  private let speed: Double
  private let queue: Double
  private let fixed: Int64
  private var pauses: Pauses
  private var pins: [Pin] = []
  /// By node: the pins that it is in.
  private var pinCounts: [UInt32]
  /// By session: its last prompt's time; nil before the first.
  private var lastTimes: [Int64?]

  init(_ forest: PromptForest, capacity: Int, _ arguments: Arguments) {
    speed = Double(arguments.integer("speed"))
    queue = arguments.fraction("queue").double
    fixed = Int64(arguments.fraction("fixed").double * 1e9)
    pauses = Pauses(least: arguments.integer("least"), window: arguments.integer("window"))
    pinCounts = [UInt32](repeating: 0, count: forest.distinct)
    let sessions = forest.sessions?.max().map { Int($0) + 1 } ?? 0
    lastTimes = [Int64?](repeating: nil, count: sessions)
  }

  mutating func request(_ visit: PromptVisit, of forest: PromptForest) {
    guard let times = forest.times, let sessions = forest.sessions else { return }
    let now = times[visit.prompt]
    let session = sessions[visit.prompt]
    if let last = lastTimes[Int(session)] { pauses.learn(max(0, now.subtractingSaturating(last))) }
    lastTimes[Int(session)] = now
    let ended = pins.filter { $0.end < now || $0.session == session }
    pins.removeAll { $0.end < now || $0.session == session }
    let life = timeToLive(of: forest.tokens[visit.prompt])
    if life > 0 {
      pins.append(Pin(session: session, prompt: visit.prompt, end: now.addingSaturating(life)))
      for node in visit.chain { pinCounts[Int(node)] += 1 }
    }
    var frees = false
    for pin in ended {
      for node in forest.chain(of: pin.prompt).lazy.map(Int.init) {
        pinCounts[node] -= 1
        if pinCounts[node] == 0 { frees = true }
      }
    }
    if frees { revision += 1 }
  }

  /// The nanoseconds for which the blocks of a prompt of `tokens` are pinned.
  private func timeToLive(of tokens: Int) -> Int64 {
    if fixed > 0 { return pauses.mean <= Double(fixed) ? fixed : 0 }
    return pauses.bestWait(for: queue + Double(tokens) / speed)
  }

  @inline(__always)
  func kind(of node: UInt32) -> Int { pinCounts[Int(node)] > 0 ? 1 : 0 }

  @inline(__always)
  func value(of node: UInt32, at prompt: Int) -> Double { Double(kind(of: node)) }
}

/// The pauses between the prompts of sessions, in nanoseconds.
private struct Pauses {
  private let least: Int
  private let window: Int
  private var known = 0
  private var sum = 0.0
  /// The last of them, in a ring.
  private var last: [Int64] = []
  /// The same, rising.
  private var sorted: [Int64] = []

  init(least: Int, window: Int) {
    self.least = least
    self.window = window
  }

  /// The mean of all; 0 where none is known.
  var mean: Double { known == 0 ? 0 : sum / Double(known) }

  mutating func learn(_ pause: Int64) {
    if last.count == window {
      sorted.remove(at: place(of: last[known % window]))
      last[known % window] = pause
    } else {
      last.append(pause)
    }
    sorted.insert(pause, at: place(of: pause))
    known += 1
    sum += Double(pause)
  }

  /// The first place in ``sorted`` of a pause that is not shorter.
  private func place(of pause: Int64) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < pause { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The nanoseconds that are best to wait for a pause to end, if that saves `benefit` seconds.
  func bestWait(for benefit: Double) -> Int64 {
    if known <= least { return benefit > 1 ? Int64(PortableMath.log(benefit) * 1e9) : 0 }
    var best: (wait: Int64, gain: Double) = (0, 0)
    for (shorter, pause) in sorted.enumerated() {
      if Double(pause) >= benefit * 1e9 { break }
      let gain = Double(shorter + 1) / Double(sorted.count) * benefit - Double(pause) / 1e9
      if gain > best.gain { best = (pause, gain) }
    }
    return best.wait
  }
}
