import EvictionCore
import Parameters
import Requests
import Results

extension Engine {
  /// Begins a cell in a child, so that a policy that traps or never returns costs its own cell only.
  ///
  /// - Parameters:
  ///   - cell: The cell.
  ///   - stream: Its trace, prepared.
  ///   - child: Its patience is that for some thousand requests.
  func begin(_ cell: Cell, on stream: RequestStream, in child: ForkedChild) -> RunningChild {
    // Here, for all cells at once.
    stream.prepare(for: cell.policy.entry.needs)
    var cell = cell
    cell.run.cancellation = nil
    cell.run.requestsBetweenReports = 1 << 12
    return child.begin { [cell] life in answer(to: cell, on: stream, life) }
  }

  /// The outcome of a cell whose child has ended; nil for one that was stopped.
  func outcome(
    of report: ForkedChild.Report, _ cell: Cell
  ) throws(ExperimentError) -> Outcome? {
    switch report.end {
    case .finished(let bytes): return try outcome(bytes, of: cell)
    case .stopped: return nil
    default:
      // How far a policy came that counts by itself, nobody knows.
      let place = report.done > 0 ? ", after request \(report.done)" : ""
      throw .system(CellFailure(cell.key, "\(report)\(place)"))
    }
  }

  private func answer(to cell: Cell, on stream: RequestStream, _ life: SignsOfLife) -> [UInt8] {
    do throws(ExperimentError) {
      let outcome = try run(cell, on: stream, round: 1) {
        life.show(done: $0)
        return true
      }
      guard let outcome else { return [] }
      let member = JSON.Member(outcome.member.key, outcome.member.value)
      return ChildAnswer.texts([JSON.object([member]).text]).bytes
    } catch {
      switch error {
      case .policy(let error): return ChildAnswer.refusal(error).bytes
      case .contract(let breach):
        return ChildAnswer.texts(["\(breach.request)", breach.breach]).bytes
      case .system(let error as CellFailure):
        return ChildAnswer.refusal(.conflict(policy: cell.policy.name, explanation: error.end))
          .bytes
      default: return ChildAnswer.texts([]).bytes
      }
    }
  }

  private func outcome(_ bytes: [UInt8], of cell: Cell) throws(ExperimentError) -> Outcome {
    switch ChildAnswer(bytes) {
    case .refusal(let error): throw .system(CellFailure(cell.key, "\(error)"))
    case .texts(let texts) where texts.count == 2:
      throw .contract(
        ContractBreach(cell: cell.key, request: Int(texts[0]) ?? 0, breach: texts[1]))
    case .texts(let texts) where texts.count == 1:
      do throws(ResultSetError) {
        return try Outcome(JSONNode(line: texts[0].utf8, file: cell.policy.name))
      } catch { throw .system(CellFailure(cell.key, "returned what is no answer: \(error)")) }
    default: throw .system(CellFailure(cell.key, "returned what is no answer"))
    }
  }
}
