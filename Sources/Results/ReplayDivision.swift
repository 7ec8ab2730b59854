/// What each thread of a replay takes of the trace.
public enum ReplayDivision: String, Sendable, CaseIterable {
  /// The next few requests when it is done with its last: the trace runs once, nearly in its order.
  case interleaved
  /// All requests of its keys, which no other thread asks for: the trace runs once, each key's requests
  /// in their order.
  case keys
  /// The whole trace: it runs as often as there are threads, all of them in one cache.
  case copies
}
