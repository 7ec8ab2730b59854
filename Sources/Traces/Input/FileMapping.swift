import CInline

/// A file's bytes as memory, read from the disk when they are looked at.
///
/// The file must not be shortened while it is mapped; one that is replaced, as ``TraceWriter``
/// does it, stays as it was.
package final class FileMapping: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer

  /// Nil when the system refuses.
  init?(descriptor: Int32, count: Int) {
    guard count > 0, let base = evl_map_file(descriptor, count) else { return nil }
    bytes = UnsafeRawBufferPointer(start: base, count: count)
  }

  deinit { evl_unmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
}

/// Bytes that stay where they are as long as somebody holds them.
struct HeldBytes {
  let bytes: UnsafeRawBufferPointer
  let owner: AnyObject & Sendable

  /// Bytes that were mapped, or a part of them.
  init(_ bytes: Slice<UnsafeRawBufferPointer>, of mapping: FileMapping) {
    self.bytes = UnsafeRawBufferPointer(rebasing: bytes)
    owner = mapping
  }

  /// The first bytes of a block of memory.
  init(_ memory: consuming RawMemory, count: Int) {
    let held = HeldMemory(memory)
    bytes = UnsafeRawBufferPointer(start: held.memory.base, count: count)
    owner = held
  }

  private final class HeldMemory: Sendable {
    let memory: RawMemory

    init(_ memory: consuming RawMemory) { self.memory = memory }
  }
}
