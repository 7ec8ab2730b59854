import ArgumentParser
import Experiments
import Parameters
import Rendering
import Results
import Runner
import Traces

/// `evict reproduce`: published tables, computed again cell by cell.
struct ReproduceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reproduce",
    abstract: "Compute published tables again.",
    usage: "evict reproduce [<id> ...] [<options>]",
    discussion: """
      Examples:
        evict reproduce --list
        evict reproduce arc-oltp
        evict reproduce arc-oltp --format json

      Prints each cell as published and as computed here. Traces are looked for in the folders given, in \
      traces, and where EVICTIONLAB_TRACES says (evict trace fetch gets them). Exit code 1 if a count \
      is not the one expected here, by as little as one hit, also where the published value differs.

      Tables: \(PublishedTables.all.map(\.id).joined(separator: ", ")).
      """)

  @Argument(help: ArgumentHelp("Tables; by default all.", valueName: "id"))
  var ids: [String] = []

  @Option(
    name: .customLong("traces"), help: ArgumentHelp("A folder of traces.", valueName: "folder"))
  var folders: [String] = []

  @Flag(name: .customLong("list"), help: "List the tables, and the traces that are missing.")
  var isList = false

  @OptionGroup var form: CatalogOptions

  func validate() throws { _ = try tables() }

  func run() throws {
    Interruption.install()
    let tables = try tables()
    let search = TraceSearch(folders: folders)
    if isList { return try list(tables, search) }
    let line = ProgressLine()
    let reproductions = try tables.map { table in
      try Reproduction(table, path: { search.path(of: $0) }) { done in
        line.show("reproducing \(table.id): \(done) of \(table.cells.count) cells")
      }
    }
    line.clear()
    try form.print(
      table: { style in reproductions.map { $0.text(style: style) }.joined(separator: "\n") },
      catalogs: { [("tables", reproductions.map(\.json))] })
    try judge(reproductions)
  }

  private func list(_ tables: [PublishedTable], _ search: TraceSearch) throws {
    let traces = tables.map { $0.cells.map(\.trace).unique }
    let missing = traces.map { $0.filter { search.path(of: $0) == nil } }
    try form.print(
      table: { style in
        var rows = TextTable([
          .init("table"), .init("cells", .right), .init("title", isProse: true),
          .init("traces that are missing", isProse: true),
        ])
        for (table, missing) in zip(tables, missing) {
          rows.append([
            .init(table.id), .init("\(table.cells.count)"), .init(table.title),
            .init(missing.isEmpty ? "none" : missing.joined(separator: ", ")),
          ])
        }
        return rows.text(style: style) + "\n"
      },
      catalogs: {
        let entries = tables.indices.map { index -> JSON in
          [
            "id": .string(tables[index].id), "title": .string(tables[index].title),
            "source": .string(tables[index].source),
            "cells": .integer(tables[index].cells.count),
            "traces": .array(traces[index].map { .string($0) }),
            "missing": .array(missing[index].map { .string($0) }),
          ]
        }
        return [("tables", entries)]
      })
  }

  private func tables() throws -> [PublishedTable] {
    if ids.isEmpty { return PublishedTables.all }
    return try ids.map { id in
      guard let table = PublishedTables.all.first(where: { $0.id == id }) else {
        let known = PublishedTables.all.map(\.id)
        throw ValidationError("no published table is called “\(id)”; \(known.remedy(for: id))")
      }
      return table
    }
  }

  private func judge(_ reproductions: [Reproduction]) throws {
    let cells = reproductions.flatMap(\.cells)
    let failures = cells.count { $0.isFailure }
    if failures > 0 {
      throw Failed(description: "\(failures) of \(cells.count) cells changed")
    }
    if let cell = cells.first, cells.allSatisfy({ $0.computed == nil }) {
      throw TraceError.missing(file: cell.published.trace)
    }
  }
}
