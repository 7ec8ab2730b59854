import CEvictionLab
import Parameters
import Results

/// Returns the version of the interface that this library has.
///
/// Functions of this target have C names by `@_cdecl`: `@c`, which came later, needs a newer compiler than the package.
@_cdecl("evl_abi_version")
public func abiVersion() -> UInt32 { UInt32(EVL_ABI_VERSION) }

private let programVersion = CText(Environment.currentVersion)

/// Returns the version of the program.
@_cdecl("evl_version")
public func version() -> UnsafePointer<CChar> { programVersion.pointer }

/// Frees memory that a caller owns.
@_cdecl("evl_free")
public func freeMemory(_ memory: UnsafeMutableRawPointer?) { free(memory) }

/// A text of C that lives as long as this object.
final class CText: @unchecked Sendable {
  let pointer: UnsafePointer<CChar>

  init(_ text: String) {
    guard let copy = strdup(text) else { fatalError("out of memory: a text") }
    pointer = UnsafePointer(copy)
  }

  deinit { free(UnsafeMutablePointer(mutating: pointer)) }
}

/// Copies of values in memory that the caller frees.
enum Copies {
  /// Returns a copy of the bytes; one of no bytes is not NULL.
  static func of(_ bytes: UnsafeRawBufferPointer) throws(CallFailure) -> UnsafeMutableRawPointer {
    guard let copy = malloc(max(1, bytes.count)) else {
      throw CallFailure(EVL_MEMORY, "no memory for \(bytes.count) bytes; free some")
    }
    if let start = bytes.baseAddress { memcpy(copy, start, bytes.count) }
    return copy
  }

  /// Returns a copy of the elements.
  static func of<Element: BitwiseCopyable>(
    _ elements: [Element]
  ) throws(CallFailure) -> UnsafeMutablePointer<Element> {
    let copy = try elements.withUnsafeBufferPointer { (elements) throws(CallFailure) in
      try of(UnsafeRawBufferPointer(elements))
    }
    return copy.assumingMemoryBound(to: Element.self)
  }
}
