/// A call of the system as strace writes it down when it has returned:
///
///     812 1700000000.123456 pread64(3</home/me/a.h>, ""..., 512, 4096) = 512
package struct SystemCall {
  /// The calling process.
  let process: Substring
  /// The time at which the call began, in microseconds.
  let time: Int64
  let name: Substring
  /// The text between the parentheses.
  let arguments: Substring
  /// The text behind the equal sign.
  let result: Substring

  /// An open file, by its number and its path as strace escapes it.
  struct Descriptor: Equatable {
    let number: Int
    let path: Substring
  }

  /// The options of strace besides the calls: whole lines of successful ones, of the program and those that it
  /// starts, descriptors with their paths, no content.
  static let straceOptions = [
    "-f", "--seccomp-bpf", "-z", "-y", "-a", "1", "-s", "0", "-e", "signal=none", "-q",
    "--absolute-timestamps=format:unix,precision:us",
  ]

  /// Nil for a line that is no call.
  init?(_ line: Substring) {
    let parts = line.split(separator: " ", maxSplits: 2)
    guard parts.count == 3, let time = SystemCall.microseconds(parts[1]),
      let result = parts[2].range(of: ") = ", options: .backwards),
      let parenthesis = parts[2].firstIndex(of: "("), parenthesis < result.lowerBound
    else { return nil }
    process = parts[0]
    self.time = time
    name = parts[2][..<parenthesis]
    arguments = parts[2][parts[2].index(after: parenthesis)..<result.lowerBound]
    self.result = parts[2][result.upperBound...]
  }

  /// The file that the call returned.
  var opened: Descriptor? { SystemCall.descriptor(result) }

  /// The arguments; text in quotes, which may hold commas, is not looked into.
  var list: [Substring] {
    var list: [Substring] = []
    var start = arguments.startIndex
    var depth = 0
    var isQuoted = false
    var isEscaped = false
    var previous: UInt8 = 0
    for index in arguments.utf8.indices {
      let byte = arguments.utf8[index]
      defer { previous = byte }
      if isEscaped {
        isEscaped = false
        continue
      }
      switch byte {
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "\""): isQuoted.toggle()
      case _ where isQuoted: break
      // What a call changed: `[0] => [8]`.
      case UInt8(ascii: ">") where previous == UInt8(ascii: "="): break
      // Paths stand between angle brackets.
      case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ">"): depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        list.append(arguments[start..<index])
        start = arguments.utf8.index(index, offsetBy: 2, limitedBy: arguments.endIndex) ?? index
      default: break
      }
    }
    return list + [arguments[start...]]
  }

  /// `3</a/b>`.
  static func descriptor(_ text: Substring) -> Descriptor? {
    guard let start = text.firstIndex(of: "<"), text.hasSuffix(">"),
      let number = Int(text[..<start])
    else { return nil }
    return Descriptor(number: number, path: text[text.index(after: start)...].dropLast())
  }

  private static func microseconds(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ".")
    guard parts.count == 2, let seconds = Int64(parts[0]), let rest = Int64(parts[1]) else {
      return nil
    }
    return seconds * 1_000_000 + rest
  }
}
