import Parameters

/// The parameters of ``S4FIFO``.
@usableFromInline
struct S4FIFOForm: Sendable {
  var small: Fraction
  var threshold: UInt8
  var ghosts: Fraction
  var skip: Fraction
  var reghosts: UInt8 = 0

  /// As the policy is without parameters, and then the configurations that its authors let their trees choose among
  /// (libCacheSim, commit 3415e3d).
  static let all: [S4FIFOForm] = [
    .init(small: 0.1, threshold: 2, ghosts: 0.9, skip: 0),
    .init(small: 0.2, threshold: 1, ghosts: 0.9, skip: 0.25),
    .init(small: 0.2, threshold: 1, ghosts: 3, skip: 0.25),
    .init(small: 0.04, threshold: 2, ghosts: 0.6, skip: 0.8),
    .init(small: 0.5, threshold: 1, ghosts: 0.9, skip: 0.25),
    .init(small: 0.3, threshold: 1, ghosts: 6, skip: 0.25),
    .init(small: 0.13, threshold: 8, ghosts: 8, skip: 0.25),
    .init(small: 0.03, threshold: 3, ghosts: 1.5, skip: 0.2),
    .init(small: 0.1, threshold: 20, ghosts: 1.5, skip: 0.8),
    .init(small: 0.015, threshold: 50, ghosts: 0.3, skip: 0.8),
    .init(small: 0.03, threshold: 5, ghosts: 6, skip: 1),
    .init(small: 0.08, threshold: 10, ghosts: 2, skip: 0),
    .init(small: 0.03, threshold: 5, ghosts: 1.2, skip: 0.05),
    .init(small: 0.16, threshold: 6, ghosts: 4, skip: 0.35),
    .init(small: 0.015, threshold: 2, ghosts: 20, skip: 0.05),
    .init(small: 0.7, threshold: 1, ghosts: 0.9, skip: 0.25, reghosts: 1),
    .init(small: 0.8, threshold: 1, ghosts: 0, skip: 0.05),
    .init(small: 0.05, threshold: 2, ghosts: 6, skip: 0.25),
    .init(small: 0.03, threshold: 6, ghosts: 1.5, skip: 0.4),
    .init(small: 0.05, threshold: 1, ghosts: 0.9, skip: 0.25),
    .init(small: 0.3, threshold: 8, ghosts: 3, skip: 0.9),
  ]
}

extension S4FIFO {
  /// An empty cache's policy of a form, for ``S4FIFOLearned``.
  init(_ form: S4FIFOForm, capacity: Int, slots: Int = 0) {
    queues = SlotQueues(count: 3, slots: slots)
    probation = Probation(form, capacity: capacity, slots: slots)
    ghostHits = SlotArray(repeating: 0, slots: slots)
    ghostThreshold = form.reghosts
  }

  /// Takes another form's parameters; ``resize(to:host:)`` makes them hold.
  mutating func take(_ form: S4FIFOForm) {
    probation.smallShare = form.small
    probation.ghostShare = form.ghosts
    probation.skipShare = form.skip
    probation.threshold = form.threshold
    ghostThreshold = form.reghosts
  }
}

extension Probation {
  /// Those of a form of S4-FIFO, with the arrays for as many slots.
  init(_ form: S4FIFOForm, capacity: Int, slots: Int) {
    smallShare = form.small
    ghostShare = form.ghosts
    skipShare = form.skip
    threshold = form.threshold
    maximumCount = 3
    roundsUp = false
    entries = SlotArray(repeating: 0, slots: slots)
    resize(to: capacity)
  }
}
