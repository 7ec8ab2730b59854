import Consistency
import Eviction
import Synchronization

/// A cache made for a test.
protocol StampedCache: AnyObject, Sendable {
  func value(forKey key: UInt64) -> StampedValue?
  func store(_ value: StampedValue, forKey key: UInt64, lifetime: Duration?)
  func remove(_ key: UInt64)
  func removeAll()
}

extension VerifiableCache {
  init(_ cache: some StampedCache) {
    self.init(
      value: { cache.value(forKey: $0) }, store: { cache.store($0, forKey: $1, lifetime: $2) },
      remove: { cache.remove($0) }, removeAll: { cache.removeAll() })
  }
}

/// A dictionary behind a mutex that does one thing wrong now and then.
final class FaultyCache: StampedCache {
  enum Fault: CaseIterable {
    case tornValue, otherKeysValue, inventedValue, forgottenUpdate, forgottenRemoval,
      ignoredExpiration
  }

  private struct State {
    var values: [UInt64: StampedValue] = [:]
    var ends: [UInt64: ContinuousClock.Instant] = [:]
    var operations = 0
  }

  private let state = Mutex(State())
  private let fault: Fault?

  init(_ fault: Fault?) { self.fault = fault }

  /// Runs `body`, telling it whether it is time for the fault.
  private func use<Result: Sendable>(_ kind: Fault, _ body: (inout State, Bool) -> Result) -> Result
  {
    state.withLock { state in
      state.operations += 1
      return body(&state, fault == kind && state.operations % 10 == 0)
    }
  }

  func value(forKey key: UInt64) -> StampedValue? {
    switch fault {
    case .tornValue:
      use(.tornValue) { state, isWrong in
        state.values[key].map {
          isWrong ? StampedValue($0, key: $0.key, version: $0.version + 1) : $0
        }
      }
    case .otherKeysValue:
      use(.otherKeysValue) { state, isWrong in state.values[isWrong ? key ^ 1 : key] }
    case .inventedValue:
      use(.inventedValue) { state, isWrong in
        isWrong ? StampedValue(key: key, version: 1 << 40) : state.values[key]
      }
    default:
      use(.ignoredExpiration) { state, isWrong in
        if let end = state.ends[key], end <= .now, !isWrong { return nil }
        return state.values[key]
      }
    }
  }

  func store(_ value: StampedValue, forKey key: UInt64, lifetime: Duration?) {
    use(.forgottenUpdate) { state, isWrong in
      if isWrong && state.values[key] != nil { return }
      state.values[key] = value
      state.ends[key] = lifetime.map { .now + $0 }
    }
  }

  func remove(_ key: UInt64) {
    use(.forgottenRemoval) { state, isWrong in
      if !isWrong { state.values[key] = nil }
    }
  }

  func removeAll() { state.withLock { $0.values = [:] } }
}

/// A direct-mapped cache whose places are a key and a value each, that a lock must keep together.
///
/// Each part is safe by itself, so that without the lock nothing worse happens than a wrong answer.
final class PairedCache: StampedCache {
  private final class Place: Sendable {
    let key = Atomic<UInt64>(.max)
    let value = Mutex<StampedValue?>(nil)
  }

  private let lock: any CacheLock
  private let places = (0..<8).map { _ in Place() }

  init(lock: any CacheLock) { self.lock = lock }

  private func place(of key: UInt64) -> Place { places[Int(key) % places.count] }

  func value(forKey key: UInt64) -> StampedValue? {
    let place = place(of: key)
    var value: StampedValue?
    lock.withLock {
      if place.key.load(ordering: .relaxed) == key { value = place.value.withLock { $0 } }
    }
    return value
  }

  func store(_ value: StampedValue, forKey key: UInt64, lifetime: Duration?) {
    let place = place(of: key)
    lock.withLock {
      place.key.store(key, ordering: .relaxed)
      place.value.withLock { $0 = value }
    }
  }

  func remove(_ key: UInt64) {
    let place = place(of: key)
    lock.withLock {
      if place.key.load(ordering: .relaxed) == key { place.value.withLock { $0 = nil } }
    }
  }

  func removeAll() {
    lock.withLock { for place in places { place.value.withLock { $0 = nil } } }
  }
}
