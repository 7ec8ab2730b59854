/// AdaptiveClimb; the front first.
final class AdaptiveClimbModel: PolicyModel {
  private var places: [Int] = []
  private var jump = 1

  override var residents: [Int] { places }

  override func hit(_ key: Int) {
    jump = max(1, jump - 1)
    let place = places.firstIndex(of: key)!
    places.remove(at: place)
    places.insert(key, at: max(0, place - jump))
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity { evict() }
    sizes[key] = size
    jump = min(jump + 1, places.count + 1)
    places.insert(key, at: places.count + 1 - jump)
    return true
  }

  override func evict() { reportEviction(of: places.removeLast()) }

  override func forget(_ key: Int) { places.take(key) }
}
