/// The decision about a response before its body is read; see
/// ``DataRequest/onResponse(_:)``.
public enum ResponseDisposition: Sendable, Hashable {
  /// The body is read into memory.
  case allow
  /// The request is cancelled.
  case cancel
  /// The body is written to a file, which appears at its target path once it is complete and accepted.
  /// ``DataRequest/file`` is that path.
  case becomeDownload(DownloadTarget)
}
