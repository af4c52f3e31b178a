/// Reads the body of a request piece by piece. Used on the engine's thread only.
protocol BodyReader: AnyObject {
  /// The length of the body in bytes; nil if it is unknown.
  var length: Int64? { get }
  /// Whether ``rewind()`` can succeed, so that the body can be sent again.
  var isRepeatable: Bool { get }
  /// Whether the transfer waits for the caller to produce more of the body, and not for the network.
  var isWaiting: Bool { get }
  /// Reads bytes into the beginning of `buffer`, whose size is at least one byte.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyReadOutcome
  /// Prepares to read the body again from its beginning. Returns false if that is impossible.
  func rewind() -> Bool
  /// Releases the files and tasks that the reader uses.
  func close()
}

extension BodyReader {
  /// Default implementation: false, since a body in memory or in a file never waits for the caller.
  var isWaiting: Bool { false }
}

/// The result of reading a part of the body.
enum BodyReadOutcome {
  case bytes(Int)
  case end
  /// No bytes are available yet. When bytes are available, the reader of the body notifies the transfer.
  case wait
  case failed(NetworkingError.Reason)
}
