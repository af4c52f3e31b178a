/// A body that has arrived completely: all bytes of a small one, size and digest of any.
struct ReceivedBody: Sendable {
  var size = 0
  var sha256 = SandboxRecord.emptyDigest
  /// The first bytes, up to the route's limit.
  var kept: [UInt8] = []
  /// The parts, when it was multipart/form-data.
  var parts: [ReceivedPart]?
  /// Why it is no valid multipart body although its type says so.
  var multipartFault: String?
  /// Fields after a chunked body.
  var trailers: [HeaderField] = []

  var isWhole: Bool { kept.count == size }

  /// The whole body as text, or nil when it is larger than what was kept or not UTF-8.
  var text: String? { isWhole ? String(validating: kept, as: UTF8.self) : nil }
}
