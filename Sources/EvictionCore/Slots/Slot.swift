/// A dense integer that stands for a key.
///
/// A policy never sees a key. In a simulation the slot is the trace's id; in a cache the index maps
/// a key to its slot, and slots are recycled once the policy has forgotten them.
public typealias Slot = UInt32
