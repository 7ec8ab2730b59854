import DiskTier
import Eviction
import Foundation

// Uses a cache that other processes use, too, and ends with 0 if nothing surprising happened:
//
//     CacheWorker FOLDER SECONDS SEED lru|fifo
let words = CommandLine.arguments
func end(_ code: Int32, _ message: String) -> Never {
  FileHandle.standardError.write(Data((message + "\n").utf8))
  exit(code)
}
guard words.count == 5, let seconds = Double(words[2]), let seed = UInt64(words[3]) else {
  end(64, "CacheWorker FOLDER SECONDS SEED lru|fifo")
}
let countLimit = 200

func work(_ policy: CachePolicy) throws {
  var options = DiskCacheOptions()
  options.store.sharing = .shared
  options.store.inlineThreshold = 300
  options.store.touchesPerFlush = 16
  let cache = try DiskCache<String, [UInt8]>.open(
    path: words[1], countLimit: countLimit, policy: policy, options: options, coder: .bytes)
  var random = SplitMix64(seed: seed)
  let deadline = ContinuousClock.now + .seconds(seconds)
  var operations = 0
  while ContinuousClock.now < deadline {
    let number = random.index(below: 600)
    let key = "\(number)"
    operations += 1
    switch random.index(below: 10) {
    case 0: try cache.remove(key)
    case 1...3:
      let size = random.index(below: 600)
      try cache.set([UInt8](repeating: UInt8(number & 0xFF), count: size), forKey: key)
    case 4 where operations % 50 == 0: try cache.removeAll()
    default:
      let value = try cache.value(forKey: key)
      if let value, value.contains(where: { $0 != UInt8(number & 0xFF) }) {
        end(1, "\(key): the value of another key")
      }
    }
  }
  print("\(operations) operations, \(cache.statistics)")
}

do {
  switch words[4] {
  case "lru": try work(.lru)
  default: try work(.fifo)
  }
} catch {
  end(1, "\(error)")
}
