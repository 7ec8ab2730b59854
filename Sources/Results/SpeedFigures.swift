/// How fast a run was, in figures that can be compared with those of another day.
public struct SpeedFigures: Sendable, Equatable {
  /// Machine instructions of the whole run, as callgrind counts them; nil where it is not installed.
  ///
  /// They depend on the program, its compiler and the kind of processor, hardly on anything else.
  public var instructions: Int?
  /// The processor time of a request in units of one step of the calibration loop, one figure a round.
  ///
  /// Both share a process and a moment, so what slows the machine down slows both.
  public var ratios: [Double]

  /// The figures of a run.
  public init(instructions: Int? = nil, ratios: [Double] = []) {
    self.instructions = instructions
    self.ratios = ratios
  }
}
