extension String {
  /// Whether both are the same but for the case of ASCII letters, which is how HTTP compares field names and tokens.
  func equalsIgnoringCase(_ other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) { $0 == $1 || $0.asciiLowercased == $1.asciiLowercased }
  }

  /// The text with ASCII letters in lower case.
  var asciiLowercased: String {
    String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }

  /// Without spaces and tabs at both ends.
  var trimmed: String { String(Substring(self).trimmed) }

  /// The parts between `separator`s, trimmed, without empty ones: an HTTP list.
  func list(separatedBy separator: Character) -> [String] {
    split(separator: separator).map { String($0.trimmed) }.filter { !$0.isEmpty }
  }
}

extension Substring {
  /// Without spaces and tabs at both ends.
  var trimmed: Substring {
    var result = self
    while let first = result.utf8.first, first == 0x20 || first == 0x09 { result.removeFirst() }
    while let last = result.utf8.last, last == 0x20 || last == 0x09 { result.removeLast() }
    return result
  }
}

extension UInt8 {
  /// An ASCII letter in lower case; any other byte as it is.
  var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
