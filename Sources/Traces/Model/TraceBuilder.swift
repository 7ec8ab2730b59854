/// Collects requests into a ``Trace``: what a format's reader writes to.
///
/// For each request a reader appends a key and, for every column in ``wanted`` that its source
/// has, one value; columns may run ahead of each other within a block. It looks at ``isFull``
/// between blocks and stops when it is true.
public struct TraceBuilder: ~Copyable {
  /// The columns that the caller wants.
  public let wanted: TraceColumns

  let name: String
  let format: String
  /// The reason for the format, where it is a file's.
  var formatReasons: [FormatReason] = []
  private let file: String
  private let advance: ((_ requests: Int, TraceMemory) throws(TraceError) -> Void)?
  let limit: Int
  private var keys: KeyInterner
  private var ids = ColumnBuffer<UInt32>()
  private var sizes = ColumnBuffer<UInt64>()
  private var bytes: UInt64 = 0
  /// The sizes that requests told last, for those that tell none; nil where each tells one.
  private var toldSizes: ToldSizes?
  private var times = ColumnBuffer<Int64>()
  private var operations = ColumnBuffer<TraceOperation>()
  private var ttls = ColumnBuffer<Int64>()
  private var costs = ColumnBuffer<Double>()
  private var classes = ClassBuffer()
  private var taken: Trace?
  /// Takes the requests block by block; nil where they are collected.
  private let blocks: TraceBlocks?
  /// The requests that ``blocks`` has taken, and their distinct keys.
  private var handedOver = 0
  private var distinctHandedOver = 0
  /// The damaged lines that were left out.
  private(set) var loss = RecordingLoss()
  private var firstDamage: TraceError?
  private var groupStarts = ColumnBuffer<UInt64>()
  private var prompts = PromptBuffer()
  /// The prompts whose ids and times are held by prompt, in place of those of each request.
  private var folded = PromptRequestsBuffer()
  /// True if prompts are put in order of time when all are read.
  var putsPromptsInOrder = false
  /// The sessions that were read before, in other files of the trace, and those of this one.
  var sessions = ReadSessions()

  /// An empty builder.
  ///
  /// - Parameters:
  ///   - name: the trace's name, as messages and results print it.
  ///   - format: the format's name.
  ///   - keys: what the keys are.
  ///   - columns: the optional columns to keep.
  ///   - limit: requests past this many are dropped.
  public init(
    name: String, format: String, keys: KeyKind, columns: TraceColumns = [], limit: Int? = nil
  ) {
    self.init(
      name: name, file: name, format: format, keys: keys, columns: columns, limit: limit)
  }

  /// An empty builder whose errors name a file, and which tells `advance` the requests so far and
  /// their memory.
  package init(
    name: String, file: String, format: String, keys: KeyKind, columns: TraceColumns, limit: Int?,
    mostKeys: Int = Int(UInt32.max), blocks: TraceBlocks? = nil,
    advance: ((_ requests: Int, TraceMemory) throws(TraceError) -> Void)? = nil
  ) {
    self.name = name
    self.file = file
    self.format = format
    self.wanted = columns
    self.advance = advance
    self.limit = limit ?? .max
    self.blocks = blocks
    self.keys = KeyInterner(
      keys, columns: columns, most: mostKeys, keepsIdentities: blocks?.hasHashes ?? true)
  }

  /// Requests so far.
  public var requests: Int { handedOver + folded.requests + ids.count + keys.pending }

  /// True when the limit is reached and the reader may stop.
  ///
  /// Between blocks every request has all of its columns: where requests are handed over, it is now.
  public var isFull: Bool {
    @inline(__always) mutating get {
      if let blocks, ids.count >= blocks.blockRequests { handOver(to: blocks, rest: false) }
      return requests >= limit
    }
  }

  /// Requests until the limit.
  var remaining: Int { limit - requests }

  /// Bytes held for the keys now: ids, the table of keys and what identifies each.
  package var keyBytes: Int { ids.allocatedBytes + keys.allocatedBytes }

  /// At least the most bytes ever held for the keys at once.
  package var peakKeyBytes: Int { ids.allocatedBytes + keys.peakBytes }

