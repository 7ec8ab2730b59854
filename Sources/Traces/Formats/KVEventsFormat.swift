import Parameters

/// The events of a serving engine's key-value cache (vLLM, SGLang, TensorRT-LLM), as JSON: an event or a batch on a line.
///
///     {"ts": 1.5, "type": "BlockStored", "block_hashes": [71, 72], "parent_block_hash": 70, "block_size": 16}
///     {"ts": 2.0, "events": [{"type": "BlockRemoved", "block_hashes": [71]}]}
///     [2.5, [["AllBlocksCleared"]], 0]
///
/// The name of an event is its `type` or `event`; in arrays, as vLLM sends them, the first element, and the hashes are the
/// second. A block that is stored is a request that missed in the engine's cache: the requests that hit there are not in its
/// events. So this is the stream of misses of that cache, and a larger one would have hit where a block is stored again.
/// Blocks that the engine removed are no requests, as another cache removes others, unless `removed=delete`; when it
/// clears all of them, all that were stored are deleted.
///
/// The events are no prompts for a cache of prefixes. A chain can be followed by the parents of its blocks, but where a prompt
/// ended it does not say: an engine stores the blocks of an answer one by one, as it goes on. And the prompts that hit all
/// of their blocks, which a hit ratio is about, have no event.
///
/// Events of other media than the GPU are left out. Times are seconds,
/// of the batch or the event; a file whose first event has none has no times.
///
/// Source: vllm/distributed/kv_events.py; docs.vllm.ai, “KV cache events”.
struct KVEventsFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "kv-events",
    summary:
      "KV-cache events of serving engines, JSON: BlockStored, BlockRemoved, AllBlocksCleared",
    parameters: [
      Parameter(
        "removed", .choice(["skip", "delete"]), default: .text("skip"),
        help: "whether blocks that the engine removed are deleted")
    ])

  static let prefixRefusal: String? =
    "its events are the blocks that missed in an engine's cache, and the prompts that hit there have none, so no hit "
    + "ratio of prompts follows from them; evict sweep runs them as requests that reach a cache behind the engine's"

  private let deletesRemoved: Bool

  init(_ arguments: Arguments) { deletesRemoved = arguments.text("removed") == "delete" }

  static func recognition(of sample: TraceSample) -> Recognition {
    guard let mark = sample.firstLine.first, "{[".utf8.contains(mark) else { return .no }
    for line in sample.lines(64) {
      let isEvent = line.withUnsafeBytes { text -> Bool? in
        if text.isBlank { return nil }
        var batch = KVBatch(text.trimmed)
        guard let event = batch.next() else { return batch.isDamaged ? false : nil }
        return event.kind != nil
      }
      if let isEvent { return isEvent ? .certain : .no }
    }
    return .no
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = TextLines(input, longest: TraceInput.longestDocument)
    var stored = StoredBlocks()
    let wanted = builder.wanted
    var hasTimes: Bool?
    while !builder.isFull, try lines.next() {
      var batch = KVBatch(lines.text)
      while !builder.isFull, let event = batch.next() {
        guard let kind = event.kind else { throw lines.wrong(event.name, "event of a cache") }
        if event.isElsewhere { continue }
        let before = builder.requests
        switch kind {
        case .stored:
          try event.forEachBlock(lines) { (block) throws(TraceError) in
            stored.insert(block)
            try builder.append(text: block)
          }
        case .removed:
          try event.forEachBlock(lines) { (block) throws(TraceError) in
            stored.remove(block)
            if deletesRemoved { try builder.append(text: block) }
          }
        case .cleared:
          try stored.clear { (block) throws(TraceError) in try builder.append(text: block) }
        }
        let count = builder.requests - before
        if count == 0 { continue }
        if wanted.contains(.operations) {
          for _ in 0..<count { builder.append(operation: kind == .stored ? .get : .delete) }
        }
        guard wanted.contains(.times) else { continue }
        let time = event.time ?? batch.time
        hasTimes = hasTimes ?? (time != nil)
        if hasTimes == true {
          guard let time = time?.duration(unit: .second) else {
            throw lines.malformed("'\(time?.excerpt ?? "")' is no time")
          }
          for _ in 0..<count { builder.append(time: time) }
        }
      }
      if batch.isDamaged { throw lines.malformed("neither an event nor a batch of them") }
    }
  }
}

/// The blocks that the engine's cache holds, in the order in which they were stored.
private struct StoredBlocks {
  /// The hashes of all blocks that were stored, one behind the other, and their ends.
  private var bytes: [UInt8] = []
  private var ends = [0]
  /// The numbers of the blocks that are held.
  private var numbers: [KeyHash: Int] = [:]

  mutating func insert(_ block: UnsafeRawBufferPointer) {
    let hash = KeyHash(block)
    if numbers[hash] != nil { return }
    numbers[hash] = ends.count - 1
    bytes.append(contentsOf: block)
    ends.append(bytes.count)
  }

