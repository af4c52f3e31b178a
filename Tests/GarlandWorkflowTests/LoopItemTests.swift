import GarlandDiagnostics
import GarlandJSON
import Synchronization
import Testing

@testable import GarlandWorkflow

/// Tests of `${create.id[index]}`, the value of one item of a loop.
@Suite struct LoopItemTests {
  private static let document = """
    garland: 1
    vars: { last: -1, name: id }
    steps:
      create:
        post: http://h/
        for_each: '${5000 | range}'
        extract: { id: $.id, odd: { json: $.odd, optional: true } }
      use:
        get: http://h/${create.id[index]}
        for_each: '${create.id}'
    """

  /// A context in which `create` has a loop of 5,000 items, of which item 7 has no value. It counts the items that are read.
  private struct Context: EvaluationContext {
    final class Counter: Sendable { let looks = Mutex(0) }

    var base: TestContext
    let counter = Counter()
    var place: Int?
    var index: Int?

    func iterationCount(of step: Int) -> Int? { step == 0 ? 5_000 : nil }
    func iteration(_ index: Int, of step: Int) -> any EvaluationContext {
      counter.looks.withLock { $0 += 1 }
      var one = self
      one.place = index
      return one
    }
    func extracted(_ index: Int, of step: Int) -> Value? {
      guard let place, place != 7 else { return nil }
      return index == 0 ? .plain(JSONValue(place * 10)) : nil
    }
    func variable(_ index: Int) throws(EvaluationError) -> Value { try base.variable(index) }
    func secret(_ index: Int) -> String? { base.secret(index) }
    func environmentVariable(_ index: Int) -> String? { base.environmentVariable(index) }
    func response(of step: Int) -> (any ResponseData)? { nil }
    func absence(of step: Int) -> String? { nil }
    var currentResponse: (any ResponseData)? { nil }
    var item: Value? { index.map { .plain(JSONValue($0)) } }
    var services: EvaluationServices { base.services }
  }

  private static func evaluate(_ expression: String) throws -> (text: String, looks: Int) {
    let decoded = Decode.document(document)
    let workflow = try #require(decoded.workflow, "\(decoded.diagnostics.all.map(\.message))")
    var diagnostics = DiagnosticList()
    let template = try #require(
      workflow.template("${\(expression)}", name: "test", into: &diagnostics), "\(diagnostics.all.map(\.message))")
    let context = Context(base: TestContext(workflow))
    let text: String
    do throws(EvaluationError) {
      text = try template.evaluate(in: context).json.jsonText()
    } catch {
      text = error.diagnostic.message
    }
    return (text, context.counter.looks.withLock { $0 })
  }

  @Test(arguments: [
    ("create.id[3]", "30", 1), ("create.id[1 + 1]", "20", 1), ("create.id[vars.last]", "49990", 1), ("create.id[-5000]", "0", 1),
    ("create.id[7]", "`create.id` has no value for item [7], because this item of the loop did not pass", 1),
    ("create.id[7] ?? 'none'", "\"none\"", 1),
    ("create.odd[3] ?? 'none'", "\"none\"", 1),
    // The whole list is created if more than one item is used, or if there is no index.
    ("create.id | length", "5000", 5_000), ("create.id | filter(true) | length", "4999", 5_000), ("create.id | first", "0", 5_000),
    ("create.id", "`create.id` has no value for item [7], because this item of the loop did not pass or extracted nothing", 5_000),
    ("create.id | join", "`create.id` has no value for item [7], because this item of the loop did not pass or extracted nothing", 5_000),
    ("create.id[5000]", "`create.id` has no item [5000]: its last item is [4999]", 5_000),
    ("create.id[5000] ?? 'none'", "\"none\"", 5_000),
  ])
  func `if an expression uses one item of a loop, only this item is evaluated`(_ expression: String, _ text: String, _ looks: Int) throws {
    let found = try Self.evaluate(expression)
    #expect(found.text == text && found.looks == looks, "\(expression): \(found)")
  }

  /// If each item of a loop reads its own item of another loop, the work is linear in the number of items, and not quadratic.
  @Test func `an expression that uses a single item of another step's loop reads only this item`() throws {
    let decoded = Decode.document(Self.document)
    let workflow = try #require(decoded.workflow, "\(decoded.diagnostics.all.map(\.message))")
    let url = try #require(workflow.steps[1].request?.url)
    var context = Context(base: TestContext(workflow))
    for index in 0..<5_000 where index != 7 {
      context.index = index
      #expect(try url.evaluate(in: context).text == "http://h/\(index * 10)")
    }
    #expect(context.counter.looks.withLock { $0 } == 4_999)
  }
}
