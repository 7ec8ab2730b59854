import CGSL

/// The standard normal distribution.
package enum NormalDistribution {
  /// The number of standard errors that an interval around an estimate takes on either side to hold
  /// the truth with this probability: 1.96 for 0.95.
  package static func width(ofInterval confidence: Double) -> Double {
    GSL.returnsErrors
    return gsl_cdf_ugaussian_Pinv(upperLevel(confidence))
  }

  /// The probability of a value up to this one.
  static func probability(upTo value: Double) -> Double { gsl_cdf_ugaussian_P(value) }

  /// The probability of a value from this one on.
  static func probability(from value: Double) -> Double { gsl_cdf_ugaussian_Q(value) }

  /// The probability below the upper end of an interval that leaves out as much on either side.
  static func upperLevel(_ confidence: Double) -> Double {
    precondition(confidence > 0 && confidence < 1, "a confidence lies between 0 and 1")
    return (1 + confidence) / 2
  }
}

/// Student's t distribution.
package enum StudentDistribution {
  /// The number of estimated standard errors on either side of an estimate, as `NormalDistribution` has it
  /// for known ones.
  package static func width(ofInterval confidence: Double, degreesOfFreedom: Double) -> Double {
    GSL.returnsErrors
    return gsl_cdf_tdist_Pinv(NormalDistribution.upperLevel(confidence), degreesOfFreedom)
  }
}
