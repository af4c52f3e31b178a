import GarlandDiagnostics
import Testing

@testable import GarlandWorkflow

/// Tests of steps whose expectations have the same text. They share the decoded expectations, but each step has its own places.
@Suite struct SharedExpectationsTests {
  /// Returns the place and the key of each expectation of a step.
  private func places(_ step: Step) -> [String] {
    step.expectations.map { expectation in
      let range = expectation.isDefault ? expectation.keyRange : step.place(of: expectation.keyRange)
      return "\(range.start.line):\(range.start.column) \(range.text)"
    }
  }

  private func workflow(_ text: String) throws -> Workflow {
    let (workflow, diagnostics) = Decode.document(text)
    return try #require(workflow, "\(diagnostics.all.map(\.message))")
  }

  @Test func `if two steps have equal expectations, each expectation keeps its own source position`() throws {
    let workflow = try workflow(
      """
      garland: 1
      defaults: { base_url: http://h }
      steps:
        a: { get: /a, expect: { status: 200, json: { $.id: { gt: 1 } } } }
        b: { get: /b, expect: { status: 200, json: { $.id: { gt: 1 } } } }
        c:
          get: /c
          expect:
            status: 201
            headers: { X: y }
        d:
          get: /d
          expect:
            status: 201
            headers: { X: y }
        e: { extends: a, get: /e }
        f: { extends: d, get: /f, expect: { size: { gt: 0 } } }
      """)
    let found = workflow.steps.map(places)
    #expect(found[0] == ["4:27 status", "4:48 $.id"])
    #expect(found[1] == ["5:27 status", "5:48 $.id"])
    #expect(found[2] == ["9:7 status", "10:18 X"])
    #expect(found[3] == ["14:7 status", "15:18 X"])
    #expect(found[4] == found[0])
    #expect(found[5] == ["14:7 status", "15:18 X", "17:39 size"])
    guard case .json(_, let predicates)? = workflow.steps[1].expectations.last?.check, let predicate = predicates.first else {
      Issue.record("no predicate")
      return
    }
    #expect(workflow.steps[1].place(of: predicate.keyRange).start.line == 5)
    #expect(workflow.steps[1].place(of: predicate.keyRange).text == "gt")
  }

  @Test func `an expectation from the defaults keeps its source position in the defaults`() throws {
    let workflow = try workflow(
      """
      garland: 1
      defaults: { base_url: http://h, expect: { type: text/plain } }
      steps:
        a: { get: /a, expect: { status: 200 } }
        b: { get: /b, expect: { status: 200 } }
        c: { get: /c }
      """)
    #expect(workflow.steps.map(places) == [["2:43 type", "4:27 status"], ["2:43 type", "5:27 status"], ["2:43 type"]])
  }

  @Test
  func `if two steps have the same expectations, and one step indents them wrongly, only this step has an error`() {
    let (_, diagnostics) = Decode.document(
      """
      garland: 1
      steps:
        a:
          get: http://h/a
          expect:
            headers:
              X: y
        b:
          get: http://h/b
          expect:
              headers:
              X: y
      """)
    #expect(diagnostics.all.contains { $0.range?.start.line == 12 }, "\(diagnostics.all)")
    #expect(!diagnostics.all.contains { $0.range?.start.line == 7 })
  }

  @Test
  func `if two steps have equal expectations, the decoder records the references and files of both steps`()
    throws
  {
    let workflow = try workflow(
      """
      garland: 1
      steps:
        a: { get: "http://h", expect: { json: { $.a: "${b.status}" } } }
        b: { get: "http://h", expect: { schema: book.schema.json } }
        c: { get: "http://h", expect: { schema: book.schema.json } }
        d: { get: "http://h", expect: { json: { $.a: "${b.status}" } } }
      """)
    #expect(workflow.steps.map { $0.references.count } == [1, 0, 0, 1])
    #expect(workflow.steps[2].files == workflow.steps[1].files && !workflow.steps[1].files.isEmpty)
    let (_, diagnostics) = Decode.document(
      """
      garland: 1
      steps:
        a: { get: "http://h", expect: { status: 99999 } }
        b: { get: "http://h", expect: { status: 99999 } }
      """)
    #expect(diagnostics.all.compactMap { $0.range?.start.line } == [3, 4])
  }
}
