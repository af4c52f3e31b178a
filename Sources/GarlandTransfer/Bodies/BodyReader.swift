/// The source of a request's body. Used on the engine's thread only.
protocol BodyReader: AnyObject {
  /// The number of bytes, if it is known.
  var length: Int64? { get }
  /// Whether ``rewind()`` can succeed.
  var isRepeatable: Bool { get }
  /// Whether the transfer waits for the caller and not for the network.
  var isWaiting: Bool { get }
  /// Reads bytes into the beginning of `buffer`, which is not empty.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyReadOutcome
  /// Starts again from the beginning. Returns false if that is impossible.
  func rewind() -> Bool
  /// Releases files and tasks.
  func close()
}

extension BodyReader {
  /// Default implementation: false, since the body already exists.
  var isWaiting: Bool { false }
}

/// The result of a read.
enum BodyReadOutcome {
  case bytes(Int)
  case end
  /// There are no bytes yet. The producer will notify the reader.
  case wait
  case failed(NetworkingError.Reason)
}