  private var held: TraceMemory {
    let words =
      sizes.usedBytes + times.usedBytes + ttls.usedBytes + costs.usedBytes
      + folded.usedBytes
    return TraceMemory(
      requestBytes: ids.usedBytes + operations.usedBytes + classes.usedBytes + words,
      keyBytes: keys.allocatedBytes)
  }

  /// Appends a request of an integer key. O(1) amortised.
  @inline(__always)
  public mutating func append(key: UInt64) throws(TraceError) {
    if requests >= limit { return }
    if keys.add(key) { try flush() }
  }

  /// Appends a request of a text key, whose bytes are not changed, and kept only where
  /// ``TraceColumns/keyTexts`` are wanted. O(length).
  @inline(__always)
  public mutating func append(text: UnsafeRawBufferPointer) throws(TraceError) {
    if requests >= limit { return }
    if keys.add(text) { try flush() }
  }

  /// Appends `count` requests of one text key. O(length + count).
  public mutating func append(
    text: UnsafeRawBufferPointer, count: UInt64
  ) throws(TraceError) {
    let hash = KeyHash(text)
    for _ in 0..<min(count, UInt64(max(0, limit - requests))) {
      if keys.add(hash, text) { try flush() }
    }
  }

  /// Appends requests of `count` consecutive integer keys from `first` on. O(count).
  mutating func append(keysFrom first: UInt64, count: UInt64) throws(TraceError) {
    for step in 0..<min(count, UInt64(max(0, limit - requests))) {
      if keys.add(first &+ step) { try flush() }
    }
  }

  /// Appends requests of the integer keys (64-bit, little-endian) of `count` records that stand
  /// `stride` bytes apart. O(count).
  ///
  /// - Parameters:
  ///   - base: The first record's key.
  ///   - stride: The bytes from one record's key to the next one's.
  ///   - count: The number of records.
  ///   - lengths: The bytes of the keys' texts, where they are known: then of all keys of the trace.
  public mutating func append(
    keysAt base: UnsafeRawPointer, stride: Int, count: Int,
    lengths: UnsafePointer<UInt64>? = nil
  ) throws(TraceError) {
    var done = 0
    let count = min(count, limit - requests)
    while done < count {
      done += keys.add(
        base + done * stride, stride: stride, count: count - done,
        lengths: lengths.map { $0 + done })
      if keys.isFull { try flush() }
    }
  }

  /// Prepares for requests that tell no size, before the first one is appended.
  public mutating func expectUnknownSizes() {
    if wanted.contains(.sizes) { toldSizes = toldSizes ?? ToldSizes() }
  }

  /// Appends one request's bytes, when ``TraceColumns/sizes`` are wanted; ``Trace/unknownSize`` where the request
  /// tells none, which ``expectUnknownSizes()`` has announced. It then has the size that its key's requests told last.
  @inline(__always)
  public mutating func append(size: UInt64) {
    sizes.append(size)
    if size == Trace.unknownSize { return }
    bytes = bytes.addingSaturating(size)
  }

  /// Appends one request's time in nanoseconds, when ``TraceColumns/times`` are wanted.
  @inline(__always)
  public mutating func append(time: Int64) { times.append(time) }

  /// Appends what one request does, when ``TraceColumns/operations`` are wanted.
  @inline(__always)
  public mutating func append(operation: TraceOperation) { operations.append(operation) }

  /// Appends one request's time to live in nanoseconds, when ``TraceColumns/ttls`` are wanted.
  @inline(__always)
  public mutating func append(ttl: Int64) { ttls.append(ttl) }

  /// Appends one request's miss penalty, when ``TraceColumns/costs`` are wanted.
  @inline(__always)
  public mutating func append(cost: Double) { costs.append(cost) }

  /// Appends one request's class, when ``TraceColumns/classes`` are wanted. One dictionary lookup.
  public mutating func append(className: String) { classes.append(name: className) }

  /// Appends one request's class, which is a number, when ``TraceColumns/classes`` are wanted.
  @inline(__always)
  mutating func append(classNumber: UInt64) { classes.append(number: classNumber) }

  /// Appends the bytes of `count` requests, when ``TraceColumns/sizes`` are wanted.
  package mutating func append(sizes values: UnsafePointer<UInt64>, count: Int) {
    sizes.append(values, count: count)
    bytes = UnsafeBufferPointer(start: values, count: count).total(from: bytes)
  }

