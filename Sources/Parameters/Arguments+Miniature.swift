extension Arguments {
  /// The arguments for a miniature of a cache, which sees a part of the requests: parameters that declare
  /// themselves as times, given ones and defaults, are shortened to that part.
  ///
  /// Values stay in their ranges; one that is not 0 stays above it, as 0 often means never.
  ///
  /// - Parameter share: The part of the requests that the miniature sees.
  public func miniature(ofRequests share: Double) -> Arguments {
    var given = given
    for parameter in parameters {
      guard let time = parameter.time, let value = value(parameter.name) else { continue }
      let factor =
        switch time {
        case .requests: share
        case .perRequest: 1 / share
        }
      given[parameter.name] = parameter.scaled(value, by: factor)
    }
    return Arguments(parameters: parameters, given: given, name: name)
  }
}

extension Parameter {
  /// The value in range that is nearest to a multiple of this one.
  fileprivate func scaled(_ value: Value, by factor: Double) -> Value {
    switch (value, kind) {
    case (.integer(let number), .integer(let range)) where number > 0:
      let scaled = min((Double(number) * factor).rounded(), Double(range.upperBound))
      // The largest numbers are no binary floating-point ones.
      let whole = Int(exactly: scaled) ?? range.upperBound
      return .integer(min(max(whole, 1, range.lowerBound), range.upperBound))
    case (.fraction(let number), .fraction(let range)):
      let parts = 1_000_000_000
      let scaled = (number.double * factor * Double(parts)).rounded()
      guard let whole = Int(exactly: scaled) else { return .fraction(range.upperBound) }
      let fraction = Fraction(max(whole, number.numerator > 0 ? 1 : 0), parts)
      return .fraction(min(max(fraction, range.lowerBound), range.upperBound))
    default:
      return value
    }
  }
}
