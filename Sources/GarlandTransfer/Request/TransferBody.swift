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

  /// Whether the body itself determines the content type, so that no default content type is used.
  package var namesItsType: Bool { if case .multipart = self { true } else { false } }
}

extension TransferBody {
  /// Returns a reader of the body; nil if there is no body. `onReady` is called, on any thread, when
  /// a stream has more content.
  func reader(
    compressedBy compression: RequestCompression?, onReady: @autoclosure () -> @Sendable () -> Void
  ) throws(NetworkingError) -> (any BodyReader)? {
    let reader: any BodyReader
    switch self {
    case .none: return nil
    case .bytes(let bytes): reader = BytesReader(bytes)
    case .file(let path, let offset, let length): reader = try FileReader(path: path, offset: offset, length: length)
    case .stream(let stream): reader = StreamReader(stream, onReady: onReady())
    case .multipart(let form): reader = try MultipartEncoder.reader(for: form, onReady: onReady())
    }
    if let compression { return try DeflateReader(reader, compression) }
    return reader
  }
}

extension TransferBody {
  /// Whether the body can be sent again. True except for streams that can be read only once.
  public var isRepeatable: Bool {
    switch self {
    case .none, .bytes, .file: true
    case .stream(let stream): stream.isRepeatable
    case .multipart(let form): form.isRepeatable
    }
  }
}

extension MultipartFormData {
  /// Whether every part of the form can be sent again.
  fileprivate var isRepeatable: Bool {
    parts.allSatisfy { part in
      switch part.content {
      case .bytes, .file: true
      case .stream(let stream): stream.isRepeatable
      case .form(let form): form.isRepeatable
      }
    }
  }
}
