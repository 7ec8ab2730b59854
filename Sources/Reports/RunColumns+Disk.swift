import Results

extension RunColumns {
  /// The columns of experiments on disk.
  static let disk: [ReportColumn<Measurement>] = [
    number("requests/s", key: "requestsPerSecond", rank: 1, "%.0f") {
      $0.disk == nil ? nil : $0.requestsPerSecond
    },
    microseconds("read p50 µs", rank: 2) { $0.read?.p50 },
    microseconds("read p99 µs", rank: 2) { $0.read?.p99 },
    microseconds("cold p50 µs", rank: 3) { $0.coldRead?.p50 },
    microseconds("write p50 µs", rank: 2) { $0.write?.p50 },
    microseconds("write p99 µs", rank: 3) { $0.write?.p99 },
    microseconds("replace p50 µs") { $0.replace?.p50 },
    number("written/set") { $0.disk?.writeAmplification },
    count("log KiB") { ($0.disk?.longestLog).map { $0 / 1_024 } },
    count("files") { $0.disk?.files },
    number("recovery ms", rank: 3, "%.1f") { ($0.disk?.recovery?.openSeconds).map { $0 * 1e3 } },
  ]

  private static func microseconds(
    _ title: String, rank: Int = 4, _ nanoseconds: @escaping @Sendable (DiskMeasures) -> Int?
  ) -> ReportColumn<Measurement> {
    number(title, rank: rank, "%.1f") { $0.disk.flatMap(nanoseconds).map { Double($0) / 1e3 } }
  }
}
