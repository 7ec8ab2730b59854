import Foundation

/// The conversion of a disk cache's values into bytes and back.
///
///     let pages = ValueCoder<Page>(
///       name: "page", encode: { $0.serialized() }, decode: { try Page(parsing: $0) })
///
/// A disk cache calls both functions without any lock held, from the threads that use it.
public struct ValueCoder<Value: Sendable>: Sendable {
  /// The name of the format that the coder writes. It is kept with the values: a cache is opened with no coder of another
  /// name (``StoreOptions/format``). Give a coder whose bytes mean something else another name.
  public let name: String
  /// A value's bytes.
  public let encode: @Sendable (Value) throws -> [UInt8]
  /// The value of such bytes. If it throws, the cache has a miss and removes them.
  public let decode: @Sendable ([UInt8]) throws -> Value

  /// A coder of two functions, each the other's inverse.
  public init(
    name: String, encode: @escaping @Sendable (Value) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> Value
  ) {
    self.name = name
    self.encode = encode
    self.decode = decode
  }
}

extension ValueCoder where Value: Codable {
  /// JSON: readable, and slower than a format of one's own. Its name is “json”, whatever the type: when the type
  /// changes, so that it does not decode what is stored, name the format (``StoreOptions/format``).
  public static var json: ValueCoder {
    ValueCoder(
      name: "json", encode: { Array(try JSONEncoder().encode($0)) },
      decode: { try JSONDecoder().decode(Value.self, from: Data($0)) })
  }
}

extension ValueCoder where Value == [UInt8] {
  /// The bytes themselves.
  public static var bytes: ValueCoder {
    ValueCoder(name: "bytes", encode: { $0 }, decode: { $0 })
  }
}

extension ValueCoder where Value == Data {
  /// The bytes themselves.
  public static var data: ValueCoder {
    ValueCoder(name: "data", encode: { Array($0) }, decode: { Data($0) })
  }
}

extension ValueCoder where Value == String {
  /// UTF-8. What is not well-formed cannot be decoded.
  public static var text: ValueCoder {
    ValueCoder(
      name: "text", encode: { Array($0.utf8) },
      decode: { bytes in
        guard let text = String(validating: bytes, as: UTF8.self) else {
          throw CocoaError(.fileReadInapplicableStringEncoding)
        }
        return text
      })
  }
}
