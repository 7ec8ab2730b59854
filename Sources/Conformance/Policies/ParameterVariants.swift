import Parameters

/// Specifications of a policy that between them give every parameter a few values.
public enum ParameterVariants {
  /// The policy without parameters, and every combination of at most `most` of them.
  ///
  /// Choices and flags take all their values, numbers a few from the low end of their range.
  public static func all(of parameters: [Parameter], givingAtMost most: Int = 2) -> [String] {
    var variants: [[String]] = [[]]
    for parameter in parameters {
      let given = texts(of: parameter)
      variants += variants.filter { $0.count < most }.flatMap { variant in
        given.map { variant + ["\(parameter.name)=\($0)"] }
      }
    }
    return variants.map { $0.joined(separator: ":") }
  }

  private static func texts(of parameter: Parameter) -> [String] {
    let defaultText = parameter.defaultValue.map { "\($0)" }
    let texts: [String] =
      switch parameter.kind {
      case .choice(let words): words
      case .flag: ["false", "true"]
      case .integer(let range), .bytes(let range):
        [0, 1, 3].map { range.lowerBound + $0 }.filter { range.contains($0) }.map { "\($0)" }
      case .fraction(let range):
        [Fraction(0), Fraction(1, 10), Fraction(5, 10), Fraction(1), Fraction(2)]
          .filter { range.contains($0) }.map { "\($0)" }
      case .text: []
      }
    return texts.filter { $0 != defaultText }
  }
}
