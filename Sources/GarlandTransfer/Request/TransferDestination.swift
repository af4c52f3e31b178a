/// Where a response's body goes.
public enum TransferDestination: Sendable, Hashable {
  /// Into memory, up to ``TransferSettings/Values/maximumBodyBytes``.
  case memory
  /// Into a file: see ``DownloadTarget``.
  case file(DownloadTarget)
  /// Its first bytes into memory, so many at most; the rest is received, counted, and goes into the SHA-256 digest if one is wanted.
  case prefix(Int, computesDigest: Bool)
  /// Nowhere. It is received and counted.
  case discard
}
