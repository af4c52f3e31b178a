extension Substring {
  /// The text without the spaces and tabs at both ends, which HTTP allows around most values (RFC 9110, section 5.6.3).
  @inlinable package var withoutBlanks: Substring {
    var bytes = utf8
    while let byte = bytes.first, byte.isBlank { bytes.removeFirst() }
    while let byte = bytes.last, byte.isBlank { bytes.removeLast() }
    return Substring(bytes)
  }
}

extension String {
  /// The text without the spaces and tabs at both ends.
  @inlinable package var withoutBlanks: Substring { self[...].withoutBlanks }
}

extension StringProtocol {
  /// The text without the white space of Unicode at both ends, which includes line breaks.
  @inlinable package var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
  }
}
