import Parameters

/// Sends all prompts of a session to one worker; a new session goes to the next worker, and after the last one to the
/// first.
///
/// Sessions are numbered by their first prompts. Number i gets the (i mod N)th of the N workers that are there, and again
/// if its worker is lost. A worker that is added gets new sessions and those of lost workers.
struct StickyRouter: Router {
  static let information = CatalogEntry(
    name: "sticky", summary: "all prompts of a session go to one worker")

  static let needsSessions = true

  /// By session: its number in order of first appearance, and its worker.
  private var places: [UInt32: (number: Int, worker: Int)] = [:]

  init(_ arguments: Arguments, capacity: Int) {}

  mutating func worker(of prompt: Int, in forest: PromptForest, among workers: [Int]) -> Int {
    guard let sessions = forest.sessions else { preconditionFailure("prompts have sessions") }
    let known = places[sessions[prompt]]
    if let known, workers.contains(known.worker) { return known.worker }
    let number = known?.number ?? places.count
    let worker = workers[number % workers.count]
    places[sessions[prompt]] = (number, worker)
    return worker
  }
}
