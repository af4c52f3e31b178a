import GarlandDiagnostics
import GarlandJSON
import GarlandYAML

/// Reports a JSONPath that ends with a call, such as `$.items.length()`. Other tools allow it; in RFC 9535, functions exist only in filters.
extension DocumentDecoder {
  /// The parts of a JSONPath that ends with a function call, such as `$.items.length()`.
  private struct PathCall {
    /// The JSONPath before the function call, such as `$.items` in `$.items.length()`. It selects a single value.
    let path: String
    /// Garland's filter with the same effect as the call at the end of the JSONPath.
    let filter: Filter
    /// The range of the function call, such as `.length()`, in the text of the JSONPath, in UTF-8 bytes.
    let range: Range<Int>

    init?(_ text: String) {
      guard text.hasSuffix("()"), let dot = text.lastIndex(of: "."), let path = try? JSONPath(String(text[..<dot])), path.isSingular
      else { return nil }
      let name = String(text[dot...].dropFirst().dropLast(2))
      guard let filter = Filter(rawValue: name == "size" || name == "count" ? "length" : name),
        filter.signature.parameters.allSatisfy(\.isOptional)
      else { return nil }
      self.path = String(text[..<dot])
      self.filter = filter
      range = text[..<dot].utf8.count..<text.utf8.count
    }
  }

  private static let message = "a JSONPath can't end with a function"

  /// Reports an extract whose JSONPath ends with a function call, such as `$.items.length()`. Returns whether the extract was reported.
  func refuseCallAfterPath(_ node: YAMLNode) -> Bool {
    guard let scalar = node.scalar, let call = PathCall(scalar.text) else { return false }
    report(
      .badJSONPath, Self.message, at: scalar.sourceRange(of: call.range, in: node),
      help: "write `{ json: \(Words.excerpt(call.path)), then: \(call.filter.rawValue) }`",
      replacement: node.isAlias ? nil : "{ json: \(YAMLQuoting.scalar(call.path)), then: \(call.filter.rawValue) }", fixRange: node.range)
    return true
  }

  /// Reports an error if the JSONPath of an expectation ends with a call that returns a length or a count, such as `$.items.length(): 3`.
  /// Returns whether it reported an error.
  ///
  /// - Parameters:
  ///   - node: the JSONPath.
  ///   - value: the expected value or the predicates.
  func refuseCallAfterPath(_ node: YAMLNode, expecting value: YAMLNode) -> Bool {
    guard let scalar = node.scalar, let call = PathCall(scalar.text), call.filter == .length else { return false }
    let (start, end) = (node.range.offsets.lowerBound, value.range.offsets.upperBound)
    let range = SourceRange(node.range.file, start..<max(start, end))
    let isPlain = !node.isAlias && !value.isAlias && !value.isNull && !range.text.contains("\n")
    let words = isPlain ? value.range.text : "…"
    report(
      .badJSONPath, Self.message, at: scalar.sourceRange(of: call.range, in: node),
      help: "write `\(Words.excerpt(call.path)): { length: \(Words.excerpt(words)) }`",
      replacement: isPlain ? "\(YAMLQuoting.scalar(call.path)): { length: \(words) }" : nil, fixRange: range)
    return true
  }
}
