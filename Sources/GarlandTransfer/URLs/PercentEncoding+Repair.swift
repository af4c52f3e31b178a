import GarlandText

extension PercentEncoding {
  /// The bytes that RFC 3986 allows in the parts of a URL other than the host. Only a host may contain brackets, around an IPv6 address.
  private static let legalOutsideHost = pathSegment.union(ByteSet("/?#%"))

  /// Returns `text` with illegal bytes encoded; nil if it contains no illegal bytes. The host is left unchanged,
  /// since it has its own encoding.
  static func repaired(_ text: String) throws(URLReferenceError) -> String? {
    var needsRepair = false
    for byte in text.utf8 {
      if byte < 0x20 || byte == 0x7F { throw URLReferenceError(.controlCharacter, in: text) }
      if !legalOutsideHost.contains(byte) { needsRepair = true }
    }
    guard needsRepair else { return nil }
    let authority = authorityRange(of: text)
    return encode(String(text[..<authority.lowerBound]), keeping: legalOutsideHost) + text[authority]
      + encode(String(text[authority.upperBound...]), keeping: legalOutsideHost)
  }

  private static func authorityRange(of text: String) -> Range<String.Index> {
    var scanner = URLScanner(text)
    _ = scanner.scheme()
    guard let authority = scanner.authority() else { return text.startIndex..<text.startIndex }
    return authority.startIndex..<authority.endIndex
  }
}
