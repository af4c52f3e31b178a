/// Bytes as hexadecimal digits.
public struct BytesText: Sendable, Hashable {
  /// In lower case, two digits for each byte.
  public let hex: String
}
