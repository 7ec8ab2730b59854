import ArgumentParser
import Rendering

/// The name of a form of reports on the command line; the catalog's default if none is given.
struct ReportName<Catalog: ReportCatalog>: ExpressibleByArgument {
  let form: Catalog.Form

  init() { form = Catalog.all[0] }

  init(_ form: Catalog.Form) { self.form = form }

  init?(argument: String) {
    guard let form = Catalog.form(named: argument) else { return nil }
    self.form = form
  }

  static var allValueStrings: [String] { Catalog.names }

  var defaultValueDescription: String { Catalog.information(of: form).name }
}
