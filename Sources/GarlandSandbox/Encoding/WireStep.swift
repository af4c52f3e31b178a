/// A step in a script of what is sent on a connection.
enum WireStep: Sendable {
  case write([UInt8])
  /// Sends a part of a pattern, unchanged or in chunked coding. In the latter case the step also ends the chunked body.
  case pattern(PatternBytes, range: Range<UInt64>, chunked: Bool)
  /// Sends the same bytes repeatedly: a number of times, or forever if nil.
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
