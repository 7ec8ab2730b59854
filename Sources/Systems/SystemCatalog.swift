import Parameters

/// Every system that a replay drives by name.
package enum SystemCatalog {
  /// All systems, in the order of `evict systems`.
  package static let all: [any CacheSystem.Type] = [
    YYCache.self,
    AFImageCache.self,
    SDImageCache.self,
    FoundationCache.self,
    DocumentedNSCacheSystem.self,
    FSFileCache.self,
    DictionaryCache.self,
    MemorySystem.self,
    DiskSystem.self,
  ]

  /// The system of that name; nil for none.
  package static func system(named name: String) -> (any CacheSystem.Type)? {
    all.first { $0.information.name == name }
  }
}

/// A system with its parameters, as a user wrote it: `yycache:memory=0.2`.
package struct SystemChoice: Sendable {
  package let system: any CacheSystem.Type
  package let arguments: Arguments
  /// The policy of this project's own caches, `slru:protected=0.5`; nil for the system's own.
  package let policy: Specification?
  /// The text that names it.
  package let text: String

  /// Parses `NAME[:key=value…]`; `background=every:N` may stand for `background=N`.
  package init(parsing text: String) throws(SystemError) {
    let text = text.replacing("background=every:", with: "background=")
    let specification: Specification
    do throws(SpecificationError) {
      specification = try Specification(parsing: text)
    } catch { throw .specification("\(error)") }
    guard let system = SystemCatalog.system(named: specification.name) else {
      throw .unknown(name: specification.name)
    }
    do throws(SpecificationError) {
      let parameters = system.information.parameters
      let takesPolicy = parameters.contains { $0.name == "policy" }
      policy = takesPolicy ? specification.nested("policy") : nil
      arguments = try (takesPolicy ? specification.withoutNested("policy") : specification)
        .arguments(for: parameters)
    } catch { throw .specification("\(error)") }
    self.system = system
    self.text = text
  }

  package var information: SystemInformation { system.information }

  /// The requests from one time in the background to the next; 0 for never.
  package var background: Int {
    information.parameters.contains { $0.name == "background" }
      ? arguments.integer("background") : 0
  }

  /// Refuses a trace that the system would take too long for, or could not hold.
  package func check(trace: String, requests: Int, distinctBytes: Int?) throws(SystemError) {
    if let limit = information.requestLimit, requests > limit, !arguments.flag("all") {
      throw .trace(
        system: information.name,
        problem:
          "\(trace) has \(requests) requests, each set of which costs more than the last; give "
          + "--limit \(limit), or \(information.name):all=true")
    }
    let most = 1 << 30
    if information.unboundedBecause != nil, let distinctBytes, distinctBytes > most {
      throw .trace(
        system: information.name,
        problem:
          "\(trace) has \(distinctBytes) distinct bytes, and it keeps all; give a --limit that leaves "
          + "at most \(most)")
    }
  }
}
