import Parameters

/// The reason why a trace could not be read, made or written.
///
/// Every case prints as one line that says what, where (file and line or byte) and what to do.
/// ``kind`` tells apart what a caller answers differently: wrong usage, bad data, a missing file,
/// an I/O error.
public enum TraceError: Error, Equatable, Sendable {
  /// A place in a file.
  public enum Place: Equatable, Sendable {
    /// A line, counted from 1.
    case line(Int)
    /// A byte of the file as stored, counted from 0.
    case byte(Int)
    /// A byte of what a compressed file unpacks to, counted from 0.
    case unpackedByte(Int)
  }

  /// The families of errors, by what a caller can do about them.
  public enum Kind: Sendable {
    /// The request itself is wrong: an unknown format, a parameter out of its range.
    case usage
    /// The file's content is wrong.
    case data
    /// There is no such file.
    case missing
    /// The file exists and the system refuses to read or write it.
    case io
    /// There is not enough memory.
    case memory
    /// The caller stopped the work.
    case cancelled
  }

  /// There is no file at the path.
  case missing(file: String)
  /// The path is a folder.
  case folder(file: String)
  /// The system refused to open, read or write; `code` is `errno`'s value.
  case io(file: String, action: String, byte: Int, code: Int32)
  /// The content is not what the format asks for.
  case malformed(file: String, place: Place, problem: String, remedy: String)
  /// The last record is cut off.
  case truncated(file: String, place: Place, problem: String)
  /// The file holds no request.
  case noRequests(file: String)
  /// The trace lacks a column that something needs.
  case lacking(trace: String, column: String, remedy: String)
  /// No format recognises the file.
  case unrecognised(file: String, problem: String, remedy: String)
  /// More distinct keys than ids can number.
  case tooManyKeys(file: String)
  /// The bytes of all requests together reach 2^63.
  case tooManyBytes(file: String)
  /// The trace and what is done with it need more memory than there is.
  case tooLarge(trace: String, needed: Int, available: Int)
  /// A parameter of a format or generator that doesn't exist or has a wrong value.
  case specification(SpecificationError)
  /// A format, a generator or a wish that doesn't exist or can't be met.
  case usage(problem: String, remedy: String)
  /// The progress callback asked to stop.
  case cancelled(file: String)

  /// The family that the error belongs to.
  public var kind: Kind {
    switch self {
    case .missing: .missing
    case .io(_, _, _, ENOMEM): .memory
    case .folder, .io: .io
    case .malformed, .truncated, .noRequests, .lacking, .unrecognised, .tooManyKeys,
      .tooManyBytes:
      .data
    case .specification, .usage: .usage
    case .tooLarge: .memory
    case .cancelled: .cancelled
    }
  }
}

extension TraceError: CustomStringConvertible {
  /// The error in one line: what, where, what to do.
  public var description: String {
    switch self {
    case .missing(let file):
      file.hasSuffix("/")
        ? "\(file): no such folder; make it first"
        : "\(file): no such file; "
          + (file.contains("\u{FFFD}") ? "its name must be UTF-8, rename it" : "check the path")
    case .folder(let file):
      "\(file): is a folder; name a file in it"
    case .io(let file, let action, let byte, let code):
      "\(file): cannot \(action)\(byte > 0 ? " at byte \(byte)" : ""): \(Self.reason(code)); "
        + Self.remedy(code)
    case .malformed(let file, let place, let problem, let remedy):
      "\(file): \(place): \(problem); \(remedy)"
    case .truncated(let file, let place, let problem):
      "\(file): \(place): \(problem); the file is cut off, fetch or record it again"
    case .noRequests(let file):
      "\(file): 0 requests, at most a header or comments; fetch or record it again"
    case .lacking(let trace, let column, let remedy):
      "\(trace): has no \(column); \(remedy)"
    case .unrecognised(let file, let problem, let remedy):
      "\(file): \(problem); \(remedy)"
    case .tooManyKeys(let file):
      "\(file): more than 4294967295 distinct keys; sample the trace or limit its requests"
    case .tooManyBytes(let file):
      "\(file): 2^63 bytes or more are requested in all; are the sizes really bytes?"
    case .tooLarge(let trace, let needed, let available):
      "\(trace): needs at least \(ByteCount.text(needed)) more memory, \(ByteCount.text(available)) are "
        + "available; use evict trace sample"
    case .usage(let problem, let remedy):
      "\(problem); \(remedy)"
    case .specification(let error):
      error.description
    case .cancelled(let file):
      "\(file): stopped; nothing was kept"
    }
  }

  private static func reason(_ code: Int32) -> String {
    String(cString: strerror(code)).lowercased()
  }

  private static func remedy(_ code: Int32) -> String {
    switch code {
    case EACCES, EPERM: "check its permissions"
    case ENOSPC, EDQUOT: "free some space"
    case EEXIST: "choose another name"
    case ENOMEM: "free some memory"
    case EROFS: "choose a folder that can be written"
    default: "check the disk and the path"
    }
  }
}

extension TraceError.Place: CustomStringConvertible {
  /// `line 3`, `byte 24`, `unpacked byte 24`.
  public var description: String {
    switch self {
    case .line(let number): "line \(number)"
    case .byte(let offset): "byte \(offset)"
    case .unpackedByte(let offset): "unpacked byte \(offset)"
    }
  }
}
