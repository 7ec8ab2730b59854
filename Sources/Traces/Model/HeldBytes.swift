/// Bytes that stay where they are as long as somebody holds them.
struct HeldBytes {
  let bytes: UnsafeRawBufferPointer
  let owner: AnyObject & Sendable

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
