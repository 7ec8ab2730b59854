/// A recorded or generated key stream, as columns.
///
/// Keys were numbered in order of first appearance when the trace was read: `ids` holds one dense
/// number per request, so that whatever runs on it never hashes a key again. The other columns
/// exist where the source has them and the reader was to keep them. A trace never changes and
/// may be shared between threads.
///
///     let trace = try TraceLoader.load(path: "OLTP.lis.zst")
///     print(trace.requests, trace.distinct)  // 914145 186880
public final class Trace: Sendable {
  /// The file's name without its folder, or the specification of a generator.
  public let name: String
  /// The name of the format it was read from.
  public let format: String
  /// The reason for the format; of several files each that applies, in their order; none where the trace was not
  /// read from a file.
  public let formatReasons: [FormatReason]
  /// The parts that a recording lacks.
  public let loss: RecordingLoss
  /// Those of each request; empty where ``promptRequests`` hold them.
  private let requestIDs: Column<UInt32>
  /// Distinct keys.
  public let distinct: Int

  /// The bytes of each request's object: those that the request tells, or where it tells none, those that an earlier
  /// request of the key told last; ``unknownSize`` where none has.
  public let sizes: Column<UInt64>?
  /// Those of each request; nil where ``promptRequests`` hold them.
  private let requestTimes: Column<Int64>?
  /// The operation of each request.
  public let operations: Column<TraceOperation>?
  /// The time to live of each request's object, in nanoseconds; 0 where it never expires.
  public let ttls: Column<Int64>?
  /// The penalty of a miss of each request, which is not the size, in the source's own unit.
  public let costs: Column<Double>?
  /// The class (tenant or key prefix) of each request: a place in ``classNames``.
  public let classes: Column<UInt32>?
  /// The names of the classes, in order of first appearance; empty without classes.
  public let classNames: [String]
  /// Bytes of each distinct key's text, by id; nil where the source doesn't tell, or when not
  /// requested.
  public let keyLengths: Column<UInt32>?
  /// The number of the first request of each group, in order: requests that were made together,
  /// such as those for the blocks of one prompt. A group ends where the next one begins; none is
  /// empty.
  public let groupStarts: Column<UInt64>?

  /// The prompts that the groups are; nil where groups are no prompts, or when not requested.
  public let prompts: PromptColumns?

  /// The text of each distinct key; nil for integer keys or when not requested.
  public let keyTexts: KeyTexts?

  /// The identity of each key, by id.
  let identities: KeyIdentities

  /// The ids and times of a trace that was read as one of prompts; nil for others.
  let promptRequests: PromptRequests?

  /// The number of requests.
  public var requests: Int { promptRequests?.count ?? requestIDs.count }

  /// The dense id of each request's key, numbered from 0 in order of first appearance.
  ///
  /// O(1), and O(requests) when they are first read of a trace that was read with ``TraceColumns/prompts``.
  public var ids: Column<UInt32> { promptRequests?.ids ?? requestIDs }

  /// The time of each request, in nanoseconds from the source's own zero. Complexity as of ``ids``.
  public var times: Column<Int64>? { promptRequests.map(\.times) ?? requestTimes }

  /// True if the trace has times. O(1).
  package var hasTimes: Bool {
    promptRequests.map { $0.promptTimes != nil } ?? (requestTimes != nil)
  }

  /// The size of an object that no request has told yet.
  public static let unknownSize = UInt64.max

  /// The columns that this trace has.
  public var columns: TraceColumns {
    var present: TraceColumns = []
    if sizes != nil { present.insert(.sizes) }
    if hasTimes { present.insert(.times) }
    if operations != nil { present.insert(.operations) }
    if ttls != nil { present.insert(.ttls) }
    if costs != nil { present.insert(.costs) }
    if classes != nil { present.insert(.classes) }
    if keyLengths != nil { present.insert(.keyLengths) }
    if groupStarts != nil { present.insert(.groups) }
    if keyTexts != nil { present.insert(.keyTexts) }
    if prompts != nil { present.insert(.prompts) }
    return present
  }

  init(
    name: String, format: String, ids: Column<UInt32>, identities: KeyIdentities,
    sizes: Column<UInt64>?, times: Column<Int64>?, operations: Column<TraceOperation>?,
    ttls: Column<Int64>?, costs: Column<Double>?, classes: Column<UInt32>?,
    classNames: [String], keyLengths: Column<UInt32>?, groupStarts: Column<UInt64>?,
    keyTexts: KeyTexts? = nil, prompts: PromptColumns? = nil, formatReasons: [FormatReason] = [],
    loss: RecordingLoss = RecordingLoss(), promptRequests: PromptRequests? = nil
  ) {
    self.name = name
    self.format = format
    self.formatReasons = formatReasons
    self.loss = loss
    requestIDs = ids
    self.distinct = identities.count
    self.identities = identities
    self.sizes = sizes
    requestTimes = times
    self.operations = operations
    self.ttls = ttls
    self.costs = costs
    self.classes = classes
    self.classNames = classNames
    self.keyLengths = keyLengths
    self.groupStarts = groupStarts
    self.keyTexts = keyTexts
    self.prompts = prompts
    self.promptRequests = promptRequests
  }
}
