import Parameters

/// The forms in which one kind of report is printed, by name.
package protocol ReportCatalog {
  /// The type of a form, which prints the report.
  associatedtype Form

  /// Every form, the default first.
  static var all: [Form] { get }

  /// Name and summary of a form.
  static func information(of form: Form) -> CatalogEntry
}

extension ReportCatalog {
  /// The names of all forms.
  package static var names: [String] { all.map { information(of: $0).name } }

  /// The form of that name; nil if there is none.
  package static func form(named name: String) -> Form? {
    all.first { information(of: $0).name == name }
  }
}
