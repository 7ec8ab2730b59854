import EvictionCore
import Results

extension RequestCounts {
  /// Adds what another part of the same run counted.
  package mutating func add(_ other: RequestCounts) {
    requests += other.requests
    hits += other.hits
    insertions += other.insertions
    evictions += other.evictions
    expirations += other.expirations
    rejections += other.rejections
    unknownSizes += other.unknownSizes
    bytes += other.bytes
    byteHits += other.byteHits
    cost += other.cost
    costHits += other.costHits
    if let other = other.prefetch {
      var sum = prefetch ?? PrefetchCounts()
      sum.prefetches += other.prefetches
      sum.hits += other.hits
      sum.pollution += other.pollution
      sum.fetches += other.fetches
      if let other = other.bytes {
        var bytes = sum.bytes ?? PrefetchBytes()
        bytes.requested &+= other.requested
        bytes.prefetched &+= other.prefetched
        bytes.useful &+= other.useful
        bytes.pollution &+= other.pollution
        bytes.fetched &+= other.fetched
        sum.bytes = bytes
      }
      prefetch = sum
    }
    if let other = other.learning {
      var sum = learning ?? LearningMeasures()
      sum.add(other)
      learning = sum
    }
  }

  /// Counts a request of an object whose size no request has told yet.
  @inlinable @inline(__always)
  package mutating func countUnknownSize() {
    requests &+= 1
    unknownSizes &+= 1
  }

  /// Counts a request.
  @inlinable @inline(__always)
  package mutating func count(_ request: Request, isHit: Bool, weighs: Bool) {
    requests &+= 1
    if isHit { hits &+= 1 }
    if !weighs { return }
    bytes &+= request.size
    cost += request.cost
    if isHit {
      byteHits &+= request.size
      costHits += request.cost
    }
  }
}

extension LearningMeasures {
  /// The costs that a policy told.
  @usableFromInline
  package init(_ costs: LearningCosts) {
    self.init()
    isBeside = costs.isBeside
    trainings = costs.trainings
    if isBeside {
      begunTrainings = costs.begunTrainings
      skippedTrainings = costs.skippedTrainings
    }
    trainedRows = costs.trainedRows
    predictedRows = costs.predictedRows
    trainingSeconds = Double(costs.trainingNanoseconds) / 1e9
    predictionSeconds = Double(costs.predictionNanoseconds) / 1e9
    modelBytes = costs.modelBytes
    featureBytes = costs.featureBytes
  }

  /// Adds the costs of another policy of the same kind.
  package mutating func add(_ other: LearningMeasures) {
    isBeside = isBeside || other.isBeside
    trainings += other.trainings
    begunTrainings += other.begunTrainings
    skippedTrainings += other.skippedTrainings
    trainedRows += other.trainedRows
    predictedRows += other.predictedRows
    trainingSeconds += other.trainingSeconds
    predictionSeconds += other.predictionSeconds
    modelBytes += other.modelBytes
    featureBytes += other.featureBytes
  }
}
