/// A condition that the author wrote without `${…}`, such as `until: status == 200`, and its correction for a diagnostic.
struct BareCondition {
  let help: String
  /// The corrected condition, in quotes and with `${…}`; nil if it is uncertain which value a name in the condition means.
  let replacement: String?

  /// Recognises a comparison that is written without `${…}`, and suggests the correct form. Returns nil if the text is not a comparison.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - scope: The names that an expression at this place may use.
  ///   - isStep: Whether a name is the id of a step of the document, or the name of a document that the document uses.
  init?(_ text: String, in scope: ExpressionScope, isStep: (String) -> Bool) {
    // A JSONPath selects a value in the body.
    var text = text.hasPrefix("$.") ? "response.json" + text.dropFirst() : text
    let operators = ["==", "!=", "<", ">", "&&", "||"]
    guard operators.contains(where: { text.contains(" \($0) ") }),
      let syntax = try? ExpressionParser.parse(Array(text.utf8), from: 0, isBraced: false).node
    else { return nil }
    var isCertain = true
    for name in syntax.names.reversed() where !Self.isKnown(name.text, in: scope) && !isStep(name.text) {
      if scope.hasResponse, ResponseMember(rawValue: name.text) != nil {
        text = String(decoding: Array(text.utf8.prefix(name.offset)) + "response.".utf8 + text.utf8.dropFirst(name.offset), as: UTF8.self)
      } else {
        isCertain = false
      }
    }
    replacement = isCertain ? YAMLQuoting.quoted("${\(text)}") : nil
    help =
      isCertain
      ? "write an expression in `${…}`"
      : scope.hasResponse
        ? "write an expression in `${…}`, such as `${response.status == 200}`"
        : "write an expression in `${…}`; a value of another step is written `STEP.status` or `STEP.json.NAME`"
  }

  private static func isKnown(_ name: String, in scope: ExpressionScope) -> Bool {
    switch name {
    case "response": scope.hasResponse
    case "item", "index": scope.hasLoop
    case scope.stream?.itemName: true
    default: ["vars", "env", "secrets", "auth", "run", "inputs"].contains(name)
    }
  }
}

extension SyntaxNode {
  /// The first names of all references, such as `login` for `login.token`, with their byte offsets, in the order of the text.
  fileprivate var names: [(text: String, offset: Int)] {
    switch kind {
    case .literal, .subject: []
    case .name(let name): [(name, range.lowerBound)]
    case .list(let items): items.flatMap(\.names)
    case .member(let base, _, _), .unary(_, let base): base.names
    case .element(let base, let index): base.names + index.names
    case .binary(_, let left, let right): left.names + right.names
    case .call(_, _, let arguments): arguments.flatMap(\.names)
    case .filter(let input, _, _, let arguments): input.names + arguments.flatMap(\.names)
    }
  }
}
