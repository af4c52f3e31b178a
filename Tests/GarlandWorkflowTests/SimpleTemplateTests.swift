import GarlandDiagnostics
import Testing

@testable import GarlandWorkflow

/// Tests of text without escapes whose expressions are names. It is compiled directly from the document's bytes, and any other text by the
/// parser. Both must result in the same template.
@Suite struct SimpleTemplateTests {
  /// Returns the same text with an escape, so that the document's bytes are different.
  private func escaped(_ text: String) -> String {
    guard let first = text.unicodeScalars.first, first.isASCII else { return text }
    let code = String(first.value, radix: 16)
    return "\\x" + (code.count == 1 ? "0" : "") + code + text.unicodeScalars.dropFirst().map { String($0) }.joined()
  }

  private func document(_ key: String, _ scalar: String, url: String = "http://h/") -> String {
    """
    garland: 1
    vars: { base: http://h, number: 1, list: [1] }
    secrets: [TOKEN]
    steps:
      first:
        get: http://h/first
        extract: { id: $.id, "url_": $.u }
      many:
        for_each: [1, 2]
        get: ${vars.base}/${item}
        extract: { id: $.id }
      second:
    \(key == "get" ? "" : "    get: \(url)\n")    \(key): \(scalar)
        json: { a: ${vars.number}, b: "${vars.list}" }
        extract: { own: $.own }
    """
  }

  private func words(_ template: Template) -> String {
    switch template.content {
    case .constant(let value): return "constant \(value.jsonText())"
    case .expression(let expression): return "expression \(words(expression))"
    case .text(let pieces):
      return pieces.map { piece in
        switch piece {
        case .literal(let text): "literal \(text)"
        case .expression(let expression): "expression \(words(expression))"
        }
      }.joined(separator: " + ")
    }
  }

  private func words(_ expression: Expression) -> String {
    "\(expression.source) \(expression.kinds.words) \(expression.inputs.map(\.target)) \(expression.stepOrdinals) \(expression.usesSecrets)"
  }

  private func words(_ step: Step) -> [String] {
    var facts = step.references.map { "\($0.target) \($0.member) \($0.name) \($0.place.key)" }
    facts += step.inputs.map { "\($0.target) \($0.isOptional)" }
    guard let request = step.request else { return facts }
    facts.append(request.url.source)
    facts += request.url.pieces.map { piece in
      switch piece {
      case .literal(let text): "literal \(text)"
      case .expression(let expression, let encoding): "\(words(expression)) \(encoding)"
      }
    }
    if case .bearer(let token)? = request.auth?.kind { facts.append(words(token)) }
    return facts
  }

  private static let texts = [
    "${vars.base}", "a${vars.base}b", "${first.id}", "x ${secrets.TOKEN} y ${env.HOME}", "$${x}", "5$ ${vars.base}",
    "${vars.base}${first.id}",
    "$ {x}", "${ vars.base }", "a$b", "${vars.nobody}", "${secrets.TOKE}", "${vars.list} x", "${true.x}", "${item.x}", "${second.own}",
    "${many.id}", "${first.none}", "${first.json.id}", "${vars.number}", "${vars.list}", "${env.A}${env.B}${env.A}",
    "/p/${first.id}/q?r=${vars.number}#s",
    "${vars.base", "${vars.base}}", "${}", "$", "${first.id | upper}", "$TOKEN", "plain", "http://h/${vars.base}/${first.url_}",
    "größe ${first.id}",
  ]

  @Test(arguments: texts, ["bearer", "get", "description"])
  func `a text with expressions gives the same template with and without YAML escapes for its characters`(
    _ text: String, _ key: String
  ) {
    let plain = Decode.document(document(key, "\"\(text)\""))
    let other = Decode.document(document(key, "\"\(escaped(text))\""))
    #expect(plain.1.all.map(\.message) == other.1.all.map(\.message))
    #expect(plain.1.all.map(\.code) == other.1.all.map(\.code))
    #expect((plain.0 == nil) == (other.0 == nil))
    if let one = plain.0?.steps.last, let another = other.0?.steps.last { #expect(words(one) == words(another)) }
  }
}
