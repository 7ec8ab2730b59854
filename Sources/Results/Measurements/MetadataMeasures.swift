/// A policy's own memory, charged to the capacity.
package struct MetadataMeasures: Documented {
  /// The bytes of a ghost's key and its entry in the index of keys: 8 of a number or a hash, and the 14 of
  /// `MemoryCache`'s index.
  package static let bytesPerGhostKey = 22

  package var effectiveCapacity = 0
  /// Nil where the capacity counts bytes.
  package var objectSize: Int?
  package var bytesPerSlot = 0
  package var peakSlots = 0
  package var peakGhosts = 0
  /// The bytes of the model and of the rows of a policy that learns.
  package var learnedBytes = 0
  package var bytes = 0

  /// Nothing counted yet.
  package init() {}

  package static let fields: [Field<MetadataMeasures>] = [
    Field(
      "effectiveCapacity", \.effectiveCapacity,
      "the capacity of the run, in `unit`: what the metadata leave of `capacity`", .exact,
      as: .count),
    Field(
      "objectSize", \.objectSize,
      "the bytes of an object (`--object-size`); `null` where the capacity counts bytes", .exact),
    Field(
      "bytesPerSlot", \.bytesPerSlot, "the policy's bytes for a resident or a ghost", .exact,
      as: .count),
    Field(
      "peakSlots", \.peakSlots, "the most residents and ghosts at once, after a miss", .exact,
      as: .count),
    Field("peakGhosts", \.peakGhosts, "the most ghosts at once, after a miss", .exact, as: .count),
    .omittable(
      "learnedBytes", \.learnedBytes, "the bytes of the model and of the rows of trainings", .exact),
    Field(
      "bytes", \.bytes,
      "`bytesPerSlot` × `peakSlots` + \(bytesPerGhostKey) × `peakGhosts` + `learnedBytes`; at most "
        + "what `effectiveCapacity` leaves of `capacity`", .exact, as: .count),
  ]
}
