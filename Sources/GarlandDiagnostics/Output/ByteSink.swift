/// A destination of bytes: a file descriptor, a file, or memory in tests.
public protocol ByteSink: Sendable {
  /// Writes all bytes, or throws an error.
  func write(_ bytes: [UInt8]) throws(OutputError)
}
