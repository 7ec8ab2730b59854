extension Duration {
  /// The duration in seconds.
  package var seconds: Double { self / .seconds(1) }
}
