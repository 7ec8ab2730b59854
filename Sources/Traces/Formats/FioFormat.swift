import Parameters

/// The requests that `fio` has logged by `write_iolog`, versions 2 and 3.
///
///     fio version 3 iolog
///     872 /dev/sda open
///     878 /dev/sda write 0 16384
///
/// A line has the time in microseconds (version 3 only), file, action, offset and length in bytes; the file is the volume. See
/// ``BlockRequests`` for keys and sizes. Actions other than `read` and `write` are no requests; trimmed blocks stay.
///
/// Source: fio.readthedocs.io, “Trace file format”.
struct FioFormat: TraceFormat {
  static let information = CatalogEntry(
    name: "fio", summary: "fio's iologs, versions 2 and 3: [time] file read|write offset length",
    parameters: BlockRequests.parameters)

  private enum Action { case read, write, other }

  private static let actions = Words<Action>([
    (.read, "read"), (.write, "write"),
    (.other, "add open close wait sync datasync sync_file_range trim"),
  ])

  private let requests: BlockRequests

  init(_ arguments: Arguments) { requests = BlockRequests(arguments) }

  private static let versions: [(line: String, hasTimes: Bool)] = [
    ("fio version 2 iolog", false), ("fio version 3 iolog", true),
  ]

  static func recognition(of sample: TraceSample) -> Recognition {
    versions.contains { sample.firstLine.elementsEqual($0.line.utf8) } ? .certain : .no
  }

  func read(from input: TraceInput, into builder: inout TraceBuilder) throws(TraceError) {
    var lines = TextLines(input)
    guard try lines.next() else { return }
    let version = Self.versions.first { lines.text.elementsEqual($0.line.utf8) }
    guard let version else {
      throw lines.malformed("not 'fio version 2 iolog', nor 3")
    }
    let splitter = FieldSplitter(delimiter: UInt8(ascii: " "), most: 5)
    let fields = splitter.fields
    let first = version.hasTimes ? 1 : 0
    var requests = BlockExpansion(
      requests, version.hasTimes ? [.sizes, .times, .operations] : [.sizes, .operations],
      wanted: builder.wanted)
    let actions = Self.actions
    while !builder.isFull, try lines.next() {
      let found = splitter.split(lines.text)
      guard found > first + 1 else { throw lines.malformed("\(found) fields") }
      guard let action = actions[fields[first + 1]] else {
        throw lines.wrong(fields[first + 1], "action")
      }
      if action == .other { continue }
      guard found == first + 4 else { throw lines.malformed("no offset and length") }
      guard let offset = fields[first + 2].wholeNumber else {
        throw lines.wrong(fields[first + 2], "offset")
      }
      guard let length = fields[first + 3].wholeNumber else {
        throw lines.wrong(fields[first + 3], "length")
      }
      if requests.details.has(.times) {
        guard let time = fields[0].duration(unit: .microsecond) else {
          throw lines.wrong(fields[0], "time")
        }
        requests.details.time = time
      }
      requests.details.operation = action == .read ? .read : .write
      requests.begin()
      requests.append(volume: fields[first])
      guard try requests.append(offset: offset, length: length, count: 1, to: &builder) else {
        throw lines.malformed("a request of \(length) bytes from \(offset)")
      }
    }
  }
}
