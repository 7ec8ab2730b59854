import CInline
import Parameters
import Synchronization

/// The mark of a file that the tool wrote: the command that did, in an extended attribute of the file.
///
/// A file that was changed since is known by its size and the time of its last change. A copy has no mark where its copying
/// leaves attributes out, as Git does, and no file of a file system that keeps none has one.
package struct WrittenMark {
  /// The command of this process, `trace sample`; nil in other programs, whose files bear no mark.
  package static let command = Mutex<String?>(nil)

  /// The command that wrote the file.
  package let command: String
  /// False for a file that was changed since.
  package let isIntact: Bool

  private static let name = "user.evictionlab.command"

  /// The mark of a file; nil without one.
  package init?(of path: String) {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = evl_get_attribute(path, WrittenMark.name, &bytes, bytes.count)
    var status = stat()
    guard count > 0, stat(path, &status) == 0 else { return nil }
    let words = String(decoding: bytes[..<count], as: UTF8.self)
      .split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return nil }
    command = words[1]
    isIntact = words[0] == WrittenMark.state(status)
  }

  /// Marks a file whose content is written. Does nothing where the file system keeps no attributes.
  package static func set(_ descriptor: Int32) {
    var status = stat()
    guard let command = command.withLock({ $0 }), fstat(descriptor, &status) == 0 else { return }
    let text = Array("\(state(status)) \(command)".utf8)
    _ = evl_set_attribute(descriptor, name, text, text.count)
  }

  /// The size and the time of the last change.
  private static func state(_ status: stat) -> String {
    #if os(Linux)
      let time = status.st_mtim
    #else
      let time = status.st_mtimespec
    #endif
    return "\(status.st_size)@\(time.tv_sec).\(time.tv_nsec)"
  }
}
