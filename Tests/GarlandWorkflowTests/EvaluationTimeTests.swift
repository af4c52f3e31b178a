import GarlandDiagnostics
import GarlandJSON
import Testing

@testable import GarlandWorkflow

/// Tests of the time limit for expressions on content that a server sent.
@Suite struct EvaluationTimeTests {
  @Test(arguments: [
    "create.text | split('b')", "create.text | split('')", "create.text | replace('a', 'c')", "create.text | lines", "create.text | upper",
    "create.text | base64", "create.text | urlencode", "create.text | base64_decode", "create.text | sha256", "create.text | trim",
    "create.text | match_all('[ab]')", "create.text | regex_replace('a', 'b')", "create.text | url_parts", "create.text | length",
  ]) func `a filter applied to a long text stops when the time limit of the evaluation is reached`(_ expression: String) throws {
    let text = String(repeating: "ab", count: 200_000)
    #expect(try Self.code(of: expression, response: text) == .outOfTime)
  }

  @Test(arguments: ["create.json | sort", "create.json | unique", "create.json | json"])
  func `a filter applied to a long list stops when the time limit of the evaluation is reached`(_ expression: String) throws {
    let list = "[\((0..<50_000).map { "\($0 * 7919 % 50_000)" }.joined(separator: ","))]"
    #expect(try Self.code(of: expression, response: list) == .outOfTime)
  }

  @Test func `the error message of an expression shortens a number with many digits`() throws {
    let failure = try #require(throws: EvaluationError.self) {
      try TestContext.evaluate("create.json | range", response: String(repeating: "9", count: 10_000))
    }
    #expect(failure.diagnostic.message == "expected a whole number, found the number \(String(repeating: "9", count: 60))…")
  }

  private static func code(of expression: String, response: String) throws -> DiagnosticCode? {
    do {
      _ = try Computation(limit: .zero).run { try TestContext.evaluate(expression, response: response) }
      return nil
    } catch let error as EvaluationError {
      return error.diagnostic.code
    }
  }
}
