/// The optional columns that a caller wants from a trace.
///
/// A column appears in the trace only when it is wanted *and* the source has it, so that a
/// simulation of object counts doesn't pay for sizes and times.
public struct TraceColumns: OptionSet, Sendable, Hashable {
  /// One bit per column.
  public let rawValue: UInt16

  /// The columns whose bits are set.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Bytes per request.
  public static let sizes = TraceColumns(rawValue: 1 << 0)
  /// The time of each request, in nanoseconds.
  public static let times = TraceColumns(rawValue: 1 << 1)
  /// The operation of each request.
  public static let operations = TraceColumns(rawValue: 1 << 2)
  /// The time to live of each request's object, in nanoseconds.
  public static let ttls = TraceColumns(rawValue: 1 << 3)
  /// The penalty of a miss, which is not the size.
  public static let costs = TraceColumns(rawValue: 1 << 4)
  /// The tenant or key prefix of each request.
  public static let classes = TraceColumns(rawValue: 1 << 5)
  /// Bytes of each distinct key's text.
  public static let keyLengths = TraceColumns(rawValue: 1 << 6)

  /// The requests that were made together.
  public static let groups = TraceColumns(rawValue: 1 << 7)

  /// The text of each distinct key, which otherwise is known by its hash alone: for those that
  /// write keys.
  public static let keyTexts = TraceColumns(rawValue: 1 << 8)

  /// The lengths of prompts and their sessions, for caches of prefixes; see ``PromptColumns``.
  public static let prompts = TraceColumns(rawValue: 1 << 9)

  /// Everything the source has, except for the keys' texts and what only prompts have.
  public static let all = TraceColumns(rawValue: 0xFF)

  /// The names of the columns in the set, in a fixed order, as messages print them.
  public var names: [String] {
    let named: [(TraceColumns, String)] = [
      (.sizes, "sizes"), (.times, "times"), (.operations, "operations"), (.ttls, "ttls"),
      (.costs, "costs"), (.classes, "classes"), (.keyLengths, "key lengths"),
      (.groups, "groups"), (.keyTexts, "key texts"), (.prompts, "prompts"),
    ]
    return named.filter { contains($0.0) }.map(\.1)
  }
}
