import Results
import Testing

/// Capacities as reports show them.
@Suite struct CapacityLabelTests {
  @Test func byteCapacitiesAreReadable() {
    var measurement = Measurement(kind: .sweep, trace: "t", policy: "lru", capacity: 64 << 20)
    #expect(measurement.capacityLabel == "67108864")
    measurement.unit = .bytes
    #expect(measurement.capacityLabel == "64MiB")
    measurement.capacity += 1
    #expect(measurement.capacityLabel == "67108865B")
    #expect(Measurement.text(of: 278_854_232, .bytes) == "265.9MiB")
    #expect(Measurement.text(of: 64 << 20, .bytes) == "64MiB")
    #expect(Measurement.text(of: 278_854_232, .objects) == "278854232")
  }
}
