/// The only shortcut past the parser of expressions: most scalars of a large document contain nothing but names such as `vars.NAME`.
extension NameTable {
  /// Splits a text into literal parts and expressions, and passes each part to `take`. The method can do this only if each expression is a
  /// simple name such as `vars.NAME`.
  ///
  /// - Parameters:
  ///   - dollar: the offset of the text's first `$`.
  ///   - take: a closure that receives each part, and whether this part is the whole text. It returns false if it refuses the part.
  /// - Returns: true if each expression is a simple name, and `take` has refused no part. If false, the caller must discard the parts that
  ///   `take` has received.
  func simpleParts(
    of text: UnsafeBufferPointer<UInt8>, from dollar: Int, _ scope: ExpressionScope, _ locator: ScalarLocator,
    _ take: (TemplateCompiler.Part, _ isWhole: Bool) -> Bool
  ) -> Bool {
    var start = 0
    var next: Int? = dollar
    while let dollar = next {
      guard dollar + 1 < text.count, text[dollar + 1] == UInt8(ascii: "{"),
        let (expression, end) = expression(text, from: dollar + 2, scope, locator)
      else { return false }
      if dollar > start, !take(.literal(literal(UnsafeBufferPointer(rebasing: text[start..<dollar]))), false) { return false }
      guard take(.expression(expression), dollar == 0 && end == text.count) else { return false }
      start = end
      next = ExpressionScanner.firstDollar(text, from: end)
    }
    return start == text.count || take(.literal(literal(UnsafeBufferPointer(rebasing: text[start...]))), false)
  }

  /// Compiles the simplest expressions directly from their bytes: `STEP.EXTRACT`, `vars.NAME`, `secrets.NAME` and `env.NAME`. Most
  /// expressions of a large document have one of these forms. Returns nil for all other expressions, and for expressions that may contain a
  /// mistake.
  ///
  /// - Parameters:
  ///   - text: the text that contains the expression.
  ///   - start: the offset of the expression's first byte, after `${`.
  /// - Returns: the expression and the offset after its `}`.
  private func expression(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, _ scope: ExpressionScope, _ locator: ScalarLocator
  ) -> (expression: Expression, end: Int)? {
    guard let dot = Self.nameEnd(text, from: start), text[dot] == UInt8(ascii: "."), let end = Self.nameEnd(text, from: dot + 1),
      text[end] == UInt8(ascii: "}")
    else { return nil }
    let root = UnsafeBufferPointer(rebasing: text[start..<dot])
    let name = UnsafeBufferPointer(rebasing: text[dot + 1..<end])
    guard ExpressionCompiler.meanings.contains(root) else {
      return extract(root, name, scope, locator, start..<end).map { ($0, end + 1) }
    }
    return input(root, name, scope, locator, start..<end).map { ($0, end + 1) }
  }

  private func extract(
    _ id: UnsafeBufferPointer<UInt8>, _ name: UnsafeBufferPointer<UInt8>, _ scope: ExpressionScope, _ locator: ScalarLocator,
    _ place: Range<Int>
  ) -> Expression? {
    guard !scope.isBeforeSteps, scope.stream == nil, let ordinal = ordinal(of: id), !(scope.hasResponse && scope.step == ordinal),
      !self.kinds.hasLoop[ordinal],
      uses.isEmpty || uses[String(decoding: id, as: UTF8.self)] == nil, let index = useExtract(name, of: ordinal)
    else { return nil }
    return Expression(extract: index, step: ordinal, kinds: kinds(ofExtract: index, of: ordinal), place: place, locator: locator)
  }

  private func input(
    _ root: UnsafeBufferPointer<UInt8>, _ name: UnsafeBufferPointer<UInt8>, _ scope: ExpressionScope, _ locator: ScalarLocator,
    _ place: Range<Int>
  ) -> Expression? {
    switch root.count {
    case 3 where root[0] == UInt8(ascii: "e"):
      let index = environmentVariable(String(decoding: name, as: UTF8.self))
      return Expression(environment: index, place: place, locator: locator)
    case 4 where root[0] == UInt8(ascii: "v"):
      guard !scope.isInput, let index = variable(String(decoding: name, as: UTF8.self)) else { return nil }
      variables.used[index] = true
      return Expression(variable: index, kinds: variables.kinds[index], place: place, locator: locator)
    case 7 where root[0] == UInt8(ascii: "s"):
      guard let index = secrets.index(of: String(decoding: name, as: UTF8.self)) else { return nil }
      return Expression(secret: index, place: place, locator: locator)
    default: return nil
    }
  }

  /// Returns the offset after the name that begins at `start`. Returns nil if there is no name, or if no character follows the name.
  private static func nameEnd(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard start < text.count, Lexer.isNameStart(text[start]) else { return nil }
    var end = start + 1
    while end < text.count, Lexer.isNamePart(text[end]) { end += 1 }
    return end < text.count ? end : nil
  }

  /// Returns the text of an expression that has the same value in every run: a literal, or a variable with a literal value. Returns nil for
  /// any other expression.
  func constantText(of node: ExpressionNode) -> String? {
    var value = node.constant
    if case .variable(let index) = node.kind, case .constant(let written, _)? = variables.values[index] { value = written }
    return value?.stringValue ?? value?.numberValue?.text
  }
}
