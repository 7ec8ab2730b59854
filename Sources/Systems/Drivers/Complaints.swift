import Dispatch
import Foundation
import Parameters
import Synchronization

/// The last lines that a program wrote to its standard error.
final class Complaints: Sendable {
  private static let most = 10
  private let text = Mutex("")
  private let isOver = DispatchSemaphore(value: 0)

  init(_ handle: FileHandle) {
    WorkThread.start { [self] in
      while let data = try? handle.read(upToCount: 4_096), !data.isEmpty {
        text.withLock { text in
          text += String(decoding: data, as: UTF8.self)
          text = String(text.suffix(8_192))
        }
      }
      isOver.signal()
    }
  }

  /// The last lines, printable, in one.
  var last: String {
    // A child of the program may keep its standard error open.
    _ = isOver.wait(timeout: .now() + 1)
    isOver.signal()
    let lines = text.withLock { $0 }.split(whereSeparator: \.isNewline).suffix(Complaints.most)
    let printable = lines.map { line in
      String(
        line.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }
    return printable.joined(separator: " | ")
  }
}
