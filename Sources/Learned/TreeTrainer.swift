#if Learned
  import Dispatch
  import EvictionCore
  import Parameters
  import Synchronization

  /// The trainings of a policy: inside the request that begins one, or beside the requests, on a thread of their own.
  ///
  /// The thread starts with the first training, as XGBoost keeps memory for each thread until the process ends. It ends
  /// with the trainer, which waits for it: a training that is under way grows no further tree.
  @usableFromInline package final class TreeTrainer {
    private let work: TrainingWork
    private let isBeside: Bool
    private var hasThread = false
    /// True from the beginning of a training until its trees are taken.
    private var isUnderWay = false

    /// A trainer of rows of `columns` features.
    ///
    /// - Parameters:
    ///   - columns: The number of features of a row.
    ///   - rows: The usual number of rows of a training, for which there is room from the start.
    ///   - parameters: The parameters of the trees.
    ///   - isBeside: True if trainings run beside the requests.
    package init(columns: Int, rows: Int, _ parameters: TreeParameters, isBeside: Bool) {
      work = TrainingWork(columns: columns, rows: isBeside ? rows : 0, parameters)
      self.isBeside = isBeside
    }

    deinit { if hasThread { work.end() } }

    /// Costs of nothing yet.
    package var noCosts: LearningCosts {
      var costs = LearningCosts()
      costs.isBeside = isBeside
      return costs
    }

    /// The memory of the rows that are not the policy's.
    package var bytes: Int { work.rowBytes }

    /// Begins a training on rows, which are moved, or drops them if one is under way; there are none then.
    ///
    /// - Returns: True if it began.
    @discardableResult
    package func begin(
      _ features: inout FloatRows, _ labels: inout FloatRows, _ costs: inout LearningCosts
    ) -> Bool {
      defer {
        features.removeAll()
        labels.removeAll()
      }
      if isUnderWay {
        costs.skippedTrainings += 1
        return false
      }
      isUnderWay = true
      costs.begunTrainings += 1
      work.exchange(&features, &labels)
      if isBeside {
        if !hasThread { work.start() }
        hasThread = true
        work.wake()
      } else {
        work.train()
        work.exchange(&features, &labels)
      }
      return true
    }

    /// Takes the trees of a training that has ended.
    ///
    /// - Returns: True if there is one.
    package func take(
      _ trees: inout GradientBoostedTrees, _ costs: inout LearningCosts
    ) -> Bool {
      if !isUnderWay || !work.isReady.load(ordering: .acquiring) { return false }
      isUnderWay = false
      work.give(&trees)
      costs.addTraining(rows: work.rows, nanoseconds: work.nanoseconds)
      costs.modelBytes = trees.bytes
      return true
    }
  }

  /// One training after the other. All but the atomic values are the trainer's while none is under way, else the thread's.
  private final class TrainingWork: @unchecked Sendable {
    let isReady = Atomic(false)
    private(set) var rows = 0
    private(set) var nanoseconds: Int64 = 0

    private var features: FloatRows
    private var labels: FloatRows
    private var trees = GradientBoostedTrees()
    private let columns: Int
    private let parameters: TreeParameters

    private let isEnding = Atomic(false)
    private let due = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init(columns: Int, rows: Int, _ parameters: TreeParameters) {
      features = FloatRows(capacity: rows * columns)
      labels = FloatRows(capacity: rows)
      self.columns = columns
      self.parameters = parameters
    }

    var rowBytes: Int { features.bytes + labels.bytes }

    /// Exchanges the rows with others.
    func exchange(_ features: inout FloatRows, _ labels: inout FloatRows) {
      swap(&self.features, &features)
      swap(&self.labels, &labels)
    }

    /// Gives the trees of the training, which are not ready any more, for those that it replaces.
    func give(_ trees: inout GradientBoostedTrees) {
      swap(&self.trees, &trees)
      isReady.store(false, ordering: .relaxed)
    }

    func train() {
      let start = ContinuousClock.now
      rows = labels.count
      trees = GradientBoostedTrees(
        features: features.values, columns: columns, labels: labels.values, parameters,
        isCancelled: { isEnding.load(ordering: .relaxed) })
      nanoseconds = LearningCosts.nanoseconds(since: start)
      isReady.store(true, ordering: .releasing)
    }

    /// Starts the thread.
    func start() {
      // As much as a program's first thread has: XGBoost follows the branches of a tree by recursion.
      WorkThread.start(stackBytes: 8 << 20) { [self] in
        while true {
          due.wait()
          if isEnding.load(ordering: .acquiring) { break }
          train()
        }
        ended.signal()
      }
    }

    /// Has the thread train.
    func wake() { due.signal() }

    /// Ends the thread, and waits until it has.
    func end() {
      isEnding.store(true, ordering: .releasing)
      due.signal()
      ended.wait()
    }
  }
#endif
