/// Answers questions about data, both as JSON, so that other programs can check this package's statistics:
/// Tests/Python/test_statistics.py asks.
///
/// Standard input holds an array of questions, standard output gets one of answers.

import Foundation
import Statistics

struct Question: Decodable {
  var method: String
  var values: [Double] = []
  var others: [Double] = []
  var counts: [Int] = []
  var otherCounts: [Int] = []
  var requests: [Int] = []
  var confidence = 0.95
  var parameter = 0.0

  private enum CodingKeys: CodingKey {
    case method, values, others, counts, otherCounts, requests, confidence, parameter
  }

  init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    func optional<Value: Decodable>(_ key: CodingKeys, _ value: Value) throws -> Value {
      try box.decodeIfPresent(Value.self, forKey: key) ?? value
    }
    method = try box.decode(String.self, forKey: .method)
    values = try optional(.values, values)
    others = try optional(.others, others)
    counts = try optional(.counts, counts)
    otherCounts = try optional(.otherCounts, otherCounts)
    requests = try optional(.requests, requests)
    confidence = try optional(.confidence, confidence)
    parameter = try optional(.parameter, parameter)
  }
}

func interval(_ range: ClosedRange<Double>?) -> [Double] {
  range.map { [$0.lowerBound, $0.upperBound] } ?? []
}

let methods: [String: (Question) throws -> [String: [Double]]] = [
  "mean": { question in
    let mean = try MeanInterval(question.values, of: .timings)
    return [
      "mean": [mean.mean], "standardError": [mean.standardError],
      "interval": interval(mean.interval(confidence: question.confidence)),
    ]
  },
  "keySample": { question in
    let ratio = KeySampleRatio(
      counts: question.counts.map { UInt32($0) }, ofKeys: question.requests.count,
      requests: question.requests.reduce(0, +))
    return [
      "value": [ratio.value], "standardError": [ratio.standardError],
      "interval": interval(ratio.interval(confidence: question.confidence)),
    ]
  },
  "rankSum": { question in
    let test = try RankSumTest(question.values, question.others, of: .timings)
    return [
      "statistic": [test.statistic], "pValue": [test.pValue], "estimate": [test.estimate],
      "interval": interval(test.interval(confidence: question.confidence)),
    ]
  },
  "quantile": { question in
    let quantile = try QuantileInterval(question.values, question.parameter, of: .timings)
    return [
      "value": [quantile.value],
      "interval": interval(quantile.interval(confidence: question.confidence)),
    ]
  },
  "serial": { question in
    let test = try SerialIndependenceTest(question.values)
    return ["ratio": [test.ratio], "pValue": [test.pValue]]
  },
  "stationary": { question in
    let mean = try StationaryMean(
      comparing: question.counts, with: question.otherCounts, requests: question.requests)
    return [
      "value": [mean.value], "blockLength": [Double(mean.blockLength)],
      "standardError": [mean.standardError], "statistic": [mean.stationarity.statistic],
      "pValue": [mean.stationarity.pValue],
      "interval": interval(mean.interval(confidence: question.confidence)),
      "nextTrace": interval(mean.nextTrace(confidence: question.confidence)),
    ]
  },
  "timing": { question in
    let change = try TimingChange(before: question.values, after: question.others)
    return [
      "ratio": [change.ratio], "pValue": [change.pValue],
      "batchLength": [Double(change.batchLength)],
      "interval": interval(change.interval(confidence: question.confidence)),
    ]
  },
  "zipf": { question in
    guard let fit = ZipfFit(descendingCounts: question.counts.map(UInt32.init)) else { return [:] }
    return [
      "alpha": [fit.alpha], "standardError": [fit.standardError], "distance": [fit.distance],
    ]
  },
]

let questions = try JSONDecoder().decode(
  [Question].self, from: FileHandle.standardInput.readDataToEndOfFile())
let answers = try questions.map { question in
  guard let method = methods[question.method] else {
    fatalError("no method is called \(question.method)")
  }
  return try method(question)
}
FileHandle.standardOutput.write(try JSONEncoder().encode(answers))
