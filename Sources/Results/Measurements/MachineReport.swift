/// The state of the machine during a replay.
package struct MachineReport: Sendable, Equatable {
  /// The time of all passes, in seconds.
  package var seconds: Double
  /// True if each client was pinned to a processor of its own.
  package var pinned: Bool
  /// The fraction of the time in which all clients ran, or waited for each other, at least; nil for one.
  package var overlap: Double?
  /// The fraction of the clients' time in which they were ready and had no processor; nil where the system
  /// does not say.
  package var waiting: Double?
  /// The fraction of the time by which a thread that only reads the clock woke up late; nil where it would
  /// have competed with the clients.
  package var hiccups: Double?
  /// The longest of these delays, in nanoseconds.
  package var longestHiccup: Int?
  /// The fraction of the machine's processor time that its hypervisor gave to others; nil where the system
  /// does not say.
  package var steal: Double?
  /// Involuntary context switches of all threads.
  package var preemptions: Int
  /// The largest disagreement of the processor's counter and the monotonic clock, as a fraction.
  package var clockDrift: Double
  /// The range of the processors' frequencies, in Hz; nil where they cannot be read.
  package var frequency: ClosedRange<Double>?

  /// A machine with these facts.
  package init(pinned: Bool, seconds: Double, preemptions: Int = 0, clockDrift: Double = 0) {
    self.pinned = pinned
    self.seconds = seconds
    self.preemptions = preemptions
    self.clockDrift = clockDrift
  }
}
