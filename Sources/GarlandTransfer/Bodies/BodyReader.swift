/// What a request's body is read from while it is sent. Used on the engine's thread only.
protocol BodyReader: AnyObject {
  /// The number of bytes if known.
  var length: Int64? { get }
  /// Whether ``rewind()`` can work.
  var isRepeatable: Bool { get }
  /// Whether it is the caller, and not the network, whom everybody waits for.
  var isWaiting: Bool { get }
  /// Fills some of `buffer`, which is not empty.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyReadOutcome
  /// Begins anew. False if that can't be.
  func rewind() -> Bool
  /// Lets go of files and tasks.
  func close()
}

extension BodyReader {
  /// What is there already is never waited for.
  var isWaiting: Bool { false }
}

/// What became of an attempt to read.
enum BodyReadOutcome {
  case bytes(Int)
  case end
  /// There is nothing yet. Whoever fills the reader will say so.
  case wait
  case failed(NetworkingError.Reason)
}
