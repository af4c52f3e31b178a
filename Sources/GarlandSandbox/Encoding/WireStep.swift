/// A step in the script by which a connection sends a response: bytes, a pause, or an action.
enum WireStep: Sendable {
  case write([UInt8])
  /// Sends a part of a pattern, unchanged or in chunked coding. If `chunked` is true, the step also ends the chunked body.
  case pattern(PatternBytes, range: Range<UInt64>, chunked: Bool)
  /// Sends the same bytes repeatedly. If the number of times is nil, it sends them forever.
  case repeated([UInt8], times: Int?)
  case pause(Duration)
  /// Sends nothing more, until the client closes the connection.
  case hang
  /// Closes the connection normally.
  case close
  /// Ends the connection by a TCP reset.
  case reset

  static func text(_ text: String) -> WireStep { .write(Array(text.utf8)) }
}
