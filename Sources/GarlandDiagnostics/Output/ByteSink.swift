/// Where bytes go in the end: a file descriptor, a file, or memory in tests.
public protocol ByteSink: Sendable {
  /// Writes all of them, or says why not.
  func write(_ bytes: [UInt8]) throws(OutputError)
}
