import Foundation
import Parameters

/// Feeds libFuzzer's inputs to one trace reader; compiled into the module of the readers, so that it can
/// seal what a checksum protects.
///
/// An input's first line holds parameters as `:key=value`, mostly none, and the rest is the file: a new
/// format needs no harness of its own. `FUZZ_FORMAT` names the reader: a format, or `detect` for whatever
/// is recognised, packed or not. Without it the names of all readers are printed.
@_cdecl("LLVMFuzzerInitialize")
public func initializeFuzzer(
  _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer
) -> CInt {
  if TraceFuzzer.name.isEmpty {
    print((TraceFormats.all.map { $0.information.name } + ["detect"]).joined(separator: "\n"))
    exit(0)
  }
  return 0
}

/// Reads one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  TraceFuzzer.read(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

enum TraceFuzzer {
  static let name = ProcessInfo.processInfo.environment["FUZZ_FORMAT", default: ""]

  /// A few bytes may ask for a great many requests, as a read of gigabytes does; a limit bounds them.
  private static let limit = 1 << 12

  /// Reads an input as a file: an error is an answer, anything worse ends the process.
  static func read(_ input: [UInt8]) {
    let line = input.prefix { $0 != 0x0A }
    let options = String(decoding: line, as: UTF8.self)
    var file = Array(input.dropFirst(line.count + 1))
    if file.starts(with: EvtHeader.magic) { seal(&file) }
    let format = name == "detect" ? nil : name + options
    guard let trace = load(file, format, columns: .all, limit: limit) else { return }
    check(trace)
    // What reads well whole reads alike in part.
    let half = max(1, trace.requests / 2)
    guard let part = load(file, format, columns: [], limit: half) else {
      fatalError("\(trace.requests) requests can be read, \(half) of them cannot")
    }
    precondition(part.ids.elementsEqual(trace.ids.prefix(half)), "a part has other keys")
  }

  private static func load(
    _ file: [UInt8], _ format: String?, columns: TraceColumns, limit: Int
  ) -> Trace? {
    do throws(TraceError) {
      return try TraceLoader.load(
        bytes: file, name: "fuzz", format: format, columns: columns, limit: limit)
    } catch {
      precondition(!error.description.isEmpty && !error.description.contains("\n"), "not one line")
      return nil
    }
  }

  /// Checks the promises of every trace.
  private static func check(_ trace: Trace) {
    precondition(trace.requests > 0 && trace.requests <= limit, "the limit is not kept")
    var next: UInt32 = 0
    for id in trace.ids {
      precondition(id <= next, "ids are not numbered by first appearance")
      if id == next { next += 1 }
    }
    precondition(Int(next) == trace.distinct, "the distinct keys are miscounted")
    let isWhole =
      [trace.sizes?.count, trace.times?.count, trace.operations?.count, trace.ttls?.count]
      + [trace.costs?.count, trace.classes?.count]
    precondition(isWhole.allSatisfy { $0 ?? trace.requests == trace.requests }, "a column is short")
    trace.classes?.forEach { precondition(Int($0) < trace.classNames.count, "a class has no name") }
    trace.keyLengths.map { precondition($0.count == trace.distinct, "a length is missing") }
  }

  /// Makes the checksums of an evt file right, which no mutation would ever hit.
  private static func seal(_ file: inout [UInt8]) {
    guard file.count >= EvtHeader.size else { return }
    file.withUnsafeMutableBytes { bytes in
      var place = EvtHeader.size
      for section in EvtSection.allCases {
        let slot = EvtHeader.slots + 16 * section.rawValue
        let count = UnsafeRawBufferPointer(bytes).uint64(at: slot)
        guard count <= UInt64(bytes.count) else { break }
        let end = place + Int(count).rounded(upTo: EvtHeader.alignment)
        guard end <= bytes.count else { break }
        if end > place { bytes.put(Self.checksum(of: bytes[place..<end]), at: slot + 8) }
        place = end
      }
      bytes.put(UInt64(bytes.count), at: 32)
      bytes.put(UInt64(0), at: EvtHeader.checksum)
      bytes.put(Self.checksum(of: bytes[..<EvtHeader.size]), at: EvtHeader.checksum)
    }
  }

  private static func checksum(of bytes: Slice<UnsafeMutableRawBufferPointer>) -> UInt64 {
    XXHash64.checksum(of: UnsafeRawBufferPointer(UnsafeMutableRawBufferPointer(rebasing: bytes)))
  }
}
