import Consistency
import Eviction
import Synchronization

extension CheckableCache {
  /// Stores a value for good: all that a cache made for a test does otherwise.
  func set(_ value: StampedValue, forKey key: UInt64, cost: Int, missCost: Double) -> Bool {
    set(value, forKey: key, cost: cost, missCost: missCost, expiration: .never)
  }
}

/// A dictionary behind a mutex that does one thing wrong now and then.
final class FaultyCache: CheckableCache {
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

  func set(
    _ value: StampedValue, forKey key: UInt64, cost: Int, missCost: Double, expiration: Expiration
  ) -> Bool {
    use(.forgottenUpdate) { state, isWrong in
      if isWrong && state.values[key] != nil { return true }
      state.values[key] = value
      state.ends[key] = expiration.timeToLive.map { .now + $0 }
      return true
    }
  }

  func removeValue(forKey key: UInt64) -> StampedValue? {
    use(.forgottenRemoval) { state, isWrong in
      isWrong ? nil : state.values.removeValue(forKey: key)
    }
  }

  func removeAll() { state.withLock { $0.values = [:] } }
}

/// A direct-mapped cache whose places are a key and a value each, that a lock must keep together.
///
/// Each part is safe by itself, so that without the lock nothing worse happens than a wrong answer.
final class PairedCache: CheckableCache {
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

  func set(
    _ value: StampedValue, forKey key: UInt64, cost: Int, missCost: Double, expiration: Expiration
  ) -> Bool {
    let place = place(of: key)
    lock.withLock {
      place.key.store(key, ordering: .relaxed)
      place.value.withLock { $0 = value }
    }
    return true
  }

  func removeValue(forKey key: UInt64) -> StampedValue? {
    let place = place(of: key)
    var value: StampedValue?
    lock.withLock {
      if place.key.load(ordering: .relaxed) == key { value = place.value.withLock { $0.take() } }
    }
    return value
  }

  func removeAll() {
    lock.withLock { for place in places { place.value.withLock { $0 = nil } } }
  }
}
