import EvictionCore
import Requests
import Results
import Runner
import Simulation
import Traces

extension PolicySimulator {
  /// The counts of a run over a text that is read block by block.
  func counts(
    of text: String, format: String, columns: TraceColumns = [], blockRequests: Int,
    _ options: SimulationOptions, isPlain: Bool = true
  ) throws -> RequestCounts {
    let shape = RequestShape(isSized: false, isPlain: isPlain, slots: 0)
    let simulation = try begin(options, over: shape)
    let blocks = try TraceLoader.blocks(
      bytes: Array(text.utf8), name: "t", format: format, columns: columns, hasHashes: true,
      blockRequests: blockRequests)
    let keys = StreamedKeys(seed: 42)
    while let block = try blocks.next() {
      keys.add(block)
      simulation.run(
        RequestColumns(
          block, isSized: false, slots: block.distinct, keyLengths: nil, keyHashes: keys.hashes))
    }
    return simulation.counts
  }
}
