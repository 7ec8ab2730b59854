import CGSL

/// The calls of this target into the GNU Scientific Library.
enum GSL {
  /// Read before the first call: otherwise the library ends the process on any error.
  static let returnsErrors: Void = { _ = gsl_set_error_handler_off() }()

  private static let success = Int32(GSL_SUCCESS)

  /// Runs `body` with a Swift function as the library takes one.
  static func withFunction<Result>(
    _ function: @escaping (Double) -> Double, _ body: (UnsafeMutablePointer<gsl_function>) -> Result
  ) -> Result {
    returnsErrors
    return withUnsafePointer(to: function) { pointer in
      var wrapped = gsl_function(
        function: { x, function in
          guard let function else { return .nan }
          return function.assumingMemoryBound(to: ((Double) -> Double).self).pointee(x)
        }, params: UnsafeMutableRawPointer(mutating: pointer))
      return body(&wrapped)
    }
  }

  /// Returns the zero of a continuous function that changes its sign between two points, to the last digits.
  static func root(
    between low: Double, and high: Double, of function: @escaping (Double) -> Double
  ) -> Double {
    withFunction(function) { function in
      guard let solver = gsl_root_fsolver_alloc(evl_gsl_brent()) else { return .nan }
      defer { gsl_root_fsolver_free(solver) }
      guard gsl_root_fsolver_set(solver, function, low, high) == success else {
        return .nan
      }
      for _ in 0..<200 {
        guard gsl_root_fsolver_iterate(solver) == success else { break }
        let (low, high) = (gsl_root_fsolver_x_lower(solver), gsl_root_fsolver_x_upper(solver))
        if gsl_root_test_interval(low, high, 1e-15, 1e-13) == success { break }
      }
      return gsl_root_fsolver_root(solver)
    }
  }
}

/// Gauss–Legendre quadrature: exact for polynomials up to degree 127, and to the last digits for
/// functions that are as smooth as one.
final class GaussLegendre: @unchecked Sendable {
  private let table: UnsafeMutablePointer<gsl_integration_glfixed_table>

  init() {
    GSL.returnsErrors
    guard let table = gsl_integration_glfixed_table_alloc(64) else {
      fatalError("out of memory: a table of 64 quadrature points")
    }
    self.table = table
  }

  deinit { gsl_integration_glfixed_table_free(table) }

  /// The integral of a smooth function; the table is only read, so any thread may ask.
  func integral(
    from low: Double, to high: Double, of function: @escaping (Double) -> Double
  ) -> Double {
    GSL.withFunction(function) { gsl_integration_glfixed($0, low, high, table) }
  }
}

/// A seeded stream of random numbers.
final class GSLRandom {
  private let generator: UnsafeMutablePointer<gsl_rng>

  init(seed: Int) {
    GSL.returnsErrors
    guard let generator = gsl_rng_alloc(evl_gsl_mt19937()) else {
      fatalError("out of memory: a random number generator")
    }
    self.generator = generator
    gsl_rng_set(generator, UInt(bitPattern: seed))
  }

  deinit { gsl_rng_free(generator) }

  /// A number of 0 ..< `count`, each with equal probability; `count` is at most 2³² − 1.
  func index(below count: Int) -> Int { Int(gsl_rng_uniform_int(generator, UInt(count))) }

  /// Successes among `trials`.
  func binomial(_ probability: Double, trials: Int) -> Int {
    Int(gsl_ran_binomial(generator, min(max(probability, 0), 1), UInt32(clamping: trials)))
  }
}
