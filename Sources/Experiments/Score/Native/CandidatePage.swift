import EvictionCore
import Parameters

/// The facts that a candidate's process passes on of its policy: `page 1 41 0`.
struct CandidatePage: Sendable {
  let needs: RequestNeeds
  let bytesPerEntry: Int
  let isBound: Bool

  init(needs: RequestNeeds, bytesPerEntry: Int, isBound: Bool) {
    self.needs = needs
    self.bytesPerEntry = bytesPerEntry
    self.isBound = isBound
  }

  /// The facts of a line; nil for another line.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 4, words[0] == "page", let needs = UInt8(words[1]),
      let bytes = Int(words[2])
    else { return nil }
    self.init(
      needs: RequestNeeds(rawValue: needs), bytesPerEntry: bytes, isBound: words[3] == "1")
  }

  /// The line.
  var text: String { "page \(needs.rawValue) \(bytesPerEntry) \(isBound ? 1 : 0)" }
}
