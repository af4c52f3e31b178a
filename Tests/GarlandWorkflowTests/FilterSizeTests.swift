import GarlandDiagnostics
import GarlandJSON
import Testing

@testable import GarlandWorkflow

/// Tests of the size limits for lists and texts that filters create.
@Suite struct FilterSizeTests {
  private static func message(of expression: String, response: String) throws -> String? {
    do {
      _ = try TestContext.evaluate(expression, response: response)
      return nil
    } catch let error as EvaluationError {
      #expect(error.diagnostic.code == .tooLarge)
      return error.diagnostic.message
    }
  }

  @Test(arguments: ["split('')", "split('\\n')", "lines", "match_all('\\n')"])
  func `a filter that splits a text into more than 1,000,000 values is refused`(_ filter: String) throws {
    let text = String(repeating: "\n", count: SizeLimit.values + 1)
    #expect(
      try Self.message(of: "create.text | \(filter)", response: text) == "the value contains more than 1000000 values and member names")
  }

  @Test func `the filter 'url_parts' refuses a query with more than 1,000,000 parameters`() throws {
    let query = (0...SizeLimit.values).map(String.init).joined(separator: "&")
    #expect(
      try Self.message(of: "create.text | url_parts", response: "?\(query)")
        == "the value contains more than 1000000 values and member names")
  }

  @Test(arguments: ["map(item | range)", "unique(item | range)", "map(create.json | map(create.json))"])
  func `a filter is refused if the items of its result contain more than 1,000,000 values in total`(_ filter: String) throws {
    let list = "[\((0..<1_500).map(String.init).joined(separator: ","))]"
    #expect(
      try Self.message(of: "create.json | \(filter) | length", response: list)
        == "the value contains more than 1000000 values and member names")
  }

  @Test(arguments: [
    ("match_all('(?=(.*))')", "value"), ("map(create.text)", "value"), ("regex_replace('a', create.text)", "text"),
    ("replace('a', create.text)", "text"),
  ]) func `a filter whose result has more than 64 MiB of text is refused`(_ filter: String, _ noun: String) throws {
    let input = filter.hasPrefix("map(") ? "20000 | range" : "create.text"
    let text = String(repeating: "a", count: 20_000)
    #expect(try Self.message(of: "\(input) | \(filter) | length", response: text) == "the \(noun) is larger than 64 MiB")
  }

  @Test func `filters that only select or count items accept a list of any size`() throws {
    let list = "[\(String(repeating: "1,", count: SizeLimit.values))1]"
    #expect(try Self.message(of: "create.json | filter(item == 1) | length", response: list) == nil)
  }
}
