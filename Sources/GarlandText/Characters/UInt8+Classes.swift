/// Classes of ASCII characters. A byte of 0x80 or more belongs to none.
extension UInt8 {
  /// Whether the byte is a space or a tab.
  @inlinable package var isBlank: Bool { self == 0x20 || self == 0x09 }
  /// Whether the byte is a space, a tab, a line feed or a carriage return: the white space of JSON and XML.
  @inlinable package var isWhiteSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
  /// Whether the byte is a digit.
  @inlinable package var isDigit: Bool { self &- 0x30 < 10 }
  /// Whether the byte is a letter, in either case.
  @inlinable package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
  /// Whether the byte is a letter or a digit.
  @inlinable package var isLetterOrDigit: Bool { isLetter || isDigit }
  /// Whether the byte is a hexadecimal digit, in either case.
  @inlinable package var isHexDigit: Bool { Hex.value(self) != nil }
}
