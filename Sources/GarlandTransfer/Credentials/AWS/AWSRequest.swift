import HTTPTypes

/// A request on its way into the form in which it is signed (the canonical request).
struct AWSRequest {
  var method: String
  /// Encoded, as it is sent.
  var path: String
  /// Encoded, as it is sent; nil if there is none.
  var query: String?
  /// The fields that are signed, names in lower case.
  var fields: [(name: String, value: String)]
  /// The content's digest in hexadecimal, or a word instead of it.
  var payload: String
  /// Whether the path's segments are encoded once, and not once more.
  var encodesPathOnce: Bool

  /// The names of the signed fields, sorted.
  var signedNames: String { sorted.map(\.name).joined(separator: ";") }

  /// The text that is digested.
  var canonical: String {
    var text = "\(method)\n\(canonicalPath)\n\(canonicalQuery)\n"
    let sorted = sorted
    for field in sorted { text += "\(field.name):\(field.value)\n" }
    text += "\n" + sorted.map(\.name).joined(separator: ";") + "\n" + payload
    return text
  }

  /// Fields of one name become one, in their order.
  private var sorted: [(name: String, value: String)] {
    var merged: [(name: String, value: String)] = []
    // Swift's sort is stable.
    for field in fields.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
      let value = Self.collapsed(field.value)
      if let last = merged.indices.last, merged[last].name == field.name {
        merged[last].value += "," + value
      } else {
        merged.append((field.name, value))
      }
    }
    return merged
  }

  private var canonicalPath: String {
    if encodesPathOnce {
      var output: [UInt8] = []
      let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      for (index, segment) in segments.enumerated() {
        if index > 0 { output.append(UInt8(ascii: "/")) }
        PercentEncoding.append(PercentEncoding.decode(Substring(segment)), to: &output, keeping: PercentEncoding.unreserved)
      }
      return output.isEmpty ? "/" : String(decoding: output, as: UTF8.self)
    }
    // Empty segments go as well as dots.
    let segments = DotSegments.removed(from: path).utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true).map {
      PercentEncoding.encode(String(Substring($0)))
    }
    if segments.isEmpty { return "/" }
    return "/" + segments.joined(separator: "/") + (path.utf8.last == UInt8(ascii: "/") ? "/" : "")
  }

  private var canonicalQuery: String {
    guard let query, !query.isEmpty else { return "" }
    var pairs: [(name: String, value: String)] = []
    for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      pairs.append((Self.recoded(parts[0]), parts.count > 1 ? Self.recoded(parts[1]) : ""))
    }
    pairs.sort { left, right in
      left.name == right.name
        ? left.value.utf8.lexicographicallyPrecedes(right.value.utf8) : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
    return pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }

  /// One encoding for what may be written in several. A plus sign is a space to the services.
  private static func recoded(_ text: Substring.UTF8View) -> String {
    var output: [UInt8] = []
    let spaced = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    PercentEncoding.append(
      PercentEncoding.decode(String(decoding: spaced, as: UTF8.self)), to: &output, keeping: PercentEncoding.unreserved)
    return String(decoding: output, as: UTF8.self)
  }

  /// Without spaces around it, and with one where there are several.
  private static func collapsed(_ value: String) -> String {
    value.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.map { String(Substring($0)) }.joined(separator: " ")
  }
}
