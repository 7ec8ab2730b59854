import Foundation

extension Estimate {
  /// A share in hundredths: per cent, or points.
  package static func hundredths(_ value: Double) -> String { String(format: "%.2f", value * 100) }

  package var json: JSON {
    [
      "trace": .string(trace), "policy": .string(policy), "against": .optional(against),
      "capacity": .integer(capacity), "unit": .string(unit.rawValue),
      "estimand": .string(estimand.rawValue), "value": .number(value),
      "confidence": .number(Estimate.confidence), "interval": .interval(interval),
      "samples": .optional(samples), "blockRequests": .optional(blockRequests),
      "evictionAge": .optional(evictionAge),
      "stationary": isStationary.map(JSON.boolean) ?? .null, "reason": .optional(reason),
    ]
  }
}
