import GarlandDiagnostics
import GarlandJSON
import GarlandYAML

/// Compiles scalars that may contain `${…}`, and YAML trees of such scalars.
struct TemplateCompiler {
  let names: NameTable
  /// A closure that checks whether the file of a call such as `file('a.txt')` can be read.
  ///
  /// The closure is used only if the argument of the call is a constant. Its parameters are this argument, and the source file that
  /// contains the call. The closure throws an error if the file that the argument names can't be read. If the call is in the project file,
  /// the closure returns the absolute path of the named file, since the argument is relative to the project's folder. For any other source
  /// file, the closure returns nil.
  let checkFile: ((String, SourceFile) throws(WorkflowFileError) -> String?)?

  /// The language feature that an ablation test removes; nil outside of such tests. An ablation test proves that a test case depends on the
  /// feature; see ``Ablation``.
  let ablation: Ablation?

  init(names: NameTable, ablation: Ablation? = nil, checkFile: ((String, SourceFile) throws(WorkflowFileError) -> String?)? = nil) {
    self.names = names
    self.ablation = ablation
    self.checkFile = checkFile
  }

  /// A part of a template: either literal text or an expression.
  enum Part {
    case literal(String)
    /// An expression in `${…}`; nil if the expression is invalid, which has already been reported.
    case expression(Expression?)
  }

