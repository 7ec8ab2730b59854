import Parameters

/// The experts that a mixture-of-experts model has used, one JSON object per line: those of a layer for a token, or those
/// that a serving engine has returned for a whole answer.
///
///     {"t": 0, "layer": 3, "experts": [17, 4]}
///     {"routed_experts": [[[17, 4], [9, 60]], [[17, 5], [9, 61]]]}
///
/// The lists of `routed_experts` are nested by token, layer and rank, as vLLM and SGLang return them. Each expert of a layer
/// is a key (the layer's number times 2^32 and the expert's), each use of one a request, and those of one token and layer a
/// group (``Trace/groupStarts``); its class is the layer. Experts have one size, so there are no sizes. `t` is a time in seconds unless the parameter
/// says otherwise, or simply the token's number; a file whose first line has none has no times.
///
/// `routed_experts` in Base64 is refused: its lengths are not in it.
///
/// Source: docs.vllm.ai, `enable_return_routed_experts`; traces of simulators of expert caches.
struct MoEFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "moe",
    summary: "mixture-of-experts traces, JSON lines: layer and experts, or routed_experts",
    parameters: [.unit(default: "s")])

  static let prefixRefusal: String? =
    "the experts of a token are a set, and each is of use without the others, so they are no chains; evict sweep "
    + "runs them as objects"

  let keys = KeyKind.integer
  private let unit: Int64

  init(_ arguments: Arguments) { unit = arguments.unit }

  static func recognition(of sample: TraceSample) -> Recognition {
    guard sample.firstLine.first == UInt8(ascii: "{") else { return .no }
    return sample.head.withUnsafeBytes { head in
      var scanner = JSONScanner(head)
      var (hasLayer, hasExperts) = (false, false)
      // The first line may be longer than the sample.
      while let name = scanner.nextName() {
        if name.isWord("routed_experts") { return .certain }
        if name.isWord("layer") { hasLayer = true }
        if name.isWord("experts") { hasExperts = true }
        scanner.skipValue()
      }
      return hasLayer && hasExperts ? .certain : .no
    }
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = TextLines(input, longest: TraceInput.longestDocument)
    var hasTimes = builder.wanted.contains(.times)
    var isFirst = true
    while !builder.isFull, try lines.next() {
      let before = builder.requests
      var scanner = JSONScanner(lines.text)
      var layer: UnsafeRawBufferPointer?
      var time: UnsafeRawBufferPointer?
      var experts: UnsafeRawBufferPointer?
      var routed: UnsafeRawBufferPointer?
      while let name = scanner.nextName() {
        let value = scanner.skipValue()
        if name.isWord("layer") {
          layer = value
        } else if name.isWord("experts") {
          experts = value
        } else if name.isWord("routed_experts") {
          routed = value
        } else if name.isWord("t") {
          time = value
        }
      }
      if !scanner.isWhole { throw lines.noObject() }
      if let routed {
        try append(tokens: routed, lines, to: &builder)
      } else {
        guard let experts, let layer else { throw lines.malformed("no layer and experts") }
        guard let number = layer.wholeNumber, number < 1 << 31 else {
          throw lines.wrong(layer, "layer")
        }
        try append(experts, layer: number, lines, to: &builder)
      }
      if isFirst, time == nil { hasTimes = false }
      isFirst = false
      if hasTimes {
        guard let time = time?.duration(unit: unit) else {
          throw lines.malformed("'\(time?.excerpt ?? "")' is no time t")
        }
        for _ in before..<builder.requests { builder.append(time: time) }
      }
    }
  }

  /// Appends the experts of an answer, by token and layer.
  private func append(
    tokens: UnsafeRawBufferPointer, _ lines: borrowing TextLines, to builder: inout TraceBuilder
  ) throws(TraceError) {
    var tokens = JSONScanner(tokens)
    guard tokens.beginArray() else {
      throw lines.malformed("routed_experts is no array of tokens, layers and experts")
    }
    while let token = tokens.nextElement() {
      var layers = JSONScanner(token)
      guard layers.beginArray() else { throw lines.wrong(token, "array of layers") }
      var layer: UInt64 = 0
      while let experts = layers.nextElement() {
        try append(experts, layer: layer, lines, to: &builder)
        layer += 1
      }
    }
  }

  /// Appends the experts of a layer for a token.
  private func append(
    _ experts: UnsafeRawBufferPointer, layer: UInt64, _ lines: borrowing TextLines,
    to builder: inout TraceBuilder
  ) throws(TraceError) {
    var scanner = JSONScanner(experts)
    guard scanner.beginArray() else { throw lines.wrong(experts, "array of experts") }
    var isFirst = builder.wanted.contains(.groups)
    let hasClasses = builder.wanted.contains(.classes)
    while let element = scanner.nextElement() {
      guard let expert = element.wholeNumber, expert < 1 << 32 else {
        throw lines.wrong(element, "expert")
      }
      if isFirst, !builder.isFull { builder.beginGroup() }
      isFirst = false
      try builder.append(key: layer << 32 | expert)
      if hasClasses { builder.append(classNumber: layer) }
    }
  }
}
