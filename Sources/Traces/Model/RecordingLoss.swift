/// The parts of what happened that a recorded trace lacks.
public struct RecordingLoss: Sendable, Hashable {
  /// True if the recording was stopped before the end of the program.
  public var isCutOff: Bool
  /// Events that came faster than they could be recorded.
  public var droppedEvents: Int
  /// The damaged lines of a log that were left out.
  package var damagedLines = 0
  /// The first of them, with its file and the damage; empty where there is none.
  package var firstDamage = ""
  /// The lines of a log that the format's parameters leave out, or that hold no request. A trace lacks nothing by them.
  package var otherLines = 0

  /// By default nothing.
  public init(isCutOff: Bool = false, droppedEvents: Int = 0) {
    self.isCutOff = isCutOff
    self.droppedEvents = droppedEvents
  }

  /// True where nothing is missing.
  public var isNone: Bool { !isCutOff && droppedEvents == 0 && damagedLines == 0 }

  /// The parts, in a line, without the place of damage.
  package var summary: String {
    [
      isCutOff ? "the recording was stopped before the program ended" : nil,
      droppedEvents > 0 ? "\(droppedEvents) events came too fast to be recorded" : nil,
      damagedLines > 0
        ? "\(damagedLines) damaged \(damagedLines == 1 ? "line is" : "lines are") left out" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }
}

extension RecordingLoss: CustomStringConvertible {
  /// The parts, in a line.
  public var description: String {
    summary + (damagedLines > 0 ? ", the first at \(firstDamage)" : "")
  }

  /// The losses of both.
  static func + (left: RecordingLoss, right: RecordingLoss) -> RecordingLoss {
    var both = RecordingLoss(
      isCutOff: left.isCutOff || right.isCutOff,
      droppedEvents: Int(clamping: UInt(left.droppedEvents) + UInt(right.droppedEvents)))
    both.damagedLines = left.damagedLines + right.damagedLines
    both.otherLines = left.otherLines + right.otherLines
    both.firstDamage = left.firstDamage.isEmpty ? right.firstDamage : left.firstDamage
    return both
  }
}

extension Trace {
  /// The same trace, which is known to lack something.
  package func lacking(_ loss: RecordingLoss) -> Trace {
    Trace(
      name: name, format: format, ids: ids, identities: identities, sizes: sizes, times: times,
      operations: operations, ttls: ttls, costs: costs, classes: classes, classNames: classNames,
      keyLengths: keyLengths, groupStarts: groupStarts, keyTexts: keyTexts, prompts: prompts,
      formatReasons: formatReasons, loss: loss)
  }
}
