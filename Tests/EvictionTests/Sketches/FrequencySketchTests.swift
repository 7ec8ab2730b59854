import Eviction
import Testing

@Suite("Frequency sketches")
struct FrequencySketchTests {
  @Test("After a sample of additions every frequency is halved")
  func aging() {
    var sketch = FrequencySketch(objects: 8, sample: 10)
    for _ in 0..<9 { sketch.record(0) }
    #expect(sketch.frequency(of: 0) == 9 && sketch.additions == 9)
    // The tenth: 10 is even, so nothing is lost to rounding.
    sketch.record(0)
    #expect(sketch.frequency(of: 0) == 5 && sketch.additions == 5)
    // Four more of the first key and one of another in other columns: four times 9 and four times 1 are
    // odd, 8 counters of 4 rows: two additions' worth.
    for _ in 0..<4 { sketch.record(0) }
    sketch.record(.max << 44)
    #expect(sketch.frequency(of: 0) == 4 && sketch.frequency(of: .max << 44) == 0)
    #expect(sketch.additions == (10 - 2) / 2)
  }

  @Test("Requests of a key with full counters are no additions")
  func saturation() {
    var sketch = FrequencySketch(objects: 8, sample: 20)
    for _ in 0..<100 { sketch.record(0) }
    #expect(sketch.frequency(of: 0) == 15 && sketch.additions == 15)
  }

  @Test("A doorkeeper takes the first request, and halving empties it")
  func doorkeeper() {
    var sketch = FrequencySketch(objects: 8, sample: 4, hasDoorkeeper: true)
    sketch.record(0)
    #expect(sketch.frequency(of: 0) == 1)
    sketch.record(0)
    sketch.record(0)
    #expect(sketch.frequency(of: 0) == 3)
    // The counters hold 3 when the fourth addition halves them: 1, as the doorkeeper's is gone.
    sketch.record(0)
    #expect(sketch.frequency(of: 0) == 1)
    #expect(sketch.additions == (4 - 1) / 2)
  }

  @Test("A smaller sample ages at once, a larger sketch forgets nothing")
  func resizing() {
    var sketch = FrequencySketch(objects: 8, sample: 100)
    for _ in 0..<12 { sketch.record(0) }
    sketch.resize(objects: 100, sample: 1_000)
    #expect(sketch.frequency(of: 0) == 12 && sketch.objects == 128 && sketch.sample == 1_000)
    sketch.resize(objects: 8, sample: 4)
    #expect(sketch.frequency(of: 0) == 6 && sketch.additions == 2)
    sketch.clear()
    #expect(sketch.frequency(of: 0) == 0 && sketch.additions == 0)
  }
}
