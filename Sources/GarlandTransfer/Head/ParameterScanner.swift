/// Reads the parameters of a header field's value: `attachment; filename="a b.txt"` (RFC 9110,
/// section 5.6.6), tolerating white space.
package struct ParameterScanner {
  private var rest: Substring.UTF8View.SubSequence

  /// Creates a scanner that starts at the first parameter, after the main part of the value.
  package init(_ value: String) {
    let bytes = value[...].utf8[...]
    rest = bytes.firstIndex(of: UInt8(ascii: ";")).map { bytes[$0...] } ?? bytes[bytes.endIndex...]
  }

  /// Returns the next parameter, with its name in lower case; nil if there are no more.
  package mutating func next() -> (name: String, value: String)? {
    while let byte = rest.first {
      if byte == UInt8(ascii: ";") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
        rest = rest.dropFirst()
        continue
      }
      let end = rest.firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ";") } ?? rest.endIndex
      let name = text(rest[..<end]).lowercased()
      rest = rest[end...]
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest = rest.dropFirst()
      while rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
      return (name, rest.first == UInt8(ascii: "\"") ? quoted() : token())
    }
    return nil
  }

  private mutating func token() -> String {
    let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
    defer { rest = rest[end...] }
    return text(rest[..<end])
  }

  private mutating func quoted() -> String {
    rest = rest.dropFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { break }
      // A backslash escapes quotes and itself. Before any other character, it is part of a path that the server has not escaped.
      if byte == UInt8(ascii: "\\"), let next = rest.first, next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\") {
        bytes.append(next)
        rest = rest.dropFirst()
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func text(_ bytes: Substring.UTF8View.SubSequence) -> String {
    var bytes = bytes
    while bytes.last == UInt8(ascii: " ") || bytes.last == UInt8(ascii: "\t") { bytes = bytes.dropLast() }
    return String(Substring(bytes))
  }
}
