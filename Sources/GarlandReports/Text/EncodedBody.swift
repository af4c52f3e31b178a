import GarlandResults
import GarlandText

/// A body in the form in which JSON reports contain it: as text or in base64, with secrets masked.
struct EncodedBody {
  private(set) var text: String?
  private(set) var base64: String?
  /// Whether the text or base64 represents the whole body, not only its beginning.
  let isComplete: Bool

  /// Encodes a body.
  ///
  /// - Parameters:
  ///   - body: the body of a request or response.
  ///   - limit: the maximum number of bytes that are kept.
  init(_ body: Exchange.Body, mask: Mask, limit: Int = .max) {
    isComplete = body.isComplete && body.bytes.count <= limit
    guard !body.bytes.isEmpty else { return }
    let bytes = mask.bytes(body.bytes.count > limit ? Array(body.bytes.prefix(limit)) : body.bytes, isComplete: isComplete)
    // In another charset than UTF-8, a secret is visible only in the decoded text.
    if !body.isInUTF8, let charset = Charset.foreign(to: bytes, type: body.type),
      let text = Charset.decode(bytes, charset: charset, isComplete: isComplete)
    {
      self.text = text
    } else if let text = String(validating: bytes, as: UTF8.self) ?? Self.beginning(bytes, isComplete) {
      self.text = text
    } else {
      // A secret may itself be Base64, which a step has decoded for its body. An ellipsis marks a secret that is cut.
      let encoded = Base64.encode(bytes) + (isComplete ? "" : "…")
      let masked = mask.text(encoded)
      if masked == encoded { base64 = Base64.encode(bytes) } else { text = masked }
    }
  }

  /// Returns the bytes of an incomplete body as text. An incomplete character at the end of the bytes is left out. Returns nil if the body
  /// is complete, or if the bytes are not UTF-8.
  private static func beginning(_ bytes: [UInt8], _ isComplete: Bool) -> String? {
    isComplete ? nil : Charset.decode(bytes, charset: nil, isComplete: false)
  }
}
