import CInline
import Foundation

extension Claim {
  /// Kills in the middle of writes.
  static let atomicWritesAreNeverTorn = Claim(
    "C25", "Atomic writes never leave a torn file.",
    hypothesis: "A process that is killed while it writes leaves a whole version of the file where "
      + "it writes to another and renames; where it writes in place, it leaves a torn one.",
    effect: "torn files / kills",
    note: "the death of a process, not of the machine",
    conditions: [
      ClaimCondition(["write": "atomic"], .neverHappens) { try kill(&$0, isAtomic: true) },
      ClaimCondition(["write": "in place (control)"], .happens) { try kill(&$0, isAtomic: false) },
    ])

  private static let size = 1 << 18
  private static let kills = 120

  /// The files that are neither the old version nor the new one after kills at random moments.
  private static func kill(_ context: inout TrialContext, isAtomic: Bool) throws -> Trial {
    let path = "\(context.folder)/file"
    try PlainFile.writeAtomically([UInt8](repeating: 1, count: size), to: path, syncs: false)
    var torn = 0
    for _ in 0..<kills {
      let writer = evl_fork_writer(path, path + ".new", size, isAtomic ? 1 : 0)
      if writer < 0 { throw PlainFile.Failure("start a writer of", path) }
      usleep(UInt32(context.random.index(below: 2_000)))
      Foundation.kill(writer, SIGKILL)
      var status: Int32 = 0
      while waitpid(writer, &status, 0) < 0, errno == EINTR {}
      let bytes = try PlainFile.read(path)
      if bytes.count != size || bytes.contains(where: { $0 != bytes[0] }) { torn += 1 }
    }
    return Trial(claimed: Double(torn), other: Double(kills))
  }
}
