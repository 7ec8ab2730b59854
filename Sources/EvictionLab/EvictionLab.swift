// The names that a tool with policies of its own needs beside ``main(adding:)``.
@_exported import protocol Runner.RunnablePolicy
@_exported import protocol Runner.RunnableRules

/// Runs the command line with policies of your own beside those of the catalog, and exits.
///
///     import EvictionLab
///
///     EvictionLab.main(adding: [MyPolicy.self])
///
/// They are listed and described by `evict policies`, run by name like any other, and part of `all`.
///
/// - Parameter policies: Types that conform to `RunnablePolicy`; names must differ from each other and
///   from those of the catalog.
public func main(adding policies: [any (RunnablePolicy & ~Copyable).Type] = []) {
  EvictionLabCommand.run(nil, adding: policies.map { $0.entry })
}