  /// Appends the times of `count` requests, when ``TraceColumns/times`` are wanted.
  package mutating func append(times values: UnsafePointer<Int64>, count: Int) {
    times.append(values, count: count)
  }

  /// Appends what `count` requests do, when ``TraceColumns/operations`` are wanted.
  package mutating func append(operations values: UnsafePointer<TraceOperation>, count: Int) {
    operations.append(values, count: count)
  }

  /// Appends the times to live of `count` requests, when ``TraceColumns/ttls`` are wanted.
  mutating func append(ttls values: UnsafePointer<Int64>, count: Int) {
    ttls.append(values, count: count)
  }

  /// Counts a damaged line that is left out.
  mutating func leaveOut(_ damage: TraceError) {
    loss.damagedLines += 1
    if firstDamage != nil { return }
    firstDamage = damage
    if case .malformed(let file, let place, let problem, _) = damage {
      loss.firstDamage = "\(file), \(place): \(problem)"
    }
  }

  /// Counts a line that is no request by the format's parameters.
  @inline(__always)
  mutating func passOver() { loss.otherLines &+= 1 }

  /// True when a damaged line was left out.
  var hasLeftOut: Bool { firstDamage != nil }

  /// The error of a trace without a request: where lines were left out, the damage of the first.
  private var emptiness: TraceError { firstDamage ?? .noRequests(file: file) }

  /// Takes over a trace that needs no building; nothing else is appended.
  mutating func take(_ trace: Trace) { taken = trace }

  /// Begins a group with the next request, when ``TraceColumns/groups`` are wanted.
  mutating func beginGroup() { groupStarts.append(UInt64(requests)) }

  /// Describes the prompt whose blocks are the group begun last, when ``TraceColumns/prompts`` are wanted.
  ///
  /// - Parameters:
  ///   - prompt: Its lengths.
  ///   - blockTokens: The tokens of a whole block; nil where ``append(blockTokens:)`` tells those of each.
  ///   - session: Its session, where the source names one.
  mutating func append(prompt: PromptLengths, blockTokens: Int?, session: String?) {
    prompts.append(prompt, blockTokens: blockTokens, session: session)
  }

  /// Appends the tokens of one request's block, when ``TraceColumns/prompts`` are wanted and blocks differ.
  mutating func append(blockTokens: UInt32) { prompts.append(blockTokens: blockTokens) }

  @inline(never)
  private mutating func flush() throws(TraceError) {
    guard keys.resolve(into: &ids) else { throw .tooManyKeys(file: file) }
    foldPrompts()
    try advance?(handedOver + folded.requests + ids.count, held)
  }

  /// Holds the ids and times of those prompts by prompt that are complete.
  ///
  /// - Parameter isEnd: True if no request follows, and the last prompt is complete too.
  private mutating func foldPrompts(isEnd: Bool = false) {
    if blocks == nil, wanted.contains(.prompts), !prompts.isEmpty, sizes.count == 0 {
      folded.take(from: &ids, &times, starts: groupStarts, isEnd: isEnd)
    }
  }

  /// Hands over whole blocks, and the rest as a shorter one.
  @inline(never)
  private mutating func handOver(to blocks: TraceBlocks, rest: Bool) {
    while ids.count >= (rest ? 1 : blocks.blockRequests) {
      let count = min(ids.count, blocks.blockRequests)
      blocks.handOver { fill($0, count, hasHashes: blocks.hasHashes) }
    }
    groupStarts.truncate(to: 0)
    // Of what nobody takes nothing is kept.
    classes.removeRequests()
  }

  private mutating func fill(_ block: TraceBlock, _ count: Int, hasHashes: Bool) {
    ids.moveFirst(count, to: &block.idColumn)
    sizes.moveFirst(count, to: &block.sizeColumn)
    if let sizes = block.sizeColumn.elements { resolve(sizes, of: block.ids, count) }
    times.moveFirst(count, to: &block.timeColumn)
    operations.moveFirst(count, to: &block.operationColumn)
    ttls.moveFirst(count, to: &block.ttlColumn)
    costs.moveFirst(count, to: &block.costColumn)
    block.count = count
    // Keys are numbered in order of first appearance.
    var last: UInt32 = 0
    for index in 0..<count { last = max(last, block.ids[index]) }
    block.distinct = max(distinctHandedOver, Int(last) + 1)
    let new = distinctHandedOver..<block.distinct
    block.hashesOfNewKeys.truncate(to: 0)
    if hasHashes { keys.appendHashes(new, to: &block.hashesOfNewKeys) }
    block.lengthsOfNewKeys.truncate(to: 0)
    keys.appendLengths(new, to: &block.lengthsOfNewKeys)
    handedOver += count
    distinctHandedOver = block.distinct
  }

