import Dispatch
import EvictionCore
import Foundation
import Parameters
import Synchronization
import Systems

/// A folder for one test, removed at the end of the process: systems use it until they are released.
final class TestFolder: Sendable {
  let path = FileManager.default.temporaryDirectory.path + "/systems-\(UUID().uuidString)"

  private static let made = Mutex<[String]>([])
  private static let removal: Void = {
    atexit {
      for path in TestFolder.made.withLock({ $0 }) {
        try? FileManager.default.removeItem(atPath: path)
      }
    }
  }()

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    TestFolder.removal
    TestFolder.made.withLock { $0.append(path) }
  }

  /// Every file below the folder.
  var files: [String] {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return names.filter {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(path)/\($0)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }
}

extension SystemSetup {
  /// A setup of a system in a folder.
  init(
    _ system: any CacheSystem.Type, capacity: Int? = nil, in folder: TestFolder,
    _ given: [String: Parameter.Value] = [:]
  ) {
    self.init(
      Arguments(parameters: system.information.parameters, given: given), capacity: capacity)
    self.folder = folder.path
  }
}

/// Counts what is called.
final class Calls: Sendable {
  private let number = Atomic(0)

  var count: Int { number.load(ordering: .relaxed) }

  func call() { number.add(1, ordering: .relaxed) }
}

/// Someone who holds a lock on another thread until he is let go, or for five seconds.
final class Holder: Sendable {
  private let isInside = Atomic(false)
  private let end = DispatchSemaphore(value: 0)
  private let left = DispatchSemaphore(value: 0)

  /// - Parameter hold: Takes the lock and calls what it is given.
  init(_ hold: @escaping @Sendable (() -> Void) -> Void) {
    let entered = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      hold {
        isInside.store(true, ordering: .sequentiallyConsistent)
        entered.signal()
        _ = end.wait(timeout: .now() + 5)
        isInside.store(false, ordering: .sequentiallyConsistent)
      }
      left.signal()
    }
    entered.wait()
  }

  /// True while the lock is held: anyone who has waited for it finds false.
  var isHolding: Bool { isInside.load(ordering: .sequentiallyConsistent) }

  func letGo() {
    end.signal()
    left.wait()
  }
}

/// A value whose release is noted.
final class Tracked: Sendable {
  private let released: @Sendable () -> Void

  init(_ released: @escaping @Sendable () -> Void) { self.released = released }

  deinit { released() }
}
