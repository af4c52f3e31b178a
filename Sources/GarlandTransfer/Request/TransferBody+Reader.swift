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
