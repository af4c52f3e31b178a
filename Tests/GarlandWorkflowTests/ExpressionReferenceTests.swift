import TestSupport
import Testing

@testable import GarlandWorkflow

/// Tests that the language reference describes each filter and each function as the program knows it.
@Suite struct ExpressionReferenceTests {
  private static let rows = Result { () throws -> [String] in
    let page = try SystemFiles().read(Repository.path("docs/language/values-and-expressions.md"), limit: 1 << 20)
    return String(decoding: page, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Returns the kinds as the tables of the reference name them.
  private static func words(_ kinds: ValueKinds) -> String {
    if kinds == .any { return "any value" }
    let names: [(ValueKinds, String)] = [
      (.text, "text"), (.number, "number"), (.boolean, "boolean"), (.list, "list"), (.mapping, "mapping"),
    ]
    return names.filter { kinds.contains($0.0) }.map(\.1).joined(separator: ", ")
  }

  private static func hasRow(from start: String, to example: String) throws -> Bool {
    let end = " | `\(example.replacing("|", with: "\\|"))` |"
    return try rows.get().contains { $0.hasPrefix(start) && $0.hasSuffix(end) && $0.utf8.count > start.utf8.count + end.utf8.count }
  }

  @Test(arguments: Filter.allCases)
  func `for each filter, the language reference has a row with its parameters, kinds of values and example`(filter: Filter) throws {
    let signature = filter.signature
    let parameters = signature.parameters.map { $0.name + ($0.isOptional ? "?" : "") }.joined(separator: ", ")
    let call = filter.rawValue + (parameters.isEmpty ? "" : "(\(parameters))")
    let start = "| `\(call)` | \(Self.words(signature.input)) | \(Self.words(signature.result)) | "
    #expect(try Self.hasRow(from: start, to: signature.example), "\(start)… | `\(signature.example)` |")
  }

  @Test(arguments: ExpressionFunction.allCases)
  func `for each function, the language reference has a row with its parameters, kind of value and example`(
    function: ExpressionFunction
  ) throws {
    let start = "| `\(function.call)` | \(Self.words(function.signature.result)) | "
    #expect(try Self.hasRow(from: start, to: function.signature.example), "\(start)… | `\(function.signature.example)` |")
  }
}
