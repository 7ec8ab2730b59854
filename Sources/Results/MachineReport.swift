/// The state of the machine during a replay.
public struct MachineReport: Sendable, Equatable {
  /// The time of all passes, in seconds.
  public var seconds: Double
  /// True if each client was pinned to a processor of its own.
  public var pinned: Bool
  /// The fraction of the time in which all clients ran, or waited for each other, at least; nil for one.
  public var overlap: Double?
  /// The fraction of the clients' time in which they were ready and had no processor; nil where the system
  /// does not say.
  public var waiting: Double?
  /// The fraction of the time by which a thread that only reads the clock woke up late; nil where it would
  /// have competed with the clients.
  public var hiccups: Double?
  /// The longest of these delays, in nanoseconds.
  public var longestHiccup: Int?
  /// The fraction of the machine's processor time that its hypervisor gave to others; nil where the system
  /// does not say.
  public var steal: Double?
  /// Involuntary context switches of all threads.
  public var preemptions: Int
  /// The largest disagreement of the processor's counter and the monotonic clock, as a fraction.
  public var clockDrift: Double
  /// The range of the processors' frequencies, in Hz; nil where they cannot be read.
  public var frequency: ClosedRange<Double>?

  /// A machine with these facts.
  public init(pinned: Bool, seconds: Double, preemptions: Int = 0, clockDrift: Double = 0) {
    self.pinned = pinned
    self.seconds = seconds
    self.preemptions = preemptions
    self.clockDrift = clockDrift
  }
}
