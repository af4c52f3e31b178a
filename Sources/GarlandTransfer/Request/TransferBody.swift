/// The content of a request.
public enum TransferBody: Sendable {
  /// No content. `POST`, `PUT` and `PATCH` then send `Content-Length: 0`.
  case none
  /// These bytes.
  case bytes([UInt8])
  /// A file or a part of it, read as it is sent and never as a whole. A relative path is relative
  /// to the working directory.
  case file(path: String, offset: Int64 = 0, length: Int64? = nil)
  /// A `multipart/form-data` body; sets the content type, with its boundary, unless the header has
  /// one.
  case multipart(MultipartFormData)
  /// Bytes that the caller produces as they are sent.
  case stream(BodyStream)

  /// Whether there is no content.
  public var isEmpty: Bool { if case .none = self { true } else { false } }

  /// Whether the body sets the content type itself, which no default replaces.
  package var namesItsType: Bool { if case .multipart = self { true } else { false } }
}
