extension NameTable {
  /// Compiles the simplest expressions directly from their bytes: `STEP.EXTRACT`, `vars.NAME`, `secrets.NAME` and `env.NAME`. Most
  /// expressions of a large document have one of these forms. Returns nil for all other expressions, and for expressions that may contain a
  /// mistake.
  ///
  /// - Parameters:
  ///   - text: the text that contains the expression.
  ///   - start: the offset of the expression's first byte, after `${`.
  /// - Returns: the expression and the offset after its `}`.
  func expression(
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
