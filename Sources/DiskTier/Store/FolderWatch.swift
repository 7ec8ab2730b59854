import Dispatch
import Synchronization

/// Looks at the folders of all open stores every half second, so that no get has to: one timer and one thread, however
/// many stores there are.
final class FolderWatch: Sendable {
  static let shared = FolderWatch()

  private struct Entry {
    weak var store: HybridStore?
  }

  private struct State {
    var stores: [ObjectIdentifier: Entry] = [:]
    var timer: (any DispatchSourceTimer)?
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "EvictionLab.FolderWatch", qos: .utility)

  func add(_ store: HybridStore) {
    state.withLock { state in
      state.stores[ObjectIdentifier(store)] = Entry(store: store)
      if state.timer != nil { return }
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(
        deadline: .now() + .milliseconds(500), repeating: .milliseconds(500),
        leeway: .milliseconds(100))
      timer.setEventHandler { [unowned self] in look() }
      timer.activate()
      state.timer = timer
    }
  }

  func remove(_ store: HybridStore) {
    state.withLock { state in
      state.stores[ObjectIdentifier(store)] = nil
      if !state.stores.isEmpty { return }
      state.timer?.cancel()
      state.timer = nil
    }
  }

  private func look() {
    let stores = state.withLock { $0.stores.values.compactMap(\.store) }
    for store in stores { store.lookAround() }
  }
}
