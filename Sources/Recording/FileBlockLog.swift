import Foundation
import Traces

/// The blocks of files that a program read and wrote, as strace writes it down.
///
/// A request is a block of a file that a call read, wrote or mapped: a read or a write of the block's size,
/// at the time at which the call began. The key is `PATH:NUMBER` of the file's path without links and the
/// block's number. A mapping is a read of all that it maps, as nothing says what of it the program touches.
///
/// Most calls go on where the last one of the same open file has ended. So what a descriptor stands for is
/// followed from its opening through copies of it and the processes that inherit it. What was open before the
/// program began is taken to stand at its beginning, what is opened for appending at the end of what has
/// been written so far.
package struct FileBlockLog {
  /// The calls that strace shall report.
  static let calls =
    "trace=?open,openat,?openat2,?creat,read,readv,pread64,preadv,?preadv2,write,writev,pwrite64,"
    + "pwritev,?pwritev2,lseek,?dup,?dup2,dup3,fcntl,?fork,?vfork,clone,?clone3,mmap,"
    + "?copy_file_range,?sendfile"

  /// Bytes of a file that a call read or wrote.
  package struct Access: Equatable {
    /// Microseconds.
    package var time: Int64
    /// As strace escapes it.
    package var path: Substring
    package var offset: Int
    package var length: Int
    package var operation: TraceOperation

    package init(
      time: Int64, path: Substring, offset: Int, length: Int, operation: TraceOperation
    ) {
      self.time = time
      self.path = path
      self.offset = offset
      self.length = length
      self.operation = operation
    }
  }

  /// The place where the next call without an offset continues; shared by all copies of a descriptor.
  private final class OpenFile {
    var offset: Int

    init(offset: Int = 0) { self.offset = offset }
  }

  /// The files of a process's descriptors; shared by its threads.
  private final class Descriptors {
    var files: [Int: OpenFile]

    init(_ files: [Int: OpenFile] = [:]) { self.files = files }

    /// The open file of a number, which was inherited if it is unknown.
    func file(_ number: Int) -> OpenFile {
      if let file = files[number] { return file }
      let file = OpenFile()
      files[number] = file
      return file
    }
  }

  /// Those of the latest call.
  private var accesses: [Access] = []
  private var processes: [String: Descriptors] = [:]
  /// The ends of files as far as they were written or read.
  private var ends: [String: Int] = [:]

  private init() {}

  /// Passes on a log's accesses in the order in which their calls began. Memory is that of the paths
  /// and of what the processes have open.
  ///
  /// - Throws: `io`, and what `body` throws.
  package static func forEachAccess(
    in log: SystemCallLog, _ body: (Access) throws(TraceError) -> Void
  ) throws(TraceError) {
    var state = FileBlockLog()
    try log.forEach { (call) throws(TraceError) in
      state.accesses.removeAll(keepingCapacity: true)
      state.take(call)
      for access in state.accesses { try body(access) }
    }
  }

  private mutating func take(_ call: SystemCall) {
    let process = String(call.process)
    let known = processes[process] ?? Descriptors()
    processes[process] = known
    switch call.name {
    case "open", "openat", "openat2", "creat":
      guard let opened = call.opened else { return }
      let offset = call.arguments.contains("O_APPEND") ? ends[String(opened.path)] ?? 0 : 0
      known.files[opened.number] = OpenFile(offset: offset)
    case "dup", "dup2", "dup3", "fcntl":
      guard let copy = call.opened, let source = SystemCall.descriptor(call.list[0]) else { return }
      known.files[copy.number] = known.file(source.number)
    case "fork", "vfork", "clone", "clone3":
      let child = call.result.prefix { $0 != " " }
      let isThread = call.arguments.contains("CLONE_FILES")
      processes[String(child)] = isThread ? known : Descriptors(known.files)
    case "lseek":
      guard let file = SystemCall.descriptor(call.list[0]), let place = Int(call.result) else {
        return
      }
      known.file(file.number).offset = place
    case "mmap": takeMapping(call)
    case "copy_file_range", "sendfile": takeCopy(call, known)
    default: takeTransfer(call, known)
    }
  }

  /// `read`, `write` and their kin.
  private mutating func takeTransfer(_ call: SystemCall, _ known: Descriptors) {
    let list = call.list
    guard let file = SystemCall.descriptor(list[0]), let length = Int(call.result) else { return }
    let operation: TraceOperation = call.name.contains("write") ? .write : .read
    let place: Int? =
      switch call.name {
      case "pread64", "pwrite64", "preadv", "pwritev": list.last.flatMap { Int($0) }
      case "preadv2", "pwritev2":
        list.dropLast().last.flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
      default: nil
      }
    append(call, file, length, operation, at: place, of: known)
  }

  private mutating func takeMapping(_ call: SystemCall) {
    let list = call.list
    guard list.count == 6, let file = SystemCall.descriptor(list[4]), let length = Int(list[1]),
      let offset = list[5].hasPrefix("0x") ? Int(list[5].dropFirst(2), radix: 16) : Int(list[5]),
      FilePath.isRecorded(file.path)
    else { return }
    // A mapping goes on to the end of a page; the file doesn't.
    let end = min(offset + length, Int(FilePath.size(ofEscaped: file.path) ?? 0))
    if end > offset {
      accesses.append(
        Access(
          time: call.time, path: file.path, offset: offset, length: end - offset, operation: .read))
    }
  }

  /// From one file to the other without passing through the program; a place that is not null stands in
  /// brackets.
  private mutating func takeCopy(_ call: SystemCall, _ known: Descriptors) {
    let list = call.list
    let isSending = call.name == "sendfile"
    guard list.count >= 4, let length = Int(call.result),
      let source = SystemCall.descriptor(list[isSending ? 1 : 0]),
      let target = SystemCall.descriptor(list[isSending ? 0 : 2])
    else { return }
    func place(_ text: Substring) -> Int? { Int(text.dropFirst().prefix { $0.isNumber }) }
    append(call, source, length, .read, at: place(list[isSending ? 2 : 1]), of: known)
    append(call, target, length, .write, at: isSending ? nil : place(list[3]), of: known)
  }

  private mutating func append(
    _ call: SystemCall, _ file: SystemCall.Descriptor, _ length: Int, _ operation: TraceOperation,
    at place: Int?, of known: Descriptors
  ) {
    guard length > 0, FilePath.isRecorded(file.path) else { return }
    let offset = place ?? known.file(file.number).offset
    if place == nil { known.file(file.number).offset += length }
    let path = String(file.path)
    ends[path] = max(ends[path] ?? 0, offset + length)
    accesses.append(
      Access(
        time: call.time, path: file.path, offset: offset, length: length, operation: operation))
  }

  /// The trace of a log's accesses, in blocks of that number of bytes.
  ///
  /// - Throws: `noRequests`, `io`.
  package static func trace(
    of log: SystemCallLog, name: String, blockBytes: Int
  ) throws(TraceError) -> Trace {
    precondition(blockBytes > 0, "a block has bytes")
    var builder = TraceBuilder(name: name, format: "recording", keys: .text, columns: .all)
    var start: Int64?
    try forEachAccess(in: log) { (access) throws(TraceError) in
      let first = start ?? access.time
      start = first
      let last = (access.offset + access.length - 1) / blockBytes
      for block in access.offset / blockBytes...last {
        try builder.append(text: "\(access.path):\(block)")
        builder.append(size: UInt64(blockBytes))
        builder.append(time: (access.time - first) * 1_000)
        builder.append(operation: access.operation)
      }
    }
    return try builder.finish()
  }
}
