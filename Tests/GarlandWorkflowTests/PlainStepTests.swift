import GarlandDiagnostics
import Testing

@testable import GarlandWorkflow

/// Tests that two steps are decoded equally if one of them shares its expectations with an earlier step, and the other does not.
@Suite struct PlainStepTests {
  /// Returns the facts about a step, with the places of all its keys.
  private func facts(_ step: Step) -> [String] {
    guard let request = step.request else { return ["no request"] }
    var facts: [String] = [step.id, step.idRange.text, step.range.text, request.method.value, request.method.range.text]
    facts.append(request.url.source)
    facts.append(request.url.range.text)
    facts.append("\(request.isPlain) \(request.hasTransport) \(step.action.addressed != nil)")
    facts.append("\(step.expectations.count) \(step.neededByItself.rawValue) \(step.flow.after.count) \(step.flow.always)")
    facts.append("\(step.flow.allowFailure) \(step.flow.repetition === Repetition.none)")
    for reference in step.references { facts.append("\(reference.target) \(reference.range.text)") }
    for input in step.inputs { facts.append(input.range.text) }
    for expectation in step.expectations { facts.append(step.place(of: expectation.keyRange).text) }
    return facts + step.tags + step.files
  }

  /// Returns a document whose last step is the tested one. The step before it has either the same or other expectations.
  private func document(_ step: String, expectsAlike: Bool) -> String {
    """
    garland: 1
    vars: { base: http://h, number: 1 }
    secrets: [TOKEN]
    steps:
      first:
        get: http://h/first?x=${vars.base}
        expect:
          \(expectsAlike ? "status: 200" : "status: 201")
          json: { $.id: 1 }
        extract: { id: $.id }
      second:
    \(step)
    """
  }

  @Test(arguments: [
    "    get: http://h/a\n    expect:\n      status: 200\n      json: { $.id: 1 }",
    "    expect:\n      status: 200\n      json: { $.id: 1 }\n    delete: http://h/a",
    "    post: ${vars.base}/a/${first.id}?n=${vars.number}\n    expect:\n      status: 200\n      json: { $.id: 1 }",
    "    get: http://h/a?t=${secrets.TOKEN}\n    expect:\n      status: 200\n      json: { $.id: 1 }",
    "    get: /relative\n    expect:\n      status: 200\n      json: { $.id: 1 }",
    "    get: http://h/a b\n    expect:\n      status: 200\n      json: { $.id: 1 }",
    "    get: http://h:port/\n    expect:\n      status: 200\n      json: { $.id: 1 }",
    "    get: ${nobody.id}\n    expect:\n      status: 200\n      json: { $.id: 1 }",
    "    get:\n    expect:\n      status: 200\n      json: { $.id: 1 }",
    "    get: [a]\n    expect:\n      status: 200\n      json: { $.id: 1 }",
    "    url: http://h/a\n    expect:\n      status: 200\n      json: { $.id: 1 }",
    "    call: other.yaml\n    expect:\n      status: 200\n      json: { $.id: 1 }",
    "    gett: http://h/a\n    expect:\n      status: 200\n      json: { $.id: 1 }",
  ])
  func `a step is decoded in the same way, whether or not an earlier step has the same expectations`(_ step: String) {
    let plain = Decode.document(document(step, expectsAlike: true))
    let other = Decode.document(document(step, expectsAlike: false))
    #expect(plain.1.all.map(\.message) == other.1.all.map(\.message))
    #expect(plain.1.all.map { $0.range?.text } == other.1.all.map { $0.range?.text })
    #expect(plain.1.all.map { $0.range?.start.line } == other.1.all.map { $0.range?.start.line })
    #expect((plain.0 == nil) == (other.0 == nil))
    if let one = plain.0?.steps.last, let another = other.0?.steps.last { #expect(facts(one) == facts(another)) }
  }
}
