import GarlandDiagnostics
import GarlandWorkflow
import Testing

/// Tests of `label`, which sets the names of the items of a loop.
@Suite struct LoopLabelTests {
  private static func diagnostics(_ step: String) -> [Diagnostic] {
    Decode.document("garland: 1\nsteps:\n  book: { get: http://h/ }\n  a: { get: http://h/, \(step) }\n")
      .diagnostics.all
  }

  @Test(arguments: [
    "for_each: [{ name: a }], label: '${item.name}'", "for_each: [1], label: 'number ${index + 1}'",
    "matrix: { size: [s] }, label: '${item.size}'",
    "for_each: [1], label: '${book.json.title}'",
    "for_each: [{ id: 1, name: a }, { id: 2 }], label: '${item.name ?? item.id}'",
    "for_each: [{ id: 1 }, { name: a, id: 2 }], label: '${item.name | default(item.id)}'",
  ]) func `the label of a loop item may use the item, its index and the values of other steps`(step: String) {
    #expect(Self.diagnostics(step).isEmpty)
  }

  @Test(arguments: [
    ("label: x", "conflict"), ("for_each: [{ name: a }], label: '${item.nmae}'", "undefined-member"),
    ("for_each: [{ id: 1, name: a }, { id: 2 }], label: '${item.name}'", "undefined-member"),
    ("for_each: [{ id: 1, name: a }, { id: 2 }], label: '${item.nmae ?? item.id}'", "undefined-member"),
    ("for_each: [1], label: null", "wrong-type"),
    ("for_each: [1], label: [x]", "wrong-type"), ("for_each: [1], label: '${book.headers}'", "wrong-type"),
  ]) func `a label for loop items is refused if the step has no loop, or if the label is not text`(step: String, code: String) {
    #expect(Self.diagnostics(step).map(\.code.rawValue) == [code], "\(Self.diagnostics(step))")
  }

  @Test func `a step waits for the steps whose values the label of its loop uses`() throws {
    let workflow = try #require(
      Decode.document("garland: 1\nsteps:\n  book: { get: http://h/ }\n  a: { get: http://h/, for_each: [1], label: '${book.status}' }\n")
        .workflow)
    #expect(workflow.steps[1].references.map(\.target) == [0])
  }
}
