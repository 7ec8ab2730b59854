import Foundation
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A process that works on a store.
final class Worker {
  private var id: pid_t = 0

  /// Starts the worker with its arguments.
  ///
  /// - Parameter umask: The process's umask; nil for that of the tests.
  init(_ arguments: [String], umask: String? = nil) throws {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let products = bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    let path = products.appendingPathComponent("StoreWorker").path
    let shell = umask.map { ["/bin/sh", "-c", "umask \($0); exec \"$@\"", "sh"] } ?? []
    let command = shell + [path] + arguments
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    let code = posix_spawn(&id, command[0], nil, nil, &words, environ)
    try #require(code == 0, "\(path): \(code)")
  }

  /// Waits for the end; returns the signal that it was, or 0.
  @discardableResult
  func wait() -> Int32 {
    var status: Int32 = 0
    waitpid(id, &status, 0)
    return status & 0x7F
  }

  /// Kills the worker; returns whether it was still there.
  func kill() -> Bool {
    #if canImport(Darwin)
      Darwin.kill(id, SIGKILL)
    #else
      Glibc.kill(id, SIGKILL)
    #endif
    return wait() == SIGKILL
  }
}
