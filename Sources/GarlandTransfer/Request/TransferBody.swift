/// The content of a request.
public enum TransferBody: Sendable {
  /// No content. `POST`, `PUT` and `PATCH` then send `Content-Length: 0`.
  case none
  /// Bytes in memory.
  case bytes([UInt8])
  /// A file or a part of it, which is read piece by piece while it is sent. A relative path is relative
  /// to the working directory.
  case file(path: String, offset: Int64 = 0, length: Int64? = nil)
  /// A `multipart/form-data` body. This body also sets the content type, including the boundary, unless the header contains a
  /// content type.
  case multipart(MultipartFormData)
  /// Bytes that the caller produces while they are sent.
  case stream(BodyStream)

  /// Whether there is no content.
  public var isEmpty: Bool { if case .none = self { true } else { false } }

  /// Whether the body has its own content type, which no default content type replaces.
  package var namesItsType: Bool { if case .multipart = self { true } else { false } }
}
