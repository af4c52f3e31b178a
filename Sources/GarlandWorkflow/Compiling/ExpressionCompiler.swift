import GarlandDiagnostics
import GarlandJSON

/// Compiles the syntax tree of an expression: resolves names, checks types and arguments as far as they are known before the run, and
/// evaluates constant parts.
struct ExpressionCompiler {
  /// A compiled part of an expression, with the possible kinds of its value.
  struct Typed {
    let node: ExpressionNode
    var kinds: ValueKinds
  }

  /// The error that stops the compilation of an expression. The mistake itself is already in ``ExpressionCompiler/diagnostics``.
  struct Refused: Error {}

  let names: NameTable
  let scope: ExpressionScope
  let bytes: [UInt8]
  let locator: ScalarLocator
  /// A function that checks whether a file can be read, and throws an error if not. The compiler calls this function for each call of
  /// `file()` with a constant argument. If this property is nil, such files are not checked.
  ///
  /// For a call in the project file, the function returns the absolute path of the file, and the compiled call uses this path. For any
  /// other call, the function returns nil: the path stays relative to the file that contains the call.
  var checkFile: ((String, SourceFile) throws(WorkflowFileError) -> String?)?
  /// For an expression that begins with a filter, such as `trim | upper`: the possible kinds of the value to which this filter is applied.
  var subjectKinds: ValueKinds = .any
  /// The language feature that the current ablation test removes; nil outside of ablation tests. See ``Ablation``.
  var ablation: Ablation?
  var diagnostics = DiagnosticList()
  var steps: [ExpressionStepUse] = []
  var inputs: [InputReference] = []
  var ownNeeds: ResponseNeeds = []
  /// Whether `??` and a replacement value follow the part that is being compiled, so that an undefined value is no mistake.
  var isOptional = false
  /// The number of filters, such as `map`, that define their own `item` and that enclose the part that is being compiled.
  var itemDepth = 0

  init(names: NameTable, scope: ExpressionScope, bytes: [UInt8], locator: ScalarLocator) {
    self.names = names
    self.scope = scope
    self.bytes = bytes
    self.locator = locator
  }

  /// Parses and compiles the expression that begins at the offset `start` of the text. Mistakes are added to ``diagnostics``.
  ///
  /// - Parameters:
  ///   - start: the offset of the expression's first byte.
  ///   - isBraced: whether the expression is in `${…}`.
  /// - Returns: the expression, or nil if it is invalid; and the offset after the expression, or nil if the expression is not closed.
  mutating func compile(from start: Int, isBraced: Bool) -> (expression: Expression?, end: Int?) {
    let syntax: SyntaxNode
    let end: Int
    if isBraced, let end = reportDoubleBraces(from: start) { return (nil, end) }
    do {
      (syntax, end) = try ExpressionParser.parse(bytes, from: start, isBraced: isBraced)
    } catch {
      report(error)
      return (nil, ExpressionScanner.end(of: bytes, from: start))
    }
    let sourceEnd = isBraced ? end - 1 : end
    let source = String(decoding: bytes[start..<sourceEnd], as: UTF8.self)
    do {
      let typed = try compile(syntax)
      let expression = Expression(
        source: source, start: start, locator: locator, root: typed.node, kinds: typed.kinds, steps: steps, inputs: inputs,
        ownNeeds: ownNeeds)
      return (expression, end)
    } catch {
      return (nil, end)
    }
  }

  /// Parses and compiles filters that are written without a value before them, such as `trim | upper`. Mistakes are added to
  /// ``diagnostics``.
  ///
  /// - Parameter kinds: the possible kinds of the filters' input.
  mutating func compileFilters(of kinds: ValueKinds) -> Expression? {
    subjectKinds = kinds
    let syntax: SyntaxNode
    do {
      syntax = try ExpressionParser.parseFilters(bytes)
    } catch {
      report(error)
      return nil
    }
    guard let typed = try? compile(syntax) else { return nil }
    return Expression(
      source: String(decoding: bytes, as: UTF8.self), start: 0, locator: locator, root: typed.node, kinds: typed.kinds, steps: steps,
      inputs: inputs, ownNeeds: ownNeeds)
  }

