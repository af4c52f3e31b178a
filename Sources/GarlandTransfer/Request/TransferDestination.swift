/// The destination of a response's body.
public enum TransferDestination: Sendable, Hashable {
  /// Memory, up to ``TransferSettings/Values/maximumBodyBytes``.
  case memory
  /// A file; see ``DownloadTarget``.
  case file(DownloadTarget)
  /// Memory for the first bytes, up to the given number. The rest is received, counted and discarded. The SHA-256 digest, if one is
  /// requested, covers the whole body.
  case prefix(Int, computesDigest: Bool)
  /// No destination: the body is received, counted and discarded.
  case discard
}
