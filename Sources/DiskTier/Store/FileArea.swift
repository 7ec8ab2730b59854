import Foundation
import Synchronization

/// The files of a store: one for each large value, under a name that is never used again.
///
/// A value is written to `temporary/`, and renamed to `data/xx/yy/` when it is whole. Its name is the key's
/// hash and a number that no other file of the store has, so that a file says which row it belongs to.
final class FileArea: @unchecked Sendable {
  let root: String
  let files: any FileSystem
  private let durability: Durability
  /// The permissions of files that the store makes.
  let mode: mode_t
  /// True if other processes move folders, too.
  private let isShared: Bool
  /// Drawn anew at each opening: what bears it was written by this one.
  private let session: UInt64
  private let count = Atomic<UInt64>(0)
  /// Folders whose own names are known to be synced; only used with the store's lock held.
  private var lastingFolders: Set<String> = []

  init(root: String, files: any FileSystem, options: StoreOptions) {
    self.root = root
    self.files = files
    durability = options.durability
    mode = mode_t(options.fileMode)
    isShared = options.sharing == .shared
    session = UInt64.random(in: .min ... .max)
  }

  /// Makes the store's folder; where that is promised, what leads to it lasts from then on. If it can't be made,
  /// no folder is left behind.
  func makeRoot() throws(StoreError) {
    var made: [String] = []
    do throws(StoreError) { try makeRoot(&made) } catch {
      for folder in made.reversed() { _ = files.removeFolder(folder) }
      throw error
    }
  }

  private func makeRoot(_ made: inout [String]) throws(StoreError) {
    var path = root.hasPrefix("/") ? "" : "."
    for part in root.split(separator: "/") {
      let parent = path.isEmpty ? "/" : path
      path += "/" + part
      // Not only a new folder: who made it may have died before it was synced, or have promised less.
      let isNew = try make(path)
      if isNew { made.append(path) }
      do throws(StoreError) { try syncFolder(parent) } catch {
        if isNew || !error.isOfPlace { throw error }
      }
    }
  }

  /// Makes a folder; returns false if it was there.
  @discardableResult
  func make(_ folder: String) throws(StoreError) -> Bool {
    // Anyone who may read a folder may also enter it.
    let code = files.makeFolder(folder, mode: mode | (mode & 0o444) >> 2)
    if code < 0 && code != -EEXIST { throw error(code, "make a folder", folder) }
    var status = FileStatus()
    if code == -EEXIST && files.look(at: folder, &status) == -ENOENT {
      // It may be gone by now, or be a link.
      if files.kind(folder) != nil {
        throw .path(path: folder, problem: "a link that leads nowhere; remove it")
      }
      return try make(folder)
    }
    return code == 0
  }

  // MARK: Names

