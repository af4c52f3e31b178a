/// Classes of ASCII characters. A byte of 0x80 or more belongs to none.
extension UInt8 {
  /// Whether the byte is a hexadecimal digit, in either case.
  package var isHexDigit: Bool { Hex.value(self) != nil }
}
