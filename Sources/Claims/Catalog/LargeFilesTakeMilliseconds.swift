extension Claim {
  /// The times of files of hundreds of kilobytes.
  static let largeFilesTakeMilliseconds = Claim(
    "C24", "Files of hundreds of KB take 10–19 ms; ten such reads pass 100 ms.",
    hypothesis: "Reading or writing a file of 300 KB takes 10 ms or more; ten reads take 100 ms "
      + "or more.",
    effect: "time / 10 ms (ten reads: / 100 ms)",
    note: "the figures are of the phones of the claim's time; what is tested is this machine",
    conditions: ["read warm", "read cold", "ten reads cold", "write", "write with fsync"].map {
      work in
      ClaimCondition(["work": work], ClaimRule(.ratio, .above, 1 / (1 + ClaimRule.timeMargin))) {
        context in
        let paths = (0..<10).map { "\(context.folder)/\($0)" }
        let value = context.bytes(300_000)
        let isRead = work.contains("read")
        let used = work.hasPrefix("ten") ? paths : [paths[0]]
        if isRead {
          for path in used { try PlainFile.writeAtomically(value, to: path, syncs: true) }
        }
        if work.contains("cold") { PlainFile.forget(context.folder) }
        let time = try nanoseconds {
          for path in used {
            if isRead {
              keep(try PlainFile.read(path))
            } else {
              try PlainFile.writeAtomically(value, to: path, syncs: work.contains("fsync"))
            }
          }
        }
        return Trial(claimed: time, other: 1e7 * Double(used.count))
      }
    })
}