  // MARK: Reports

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  mutating func report(_ error: ExpressionSyntaxError) {
    let range = locator.range(error.range)
    var diagnostic = Diagnostic(error.code, error.message, at: range, label: error.label)
    if let help = error.help {
      let place = error.fixRange.map { locator.range($0) } ?? range
      diagnostic = diagnostic.help(help, fix: error.replacement.flatMap { locator.written($0) }.map { .init(place, $0) })
    }
    diagnostics.report(diagnostic)
  }

  /// Reports a mistake, and returns the error that the caller throws to stop the compilation.
  mutating func refuse(
    _ code: DiagnosticCode, _ message: String, at range: Range<Int>, help: String? = nil, replacement: String? = nil,
    fixRange: Range<Int>? = nil
  ) -> Refused {
    var replacement = replacement
    // In `vars['usr']`, the source range of the name includes the quotes.
    if fixRange == nil, [.undefinedName, .undefinedMember].contains(code), let quote = bytes[range].first, quote == 0x27 || quote == 0x22 {
      let mark = String(decoding: [quote], as: UTF8.self)
      replacement = replacement.map { mark + $0 + mark }
    }
    report(
      ExpressionSyntaxError(code: code, message: message, range: range, help: help, replacement: replacement, fixRange: fixRange))
    return Refused()
  }