  /// Returns a scalar that contains no expressions as a JSON value: null, a boolean, a number or a text.
  static func constant(_ scalar: YAMLScalar) -> JSONValue {
    switch scalar.value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let text): JSONNumber(text).map { .number($0) } ?? .string(text)
    case .string(let text): .string(text)
    }
  }

  /// Compiles a scalar. For an invalid scalar, reports the error and returns `.constant(.null)`. For a node that is not a scalar, returns
  /// `.constant(.null)` without an error.
  func template(_ node: YAMLNode, _ scope: ExpressionScope, into diagnostics: inout DiagnosticList) -> Template {
    if let simple = simpleTemplate(node, scope) { return simple }
    guard let scalar = node.scalar else { return Template(.constant(.null), at: node.range) }
    guard scalar.isString, ExpressionScanner.hasExpression(scalar.text) else {
      if scalar.isString {
        warnOfShellVariable(scalar, node, into: &diagnostics)
        warnOfBraces(scalar, node, scope, into: &diagnostics)
      }
      return Template(.constant(Self.constant(scalar)), at: node.range)
    }
    let locator = ScalarLocator(scalar, in: node)
    let parts = self.parts(of: scalar.text, locator, scope, into: &diagnostics) { Self.comment(behind: node, scalar) }
    if parts.count > 1 { Self.refuseWhatIsNoText(in: parts, into: &diagnostics) }
    return Self.template(parts, at: node.range)
  }

  /// Compiles a scalar in a fast way if it has one of the most frequent forms: it contains no `$`, or all its expressions are names such as
  /// `vars.NAME` or `STEP.EXTRACT`. Returns nil for any other scalar, and for a scalar that may contain a mistake.
  private func simpleTemplate(_ node: YAMLNode, _ scope: ExpressionScope) -> Template? {
    if let number = node.smallNumber { return Template(.constant(.number(JSONNumber(number))), at: node.range) }
    guard node.isText, let place = node.textOffsets else { return nil }
    let range = node.range
    return range.file.bytes.withUnsafeBufferPointer { source -> Template? in
      let text = UnsafeBufferPointer(rebasing: source[place])
      guard let dollar = ExpressionScanner.firstDollar(text, from: 0) else {
        guard !ForeignName.mayStand(in: text) else { return nil }
        return Template(.constant(.string(String(decoding: text, as: UTF8.self))), at: range)
      }
      let locator = ScalarLocator(verbatim: SourceRange(range.file, place))
      var pieces: [Template.Piece] = []
      var whole: Expression?
      let isSimple = names.simpleParts(of: text, from: dollar, scope, locator) { part, isWhole in
        switch part {
        case .literal(let text): pieces.append(.literal(text))
        case .expression(let expression?) where isWhole: whole = expression
        case .expression(let expression?) where expression.mayBeText: pieces.append(.expression(expression))
        case .expression: return false
        }
        return true
      }
      guard isSimple else { return nil }
      return Template(whole.map { .expression($0) } ?? .text(pieces), at: range)
    }
  }

  /// Warns of `$TOKEN` in a document that has a secret or variable with the name `TOKEN`, since the text `$TOKEN` is sent unchanged.
  /// Lower-case names cause no warning: they may be intended, for example in GraphQL.
  private func warnOfShellVariable(_ scalar: YAMLScalar, _ node: YAMLNode, into diagnostics: inout DiagnosticList) {
    guard let dollar = scalar.text.utf8.firstIndex(of: UInt8(ascii: "$")) else { return }
    let name = scalar.text.utf8[dollar...].dropFirst().prefix { byte in
      UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
    }
    let text = String(decoding: name, as: UTF8.self)
    guard text.utf8.count > 1 else { return }
    let root: String
    if names.hasSecret(text) { root = "secrets" } else if names.variable(text) != nil { root = "vars" } else { return }
    let start = scalar.text.utf8.distance(from: scalar.text.startIndex, to: dollar)
    let part = start..<start + 1 + text.utf8.count
    let range = scalar.sourceRange(of: part, in: node)
    diagnostics.report(
      Diagnostic(.foreignTemplate, severity: .warning, "`$\(text)` is sent unchanged", at: range)
        .help("to insert the value, write `${\(root).\(text)}`", fix: YAMLQuoting.fix(part, of: scalar, node, with: "${\(root).\(text)}")))
  }

  /// Warns of `{{token}}` in a document that has a value with the name `token`, since the text `{{token}}` is sent unchanged.
  private func warnOfBraces(_ scalar: YAMLScalar, _ node: YAMLNode, _ scope: ExpressionScope, into diagnostics: inout DiagnosticList) {
    var text = scalar.text
    text.withUTF8 { bytes in
      var index = 0
      while let start = bytes[index...].firstIndex(of: UInt8(ascii: "{")) {
        index = start + 1
        guard start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "{"), let end = ForeignName.end(of: bytes, from: start) else {
          continue
        }
        index = end
        let written = String(decoding: bytes[start..<end], as: UTF8.self)
        guard let value = ForeignName(in: written).value(self, scope) else { continue }
        diagnostics.report(
          Diagnostic(
            .foreignTemplate, severity: .warning, "`\(written)` is sent unchanged", at: scalar.sourceRange(of: start..<end, in: node)
          ).help("to insert the value, write `${\(value)}`", fix: YAMLQuoting.fix(start..<end, of: scalar, node, with: "${\(value)}")))
      }
    }
  }

  /// Reports each expression that can't be inserted into the text around it, because the value of the expression is always null, a list or
  /// a mapping.
  private static func refuseWhatIsNoText(in parts: [Part], into diagnostics: inout DiagnosticList) {
    for case .expression(let expression?) in parts {
      guard !expression.mayBeText else { continue }
      diagnostics.report(
        Diagnostic(.wrongType, "\(expression.kinds.words) can't be inserted into a text", at: expression.range)
          .help("convert the value to JSON with `| json`, or join the items of a list with `| join(',')`"))
    }
  }

  static func template(_ parts: [Part], at range: SourceRange) -> Template {
    if parts.isEmpty { return Template(.constant(""), at: range) }
    if parts.count == 1 {
      switch parts[0] {
      case .literal(let text): return Template(.constant(.string(text)), at: range)
      case .expression(let expression?):
        if let constant = expression.constant { return Template(.constant(constant), at: range) }
        return Template(.expression(expression), at: range)
      case .expression(nil): return Template(.constant(.null), at: range)
      }
    }
    var pieces: [Template.Piece] = []
    pieces.reserveCapacity(parts.count)
    for part in parts {
      switch part {
      case .literal(let text): pieces.append(.literal(text))
      case .expression(let expression?): pieces.append(.expression(expression))
      case .expression(nil): return Template(.constant(.null), at: range)
      }
    }
    return Template(.text(pieces), at: range)
  }

  /// Splits a text into its literal parts and its expressions.
  func parts(
    of text: String, _ locator: ScalarLocator, _ scope: ExpressionScope, into diagnostics: inout DiagnosticList,
    whenUnclosed help: () -> String? = { nil }
  ) -> [Part] {
    let bytes = Array(text.utf8)
    var parts: [Part] = []
    parts.reserveCapacity(2)
    ExpressionScanner.split(bytes) { literal in
      parts.append(.literal(literal))
    } expression: { start in
      var compiler = ExpressionCompiler(names: names, scope: scope, bytes: bytes, locator: locator)
      compiler.checkFile = checkFile
      compiler.ablation = ablation
      let (expression, end) = compiler.compile(from: start, isBraced: true)
      for var diagnostic in compiler.diagnostics.all {
        if diagnostic.code == .unclosedExpression, let help = help() {
          // The expression is complete in the file, so advice about a missing quote or brace would be wrong.
          diagnostic.helps = []
          diagnostic = diagnostic.help(help)
        }
        diagnostics.report(diagnostic)
      }
      parts.append(.expression(expression))
      return end
    }
    return parts
  }

  /// Compiles filters that are written without a value before them, such as `trim | upper`. Reports an error and returns nil if they are
  /// invalid.
  func filters(
    _ scalar: YAMLScalar, in node: YAMLNode, of kinds: ValueKinds, _ scope: ExpressionScope, into diagnostics: inout DiagnosticList
  ) -> Expression? {
    var compiler = ExpressionCompiler(names: names, scope: scope, bytes: Array(scalar.text.utf8), locator: ScalarLocator(scalar, in: node))
    compiler.checkFile = checkFile
    compiler.ablation = ablation
    defer { for diagnostic in compiler.diagnostics.all { diagnostics.report(diagnostic) } }
    return compiler.compileFilters(of: kinds)
  }

  /// Returns help for an expression that is incomplete because YAML read ` #` within it as the start of a comment. Returns nil if no
  /// comment follows the node.
  private static func comment(behind node: YAMLNode, _ scalar: YAMLScalar) -> String? {
    guard scalar.style == .plain, !node.isAlias else { return nil }
    let file = node.range.file
    var index = node.range.offsets.upperBound
    while index < file.bytes.count, file.bytes[index] == 0x20 || file.bytes[index] == 0x09 { index += 1 }
    guard index < file.bytes.count, index > node.range.offsets.upperBound, file.bytes[index] == UInt8(ascii: "#") else { return nil }
    return "YAML reads the text after ` #` as a comment: put the whole value in quotes"
  }

  /// Compiles a YAML tree into a template. Subtrees without expressions become constants.
  func value(_ node: YAMLNode, _ scope: ExpressionScope, into diagnostics: inout DiagnosticList) -> ValueTemplate {
    if node.isScalar {
      let template = template(node, scope, into: &diagnostics)
      if let constant = template.constant { return .constant(constant, template.range) }
      return .scalar(template)
    }
    if let items = node.sequence {
      var templates: [ValueTemplate] = []
      templates.reserveCapacity(items.count)
      var constants: [JSONValue] = []
      for item in items {
        let template = value(item, scope, into: &diagnostics)
        if let constant = template.constant { constants.append(constant) }
        templates.append(template)
      }
      if constants.count == items.count { return .constant(.array(constants), node.range) }
      return .list(templates, node.range)
    }
    guard let mapping = node.mapping else { return .constant(.null, node.range) }
    var members: [(key: Template, value: ValueTemplate)] = []
    members.reserveCapacity(mapping.count)
    var isConstant = true
    for position in 0..<mapping.count {
      let entry = mapping.entry(at: position)
      let key = self.key(entry.key, scope, into: &diagnostics)
      let value = value(entry.value, scope, into: &diagnostics)
      if key.constant == nil || value.constant == nil { isConstant = false }
      members.append((key, value))
    }
    guard isConstant else { return .object(members, node.range) }
    var object = JSONObject()
    object.reserveCapacity(members.count)
    for member in members { object[member.key.constantText ?? ""] = member.value.constant ?? .null }
    return .constant(.object(object), node.range)
  }

  /// Compiles the key of a mapping. A number or boolean as a key becomes text.
  private func key(_ node: YAMLNode, _ scope: ExpressionScope, into diagnostics: inout DiagnosticList) -> Template {
    guard node.isScalar else { return Template(.constant(""), at: node.range) }
    if let place = node.textOffsets {
      let range = node.range
      let text = range.file.bytes.withUnsafeBufferPointer { source -> String? in
        let text = UnsafeBufferPointer(rebasing: source[place])
        return ExpressionScanner.hasExpression(text) ? nil : String(decoding: text, as: UTF8.self)
      }
      if let text { return Template(.constant(.string(text)), at: range) }
    }
    guard let scalar = node.scalar else { return Template(.constant(""), at: node.range) }
    guard ExpressionScanner.hasExpression(scalar.text) else { return Template(.constant(.string(scalar.text)), at: node.range) }
    return template(node, scope, into: &diagnostics)
  }

  /// Compiles a URL. During the run, the value of each expression is percent-encoded as its position in the URL requires.
  func url(_ node: YAMLNode, _ scope: ExpressionScope, into diagnostics: inout DiagnosticList) -> URLTemplate {
    if let simple = simpleURL(node, scope) { return simple }
    guard let scalar = node.scalar, ExpressionScanner.hasExpression(scalar.text) else {
      let text = node.scalar?.text ?? ""
      return URLTemplate(pieces: text.isEmpty ? [] : [.literal(text)], source: text, range: node.range)
    }
    let locator = ScalarLocator(scalar, in: node)
    let parts = self.parts(of: scalar.text, locator, scope, into: &diagnostics) { Self.comment(behind: node, scalar) }
    Self.refuseWhatIsNoText(in: parts, into: &diagnostics)
    var builder = URLBuilder()
    for part in parts { builder.add(part) }
    return URLTemplate(pieces: builder.pieces, source: scalar.text, range: node.range)
  }

  /// Quickly compiles a URL whose expressions are all names such as `vars.NAME`. Returns nil for any other URL, and for a URL that may
  /// contain a mistake.
  private func simpleURL(_ node: YAMLNode, _ scope: ExpressionScope) -> URLTemplate? {
    guard let place = node.textOffsets, !place.isEmpty else { return nil }
    let range = node.range
    return range.file.bytes.withUnsafeBufferPointer { source -> URLTemplate? in
      let text = UnsafeBufferPointer(rebasing: source[place])
      guard let dollar = ExpressionScanner.firstDollar(text, from: 0) else {
        let whole = String(decoding: text, as: UTF8.self)
        return URLTemplate(pieces: [.literal(whole)], source: whole, range: range)
      }
      var builder = URLBuilder()
      let locator = ScalarLocator(verbatim: SourceRange(range.file, place))
      let isSimple = names.simpleParts(of: text, from: dollar, scope, locator) { part, _ in
        if case .expression(let expression?) = part, !expression.mayBeText { return false }
        builder.add(part)
        return true
      }
      guard isSimple else { return nil }
      return URLTemplate(pieces: builder.pieces, text: place, range: range)
    }
  }

  /// Builds a URL template part by part, and determines the encoding of each expression from its position in the URL.
  private struct URLBuilder {
    var place = URLPlace()
    var pieces: [URLTemplate.Piece] = []

    mutating func add(_ part: Part) {
      switch part {
      case .literal(let text):
        place.pass(text)
        pieces.append(.literal(text))
      case .expression(let expression?):
        pieces.append(.expression(expression, expression.isRaw ? .raw : place.encoding))
        place.passExpression()
      case .expression(nil): break
      }
    }
  }
}
