/// A destination of bytes: a file descriptor, a file, or memory in tests.
public protocol ByteSink: Sendable {
  /// Writes all bytes. Throws an error if that fails.
  func write(_ bytes: [UInt8]) throws(OutputError)
}
