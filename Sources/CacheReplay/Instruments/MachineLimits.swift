/// The limits beyond which a machine is not quiet enough for figures of a cache alone.
package enum MachineLimits {
  /// The fraction of the clients' time without a processor.
  package static let mostWaiting = 0.05
  /// The fraction of the time that a thread which only reads the clock is late.
  package static let mostHiccups = 0.02
  /// The fraction of the processors' time that the hypervisor takes.
  package static let mostSteal = 0.02
}
