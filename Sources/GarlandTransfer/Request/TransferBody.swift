/// The content of a request.
public enum TransferBody: Sendable {
  /// None. `POST`, `PUT` and `PATCH` then say `Content-Length: 0`.
  case none
  /// These bytes.
  case bytes([UInt8])
  /// A file, or a part of it, read as it is sent and never as a whole. A relative path is relative to the working directory.
  case file(path: String, offset: Int64 = 0, length: Int64? = nil)
  /// `multipart/form-data`; sets the content type, with its boundary, unless the header has one.
  case multipart(MultipartFormData)
  /// Bytes that somebody else produces while they are sent.
  case stream(BodyStream)

  /// Whether there is none.
  public var isEmpty: Bool { if case .none = self { true } else { false } }

  /// Whether it sets the content type itself, which no default replaces.
  package var namesItsType: Bool { if case .multipart = self { true } else { false } }
}
