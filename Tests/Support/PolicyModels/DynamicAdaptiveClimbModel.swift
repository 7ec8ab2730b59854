/// DynamicAdaptiveClimb; the front first.
final class DynamicAdaptiveClimbModel: PolicyModel {
  private let epsilon: String
  private var places: [Int] = []
  private var parts = 1
  private var jump = 1
  private var lowerHits = 0

  override init(_ options: ModelOptions) {
    epsilon = options.parameters["epsilon"] ?? "0.1"
    super.init(options)
  }

  override var residents: [Int] { places }

  override func hit(_ key: Int) {
    let half = places.count / 2
    let place = places.firstIndex(of: key)!
    jump -= 1
    let lower = places.count % 2 == 0 ? place >= half : place > half
    if lower { lowerHits += 1 }
    places.remove(at: place)
    places.insert(key, at: max(0, place - max(1, jump)))
    if jump > -half { return }
    let sparse = lowerHits <= ModelOptions.floor(epsilon, of: half)
    let fewer = capacity / (2 * parts)
    if sparse && fewer > 0 && length(of: places) > fewer { parts *= 2 }
    jump = 1
    lowerHits = 0
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    while size > capacity / parts { parts /= 2 }
    while used + size > capacity / parts {
      evict()
      if hasRefused { return false }
    }
    sizes[key] = size
    let count = places.count + 1
    jump += 1
    if parts == 1 {
      jump = min(jump, count)
    } else if jump >= 2 * count {
      parts /= 2
      jump = count
      lowerHits = 0
    }
    places.insert(key, at: count - min(max(jump, 1), count))
    return true
  }

  override func evict() {
    if mayEvict(places.last!) { reportEviction(of: places.removeLast()) }
  }

  override func restoreLimits() { while parts > 1 && capacity / parts == 0 { parts /= 2 } }

  override func forget(_ key: Int) { places.take(key) }
}
