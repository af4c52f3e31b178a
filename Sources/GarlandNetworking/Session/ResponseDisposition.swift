/// The decision about a response before its body is read; see
/// ``DataRequest/onResponse(_:)``.
public enum ResponseDisposition: Sendable, Hashable {
  /// The body is read into memory.
  case allow
  /// The request is cancelled.
  case cancel
  /// The body is written to a file. The file appears at its target path, ``DataRequest/file``, when the body is complete and all validators
  /// have accepted the response.
  case becomeDownload(DownloadTarget)
}
