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
