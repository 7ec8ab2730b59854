import Parameters

/// Server access logs of Amazon S3 and of stores that write the same.
///
///     79a5 bucket [06/Feb/2019:00:00:38 +0000] 192.0.2.3 79a5 3E57 REST.GET.OBJECT a/b.jpg "GET /bucket/a/b.jpg HTTP/1.1" 200 - 368 2948 70 10 "-" "S3Console/0.4" -
///
/// The columns are the bucket's owner, bucket, time, client, requester, id, operation, key, request, status, error, bytes
/// that were sent, the object's size, and more. A key is `BUCKET/KEY` as it was logged; a size is the object's, of which a
/// request for a range sends less, 0 where the log has none. Only operations on objects are requests (`REST.GET.OBJECT`,
/// `WEBSITE.GET.OBJECT`); the middle word is the method, see ``RequestLogFormat``. Lists of buckets, tags and what the
/// store does of itself are left out.
///
/// Source: docs.aws.amazon.com/AmazonS3, “Amazon S3 server access log format”.
struct S3Format: RequestLogFormat {
  static let information = CatalogEntry(
    name: "s3", summary: "server access logs of Amazon S3: owner bucket [time] … operation key …",
    parameters: LogRules.parameters)

  static let layout =
    "owner bucket [time] client requester id operation key \"request\" status error bytes size"
  static let fields = 13

  let rules: LogRules

  @inline(__always)
  static func read(
    _ line: UnsafeRawBufferPointer, _ splitter: borrowing FieldSplitter
  ) -> LoggedLine? {
    guard splitter.splitQuoted(line) == fields else { return nil }
    let fields = splitter.fields
    guard fields[6].contains(UInt8(ascii: ".")) else { return nil }
    guard let method = fields[6].methodOnObject, !fields[7].isWord("-") else {
      return .remark
    }
    return .request(
      LoggedRequest(
        method: method, target: fields[1], rest: fields[7], separator: UInt8(ascii: "/"),
        bytes: fields[12], tellsWholeSize: true, status: fields[9], timeText: fields[2]))
  }

  static func time(_ text: UnsafeRawBufferPointer) -> Int64? { text.commonLogTime }
}

extension UnsafeRawBufferPointer {
  /// The method of an operation on an object: `GET` of `REST.GET.OBJECT`; nil for other operations.
  @inline(__always)
  var methodOnObject: UnsafeRawBufferPointer? {
    guard let first = place(of: UInt8(ascii: "."), from: 0),
      let second = place(of: UInt8(ascii: "."), from: first + 1),
      self[(second + 1)...].elementsEqual("OBJECT".utf8)
    else { return nil }
    return UnsafeRawBufferPointer(rebasing: self[first + 1..<second])
  }
}