  /// A number for a new file: no other file of the same key has it, in this session or another.
  func newNumber() -> Int64 {
    Int64(bitPattern: session &+ count.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  /// Returns the folder of the file of a key with this hash: two levels of 64 folders each.
  func folder(_ hash: Int64) -> String {
    let bits = UInt64(bitPattern: hash)
    return "\(root)/data/\(Self.hex(bits >> 58, 2))/\(Self.hex(bits >> 52 & 63, 2))"
  }

  func path(_ hash: Int64, _ number: Int64) -> String {
    "\(folder(hash))/\(Self.name(hash, number))"
  }

  private func temporary(_ number: Int64) -> String {
    "\(root)/temporary/\(Self.name(Int64(bitPattern: session), number))"
  }

  /// Returns true if a name in `temporary/` may be of a file that is being written now.
  func isOurs(_ name: String) -> Bool { name.hasPrefix(Self.hex(session, 16)) }

  static func name(_ hash: Int64, _ number: Int64) -> String {
    hex(UInt64(bitPattern: hash), 16) + hex(UInt64(bitPattern: number), 16)
  }

  /// The row and number that a file's name says; nil if it isn't one of the store's names.
  static func parse(_ name: String) -> (hash: Int64, number: Int64)? {
    guard name.utf8.count == 32, let hash = parse(name.prefix(16), digits: 16),
      let number = parse(name.suffix(16), digits: 16)
    else { return nil }
    return (Int64(bitPattern: hash), Int64(bitPattern: number))
  }

  /// The number that ``hex(_:_:)`` writes so; nil if it writes none so.
  static func parse(_ text: some StringProtocol, digits: Int) -> UInt64? {
    guard let value = UInt64(text, radix: 16), hex(value, digits) == text else { return nil }
    return value
  }

  static func hex(_ value: UInt64, _ digits: Int) -> String {
    String(unsafeUninitializedCapacity: digits) { buffer in
      for place in 0..<digits {
        let digit = UInt8(value >> UInt64(4 * (digits - 1 - place)) & 15)
        buffer[place] = digit < 10 ? 48 + digit : 87 + digit
      }
      return digits
    }
  }

  // MARK: Writing

  /// Writes a value to a temporary file; ``place(_:_:)`` makes it the value of a row.
  func write(_ value: UnsafeRawBufferPointer) throws(StoreError) -> Int64 {
    let number = newNumber()
    let path = temporary(number)
    var file = files.make(path, mode: mode)
    if file == -ENOENT {
      // Anyone who cleans up folders of temporary files may have taken this one.
      try make("\(root)/temporary")
      file = files.make(path, mode: mode)
    }
    if file < 0 { throw error(file, "make a file", path) }
    var code = files.writeAll(value, to: file)
    if code == 0 && durability == .powerLoss { code = files.retrying { files.sync(file) } }
    files.close(file)
    if code < 0 {
      _ = files.remove(path)
      throw error(code, "write a value", path)
    }
    return number
  }

  /// Moves a temporary file to its place; done again, it does nothing.
  func place(_ hash: Int64, _ number: Int64) throws(StoreError) {
    let folder = folder(hash)
    let parent = String(folder.dropLast(3))
    let target = path(hash, number)
    var code = files.rename(temporary(number), to: target)
    if code == -ENOENT {
      // Another process may have died while it removed everything.
      if try make("\(root)/data") { try syncRoot() }
      try make(parent)
      try make(folder)
      code = files.rename(temporary(number), to: target)
    }
    if code == -ENOENT && exists(hash, number) { code = 0 }
    if code < 0 { throw error(code, "rename a file", target) }
    guard durability == .powerLoss else { return }
    // Not only new folders: an earlier process may have died before it synced what it made. Where others
    // move folders, none is known to last.
    if isShared { try syncRoot() }
    if isShared || !lastingFolders.contains(folder) {
      try syncFolder("\(root)/data")
      try syncFolder(parent)
      lastingFolders.insert(folder)
    }
    try syncFolder(folder)
  }

  /// Forgets which folders are synced: they are no longer there.
  func forgetFolders() { lastingFolders.removeAll() }

  /// Removes what ``write(_:)`` left, wherever it is.
  func discard(_ hash: Int64, _ number: Int64) {
    if files.remove(temporary(number)) < 0 { _ = files.remove(path(hash, number)) }
  }

  /// Removes the file of a row that is gone; if that fails, a later reconciliation will.
  func remove(_ hash: Int64, _ number: Int64) { _ = files.remove(path(hash, number)) }

  func syncFolder(_ folder: String) throws(StoreError) {
    if durability == .powerLoss { try syncAlways(folder) }
  }

  /// Syncs a folder, whatever is promised.
  func syncAlways(_ folder: String) throws(StoreError) {
    let file = files.open(folder, O_RDONLY)
    if file < 0 { throw error(file, "open a folder", folder) }
    let code = files.retrying { files.sync(file) }
    files.close(file)
    if code < 0 { throw error(code, "sync a folder", folder) }
  }

  // MARK: Reading

  /// Opens a value's file; nil if it is gone.
  func open(_ hash: Int64, _ number: Int64) throws(StoreError) -> Int32? {
    let file = files.retrying { files.open(path(hash, number), O_RDONLY) }
    if file == -ENOENT { return nil }
    if file < 0 { throw error(file, "open a value", path(hash, number)) }
    return file
  }

  /// Returns true if a value's file is there.
  func exists(_ hash: Int64, _ number: Int64) -> Bool {
    files.modified(path(hash, number)) != -Int64(ENOENT)
  }

  /// The whole of a row's open file, which is closed; nil if it hasn't exactly `size` bytes.
  func read(
    _ file: Int32, of id: Int64, _ number: Int64, size: Int
  ) throws(StoreError) -> [UInt8]? {
    defer { files.close(file) }
    // Asked before anything is allocated: a damaged row may claim any size.
    let actual = files.retrying { files.size(file) }
    if actual < 0 { throw error(Int32(actual), "look at a value", path(id, number)) }
    guard actual == size else { return nil }
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
        let step = files.read(file, into: rest)
        if step == -Int(EINTR) { continue }
        if step <= 0 {
          failure = Int32(step)
          return
        }
        count += step
      }
    }
    if failure < 0 { throw error(failure, "read a value", path(id, number)) }
    return bytes.count == size ? bytes : nil
  }

  // MARK: Errors

  func error(_ code: Int32, _ action: String, _ path: String) -> StoreError {
    StoreError(code, action, path)
  }
}

extension StoreError {
  /// True if the place is one that this user or any other cannot sync, whatever is done.
  fileprivate var isOfPlace: Bool {
    if case .io(_, _, let code) = self {
      [EACCES, EPERM, EROFS, EINVAL].contains(code)
    } else {
      false
    }
  }
}
