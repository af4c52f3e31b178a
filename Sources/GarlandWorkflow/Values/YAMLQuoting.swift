import GarlandDiagnostics
import GarlandText
import GarlandYAML

/// Writes text as a YAML scalar, for the fixes that diagnostics suggest.
enum YAMLQuoting {
  /// Returns a text in single quotes.
  static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }

  /// Returns a key with which a fix replaces the key `old`. The new key is quoted if `old` is quoted, since JSON requires quotes.
  static func key(_ name: String, inPlaceOf old: String) -> String {
    guard let quote = old.first, quote == "\"" || quote == "'" else { return name }
    return "\(quote)\(name)\(quote)"
  }

  /// Returns a text as a YAML scalar. The scalar is in single quotes, unless the text needs no quotes anywhere in a YAML document.
  static func scalar(_ text: String) -> String {
    let isPlain =
      text.utf8.allSatisfy { $0.isLetterOrDigit || "_-./$+".utf8.contains($0) || $0 >= 0x80 }
      && text.utf8.first.map { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ".") } ?? false
    return isPlain || text.hasPrefix("../") && scalar(String(text.dropFirst(3))) == text.dropFirst(3) ? text : quoted(text)
  }

  /// Returns a fix that replaces a part of a scalar with an expression. If the scalar has no quotes, the fix adds quotes, since a `{` would
  /// end such a scalar within a flow mapping. Returns nil if the node is an alias.
  static func fix(_ part: Range<Int>, of scalar: YAMLScalar, _ node: YAMLNode, with expression: String) -> Diagnostic.Fix? {
    guard !node.isAlias else { return nil }
    guard scalar.style == .plain else { return .init(scalar.sourceRange(of: part, in: node), expression) }
    var bytes = Array(scalar.text.utf8)
    bytes.replaceSubrange(part, with: Array(expression.utf8))
    return .init(node.range, quoted(String(decoding: bytes, as: UTF8.self)))
  }
}
