/// A function of XPath 1.0 (section 4), with the rules for its arguments.
struct XPathFunction {
  let result: XPath.Result
  /// The minimum and maximum number of arguments. If the maximum is nil, any greater number is allowed.
  let arguments: (least: Int, most: Int?)
  /// Whether the argument of the function must be nodes, and not a number, text or boolean.
  let takesNodes: Bool

  private init(_ result: XPath.Result, _ least: Int, _ most: Int?, takesNodes: Bool = false) {
    self.result = result
    arguments = (least, most)
    self.takesNodes = takesNodes
  }

  static let all: [String: XPathFunction] = [
    "last": .init(.number, 0, 0), "position": .init(.number, 0, 0), "count": .init(.number, 1, 1, takesNodes: true),
    "id": .init(.nodes, 1, 1), "local-name": .init(.string, 0, 1, takesNodes: true),
    "namespace-uri": .init(.string, 0, 1, takesNodes: true),
    "name": .init(.string, 0, 1, takesNodes: true), "string": .init(.string, 0, 1), "concat": .init(.string, 2, nil),
    "starts-with": .init(.boolean, 2, 2), "contains": .init(.boolean, 2, 2), "substring-before": .init(.string, 2, 2),
    "substring-after": .init(.string, 2, 2), "substring": .init(.string, 2, 3), "string-length": .init(.number, 0, 1),
    "normalize-space": .init(.string, 0, 1), "translate": .init(.string, 3, 3), "boolean": .init(.boolean, 1, 1),
    "not": .init(.boolean, 1, 1),
    "true": .init(.boolean, 0, 0), "false": .init(.boolean, 0, 0), "lang": .init(.boolean, 1, 1), "number": .init(.number, 0, 1),
    "sum": .init(.number, 1, 1, takesNodes: true), "floor": .init(.number, 1, 1), "ceiling": .init(.number, 1, 1),
    "round": .init(.number, 1, 1),
  ]

  /// Advice for functions that exist only in later versions of XPath. The keys are the names of the functions.
  static let laterVersions: [String: String] = [
    "matches": "use the predicate `matches:` on the selected nodes", "replace": "use `translate(…)`, or the predicate `matches:`",
    "lower-case": "use `translate(…)`, or `matches: (?i)…`", "upper-case": "use `translate(…)`, or `matches: (?i)…`",
    "ends-with": "use the predicate `ends_with:`", "exists": "use the predicate `exists: true`",
    "empty": "use the predicate `exists: false`",
    "string-join": "use the predicates `each` and `any`, which check all selected nodes", "tokenize": "use the predicate `matches:`",
    "distinct-values": "select them all, and compare in an expression", "avg": "use `sum(…) div count(…)`",
    "min": "use the predicate `each: {gte: …}`", "max": "use the predicate `each: {lte: …}`", "data": "use `string(…)`",
    "abs": "XPath 1.0 has no such function",
  ]

  /// The allowed number of arguments in words, such as "1 argument" or "2 or 3 arguments".
  var argumentWords: String {
    switch arguments {
    case (let least, nil): "\(least) or more arguments"
    case (0, 0?): "no arguments"
    case (1, 1?): "1 argument"
    case (let least, let most?) where least == most: "\(least) arguments"
    case (0, 1?): "at most 1 argument"
    case (let least, let most?): "\(least) to \(most) arguments"
    }
  }
}
