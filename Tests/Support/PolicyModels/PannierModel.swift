/// Containers of objects that were inserted one after another, in queues; whole containers leave.
final class PannierModel: PolicyModel {
  private final class Container {
    var keys: [Int] = []  // those still there, the oldest first
    var objects = 0  // all that were put into it
    var accesses = 0
  }

  private var open: Container?
  // The least recent first; for the survivors, in the order of their entry.
  private var cold: [Container] = []
  private var hot: [Container] = []
  private var survival: [Container] = []

  private let share: String
  private let hotShare: String
  private let survivalShare: String
  private let threshold: Int

  override init(_ options: ModelOptions) {
    share = options.parameters["container"] ?? "0.01"
    hotShare = options.parameters["hot"] ?? "0.5"
    survivalShare = options.parameters["survival"] ?? "0.1"
    threshold = Int(options.parameters["accesses"] ?? "1")!
    super.init(options)
  }

  private var all: [Container] { cold + hot + survival + (open.map { [$0] } ?? []) }
  override var residents: [Int] { all.flatMap(\.keys) }

  private func size(_ queue: [Container]) -> Int { length(of: queue.flatMap(\.keys)) }

  private func takeOut(_ container: Container) {
    cold.removeAll { $0 === container }
    hot.removeAll { $0 === container }
    survival.removeAll { $0 === container }
    if open === container { open = nil }
  }

  override func hit(_ key: Int) {
    let container = all.first { $0.keys.contains(key) }!
    container.accesses += 1
    if container === open { return }
    let isHot = hot.contains { $0 === container }
    if isHot || container.accesses >= threshold * container.objects {
      takeOut(container)
      hot.append(container)
      restoreLimits()
    } else if cold.contains(where: { $0 === container }) {
      takeOut(container)
      cold.append(container)
    }
  }

  override func restoreLimits() {
    while size(hot) > ModelOptions.floor(hotShare, of: capacity) {
      let demoted = hot.removeFirst()
      demoted.accesses = 0
      cold.append(demoted)
    }
  }

  override func miss(_ key: Int, size: Int) -> Bool {
    while used + size > capacity { evict() }
    let quota = max(1, ModelOptions.floor(share, of: capacity))
    if let open, length(of: open.keys) + size > quota { close() }
    sizes[key] = size
    let container = open ?? Container()
    container.keys.append(key)
    container.objects += 1
    open = container
    if length(of: container.keys) >= quota { close() }
    return true
  }

  private func close() {
    cold.append(open!)
    open = nil
  }

  override func evict() {
    let quota = ModelOptions.floor(survivalShare, of: capacity)
    while !cold.isEmpty && (survival.isEmpty || size(survival) < quota) {
      survival.append(cold.removeFirst())
    }
    var victim = survival.first ?? hot.first ?? open!
    for container in survival
    where container.accesses * victim.objects < victim.accesses * container.objects {
      victim = container
    }
    takeOut(victim)
    for key in victim.keys { reportEviction(of: key) }
  }

  override func forget(_ key: Int) {
    guard let container = all.first(where: { $0.keys.contains(key) }) else { return }
    container.keys.take(key)
    if container.keys.isEmpty { takeOut(container) }
  }
}
