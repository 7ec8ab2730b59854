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

  package init(parsing text: String) throws(SystemError) {
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
}
