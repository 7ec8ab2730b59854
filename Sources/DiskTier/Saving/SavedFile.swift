import EvictionCore
import Foundation

/// The bytes of a saved cache, on their way into a file: at first under another name, so that the file at the path is
/// always a whole one, the old or the new.
struct SavedFileWriter: ~Copyable {
  let path: String
  private let temporary: String
  private let files: any FileSystem
  private let file: Int32
  private var buffer: [UInt8] = []
  private var sum = SavedFile.start
  private var isOpen = true

  init(_ path: String, _ files: any FileSystem) throws(SavedCacheError) {
    self.path = path
    self.files = files
    temporary = "\(path).new-\(UInt32.random(in: 0 ... .max))"
    file = files.make(temporary, mode: 0o600)
    if file < 0 {
      isOpen = false
      throw SavedFile.error(path, "save the cache", file)
    }
    buffer.reserveCapacity(SavedFile.chunk)
    buffer += SavedFile.magic
  }

  deinit {
    // What was saved is closed, and has another name.
    if !isOpen { return }
    files.close(file)
    _ = files.remove(temporary)
  }

  mutating func write(_ number: UInt64) throws(SavedCacheError) {
    try write(withUnsafeBytes(of: number.littleEndian) { Array($0) }[...])
  }

  mutating func write(_ number: Int) throws(SavedCacheError) {
    try write(UInt64(bitPattern: Int64(number)))
  }

  mutating func write(_ text: String) throws(SavedCacheError) { try write(Array(text.utf8)) }

  /// Writes bytes, after their number.
  mutating func write(_ bytes: [UInt8]) throws(SavedCacheError) {
    try write(bytes.count)
    try write(bytes[...])
  }

  private mutating func write(_ bytes: ArraySlice<UInt8>) throws(SavedCacheError) {
    var rest = bytes
    while !rest.isEmpty {
      let part = rest.prefix(SavedFile.chunk - buffer.count)
      buffer.append(contentsOf: part)
      rest = rest.dropFirst(part.count)
      if buffer.count == SavedFile.chunk { try flush() }
    }
  }

  private mutating func flush() throws(SavedCacheError) {
    sum = SavedFile.sum(buffer[...], after: sum)
    let code = buffer.withUnsafeBytes { files.writeAll($0, to: file) }
    if code < 0 { throw SavedFile.error(path, "save the cache", code) }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Ends the file with its checksum, and gives it its name.
  consuming func finish() throws(SavedCacheError) {
    if !buffer.isEmpty { try flush() }
    let code = withUnsafeBytes(of: sum.littleEndian) { files.writeAll($0, to: file) }
    var result = code < 0 ? code : files.sync(file)
    if result >= 0 { result = files.rename(temporary, to: path) }
    if result < 0 { throw SavedFile.error(path, "save the cache", result) }
    files.close(file)
    isOpen = false
    // The name is on the disk when its folder is.
    let folder = files.open(SavedFile.folder(of: path), O_RDONLY | O_DIRECTORY)
    if folder < 0 { throw SavedFile.error(path, "save the cache", folder) }
    result = files.sync(folder)
    files.close(folder)
    if result < 0 { throw SavedFile.error(path, "save the cache", result) }
  }
}

/// A saved cache that is read, once its checksum was found right.
struct SavedFileReader: ~Copyable {
  let path: String
  private let files: any FileSystem
  private let file: Int32
  /// The bytes that are left before the checksum.
  private var left: Int
  private var buffer: ArraySlice<UInt8> = []

