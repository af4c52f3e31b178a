/// A sequence of bytes, given as hexadecimal digits.
public struct BytesText: Sendable, Hashable {
  /// The digits in lower case, two for each byte.
  public let hex: String
}