  /// Hands over what is left. Throws `noRequests` when nothing was appended, and `tooManyBytes` when the
  /// sizes' sum isn't below 2^63.
  consuming func finishBlocks() throws(TraceError) {
    guard let blocks else { preconditionFailure("the requests are collected") }
    try flush()
    handOver(to: blocks, rest: true)
    guard handedOver > 0 else { throw emptiness }
    guard bytes <= Trace.mostBytes else { throw .tooManyBytes(file: file) }
  }

  /// The finished trace. Throws `noRequests` when nothing was appended, and `tooManyBytes` when the
  /// sizes' sum isn't below 2^63. O(1) except for trimming.
  public consuming func finish() throws(TraceError) -> Trace {
    if let taken { return taken }
    try flush()
    guard requests > 0 else { throw emptiness }
    resolveSizes()
    guard bytes <= Trace.mostBytes else { throw .tooManyBytes(file: file) }
    let putsPromptsInOrder = putsPromptsInOrder
    let trace = freeze()
    return putsPromptsInOrder ? trace.promptsInOrderOfTime() : trace
  }

  /// Gives requests that tell no size the one that their key's requests told last.
  private mutating func resolveSizes() {
    guard let values = sizes.elements, let ids = ids.elements else { return }
    resolve(values, of: ids, min(sizes.count, self.ids.count))
  }

  private mutating func resolve(
    _ sizes: UnsafeMutablePointer<UInt64>, of ids: UnsafePointer<UInt32>, _ count: Int
  ) {
    let found = toldSizes?.resolve(UnsafeMutableBufferPointer(start: sizes, count: count), of: ids)
    bytes = bytes.addingSaturating(found ?? 0)
  }

  /// The trace, which may be empty. Everything is flushed.
  private consuming func freeze() -> Trace {
    let count = requests
    // A reader may have run past the limit.
    while let last = groupStarts.last, last >= count {
      groupStarts.truncate(to: groupStarts.count - 1)
    }
    foldPrompts(isEnd: true)
    let (identities, lengths, texts) = keys.finish()
    let groupStarts = groupStarts.count > 0 ? groupStarts.freeze() : nil
    let isFolded = folded.requests > 0
    let classNames = classes.names
    var promptRequests: PromptRequests?
    if isFolded, let groupStarts {
      promptRequests = folded.freeze(starts: groupStarts, count: count)
    }
    return Trace(
      name: name, format: format, ids: ids.freeze(), identities: identities,
      sizes: Self.column(sizes, count, "size"),
      times: isFolded ? nil : Self.column(times, count, "time"),
      operations: Self.column(operations, count, "operation"),
      ttls: Self.column(ttls, count, "time to live"), costs: Self.column(costs, count, "cost"),
      classes: Self.column(classes.places, count, "class"), classNames: classNames,
      keyLengths: lengths,
      groupStarts: groupStarts, keyTexts: texts,
      prompts: prompts.freeze(groups: groupStarts?.count ?? 0, requests: count),
      formatReasons: formatReasons, loss: loss, promptRequests: promptRequests)
  }

  /// The trace of what was appended, which may be nothing.
  consuming func finishAllowingEmpty() throws(TraceError) -> Trace {
    try flush()
    resolveSizes()
    return freeze()
  }

  private static func column<Element>(
    _ buffer: consuming ColumnBuffer<Element>, _ requests: Int, _ name: String
  ) -> Column<Element>? {
    if buffer.count == 0 { return nil }
    // A reader may have run ahead within the block that reached the limit.
    precondition(buffer.count >= requests, "the reader left a request without its \(name)")
    buffer.truncate(to: requests)
    return buffer.freeze()
  }
}
