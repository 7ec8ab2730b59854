import Foundation
import Parameters
import Runner
import Traces

/// A policy in C, compiled into a folder that only this program uses.
package struct CompiledSource {
  /// The library as a policy.
  package let policy: Specification
  /// Its folder, which is removed with its last owner.
  package let folder: ScratchFolder

  /// Compiles a file. It sees the headers of policies and those of the system, and nothing beside it.
  ///
  /// - Throws: `malformed` with the first error of the compiler; `missing` where there is no file; `usage` where there is no
  ///   compiler; `io` where there is no room for its files.
  package init(_ path: String, _ limits: CandidateLimits) throws(TraceError) {
    try NativeContender.checkFile(path)
    if !ChildProcess.isInstalled("cc") {
      throw .usage(
        problem: "\(path): there is no C compiler",
        remedy: "install gcc or clang, or compile it elsewhere")
    }
    let source = try WholeFile.read(path)
    let place = FileManager.default.temporaryDirectory.path(percentEncoded: false)
    if place.contains(":") {
      // Parameters would begin there.
      throw .usage(
        problem: "\(place): the name has a colon", remedy: "name another folder in TMPDIR")
    }
    let folder = try ScratchFolder(in: place, kind: "evictionlab-candidate")
    for (name, bytes) in [
      ("candidate.c", source), ("evictionlab_policy.h", PackageResources.evictionlab_policy_h),
      ("evictionlab_lists.h", PackageResources.evictionlab_lists_h),
    ] {
      do {
        try Data(bytes).write(to: URL(filePath: "\(folder.path)/\(name)"))
      } catch {
        throw .io(file: folder.path, action: "write to", byte: 0, code: errno)
      }
    }
    let (problem, complaints) = try CandidateChild(
      .compile(folder: folder.path), limits.patient
    ).wait()
    let library = "\(folder.path)/candidate.so"
    if problem != nil || access(library, R_OK) != 0 {
      throw Self.error(path, complaints, problem, in: folder)
    }
    self.folder = folder
    do throws(SpecificationError) {
      policy = try Specification(parsing: "\(PluginLibrary.prefix):\(library)")
    } catch { throw .specification(error) }
  }

  /// The first error of the compiler: `candidate.c:12:3: error: …`.
  private static func error(
    _ path: String, _ lines: [String], _ problem: String?, in folder: ScratchFolder
  ) -> TraceError {
    for code in [ENOSPC, EDQUOT, EIO] {
      let reason = String(cString: strerror(code))
      if lines.contains(where: { $0.hasSuffix(": \(reason)") }) {
        return .io(file: folder.path, action: "write to", byte: 0, code: code)
      }
    }
    let line = lines.first { $0.contains("error: ") }
    let number = line?.firstMatch(of: /candidate\.c:([0-9]+):/).flatMap { Int($0.1) }
    let text = line?.split(separator: "error: ").last.map(String.init)
    return .malformed(
      file: path, place: .line(number ?? 1),
      problem: text ?? problem ?? lines.last ?? "no output",
      remedy: "correct it; it may include evictionlab_policy.h, evictionlab_lists.h and headers "
        + "of the system")
  }
}
