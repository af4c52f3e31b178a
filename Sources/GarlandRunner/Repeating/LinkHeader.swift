import GarlandText

/// Parses `Link` header fields (RFC 8288).
enum LinkHeader {
  /// Returns the target of the first link with the given relation; nil if there is no such link.
  static func target(of relation: String, in fields: [String]) -> String? {
    for field in fields {
      for link in links(in: field) where link.relations.contains(where: { $0.lowercased() == relation }) { return link.target }
    }
    return nil
  }

  /// Returns the well-formed links of a field value: `<target>; rel="next prev"; title=x, <other>; …`.
  static func links(in field: String) -> [(target: String, relations: [String])] {
    let bytes = Array(field.utf8)
    var result: [(target: String, relations: [String])] = []
    var position = 0
    func skipSpace() { while position < bytes.count, bytes[position].isBlank { position += 1 } }
    while position < bytes.count {
      skipSpace()
      if position < bytes.count, bytes[position] == UInt8(ascii: ",") {
        position += 1
        continue
      }
      guard position < bytes.count, bytes[position] == UInt8(ascii: "<"), let end = bytes[position...].firstIndex(of: UInt8(ascii: ">"))
      else {
        return result
      }
      let target = String(decoding: bytes[position + 1..<end], as: UTF8.self)
      position = end + 1
      var relations: [String]?
      while true {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: ";") else { break }
        position += 1
        skipSpace()
        let (name, value) = parameter(bytes, &position)
        // RFC 8288, section 3.3: if there are several `rel` parameters, only the first one counts.
        if name.lowercased() == "rel", relations == nil { relations = value.split(separator: " ").map(String.init) }
      }
      result.append((target, relations ?? []))
      guard position < bytes.count, bytes[position] == UInt8(ascii: ",") else { return result }
      position += 1
    }
    return result
  }

  private static func parameter(_ bytes: [UInt8], _ position: inout Int) -> (name: String, value: String) {
    func isEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",") || byte.isBlank }
    let start = position
    while position < bytes.count, !isEnd(bytes[position]), bytes[position] != UInt8(ascii: "=") { position += 1 }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    while position < bytes.count, bytes[position].isBlank { position += 1 }
    guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return (name, "") }
    position += 1
    while position < bytes.count, bytes[position].isBlank { position += 1 }
    var value: [UInt8] = []
    if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
      position += 1
      while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
        if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
        value.append(bytes[position])
        position += 1
      }
      position = min(position + 1, bytes.count)
    } else {
      while position < bytes.count, !isEnd(bytes[position]) {
        value.append(bytes[position])
        position += 1
      }
    }
    return (name, String(decoding: value, as: UTF8.self))
  }
}
