import GarlandText

/// Checks addresses: [RFC 5321](https://www.rfc-editor.org/rfc/rfc5321) for mail, [RFC
/// 4291](https://www.rfc-editor.org/rfc/rfc4291) for IPv6.
enum NetworkFormat {
  static func isIPv4(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.count) && part.allSatisfy(\.isDigit) && (part.count == 1 || part.first != UInt8(ascii: "0"))
          && part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 255
      }
  }

  static func isIPv6(_ text: String) -> Bool {
    guard text.utf8.allSatisfy({ $0.isHexDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }) else {
      return false
    }
    let halves = halvesAroundDoubleColon(text)
    guard halves.count <= 2 else { return false }
    var groups = 0
    for (position, half) in halves.enumerated() where !half.isEmpty {
      let parts = half.split(separator: ":", omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() {
        let isLast = position == halves.count - 1 && index == parts.count - 1
        if isLast, part.utf8.contains(UInt8(ascii: ".")) {
          guard isIPv4(String(part)) else { return false }
          groups += 2
        } else {
          guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(\.isHexDigit) else { return false }
          groups += 1
        }
      }
    }
    return halves.count == 2 ? groups <= 7 : groups == 8
  }

  /// Splits a text at `::`. Returns more than two parts if the text contains `::` more than once.
  private static func halvesAroundDoubleColon(_ text: String) -> [Substring] {
    var halves: [Substring] = []
    var start = text.startIndex
    var position = text.startIndex
    while position < text.endIndex {
      let next = text.index(after: position)
      if text[position] == ":", next < text.endIndex, text[next] == ":" {
        halves.append(text[start..<position])
        start = text.index(after: next)
        position = start
      } else {
        position = next
      }
    }
    return halves + [text[start...]]
  }

  static func isEmail(_ text: String, allowsNonASCII: Bool) -> Bool {
    let bytes = Array(text.utf8)
    guard allowsNonASCII || bytes.allSatisfy({ $0 < 0x80 }), let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
    return isLocalPart(bytes[..<at]) && isMailDomain(bytes[(at + 1)...])
  }

  private static func isLocalPart(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard !bytes.isEmpty else { return false }
    if bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\""), bytes.count >= 2 {
      var isEscaped = false
      for byte in bytes.dropFirst().dropLast() {
        guard byte >= 0x20, byte != 0x7F, isEscaped || byte != UInt8(ascii: "\"") else { return false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      }
      return !isEscaped
    }
    let special = Set("!#$%&'*+-/=?^_`{|}~".utf8)
    return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
      !atom.isEmpty && atom.allSatisfy { $0.isLetterOrDigit || special.contains($0) || $0 >= 0x80 }
    }
  }

  private static func isMailDomain(_ bytes: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.hasPrefix("["), text.hasSuffix("]") {
      let address = text.dropFirst().dropLast()
      return address.hasPrefix("IPv6:") ? isIPv6(String(address.dropFirst(5))) : isIPv4(String(address))
    }
    return HostNameFormat.isInternational(text)
  }
}
