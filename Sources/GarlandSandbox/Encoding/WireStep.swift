/// A step of what happens on the wire.
enum WireStep: Sendable {
  case write([UInt8])
  /// Part of a pattern, as it is or in chunked coding (which this step also ends).
  case pattern(PatternBytes, range: Range<UInt64>, chunked: Bool)
  /// The same bytes again and again: so many times, or for ever.
  case repeated([UInt8], times: Int?)
  case pause(Duration)
  /// Sends nothing more, until the client gives up.
  case hang
  /// The end of the connection, in good order.
  case close
  /// The end of the connection by a TCP reset.
  case reset

  static func text(_ text: String) -> WireStep { .write(Array(text.utf8)) }
}
