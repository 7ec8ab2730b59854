import Foundation

/// A type of keys, made of a key's number.
protocol BenchmarkKey: Hashable, Sendable {
  init(numbered number: UInt64)
}

extension UInt64: BenchmarkKey {
  init(numbered number: UInt64) { self = number }
}

extension String: BenchmarkKey {
  init(numbered number: UInt64) { self = "https://example.org/\(number >> 16)" }
}

/// The requests of one thread, in their order: a key comes with its request, as looking it up would cost as
/// much as some of the caches.
struct Requests<Key: BenchmarkKey>: Sendable {
  let keys: [Key]
  /// A number from 0 to 99 for each: below the percentage of sets, the request is one.
  let rolls: [UInt8]
}

/// The files of a folder: `keys.bin` has eight bytes a key, from the most popular on, and `requests-0.bin`, and so
/// on, four bytes a request: 24 bits of a key's place, and a roll.
struct Folder {
  let path: String
  /// The keys' numbers, the most popular first.
  let numbers: [UInt64]

  init(path: String) throws {
    self.path = path
    numbers = try Folder.read("\(path)/keys.bin")
  }

  /// The requests of every file; of texts the first half, as they take ten times the memory.
  func requests<Key: BenchmarkKey>(of type: Key.Type) throws -> [Requests<Key>] {
    var all: [Requests<Key>] = []
    while FileManager.default.fileExists(atPath: "\(path)/requests-\(all.count).bin") {
      let file: [UInt32] = try Folder.read("\(path)/requests-\(all.count).bin")
      let words = type == String.self ? file.prefix(file.count / 2) : file[...]
      all.append(
        Requests(
          keys: words.map { Key(numbered: numbers[Int($0 & 0xFF_FFFF)]) },
          rolls: words.map { UInt8($0 >> 24) }))
    }
    return all
  }

  private static func read<Word: FixedWidthInteger>(_ path: String) throws -> [Word] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return [Word](unsafeUninitializedCapacity: data.count / MemoryLayout<Word>.stride) {
      words, count in
      count = data.copyBytes(to: words) / MemoryLayout<Word>.stride
    }
  }
}
