/// The destination of a response's body.
public enum TransferDestination: Sendable, Hashable {
  /// Memory, up to ``TransferSettings/Values/maximumBodyBytes``.
  case memory
  /// A file; see ``DownloadTarget``.
  case file(DownloadTarget)
  /// Memory for at most this many first bytes; the rest is received, counted, and included in the
  /// SHA-256 digest if one is requested.
  case prefix(Int, computesDigest: Bool)
  /// No destination: the body is received and counted.
  case discard
}
