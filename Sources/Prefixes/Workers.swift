import Parameters

/// Workers, each with a cache of its own, and the router that divides prompts among them.
package struct Workers: Sendable {
  /// The router; nil for one worker that has all prompts.
  package let router: RouterChoice?
  /// The number of workers before the first prompt.
  package let count: Int
  /// The workers that are lost and added later.
  package let changes: WorkerChanges

  /// Workers behind a router.
  package init(_ router: RouterChoice?, count: Int, changes: WorkerChanges = .none) {
    self.router = router
    self.count = count
    self.changes = changes
  }

  /// The most workers that are there at a time.
  package var most: Int {
    var (present, most) = (count, count)
    for change in changes.all {
      present += change.lost == nil ? 1 : -1
      most = max(most, present)
    }
    return most
  }
}

/// Workers that are lost and added while prompts come: `lose:worker=2:at=50%,add:at=75%`.
package struct WorkerChanges: Sendable, CustomStringConvertible {
  /// A worker that is lost or added.
  package struct Change: Sendable, CustomStringConvertible {
    /// The worker that is lost; nil for one that is added.
    package let lost: Int?
    /// As it was written: a fraction of the prompts (50%) or their number (2000).
    fileprivate let text: String
    fileprivate let fraction: Fraction?
    fileprivate let number: Int

    /// The number of the first prompt after it.
    package func place(among prompts: Int) -> Int { fraction?.floor(of: prompts) ?? number }

    /// As it is written.
    package var description: String {
      (lost.map { "lose:worker=\($0)" } ?? "add") + ":at=\(text)"
    }
  }

  /// In order of time.
  package let all: [Change]

  /// No changes.
  package static let none = WorkerChanges(all: [])

  private init(all: [Change]) { self.all = all }

  /// The number of workers that are added.
  package var added: Int { all.count { $0.lost == nil } }

  /// As they are written.
  package var description: String { all.map(\.description).joined(separator: ",") }

  /// Parses changes of `count` workers.
  ///
  /// - Throws: ``WorkerChangeError`` for a worker that is not there, the last one, and changes that are not in order of
  ///   time.
  package init(parsing text: String, workers count: Int) throws(WorkerChangeError) {
    var all: [Change] = []
    var present = Array(0..<count)
    var next = count
    for item in text.listItems {
      let change = try WorkerChanges.change(item)
      if let last = all.last {
        let isLater =
          switch (last.fraction, change.fraction) {
          case (let before?, let now?): now >= before
          case (nil, nil): change.number >= last.number
          default:
            throw WorkerChangeError(
              change: item,
              fault:
                "prompts are counted in two ways; write all as fractions (50%) or as numbers (2000)"
            )
          }
        if !isLater {
          throw WorkerChangeError(
            change: item, fault: "it is earlier than the one before; write changes in order of time"
          )
        }
      }
      if let lost = change.lost {
        if !present.contains(lost) {
          throw WorkerChangeError(
            change: item,
            fault: "no worker \(lost) is there then; give one of "
              + present.map(String.init).joined(separator: ", "))
        }
        if present.count == 1 {
          throw WorkerChangeError(
            change: item, fault: "worker \(lost) is the last one; add another before")
        }
        present.removeAll { $0 == lost }
      } else {
        present.append(next)
        next += 1
      }
      all.append(change)
    }
    self.all = all
  }

  private static func change(_ text: String) throws(WorkerChangeError) -> Change {
    let form = "write lose:worker=2:at=50% or add:at=75%"
    let (isLost, given) = try given(text, form: form)
    guard case .text(let at)? = given["at"] else {
      throw WorkerChangeError(change: text, fault: "“at” is missing; \(form)")
    }
    var lost: Int?
    if case .integer(let number)? = given["worker"] { lost = number }
    if isLost && lost == nil {
      throw WorkerChangeError(change: text, fault: "“worker” is missing; \(form)")
    }
    if at.hasSuffix("%"), let fraction = Fraction(parsing: at.dropLast() + "e-2"), fraction > 0,
      fraction < 1
    {
      return Change(lost: lost, text: at, fraction: fraction, number: 0)
    }
    if let number = Fraction(parsing: at)?.wholeNumber, number > 0 {
      return Change(lost: lost, text: at, fraction: nil, number: number)
    }
    throw WorkerChangeError(
      change: text,
      fault:
        "“\(at)” is no place among the prompts; give a fraction between 0% and 100% (50%) or the "
        + "number of prompts before it (2000)")
  }

  /// The parameters of a change; true for a worker that is lost.
  private static func given(
    _ text: String, form: String
  ) throws(WorkerChangeError) -> (isLost: Bool, [String: Parameter.Value]) {
    let worker = Parameter("worker", .integer(in: 0...1_000_000), default: nil, help: "its number")
    let place = Parameter("at", .text, default: nil, help: "the place among the prompts")
    do throws(SpecificationError) {
      let specification = try Specification(parsing: text)
      switch specification.name {
      case "lose": return (true, try specification.arguments(for: [worker, place]).given)
      case "add": return (false, try specification.arguments(for: [place]).given)
      default: break
      }
    } catch { throw WorkerChangeError(change: text, fault: "\(error)") }
    throw WorkerChangeError(change: text, fault: "it is no change; \(form)")
  }
}

/// The fault of a change of workers.
package struct WorkerChangeError: Error, CustomStringConvertible {
  /// The change, as it was written.
  package let change: String
  /// The fault, and the remedy.
  package let fault: String

  /// One line.
  package var description: String { "--worker-changes \(change): \(fault)" }
}
