/// The state of the machine during a replay.
package struct MachineReport: Documented {
  package var seconds = 0.0
  package var pinned = false
  /// Nil for one.
  package var overlap: Double?
  /// Nil where the system does not say.
  package var waiting: Double?
  /// Nil where it would have competed with the clients.
  package var hiccups: Double?
  package var longestHiccup: Int?
  /// Nil where the system does not say.
  package var steal: Double?
  package var preemptions = 0
  package var clockDrift = 0.0
  /// Nil where they cannot be read.
  package var frequency: ClosedRange<Double>?

  package init() {}

  package static let fields: [Field<MachineReport>] = [
    Field("seconds", \.seconds, "the time of all passes", .timed),
    Field("pinned", \.pinned, "each client had a processor of its own", .timed),
    Field(
      "overlap", \.overlap, "the fraction of the time in which all clients ran, at least", .timed),
    Field("waiting", \.waiting, "the fraction of the clients' time without a processor", .timed),
    Field(
      "hiccups", \.hiccups, "the fraction of the time that an idle thread woke up late", .timed),
    Field("longestHiccup", \.longestHiccup, "the longest delay of that thread, in ns", .timed),
    Field("steal", \.steal, "the fraction of processor time that the hypervisor took", .timed),
    Field("preemptions", \.preemptions, "how often threads lost a processor", .timed),
    Field(
      "clockDrift", \.clockDrift, "the counter's disagreement with the monotonic clock", .timed),
    .omittable("frequency", \.frequency, "the lowest and the highest clock rate, in Hz", .timed),
  ]
}
