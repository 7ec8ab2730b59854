import CEvictionLab
import EvictionCore
import Results
import Runner
import Traces

/// Describes policies, admission filters and formats.
@_cdecl("evl_catalog")
public func catalog(
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ error: ErrorPlace
) -> Int32 {
  attempt(error) { () throws(CallFailure) in
    let place = try Argument.place(json, "json")
    let catalogs = CatalogDocument.json([
      ("policies", RunnablePolicyEntry.catalog.map(\.description.json)),
      ("admission", AdmissionCatalog.all.map { $0.information.json }),
      ("formats", TraceFormats.all.map { $0.information.json }),
    ])
    place.pointee = try Copies.of(Array(catalogs.document.utf8CString))
  }
}
