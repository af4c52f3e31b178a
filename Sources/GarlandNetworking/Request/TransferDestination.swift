/// Where a response's body goes.
public enum TransferDestination: Sendable, Hashable {
  /// Into memory, up to ``TransferSettings/maximumBodyBytes``.
  case memory
  /// Into a file: see ``DownloadTarget``.
  case file(DownloadTarget)
  /// Nowhere. It is received and counted.
  case discard
}
