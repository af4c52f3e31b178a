import GarlandYAML

extension DocumentDecoder {
  func decodeXPathExpectations(_ node: YAMLNode, _ scope: ExpressionScope, isDefault: Bool) -> [Expectation] {
    guard case .mapping(let mapping) = node.content else {
      report(
        .wrongType, "expected a mapping of XPaths to values, found \(found(node))", at: node.range,
        help: "write `xpath: { //h1: … }`, or `xpath: { //h1: { exists: true } }` for an element that must exist")
      return []
    }
    var result: [Expectation] = []
    result.reserveCapacity(mapping.count)
    for entry in mapping.entries {
      guard let path = xpath(entry.key) else { continue }
      let subject = CheckSubject(words: "`\(Words.excerpt(path.text))`", kinds: path.result.kinds)
      result.append(
        Expectation(
          check: .xpath(path, decodePredicates(entry.value, subject, scope)), keyRange: entry.key.range, range: entry.value.range,
          isDefault: isDefault))
    }
    return result
  }

  /// Parses an XPath expression. If the expression is invalid, reports an error at the invalid character and returns nil.
  func xpath(_ node: YAMLNode) -> XPath? {
    guard let scalar = scalar(node, "an XPath such as `//h1`") else { return nil }
    if let known = cache.xpaths[scalar.text] { return known }
    if ExpressionScanner.hasExpression(scalar.text) {
      report(
        .badXPath, "an XPath can't contain `${…}`", at: node.range,
        help: "an XPath is fixed text; to compare the values of the selected nodes with an expression, write the predicate `any: ${…}`")
      return nil
    }
    do {
      let path = try XPath(scalar.text)
      cache.xpaths[scalar.text] = path
      return path
    } catch {
      let count = scalar.text.utf8.count
      let start = min(error.range.lowerBound, max(0, count - 1))
      let range = scalar.sourceRange(of: start..<max(min(start + 1, count), min(error.range.upperBound, count)), in: node)
      report(.badXPath, error.message, at: range, help: error.help, replacement: node.isAlias ? nil : error.replacement)
      return nil
    }
  }
}

extension XPath.Result {
  /// The possible kinds of the value that this XPath selects. The text of a node may be a number, since XML has no types.
  var kinds: ValueKinds {
    switch self {
    case .nodes: [.text, .number, .list]
    case .number: .number
    case .string: .text
    case .boolean: .boolean
    }
  }
}
