// One of the programs that Tests/Benchmarks/threads.py runs rounds of: this project's caches, and what a Swift
// program would use instead. It reads lines and answers each with a line of JSON:
//
//     fill CACHE KEYS CAPACITY           makes a cache for keys of a type (UInt64, String), full of the most popular ones
//     run FIRST THREADS MIX SECONDS      lets threads serve the requests of as many files, from one on; MIX is `miss`
//                                        or the percentage of sets
//
//     ThreadBenchmark FOLDER
import CInline
import Foundation

/// The requests of the type of keys in use, and the cache that was filled.
struct Session {
  let folder: Folder
  private var integers: [Requests<UInt64>] = []
  private var texts: [Requests<String>] = []
  private var subject: Subject?

  init(_ folder: Folder) { self.folder = folder }

  mutating func answer(_ line: String) throws -> String {
    let words = line.split(separator: " ")
    if words.count == 4, words[0] == "fill", let capacity = Int(words[3]) {
      return try fill(String(words[1]), keys: words[2], capacity: capacity)
    }
    if words.count == 5, words[0] == "run", let first = Int(words[1]), let threads = Int(words[2]),
      let mix = Mix(words[3]), let seconds = Double(words[4]), let subject
    {
      return summary(subject.run(first..<first + threads, mix, seconds))
    }
    return "{\"error\": \"not understood: \(line)\"}"
  }

  private mutating func fill(_ name: String, keys: Substring, capacity: Int) throws -> String {
    subject = nil
    if keys == "String" {
      integers = []
      if texts.isEmpty { texts = try folder.requests(of: String.self) }
    } else {
      texts = []
      if integers.isEmpty { integers = try folder.requests(of: UInt64.self) }
    }
    let before = residentBytes()
    subject =
      keys == "String"
      ? makeSubject(name, texts, capacity: capacity)
      : makeSubject(name, integers, capacity: capacity)
    guard let subject else { return "{\"error\": \"no such cache: \(name)\"}" }
    subject.fill(folder.numbers.prefix(capacity))
    let count = subject.count()
    let bytes = before.flatMap { before in residentBytes().map { $0 - before } }
    return """
      {"entries": \(count), \
      "bytesPerEntry": \(bytes.map { "\(Double($0) / Double(max(count, 1)))" } ?? "null")}
      """
  }

  /// Memory of this process in use, without what was freed; nil where the system does not tell.
  private func residentBytes() -> Int? {
    evl_release_free_memory()
    let words = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      .split(separator: " ")
    return words.flatMap { Int($0[1]) }.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
  }
}

@main
enum ThreadBenchmark {
  static func main() throws {
    guard let path = CommandLine.arguments.dropFirst().first else {
      print("usage: ThreadBenchmark FOLDER")
      exit(64)
    }
    var session = Session(try Folder(path: path))
    while let line = readLine() {
      print(try session.answer(line))
      fflush(nil)
    }
  }

}
