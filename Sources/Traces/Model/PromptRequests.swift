import Synchronization

/// The requests of a trace of prompts, in memory that grows with prompts and distinct blocks: ids as paths, and one
/// time for each prompt.
///
/// The columns of a ``Trace`` are made of them when they are first read.
final class PromptRequests: Sendable {
  /// By prompt, the ids of its blocks.
  let chains: BlockPaths
  /// By prompt; nil where the source has no times.
  let promptTimes: Column<Int64>?
  /// The number of the first request of each prompt.
  private let starts: Column<UInt64>
  /// The number of requests.
  let count: Int
  private let columns = Mutex<(ids: Column<UInt32>?, times: Column<Int64>?)>((nil, nil))

  init(
    chains: BlockPaths, promptTimes: Column<Int64>?, starts: Column<UInt64>, count: Int
  ) {
    self.chains = chains
    self.promptTimes = promptTimes
    self.starts = starts
    self.count = count
  }

  /// The numbers of the prompts.
  var prompts: Range<Int> { starts.indices }

  /// The requests of a prompt.
  func requests(of prompt: Int) -> Range<Int> {
    Int(starts[prompt])..<(prompt + 1 < starts.count ? Int(starts[prompt + 1]) : count)
  }

  /// The id of each request.
  var ids: Column<UInt32> {
    columns.withLock { columns in
      if let ids = columns.ids { return ids }
      var all = ColumnBuffer<UInt32>()
      let target = all.reserve(count)
      for prompt in prompts {
        let requests = requests(of: prompt)
        chains.write(prompt, count: requests.count, to: target + requests.lowerBound)
      }
      all.commit(count)
      let ids = all.freeze()
      columns.ids = ids
      return ids
    }
  }

  /// The time of each request.
  var times: Column<Int64>? {
    guard let promptTimes else { return nil }
    return columns.withLock { columns in
      if let times = columns.times { return times }
      var all = ColumnBuffer<Int64>()
      for prompt in prompts {
        all.append(repeating: promptTimes[prompt], count: requests(of: prompt).count)
      }
      let times = all.freeze()
      columns.times = times
      return times
    }
  }
}

/// Collects ``PromptRequests``.
struct PromptRequestsBuffer: ~Copyable {
  private var chains = BlockPathBuffer()
  private var times = ColumnBuffer<Int64>()
  /// The requests of the prompts so far.
  private(set) var requests = 0

  /// Bytes of the prompts so far.
  var usedBytes: Int { times.usedBytes + chains.usedBytes }

  /// Takes the prompts that are complete from the first ids and times.
  ///
  /// - Parameters:
  ///   - ids: The ids of the requests that are not taken yet.
  ///   - times: Their times, where the source has any.
  ///   - starts: The number of the first request of each prompt.
  ///   - isEnd: True if no request follows, and the last prompt is complete too.
  mutating func take(
    from ids: inout ColumnBuffer<UInt32>, _ times: inout ColumnBuffer<Int64>,
    starts: borrowing ColumnBuffer<UInt64>, isEnd: Bool
  ) {
    guard starts.count > 0, let first = starts.elements, first[0] == 0, let elements = ids.elements
    else { return }
    var done = 0
    while chains.count < starts.count {
      let next = chains.count + 1
      if next == starts.count && !isEnd { break }
      let end = next < starts.count ? Int(first[next]) - requests : ids.count
      if end > ids.count { break }
      chains.append(UnsafeBufferPointer(start: elements + done, count: end - done))
      if times.count > 0, let values = times.elements {
        precondition(times.count >= end, "the reader left a request without its time")
        self.times.append(values[done])
      }
      done = end
    }
    ids.removeFirst(done)
    if times.count > 0 { times.removeFirst(done) }
    requests += done
  }

  /// The requests of the prompts.
  consuming func freeze(starts: Column<UInt64>, count: Int) -> PromptRequests {
    PromptRequests(
      chains: chains.freeze(), promptTimes: times.count > 0 ? times.freeze() : nil,
      starts: starts, count: count)
  }
}

extension Trace {
  /// The trace without its requests except for one, for those that look at none.
  package var outline: Trace {
    Trace(
      name: name, format: format, ids: Column([0]), identities: identities, sizes: nil,
      times: hasTimes ? Column([0]) : nil, operations: nil, ttls: nil, costs: nil, classes: nil,
      classNames: [], keyLengths: nil, groupStarts: nil, formatReasons: formatReasons, loss: loss)
  }

  /// By group, the ids of its requests; nil without groups. O(1) for a trace that was read as one of prompts, else
  /// O(requests).
  package var chains: BlockPaths? {
    if let promptRequests { return promptRequests.chains }
    guard let groupStarts else { return nil }
    var chains = BlockPathBuffer()
    ids.withUnsafeBufferPointer { ids in
      for group in groupStarts.indices {
        let end = group + 1 < groupStarts.count ? Int(groupStarts[group + 1]) : requests
        chains.append(UnsafeBufferPointer(rebasing: ids[Int(groupStarts[group])..<end]))
      }
    }
    return chains.freeze()
  }

  /// By group, the time of its first request; nil without groups or times. O(groups).
  package var groupTimes: [Int64]? {
    if let promptRequests { return promptRequests.promptTimes.map(Array.init) }
    guard let groupStarts, let times else { return nil }
    return groupStarts.map { times[Int($0)] }
  }
}
