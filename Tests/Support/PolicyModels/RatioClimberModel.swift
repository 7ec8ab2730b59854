/// The climbers that follow the hit ratio of samples alone.
struct RatioClimberModel {
  static let gradients = ["sgd", "adam", "nadam", "amsgrad"]
  private let form: String
  private let first: Double
  private let capacity: Double
  private var step: Double
  private var ratios: [Double] = [0]
  private var windows: [Int] = []
  private var falls = 0
  private var isUp = false
  private var smoothed = 0.0
  private var moment = 0.0
  private var squares: [Double] = [0]
  private var rest = 0.0

  init(form: String, first: Double, capacity: Double) {
    self.form = form
    self.first = first
    self.capacity = capacity
    step = form == "trust-region" ? first : -first
  }

  /// The growth of the window after a sample.
  mutating func judge(_ ratio: Double, window: Int) -> Int {
    let change = ratio - ratios.last!
    let gradient = (1 - ratio) - (1 - ratios.last!)
    let amount: Double
    switch form {
    case "simple":
      if change < 0 { step = -step }
      amount = step
      step = abs(change) >= 0.05 ? (step >= 0 ? first : -first) : 0.98 * step
    case "correlation": amount = correlated(change, window)
    case "trust-region": amount = trusted(change)
    default: amount = descent(gradient)
    }
    ratios.append(ratio)
    windows.append(window)
    if form == "simple" { return Int(amount) }
    rest += amount
    let whole = rest.rounded(.down)
    rest -= whole
    return Int(whole)
  }

  private mutating func correlated(_ change: Double, _ window: Int) -> Double {
    let move = window - (windows.last ?? window)
    if move == 0 { return max(1, first) }
    falls = change < 0 ? falls + 1 : 0
    if falls == 5 {
      falls = 0
      return max(1, first)
    }
    if change == 0 { return 0 }
    let length = max(1, 0.95 * Double(abs(move)))
    return (move < 0) == (change < 0) ? length : -length
  }

  private mutating func trusted(_ change: Double) -> Double {
    smoothed = 0.7 * smoothed + 0.3 * abs(change)
    let previous = ratios.count > 1 ? abs(ratios[ratios.count - 1] - ratios[ratios.count - 2]) : 0
    if previous > 1e-12 {
      if smoothed / previous < 0.25 { step *= 0.5 }
      if smoothed / previous > 0.75 { step *= 1.5 }
    }
    let least = max(1, 0.001 * capacity)
    step = max(least, min(step, max(least + 1, 0.1 * capacity)))
    if change < 0 { isUp.toggle() }
    let length = change < -0.005 ? 0.5 * step : step
    return isUp ? length : -length
  }

  private mutating func descent(_ gradient: Double) -> Double {
    moment = 0.9 * moment + 0.1 * gradient
    if form == "sgd" { return first * moment }
    squares.append(0.999 * squares.last! + 0.001 * gradient * gradient)
    if form == "amsgrad" { return first * moment / (squares.max()!.squareRoot() + 1e-8) }
    let samples = squares.count - 1
    let momentBias = 1 - (0..<samples).reduce(1.0) { power, _ in power * 0.9 }
    let squareBias = 1 - (0..<samples).reduce(1.0) { power, _ in power * 0.999 }
    let root = (squares.last! / squareBias).squareRoot() + 1e-8
    if form == "adam" { return first * (moment / momentBias) / root }
    return first / root * (0.9 * (moment / momentBias) + 0.1 / momentBias * gradient)
  }
}