  mutating func remove(_ block: UnsafeRawBufferPointer) {
    numbers.removeValue(forKey: KeyHash(block))
  }

  /// Hands over all that are held, and holds none.
  mutating func clear(
    _ body: (UnsafeRawBufferPointer) throws(TraceError) -> Void
  ) throws(TraceError) {
    for number in numbers.values.sorted() {
      let block = Array(bytes[ends[number]..<ends[number + 1]])
      let result = block.withUnsafeBytes { bytes -> Result<Void, TraceError> in
        do throws(TraceError) { return .success(try body(bytes)) } catch { return .failure(error) }
      }
      try result.get()
    }
    self = StoredBlocks()
  }
}

/// An event of a cache.
private struct KVEvent {
  enum Kind { case stored, removed, cleared }

  var name = UnsafeRawBufferPointer(start: nil, count: 0)
  var time: UnsafeRawBufferPointer?
  var hashes: UnsafeRawBufferPointer?
  var medium: UnsafeRawBufferPointer?
  /// The events of a batch, where it is one.
  var events: UnsafeRawBufferPointer?

  private enum Member { case name, time, hashes, medium, events }

  private static let members = Words<Member>([
    (.name, "type event event_type"), (.time, "ts timestamp"), (.hashes, "block_hashes"),
    (.medium, "medium"), (.events, "events"),
  ])

  private static let kinds = Words<Kind>([
    (.stored, "blockstored stored"), (.removed, "blockremoved removed"),
    (.cleared, "allblockscleared cleared"),
  ])

  var kind: Kind? { Self.kinds[name] }

  /// True for a block outside the GPU.
  var isElsewhere: Bool {
    guard let medium, !medium.isEmpty, !medium.isWord("null") else { return false }
    return !medium.lazy.map { $0 | 0x20 }.elementsEqual("gpu".utf8)
  }

  /// An event as an object or as an array; nil where it is neither.
  init?(_ text: UnsafeRawBufferPointer) {
    var scanner = JSONScanner(text)
    if text.first == UInt8(ascii: "[") {
      guard scanner.beginArray(), let name = scanner.nextElement() else { return nil }
      self.name = name
      // A stored block has hashes, parent, tokens, size, adapter and medium; a removed one hashes and medium.
      let rest = (0..<6).compactMap { _ in scanner.nextElement() }
      let place = kind == .stored ? 5 : 1
      hashes = rest.first
      medium = rest.count > place ? rest[place] : nil
      return
    }
    while let member = scanner.nextName() {
      let value = scanner.skipValue()
      switch Self.members[member] {
      case .name: name = value ?? name
      case .time: time = value
      case .hashes: hashes = value
      case .medium: medium = value
      case .events: events = value
      case nil: break
      }
    }
    if !scanner.isWhole { return nil }
  }

  func forEachBlock(
    _ lines: borrowing TextLines, _ body: (UnsafeRawBufferPointer) throws(TraceError) -> Void
  ) throws(TraceError) {
    var scanner = JSONScanner(hashes ?? UnsafeRawBufferPointer(start: nil, count: 0))
    guard hashes != nil, scanner.beginArray() else { throw lines.malformed("no block_hashes") }
    while let block = scanner.nextElement() {
      if block.isEmpty { throw lines.malformed("a hash is empty") }
      try body(block)
    }
  }
}

/// The events on a line: one, or those of a batch.
private struct KVBatch {
  private(set) var time: UnsafeRawBufferPointer?
  private(set) var isDamaged = false
  private var single: KVEvent?
  private var events: JSONScanner?

  init(_ text: UnsafeRawBufferPointer) {
    if text.first == UInt8(ascii: "[") {
      var scanner = JSONScanner(text)
      guard scanner.beginArray(), let time = scanner.nextElement(),
        let list = scanner.nextElement()
      else {
        isDamaged = true
        return
      }
      // An event by itself begins with its name.
      if time.wholeNumber == nil, time.duration(unit: .second) == nil {
        single = KVEvent(text)
        return
      }
      self.time = time
      begin(list)
      return
    }
    single = KVEvent(text)
    isDamaged = single == nil
    guard let list = single?.events else { return }
    time = single?.time
    single = nil
    begin(list)
  }

  private mutating func begin(_ list: UnsafeRawBufferPointer) {
    var scanner = JSONScanner(list)
    isDamaged = !scanner.beginArray()
    events = scanner
  }

  /// The next event; nil at the end, or where the line is damaged.
  mutating func next() -> KVEvent? {
    if isDamaged { return nil }
    if let event = single {
      single = nil
      return event
    }
    guard let element = events?.nextElement() else { return nil }
    let event = KVEvent(element)
    isDamaged = event == nil
    return event
  }
}
