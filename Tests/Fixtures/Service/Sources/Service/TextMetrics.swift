import Metrics
import Synchronization

/// Keeps the latest value of each metric, and prints them as Prometheus reads them.
///
/// A service that has a backend needs none of this.
final class TextMetrics: MetricsFactory {
  private let values = Mutex<[String: Value]>([:])

  /// A line for each metric.
  var text: String {
    values.withLock { values in
      values.keys.sorted().map { "\($0) \(values[$0]?.text ?? "0")\n" }.joined()
    }
  }

  private func value(_ label: String, _ dimensions: [(String, String)]) -> Value {
    let name = dimensions.map { "\($0)=\"\($1)\"" }.joined(separator: ",")
    return values.withLock { values in
      let value = values["\(label){\(name)}"] ?? Value()
      values["\(label){\(name)}"] = value
      return value
    }
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    value(label, dimensions)
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    value(label, dimensions)
  }

  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler { NOOPMetricsHandler.instance }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    NOOPMetricsHandler.instance
  }

  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
}

/// The value of a counter or a meter.
private final class Value: CounterHandler, MeterHandler {
  private let value = Mutex(0.0)

  /// Whole numbers without a point.
  var text: String {
    let value = value.withLock { $0 }
    return Int(exactly: value).map(String.init) ?? String(value)
  }

  func increment(by amount: Int64) { increment(by: Double(amount)) }
  func reset() { set(0.0) }
  func set(_ value: Int64) { set(Double(value)) }
  func set(_ value: Double) { self.value.withLock { $0 = value } }
  func increment(by amount: Double) { value.withLock { $0 += amount } }
  func decrement(by amount: Double) { value.withLock { $0 -= amount } }
}
