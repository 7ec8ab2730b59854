/// The smallest sum of weights leaves, among equals the least recently used; request t weighs 2^(λt).
///
/// A sum is kept as its exponent (as `logb` would say) and a fraction in 1 ..< 2, so that it is rounded
/// to 53 bits after each addition and never overflows.
final class LRFUModel: PolicyModel {
  private typealias Sum = (exponent: Int, fraction: Double)

  private var sums: [Int: Sum] = [:]
  private var lastUse: [Int: Int] = [:]
  private var weight: Sum = (0, 1)
  private var growth = 1.0

  override init(_ options: ModelOptions) {
    // λ is a decimal with a few digits: its binary digits are those of numerator × 2^52 / denominator.
    let lambda = options.parameters["lambda"] ?? "0.001"
    let decimals = lambda.split(separator: ".").dropFirst().first?.count ?? 0
    let denominator = (0..<decimals).reduce(1) { power, _ in power * 10 }
    let numerator = ModelOptions.floor(lambda, of: denominator)
    super.init(options)
    if numerator == denominator {
      growth = 2
    } else {
      let scaled = denominator.dividingFullWidth(numerator.multipliedFullWidth(by: 1 << 52))
      for digit in 1...52 where (scaled.quotient >> (52 - digit)) % 2 == 1 {
        growth *= (0..<digit).reduce(2.0) { root, _ in root.squareRoot() }
      }
    }
  }

  override var residents: [Int] { Array(sums.keys) }

  private func normal(_ exponent: Int, _ value: Double) -> Sum {
    (exponent + Int(value.exponent), value.significand)
  }

  private func add(_ left: Sum, _ right: Sum) -> Sum {
    let top = max(left.exponent, right.exponent)
    func scaled(_ sum: Sum) -> Double {
      Double(sign: .plus, exponent: max(sum.exponent - top, -2000), significand: sum.fraction)
    }
    return normal(top, scaled(left) + scaled(right))
  }

  private func tick() { weight = normal(weight.exponent, weight.fraction * growth) }

  override func hit(_ key: Int) {
    tick()
    sums[key] = add(sums[key]!, weight)
    lastUse[key] = now
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    tick()
    while used + size > capacity { evict() }
    sizes[key] = size
    sums[key] = weight
    lastUse[key] = now
    return true
  }

  override func evict() {
    let victim = residents.min {
      let (left, right) = (sums[$0]!, sums[$1]!)
      return (left.exponent, left.fraction, lastUse[$0]!)
        < (right.exponent, right.fraction, lastUse[$1]!)
    }!
    sums[victim] = nil
    reportEviction(of: victim)
  }

  override func forget(_ key: Int) { sums[key] = nil }
}
