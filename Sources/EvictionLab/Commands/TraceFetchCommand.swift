import ArgumentParser
import Rendering
import Traces

/// `evict trace fetch`: public traces from where they lie.
struct TraceFetchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Download public traces, checked against their checksums.",
    usage: "evict trace fetch [<name> ...] [<options>]",
    discussion: """
      Examples:
        evict trace fetch --list
        evict trace fetch OLTP.lis.zst --folder .

      A download that was cut off goes on where it ended; a file whose checksum is wrong is not kept. Of a \
      large collection's trace (--list names them) --rate 0.01 keeps a hundredth of the keys, chosen while the \
      bytes come; these files have no checksum here. Mind the terms and the citation that are printed.
      """)

  @Argument(
    help: ArgumentHelp(
      "Traces of the manifest, or collection/path; without any, the manifest's.", valueName: "name")
  )
  var names: [String] = []

  @Flag(help: "List the manifest's traces and download nothing.")
  var list = false

  @Option(
    help: ArgumentHelp(
      "Fetch a sample of a collection's trace: this fraction of its keys.", valueName: "fraction"))
  var rate: Rate?

  @Option(
    help: ArgumentHelp(
      "Folder for the files; else evictionlab/traces in the user's cache folder.",
      valueName: "folder"))
  var folder: String?

  @Option(
    help: ArgumentHelp("A document that lists traces; else the tool's own.", valueName: "file"))
  var manifest: String?

  /// The manifest to fetch from.
  private func known() throws -> TraceManifest {
    guard let manifest else { return try .bundled() }
    return try TraceManifest(reading: Document.bytes(of: manifest), file: manifest)
  }

  func validate() throws {
    if rate != nil && names.isEmpty {
      throw ValidationError("--rate takes samples of named traces; give collection/path")
    }
  }

  func run() throws {
    let manifest = try known()
    let folder = folder ?? TraceSearch.fetchedFolder
    if let rate, !list {
      let traces = try names.map { try manifest.collected($0) }
      Interruption.install()
      Interruption.keepWork()
      let fetcher = SampleFetcher(folder: folder)
      for trace in traces { try fetch(trace, rate: rate.fraction, with: fetcher) }
      return
    }
    let chosen = try names.isEmpty ? manifest.traces : names.map { try manifest.trace(named: $0) }
    if list {
      var text = TraceFetchCommand.table(of: chosen)
      if names.isEmpty && !manifest.collections.isEmpty {
        text += "\n" + TraceFetchCommand.table(of: manifest.collections)
      }
      return try WholeFile.write(text, to: "-")
    }
    Interruption.install()
    Interruption.keepWork()
    let fetcher = TraceFetcher(folder: folder, inputs: self.manifest.map { [$0] } ?? [])
    for entry in chosen { try fetch(entry, with: fetcher) }
  }

  private func fetch(_ entry: TraceManifest.Entry, with fetcher: TraceFetcher) throws {
    let line = ProgressLine()
    defer { line.clear() }
    let outcome = try fetcher.fetch(entry) { bytes, fetched in
      line.show(download: entry.name, bytes: bytes, of: entry.bytes, fetched: fetched)
      return !Interruption.cancellation.isCancelled
    }
    line.clear()
    try WholeFile.write(
      """
      \(outcome.path)\(outcome.wasThere ? " (was there)" : "")
        licence: \(entry.licence.printable)
        cite: \(entry.citation.printable)

      """, to: "-")
  }

  private func fetch(
    _ trace: TraceManifest.CollectedTrace, rate: Double, with fetcher: SampleFetcher
  ) throws {
    let line = ProgressLine()
    defer { line.clear() }
    let outcome = try fetcher.fetch(trace, rate: rate) { bytes in
      line.show("sampling \(trace.name): \(bytes >> 20) MiB received")
      return !Interruption.cancellation.isCancelled
    }
    line.clear()
    try WholeFile.write("\(outcome.path)\(outcome.wasThere ? " (was there)" : "")\n", to: "-")
  }

  private static func table(of collections: [TraceManifest.Collection]) -> String {
    TextTable(
      [
        TextTable.Column("collection/path, for example"), TextTable.Column("kind"),
        TextTable.Column("cite", isProse: true),
      ],
      rows: collections.map {
        ["\($0.name)/\($0.example)", "\($0.group.rawValue)", "\($0.citation)"]
      }
    ).text(style: Terminal.listStyle)
  }

  private static func table(of traces: [TraceManifest.Entry]) -> String {
    TextTable(
      [
        TextTable.Column("trace"), TextTable.Column("format"),
        TextTable.Column("requests", .right), TextTable.Column("distinct", .right),
        TextTable.Column("bytes", .right), TextTable.Column("licence", isProse: true),
      ],
      rows: traces.map {
        [
          "\($0.name)", "\($0.format)", "\($0.requests)", "\($0.distinct)", "\($0.bytes)",
          "\($0.licence)",
        ]
      }
    ).text(style: Terminal.listStyle)
  }
}
