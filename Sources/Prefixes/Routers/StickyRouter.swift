import Parameters

/// Sends all prompts of a session to one worker; a new session goes to the next worker, and after the last one to the
/// first.
struct StickyRouter: Router {
  static let information = CatalogEntry(
    name: "sticky", summary: "all prompts of a session go to one worker")

  static let needsSessions = true

  private let workers: Int
  /// By session: its number in order of first appearance.
  private var numbers: [UInt32: Int] = [:]

  init(workers: Int) { self.workers = workers }

  mutating func worker(of prompt: Int, in forest: PromptForest) -> Int {
    guard let sessions = forest.sessions else { preconditionFailure("prompts have sessions") }
    let number = numbers[sessions[prompt]] ?? numbers.count
    numbers[sessions[prompt]] = number
    return number % workers
  }
}
