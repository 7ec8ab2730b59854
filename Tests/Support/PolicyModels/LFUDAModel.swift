/// Frequency plus the age of the cache at the last request; the age is the last victim's priority.
final class LFUDAModel: PolicyModel {
  private struct Entry {
    var frequency: Int
    var priority: Int
    var lastUse: Int
  }

  private var entries: [Int: Entry] = [:]
  private var age = 0

  override var residents: [Int] { Array(entries.keys) }

  override func hit(_ key: Int) {
    let frequency = entries[key]!.frequency + 1
    entries[key] = Entry(frequency: frequency, priority: frequency + age, lastUse: now)
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity { evict() }
    sizes[key] = size
    entries[key] = Entry(frequency: 1, priority: 1 + age, lastUse: now)
    return true
  }

  override func evict() {
    let victim = entries.min {
      ($0.value.priority, $0.value.lastUse) < ($1.value.priority, $1.value.lastUse)
    }!
    age = victim.value.priority
    entries[victim.key] = nil
    reportEviction(of: victim.key)
  }

  override func forget(_ key: Int) { entries[key] = nil }
}
