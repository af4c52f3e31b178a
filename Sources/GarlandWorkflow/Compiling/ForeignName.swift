import GarlandDiagnostics

/// The name of a value in the template syntax of another tool, such as `id` in `{id}` or `steps.login.outputs.token` in `${{ … }}`.
/// Diagnostics suggest Garland's expression for the same value.
struct ForeignName {
  let name: String

  init(_ name: String) { self.name = name }

  /// Creates the name from another tool's template, such as `{id}` or `{{ id }}`, by removing the braces.
  init(in template: String) { name = template.split { $0 == " " || $0 == "{" || $0 == "}" }.joined(separator: " ") }

  /// Whether a text contains two consecutive opening braces, and so may contain a template of another tool. Nearly every text has none, and
  /// needs no further check.
  static func mayStand(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while let brace = text[index...].firstIndex(of: UInt8(ascii: "{")) {
      index = brace + 1
      if index < text.count, text[index] == UInt8(ascii: "{") { return true }
    }
    return false
  }

  /// Returns the offset after `{name}`, `{{ name }}` or `{{$function argument}}`; nil if no such template begins at `start`.
  static func end(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    let end = bytes.count
    let isDouble = start + 1 < end && bytes[start + 1] == UInt8(ascii: "{")
    var index = start + (isDouble ? 2 : 1)
    func skipSpaces() { while index < end, bytes[index] == 0x20 { index += 1 } }
    if isDouble { skipSpaces() }
    let isFunction = index < end && bytes[index] == UInt8(ascii: "$")
    if isFunction { index += 1 }
    let name = index
    func isName(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "."): true
      // A path such as `login.response.body.$.token`.
      case UInt8(ascii: "$"): isDouble && index > name && bytes[index - 1] == UInt8(ascii: ".")
      default: Lexer.isNamePart(byte)
      }
    }
    while index < end, isName(bytes[index]) { index += 1 }
    guard index > name else { return nil }
    // The arguments of a function, such as `1 10`, `"DD-MM-YYYY" 1 d` and `(1, 6)`.
    if isDouble, isFunction, index < end, bytes[index] == 0x20 || bytes[index] == UInt8(ascii: "(") {
      while index < end, !"{}\n".utf8.contains(bytes[index]) { index += 1 }
    }
    if isDouble { skipSpaces() }
    guard index < end, bytes[index] == UInt8(ascii: "}") else { return nil }
    guard isDouble else { return index + 1 }
    return index + 1 < end && bytes[index + 1] == UInt8(ascii: "}") ? index + 2 : nil
  }

  /// Returns Garland's expression for the value with the name ``name``, such as `vars.id`; nil if the document has no such value.
  func value(_ templates: TemplateCompiler, _ scope: ExpressionScope) -> String? {
    let names = templates.names
    // Reading an undeclared secret would make it required.
    return candidates(names, scope).first { candidate in
      (!candidate.hasPrefix("secrets.") || names.hasSecret(String(candidate.dropFirst(8)))) && templates.isExpression(candidate, scope)
    }
  }

  /// Advice for a name that the document doesn't define.
  var advice: String {
    if name.hasPrefix("$") { return "Garland has no `\(Words.excerpt(name))`; for its functions, see `garland help values`" }
    // The first name of a path in `vars` can have members.
    guard name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ ReservedNames.isName(String($0)) }) else {
      return "a value of the document is inserted with `${…}`, such as `${vars.x}` or `${STEP.EXTRACT}`"
    }
    return "to use a variable, declare it under `vars:` and write `${vars.\(Words.excerpt(name))}`"
  }

  private func candidates(_ names: NameTable, _ scope: ExpressionScope) -> [String] {
    if let function = ForeignFunction.expression(name) { return name.hasPrefix("$") ? [function] : ["vars.\(name)", function] }
    let parts = name.split(separator: ".").map(String.init)
    guard parts.count == 1 else {
      var all = ["steps", "needs", "jobs"].contains(parts.first) ? [] : [name]
      // Names of GitHub Actions: steps.login.outputs.token, needs.login.outputs.token, matrix.size.
      if parts.count == 4, ["steps", "needs", "jobs"].contains(parts[0]), parts[2] == "outputs" { all.append("\(parts[1]).\(parts[3])") }
      if parts.count == 3, parts[0] == "steps" { all.append("\(parts[1]).\(parts[2])") }
      if parts.count == 3, parts[0] == "process", parts[1] == "env" { all.append("env.\(parts[2])") }
      // The REST Client's `login.response.body.token`, also with `$` as the root of the path.
      if parts.count > 3, parts[1] == "response" {
        let path = parts.dropFirst(3).filter { $0 != "$" }.joined(separator: ".")
        all.append(parts[2] == "body" ? "\(parts[0]).json.\(path)" : "\(parts[0]).\(parts[2]).\(path)")
      }
      if parts.count == 2, ["matrix", "row", "each", "data"].contains(parts[0]) { all.append("item.\(parts[1])") }
      if parts.count == 2, ["env", "variables", "config"].contains(parts[0]) { all.insert("vars.\(parts[1])", at: 0) }
      return all
    }
    var all = ["vars.\(name)", "inputs.\(name)"]
    if scope.loopItems?.names?.contains(name) ?? false { all.append("item.\(name)") }
    if names.hasSecret(name) { all.append("secrets.\(name)") }
    if let step = names.onlyStep(extracting: name), step != scope.step { all.append("\(names.stepIDs[step]).\(name)") }
    return all
  }
}

extension TemplateCompiler {
  /// Whether a text is an expression that is valid in the given scope.
  func isExpression(_ text: String, _ scope: ExpressionScope) -> Bool {
    let whole = "${\(text)}"
    let locator = ScalarLocator(verbatim: SourceRange(SourceFile(name: "", bytes: Array(whole.utf8)), 0..<whole.utf8.count))
    var found = DiagnosticList()
    let parts = self.parts(of: whole, locator, scope, into: &found)
    return found.all.isEmpty && parts.count == 1
  }
}
