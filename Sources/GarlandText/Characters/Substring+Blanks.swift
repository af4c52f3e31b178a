extension Substring {
  /// The text without the spaces and tabs at both ends, which HTTP allows around most values (RFC 9110, section 5.6.3).
  package var withoutBlanks: Substring {
    var bytes = utf8
    while let byte = bytes.first, byte == 0x20 || byte == 0x09 { bytes.removeFirst() }
    while let byte = bytes.last, byte == 0x20 || byte == 0x09 { bytes.removeLast() }
    return Substring(bytes)
  }
}
