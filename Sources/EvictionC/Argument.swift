import CEvictionLab

/// Checks of what a caller passes. `name` is the parameter's name in the header.
enum Argument {
  /// Returns what is there.
  static func present<Value>(_ value: Value?, _ name: String) throws(CallFailure) -> Value {
    guard let value else { throw .usage("\(name) is NULL; pass a pointer") }
    return value
  }

  /// Returns the place of a result, which is NULL until the call succeeds.
  static func place<Pointer>(
    _ place: UnsafeMutablePointer<Pointer?>?, _ name: String
  ) throws(CallFailure) -> UnsafeMutablePointer<Pointer?> {
    let place = try present(place, name)
    place.pointee = nil
    return place
  }

  /// Returns a number as an `Int`.
  static func number(_ value: UInt64, _ name: String) throws(CallFailure) -> Int {
    guard let number = Int(exactly: value) else {
      throw .usage("\(name) is \(value); give at most \(Int.max)")
    }
    return number
  }

  /// Returns true for 1 and false for 0.
  static func flag(_ value: UInt32, _ name: String) throws(CallFailure) -> Bool {
    if value > 1 { throw .usage("\(name) is \(value); give 0 or 1") }
    return value == 1
  }

  /// Returns a text.
  static func text(_ pointer: UnsafePointer<CChar>?, _ name: String) throws(CallFailure) -> String {
    guard let text = String(validatingCString: try present(pointer, name)) else {
      throw .usage("\(name) is not UTF-8; convert it")
    }
    return text
  }

  /// Returns the texts of a list, at least one.
  static func texts(
    _ list: UnsafePointer<UnsafePointer<CChar>?>?, _ count: UInt64, _ name: String
  ) throws(CallFailure) -> [String] {
    let list = try present(list, name)
    if count == 0 { throw .usage("\(name) is empty; give at least one") }
    if count > mostTexts { throw .usage("\(name) has \(count) texts; give at most \(mostTexts)") }
    var texts: [String] = []
    for index in 0..<Int(count) { texts.append(try text(list[index], "\(name)[\(index)]")) }
    return texts
  }

  private static let mostTexts = 100_000

  /// Returns the elements of an array, whose number is known to be one.
  static func elements<Element: BitwiseCopyable>(
    _ start: UnsafePointer<Element>?, _ count: UInt64, _ name: String
  ) throws(CallFailure) -> UnsafeBufferPointer<Element> {
    let start = try present(start, name)
    if UInt(bitPattern: start) % UInt(MemoryLayout<Element>.alignment) != 0 {
      throw .usage("\(name) is not aligned; copy it to where malloc gives memory")
    }
    guard let number = Int(exactly: count), number <= Int.max / MemoryLayout<Element>.stride else {
      throw .usage("\(name) cannot have \(count) elements; check the count")
    }
    return UnsafeBufferPointer(start: start, count: number)
  }

  /// Returns bytes; of none, the pointer may be NULL.
  static func bytes(
    _ start: UnsafeRawPointer?, _ length: UInt64, _ name: String
  ) throws(CallFailure) -> UnsafeRawBufferPointer {
    let count = try number(length, "\(name)_length")
    if start == nil && count > 0 { throw .usage("\(name) is NULL; pass a pointer") }
    return UnsafeRawBufferPointer(start: start, count: count)
  }
}
