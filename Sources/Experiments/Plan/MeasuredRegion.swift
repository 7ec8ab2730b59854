import CInline

/// Work that a profiler can tell from what surrounds it: it runs inside one C function with a name.
enum MeasuredRegion {
  /// The function's name, for `--toggle-collect`.
  static let symbol = "evl_measured_region"

  /// Runs `body` inside the function.
  static func run<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var result: Result<Value, Failure>?
    let work = {
      do throws(Failure) { result = .success(try body()) } catch { result = .failure(error) }
    }
    withoutActuallyEscaping(work) { work in
      var work = work
      withUnsafeMutablePointer(to: &work) { pointer in
        evl_measured_region({ $0!.assumingMemoryBound(to: (() -> Void).self).pointee() }, pointer)
      }
    }
    guard let result else { preconditionFailure("the measured region did not run its body") }
    return try result.get()
  }
}
