import Eviction
import Testing

@Suite("Slot arrays")
struct SlotArrayTests {
  @Test("What was written stays when the array grows, and the rest is blank")
  func growthKeepsRecords() {
    var array = SlotArray<UInt16>(repeating: 7, slots: 2)
    array[1] = 9
    array.reserve(slots: 4)
    array.reserve(slots: 1)
    array[3] += 1
    #expect((0..<4).map { array[$0] } == [7, 9, 7, 8])
    array.removeAll()
    #expect((0..<4).map { array[$0] } == [7, 7, 7, 7])
  }
}
