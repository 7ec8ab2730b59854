import Eviction
import Testing

@Suite("Frequency sketches")
struct FrequencySketchTests {
  @Test("After a sample of additions every frequency is halved")
  func aging() {
    // Eight objects, so that the sample is 16.
    var sketch = FrequencySketch(samplesPerObject: 2)
    for _ in 0..<6 { sketch.record(0) }
    for key in 1...9 { sketch.record(UInt64(key) << 20) }
    #expect(sketch.frequency(of: 0) == 15 && sketch.additions == 15 && sketch.sample == 16)
    // All keys of one block and one column: its four counters reach 15, and the last is elsewhere:
    // 8 odd counters are taken for two additions.
    sketch.record(.max << 44)
    #expect(sketch.frequency(of: 0) == 7 && sketch.frequency(of: .max << 44) == 0)
    #expect(sketch.additions == (16 - 2) / 2)
  }

  @Test("Requests of a key with full counters are no additions")
  func saturation() {
    var sketch = FrequencySketch(samplesPerObject: 2)
    for _ in 0..<100 { sketch.record(0) }
    #expect(sketch.frequency(of: 0) == 15 && sketch.additions == 15)
  }

  @Test("A doorkeeper takes the first request, and halving empties it")
  func doorkeeper() {
    var sketch = FrequencySketch(samplesPerObject: 1, hasDoorkeeper: true)
    sketch.record(0)
    #expect(sketch.frequency(of: 0) == 1)
    for _ in 0..<6 { sketch.record(0) }
    #expect(sketch.frequency(of: 0) == 7 && sketch.additions == 7)
    // The counters hold 7 when the eighth addition halves them: 3, as the doorkeeper's is gone.
    sketch.record(0)
    #expect(sketch.frequency(of: 0) == 3)
    #expect(sketch.additions == (8 - 1) / 2)
  }

  @Test("The sample follows the largest number of residents, down only by a limit")
  func sampleFollowsResidents() {
    var sketch = FrequencySketch()
    #expect(sketch.sample == 80)
    for _ in 0..<12 { sketch.record(0) }
    sketch.note(residents: 100)
    sketch.note(residents: 50)
    #expect(sketch.sample == 1_000 && sketch.frequency(of: 0) == 12)
    // Block 12 of what are 16 now shared the only block before, and counts alone from here on.
    sketch.record(12)
    #expect(sketch.frequency(of: 12) == 13 && sketch.frequency(of: 0) == 12)
    for key in 0..<UInt64(100) { sketch.record(SplitMix64.mix(key)) }
    sketch.limit(residents: 200)
    #expect(sketch.sample == 1_000 && sketch.additions == 113)
    sketch.limit(residents: 9)
    #expect(sketch.sample == 90 && sketch.additions <= 45 && sketch.frequency(of: 0) == 6)
    sketch.note(residents: 10)
    #expect(sketch.sample == 100)
  }
}
