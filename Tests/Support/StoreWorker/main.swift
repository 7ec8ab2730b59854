import DiskTier
import Eviction
import Foundation
import StoreFaults

// Runs random steps against a store until it is killed, logging each before and after:
//
//     StoreWorker FOLDER LOG SEED STEPS FIRST-VALUE KEYS DURABILITY [KILL-AT]
//     StoreWorker read FOLDER KEYS MAPPED-BYTES
//
// A line of the log is a step; a line `done` after it says that the store has acknowledged it. With KILL-AT
// the worker kills itself before that many calls to the disk.
//
// `read` asks for every key once, and leaves errors alone.
let words = CommandLine.arguments
if words.count == 5, words[1] == "read", let keys = Int(words[3]), let mapped = Int(words[4]) {
  // A mapped page that cannot be read ends the process here, and is no reason for a backtrace.
  signal(SIGBUS, SIG_DFL)
  var options = StoreOptions()
  options.mappedBytes = mapped
  let store = try? HybridStore(path: words[2], options: options)
  for key in 0..<keys { _ = try? store?.get(StoreStep.name(key)) }
  exit(0)
}
guard words.count >= 8, let seed = UInt64(words[3]), let steps = Int(words[4]),
  let firstValue = Int(words[5]), let keys = Int(words[6]),
  let durability = Durability(rawValue: words[7])
else {
  print("StoreWorker FOLDER LOG SEED STEPS FIRST-VALUE KEYS DURABILITY [KILL-AT]")
  exit(64)
}
let killAt = words.count > 8 ? Int(words[8]) : nil
let log = open(words[2], O_WRONLY | O_CREAT | O_APPEND, 0o644)

func note(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  guard write(log, bytes, bytes.count) == bytes.count else { exit(74) }
}

let disk = FaultyDisk { number, _ in
  if number == killAt { kill(getpid(), SIGKILL) }
  return nil
}
var options = StoreOptions()
options.inlineThreshold = StoreStep.threshold
options.durability = durability
options.logLimit = 1 << 16
options.touchesPerFlush = 4
let store = try HybridStore(
  path: words[1], options: options,
  environment: killAt == nil ? StoreEnvironment() : disk.environment)
var generator = SplitMix64(seed: seed)
for step in StoreStep.random(steps, keys: keys, firstValue: firstValue, using: &generator) {
  note(step.line)
  try step.run(on: store)
  note("done")
}
try store.close()
note("closed")
