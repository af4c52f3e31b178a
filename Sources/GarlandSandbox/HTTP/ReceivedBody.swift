/// Information about a body that has arrived completely: its size, its digest, and its first bytes. For a small body, the first bytes are
/// the whole body.
struct ReceivedBody: Sendable {
  var size = 0
  var sha256 = SandboxRecord.emptyDigest
  /// The first bytes of the body, up to the route's limit.
  var kept: [UInt8] = []
  /// The parts of the body; nil if it is not multipart/form-data.
  var parts: [ReceivedPart]?
  /// The reason why the body is invalid although its type is multipart; nil if the body is valid or has another type.
  var multipartFault: String?
  /// The trailer fields after a chunked body.
  var trailers: [HeaderField] = []

  var isWhole: Bool { kept.count == size }

  /// The whole body as text; nil if only a part of it was kept, or if it is not UTF-8.
  var text: String? { isWhole ? String(validating: kept, as: UTF8.self) : nil }
}

/// A part of a multipart/form-data body.
struct ReceivedPart: Sendable {
  var name: String?
  var filename: String?
  var type: String?
  var headers: [HeaderField] = []
  var size = 0
  var sha256 = SandboxRecord.emptyDigest
  /// The first bytes of the part, up to the route's limit.
  var kept: [UInt8] = []

  var isWhole: Bool { kept.count == size }

  init(headers: [HeaderField]) {
    self.headers = headers
    if let disposition = headers.first("Content-Disposition").map({ MediaType($0) }) {
      name = disposition["name"]
      filename = disposition["filename"]
    }
    type = headers.first("Content-Type")
  }
}
