import GarlandText

extension String {
  /// Whether both texts are equal, ignoring the case of ASCII letters. HTTP compares field names and tokens in this way.
  func equalsIgnoringCase(_ other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) { $0 == $1 || $0.asciiLowercased == $1.asciiLowercased }
  }

  /// The text with ASCII letters in lower case.
  var asciiLowercased: String {
    String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }

  /// Returns the members of an HTTP list: the trimmed parts between separators, without empty parts.
  func list(separatedBy separator: Character) -> [String] {
    split(separator: separator).map { String($0.withoutBlanks) }.filter { !$0.isEmpty }
  }
}

extension UInt8 {
  /// The byte in lower case if it is an ASCII letter; otherwise the byte itself.
  var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
