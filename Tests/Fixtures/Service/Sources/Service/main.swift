import Eviction
import Foundation
import Hummingbird
import Logging
import NIOCore

/// Ends the process with one line.
func fail(_ message: String, status: Int32) -> Never {
  FileHandle.standardError.write(Data("Service: \(message)\n".utf8))
  exit(status)
}

let words = CommandLine.arguments.dropFirst()
guard (3...4).contains(words.count), let port = words.first.flatMap(UInt16.init),
  let folder = words.dropFirst().first,
  let mebibytes = words.dropFirst(2).first.flatMap(UInt16.init), mebibytes > 0
else {
  fail(
    "usage: Service <port, 0 for a free one> <folder> <MiB in memory> [<policy>]", status: EX_USAGE)
}
let policy: CachePolicy
do {
  policy = try words.dropFirst(3).first.map { try PolicyCatalog.policy(named: $0) } ?? .standard
} catch {
  fail("\(error)", status: EX_USAGE)
}
var logger = Logger(label: "Service")
logger.logLevel = .critical

let service: PageService
do {
  service = try await PageService(folder: folder, memory: Int(mebibytes) << 20, policy: policy)
} catch {
  fail("\(error)", status: EX_CANTCREAT)
}
do {
  let application = service.application(port: Int(port), logger: logger) { port in
    FileHandle.standardOutput.write(Data("listening on port \(port ?? 0)\n".utf8))
  }
  try await application.runService()
} catch let error as IOError {
  let problem = String(cString: strerror(error.errnoCode)).lowercased()
  fail("port \(port): \(problem); choose another", status: EX_UNAVAILABLE)
} catch {
  fail("\(error)", status: EX_IOERR)
}
