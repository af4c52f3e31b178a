import GarlandText

/// The canonical form of a request, over which the signature is computed.
struct AWSRequest {
  var method: String
  /// The path as it is sent, in encoded form.
  var path: String
  /// The encoded query as sent; nil if the URL has no query.
  var query: String?
  /// The signed header fields, with names in lower case.
  var fields: [(name: String, value: String)]
  /// The content's digest in hexadecimal, or a placeholder such as `UNSIGNED-PAYLOAD`.
  var payload: String
  /// Whether the path's segments are encoded once, as S3 requires, rather than twice.
  var encodesPathOnce: Bool

  /// The names of the signed fields, sorted and separated by semicolons.
  var signedNames: String { sorted.map(\.name).joined(separator: ";") }

  /// The canonical text of the request. The signature covers the digest of this text.
  var canonical: String {
    var text = "\(method)\n\(canonicalPath)\n\(canonicalQuery)\n"
    let sorted = sorted
    for field in sorted { text += "\(field.name):\(field.value)\n" }
    text += "\n" + sorted.map(\.name).joined(separator: ";") + "\n" + payload
    return text
  }

  /// The signed fields, sorted by name. Fields with the same name become one field: their values are joined with commas, in the original
  /// order.
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
      let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      let encoded = segments.map { PercentEncoding.encode(PercentEncoding.decode(Array($0))) }.joined(separator: "/")
      return encoded.isEmpty ? "/" : encoded
    }
    // Empty segments are removed too, like dot segments.
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

  /// Decodes a text and encodes it in the canonical way. A plus sign counts as a space, since AWS services read
  /// it as a space.
  private static func recoded(_ text: Substring.UTF8View) -> String {
    PercentEncoding.encode(PercentEncoding.decode(Array(text), plusIsSpace: true))
  }

  /// Removes white space around the value of a field, and joins repeated spaces within the value into one.
  private static func collapsed(_ value: String) -> String {
    value.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.map { String(Substring($0)) }.joined(separator: " ")
  }
}