  /// Reports `${{ … }}`, the template syntax of other tools, and suggests `${…}`. Returns the offset after the closing braces; nil if the
  /// text has no `${{` at `start`.
  private mutating func reportDoubleBraces(from start: Int) -> Int? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "{"), let inner = ExpressionScanner.end(of: bytes, from: start + 1),
      inner < bytes.count, bytes[inner] == UInt8(ascii: "}")
    else { return nil }
    let source = text(start + 1..<inner - 1)
    let words = source.split(separator: " ").joined(separator: " ")
    let compiler = TemplateCompiler(names: names, checkFile: checkFile)
    let value = compiler.isExpression(words, scope) ? words : ForeignName(words).value(compiler, scope)
    report(
      ExpressionSyntaxError(
        code: .foreignTemplate, message: "`${{ … }}` is template syntax of another tool", range: start - 2..<inner + 1,
        help: value == nil
          ? "in Garland, write `${…}`, with a value of the document in it such as `${vars.x}` or `${STEP.EXTRACT}`"
          : "in Garland, write `${…}`",
        replacement: value.map { "${\($0)}" }))
    return inner + 1
  }

  // MARK: Nodes

  mutating func compile(_ syntax: SyntaxNode) throws(Refused) -> Typed {
    switch syntax.kind {
    case .literal(let value): return Typed(node: ExpressionNode(.constant(value), at: syntax.range), kinds: ValueKinds(value.kind))
    case .name(let name): return try compileName(name, syntax.range)
    case .subject: return Typed(node: ExpressionNode(.subject, at: syntax.range), kinds: subjectKinds)
    case .member, .element: return try compileAccess(syntax)
    case .list(let items):
      var nodes: [ExpressionNode] = []
      for item in items { nodes.append(try compile(item).node) }
      return fold(.list(nodes), syntax.range, kinds: .list, over: nodes)
    case .unary(let operation, let operand):
      let typed = try compileUnary(operation, operand, syntax.range)
      return ablation == .unary(operation.rawValue) ? typed.withoutOperation : typed
    case .binary(let operation, let left, let right):
      let typed = try compileBinary(operation, left, right, syntax.range)
      return ablation == .binary(operation.rawValue) ? typed.withoutOperation : typed
    case .call(let name, let nameRange, let arguments): return try compileCall(name, nameRange, arguments, syntax.range)
    case .filter(let input, let name, let nameRange, let arguments):
      return try compileFilter(input, name, nameRange, arguments, syntax.range)
    }
  }

  private mutating func compileUnary(_ operation: UnaryOperator, _ operand: SyntaxNode, _ range: Range<Int>) throws(Refused) -> Typed {
    let typed = try compile(operand)
    switch operation {
    case .not:
      try check(typed, is: .boolean, operand.range)
      return try foldChecked(.not(typed.node), range, kinds: .boolean, over: [typed.node])
    case .negate:
      try check(typed, is: .number, operand.range)
      return try foldChecked(.negate(typed.node), range, kinds: .number, over: [typed.node])
    }
  }

  mutating func compileBinary(
    _ operation: BinaryOperator, _ left: SyntaxNode, _ right: SyntaxNode, _ range: Range<Int>
  ) throws(Refused) -> Typed {
    if operation == .coalesce {
      let outer = isOptional
      isOptional = true
      let leftResult: Result<Typed, Refused> = attempt(left)
      isOptional = outer
      let typedRight = try compile(right)
      let typedLeft = try leftResult.get()
      let node = ExpressionNode(.coalesce(typedLeft.node, typedRight.node), at: range)
      return Typed(node: node, kinds: typedLeft.kinds.subtracting(.null).union(typedRight.kinds))
    }
    // Both sides are compiled, so that a mistake in each is reported at once.
    let leftResult: Result<Typed, Refused> = attempt(left)
    let typedRight = try compile(right)
    let typedLeft = try leftResult.get()
    let nodes = [typedLeft.node, typedRight.node]
    switch operation {
    case .or, .and:
      try check(typedLeft, is: .boolean, left.range)
      try check(typedRight, is: .boolean, right.range)
      let kind: ExpressionNode.Kind = operation == .or ? .or(typedLeft.node, typedRight.node) : .and(typedLeft.node, typedRight.node)
      return try foldChecked(kind, range, kinds: .boolean, over: nodes)
    case .equal, .notEqual:
      try checkComparable((typedLeft, left.range), (typedRight, right.range), range, orNull: true)
      return try foldChecked(.equality(operation, typedLeft.node, typedRight.node), range, kinds: .boolean, over: nodes)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      try checkComparable((typedLeft, left.range), (typedRight, right.range), range, orNull: false)
      return try foldChecked(.comparison(operation, typedLeft.node, typedRight.node), range, kinds: .boolean, over: nodes)
    default:
      if operation == .add || operation == .subtract, typedLeft.kinds == .text,
        let duration = typedRight.node.constant?.stringValue, Duration(workflowText: duration) != nil
      {
        throw refuse(
          .wrongType, "expected a number, found text", at: left.range,
          help: "to change a time, use a filter: `\(text(left.range)) | add('\(operation == .subtract ? "-" : "")\(duration)')`")
      }
      try check(typedLeft, is: .number, left.range)
      try check(typedRight, is: .number, right.range)
      return try foldChecked(.arithmetic(operation, typedLeft.node, typedRight.node), range, kinds: .number, over: nodes)
    }
  }

  mutating func attempt(_ syntax: SyntaxNode) -> Result<Typed, Refused> {
    do { return .success(try compile(syntax)) } catch { return .failure(error) }
  }

  // MARK: Types

  mutating func check(_ typed: Typed, is wanted: ValueKinds, _ range: Range<Int>) throws(Refused) {
    guard typed.kinds.isDisjoint(with: wanted) else { return }
    let found = typed.node.constant.map { Words.found($0) } ?? typed.kinds.words
    let expected = wanted == .boolean ? "true or false" : wanted.words
    var help: String?
    var text: String?
    if case .string(let string) = typed.node.constant { text = string }
    if wanted == .number, typed.kinds == .text {
      help =
        text.map { JSONNumber($0) == nil } == true
        ? "to join texts, write them side by side: `${a}${b}`"
        : "convert the text to a number with `| number`; to join texts, write them side by side: `${a}${b}`"
    }
    throw refuse(.wrongType, "expected \(expected), found \(found)", at: range, help: help)
  }

  private mutating func checkComparable(
    _ first: (typed: Typed, range: Range<Int>), _ second: (typed: Typed, range: Range<Int>), _ range: Range<Int>, orNull: Bool
  ) throws(Refused) {
    let (left, right) = (first.typed, second.typed)
    if left.node.constant != nil, right.node.constant != nil { return }
    if orNull, left.kinds.union(right.kinds).contains(.null) { return }
    let comparable: ValueKinds = orNull ? .any : [.number, .text]
    guard left.kinds.intersection(right.kinds).isDisjoint(with: comparable) else { return }
    let words = { (typed: Typed) in
      if let constant = typed.node.constant { return Words.found(constant) }
      return typed.kinds.words.contains(" or ") ? "a value that is \(typed.kinds.words)" : typed.kinds.words
    }
    var help: String?
    var fix: (range: Range<Int>, text: String)?
    let both = left.kinds.union(right.kinds)
    let isNumber = left.kinds == .number || right.kinds == .number
    if isNumber, both.isSubset(of: [.number, .text, .list]) {
      let literal = [first, second].first { $0.typed.node.constant?.stringValue.map { JSONNumber($0) != nil } ?? false }
      if let literal, let number = literal.typed.node.constant?.stringValue {
        help = "compare with the number \(number)"
        fix = (literal.range, number)
      } else if let operand = [first, second].first(where: { $0.typed.node.constant == nil && $0.typed.kinds != .number }) {
        help = "convert the text to a number with `| number`"
        fix = (operand.range, "(\(text(operand.range)) | number)")
      } else {
        help = "convert the text to a number with `| number`, or the number to text with `| string`"
      }
    }
    if both == [.boolean, .text] {
      let literal = [first, second].first { ["true", "false"].contains($0.typed.node.constant?.stringValue) }
      if let literal, let word = literal.typed.node.constant?.stringValue {
        help = "write the boolean without quotes"
        fix = (literal.range, word)
      } else {
        help = "compare with the text `'true'` or `'false'`"
      }
    }
    throw refuse(
      .wrongType, "\(words(left)) can't be compared with \(words(right))", at: range, help: help, replacement: fix?.text,
      fixRange: fix?.range)
  }

  // MARK: Constants

  private func fold(_ kind: ExpressionNode.Kind, _ range: Range<Int>, kinds: ValueKinds, over nodes: [ExpressionNode]) -> Typed {
    let node = ExpressionNode(kind, at: range)
    guard nodes.allSatisfy({ $0.constant != nil }), case .success(.plain(let value)) = evaluated(node) else {
      return Typed(node: node, kinds: kinds)
    }
    return Typed(node: ExpressionNode(.constant(value), at: range), kinds: ValueKinds(value.kind))
  }

  /// Evaluates an expression before the run if all its operands are constants. An error would occur in every run, so it is reported as a
  /// mistake of the document.
  mutating func foldChecked(
    _ kind: ExpressionNode.Kind, _ range: Range<Int>, kinds: ValueKinds, over nodes: [ExpressionNode]
  ) throws(Refused) -> Typed {
    let node = ExpressionNode(kind, at: range)
    guard nodes.allSatisfy({ $0.constant != nil }) else { return Typed(node: node, kinds: kinds) }
    switch evaluated(node) {
    case .success(let value): return Typed(node: ExpressionNode(.constant(value.json), at: range), kinds: ValueKinds(value.kind))
    // `??` supplies another value for an undefined constant.
    case .failure(.local(let details)) where details.isUndefined && isOptional: return Typed(node: node, kinds: kinds)
    // The step evaluates the constant again, within its deadline.
    case .failure(.local(let details)) where details.code == .outOfTime: return Typed(node: node, kinds: kinds)
    case .failure(.local(let details)):
      throw refuse(details.code, details.message, at: details.range, help: details.help)
    case .failure: return Typed(node: node, kinds: kinds)
    }
  }

  /// The time limit for the evaluation of a constant expression.
  private static let patience = Duration.seconds(1)

  private func evaluated(_ node: ExpressionNode) -> Result<Value, ExpressionFailure> {
    let expression = Expression(
      source: String(decoding: bytes, as: UTF8.self), start: 0, locator: locator, root: node, kinds: .any, steps: [], inputs: [],
      ownNeeds: [])
    do throws(ExpressionFailure) {
      let computation = Computation(patience: Self.patience)
      let value = try computation.run { () throws(ExpressionFailure) in
        try node.evaluate(EvaluationFrame(context: ConstantContext(), expression: expression))
      }
      // If the time limit was reached, the computation may have returned an incomplete value.
      if computation.hasEnded { throw .wrong(.outOfTime, "the time limit was reached", at: node.range) }
      return .success(value)
    } catch {
      return .failure(error)
    }
  }
}