  /// Opens the file, and looks whether it is whole, for which it reads all of it; or whether it seems to be one.
  init(_ path: String, _ files: any FileSystem, isChecked: Bool = true) throws(SavedCacheError) {
    self.path = path
    self.files = files
    // Not blocked by what is no file.
    file = files.open(path, O_RDONLY | O_NONBLOCK)
    left = 0
    if file == -ENOENT { throw .absent(path: path) }
    if file < 0 { throw SavedFile.error(path, "read the saved cache", file) }
    let size = files.size(file)
    let whole = size - 8
    guard whole >= SavedFile.magic.count else { throw damaged("it is no saved cache") }
    if isChecked { try check(whole) }
    left = whole
    buffer = []
    if try take(SavedFile.magic.count) != SavedFile.magic { throw damaged("it is no saved cache") }
  }

  private mutating func check(_ whole: Int) throws(SavedCacheError) {
    left = whole
    var sum = SavedFile.start
    while left > 0 {
      try fill()
      sum = SavedFile.sum(buffer, after: sum)
    }
    left = 8
    try fill()
    if !buffer.elementsEqual(withUnsafeBytes(of: sum.littleEndian) { Array($0) }) {
      throw damaged("it is no saved cache, or damaged, or not whole")
    }
    if lseek(file, 0, SEEK_SET) < 0 {
      throw SavedFile.error(path, "read the saved cache", -errno)
    }
  }

  deinit { if file >= 0 { files.close(file) } }

  func damaged(_ problem: String) -> SavedCacheError { .damaged(path: path, problem: problem) }

  /// True if all was read.
  var isAtEnd: Bool { left == 0 && buffer.isEmpty }

  mutating func number() throws(SavedCacheError) -> UInt64 {
    let bytes = try take(8)
    return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func integer() throws(SavedCacheError) -> Int {
    Int(truncatingIfNeeded: try number())
  }

  /// A number of things that take at least `bytes` each, of which there cannot be more than the file has room for.
  mutating func count(bytesEach bytes: Int) throws(SavedCacheError) -> Int {
    let count = try integer()
    guard count >= 0, count <= (left + buffer.count) / bytes else { throw damaged("it is damaged") }
    return count
  }

  mutating func bytes() throws(SavedCacheError) -> [UInt8] {
    Array(try take(try count(bytesEach: 1)))
  }

  mutating func text() throws(SavedCacheError) -> String {
    String(decoding: try bytes(), as: UTF8.self)
  }

  private mutating func take(_ count: Int) throws(SavedCacheError) -> [UInt8] {
    var taken: [UInt8] = []
    taken.reserveCapacity(count)
    while taken.count < count {
      if buffer.isEmpty {
        if left == 0 { throw damaged("it is damaged") }
        try fill()
      }
      let part = buffer.prefix(count - taken.count)
      taken.append(contentsOf: part)
      buffer = buffer.dropFirst(part.count)
    }
    return taken
  }

  /// Reads the next chunk.
  private mutating func fill() throws(SavedCacheError) {
    var bytes = [UInt8](repeating: 0, count: min(left, SavedFile.chunk))
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        files.retrying {
          files.read(file, into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]))
        }
      }
      if count < 0 { throw SavedFile.error(path, "read the saved cache", Int32(count)) }
      if count == 0 { throw damaged("it is damaged, or not whole") }
      done += count
    }
    left -= bytes.count
    buffer = bytes[...]
  }
}

/// The form that writer and reader agree on.
enum SavedFile {
  static let magic = Array("evlcache".utf8)
  /// Another number where the bytes mean something else than before.
  static let version: UInt64 = 2
  static let chunk = 1 << 20
  static let start: UInt64 = 0x5eed

  /// The checksum that goes on with `bytes`, where it is `sum` before them.
  static func sum(_ bytes: ArraySlice<UInt8>, after sum: UInt64) -> UInt64 {
    bytes.withUnsafeBytes { UniversalHash.hash($0, seed: sum).hash }
  }

  static func folder(of path: String) -> String {
    let folder = (path as NSString).deletingLastPathComponent
    return folder.isEmpty ? "." : folder
  }

  static func error(_ path: String, _ action: String, _ code: Int32) -> SavedCacheError {
    .file(StoreError(code, action, path))
  }
}
