/// The classes of requests while they are read, numbered in order of first appearance.
struct ClassBuffer: ~Copyable {
  /// By request: its class.
  private(set) var places = ColumnBuffer<UInt32>()
  private(set) var names: [String] = []
  private var numbers: [String: UInt32] = [:]
  /// The class that was numbered last, and its place: most requests share it with the one before.
  private var last: (number: UInt64, place: UInt32)?

  /// Bytes of the requests' classes so far.
  var usedBytes: Int { places.usedBytes }

  /// Appends the class of a request. One dictionary lookup.
  mutating func append(name: String) {
    let next = UInt32(names.count)
    let number = numbers[name] ?? next
    if number == next {
      numbers[name] = next
      names.append(name)
    }
    places.append(number)
  }

  /// Appends the class of a request, which is a number.
  @inline(__always)
  mutating func append(number: UInt64) {
    if let last, last.number == number {
      places.append(last.place)
    } else {
      appendOther(number: number)
    }
  }

  @inline(never)
  private mutating func appendOther(number: UInt64) {
    append(name: "\(number)")
    last = places.last.map { (number, $0) }
  }

  /// Forgets all requests, and no name.
  mutating func removeRequests() { places.truncate(to: 0) }
}
