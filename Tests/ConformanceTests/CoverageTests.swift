import GarlandDiagnostics
import GarlandYAML
import Testing

@testable import GarlandWorkflow

/// Every feature that the decoder knows has a case in Tests/Conformance: a new feature without
/// one fails here.
@Suite struct CoverageTests {
  @Test(arguments: [
    ("predicates", PredicateKey.allCases.map(\.rawValue)), ("targets", ExpectKey.allCases.map(\.rawValue)),
    ("extract", (ExtractKey.sources + [.defaultValue, .secret]).map(\.rawValue)), ("filters", Filter.allCases.map(\.rawValue)),
    ("functions", ExpressionFunction.allCases.map(\.rawValue)), ("auth", AuthKey.allCases.map(\.rawValue).filter { $0 != "oauth2" }),
    ("auth", OAuth2Template.Grant.allCases.map(\.rawValue)),
  ]) func `each predicate, expectation, extraction, filter, function and auth type is used in at least one conformance test`(
    _ topic: String, _ names: [String]
  ) {
    let features = Conformance.features(of: topic)
    #expect(names.filter { !features.contains($0) } == [])
  }

  @Test func `each key of the workflow format is used in a passing conformance case`() throws {
    var walk = KeyWalk()
    for example in Conformance.cases where !example.isTwin { try walk.visit(example.text, example.name) }
    for document in Conformance.supporting { try walk.visit(document.text, document.name) }
    var missing: [String] = []
    for table in SchemaTables.all {
      // Templates are steps, and amounts have the same predicates as all else.
      guard table.name != "template", !table.name.hasPrefix("predicates of") else { continue }
      missing += table.keys.map(\.name).filter { !table.borrowed.contains($0) && !walk.seen.contains("\(table.name).\($0)") }.map {
        "\(table.name).\($0)"
      }
    }
    #expect(missing == [])
  }

  /// Each word that a key can be.
  @Test func `the conformance test workflows use every allowed value of each key that has a fixed list of values`() throws {
    let text = Conformance.cases.map(\.text).joined(separator: "\n")
    let words =
      ErrorName.allCases.map(\.rawValue) + JSONTypeName.allCases.map(\.rawValue) + CachePolicySetting.allCases.map(\.rawValue)
      + CompressionSetting.allCases.map(\.rawValue) + RowsFormat.allCases.map(\.rawValue) + TLSFact.allCases.map(\.rawValue)
      + OAuth2Template.ClientAuth.allCases.map(\.rawValue) + OAuth1Template.Method.allCases.map(\.rawValue)
      + ParametersTemplate.Arrays.allCases.map(\.rawValue) + ParametersTemplate.Nulls.allCases.map(\.rawValue)
    #expect(words.filter { !text.contains($0) } == [])
  }
}
