import GarlandDiagnostics
import GarlandJSON
import GarlandYAML
import TestSupport
import Testing

@testable import GarlandWorkflow

/// Tests that the editor's schema and the decoder accept the same documents, as far as structure is concerned.
@Suite struct SchemaAgreementTests {
  /// The decoder's codes for structural mistakes.
  static let structural: Set<DiagnosticCode> = [
    .unknownKey, .wrongType, .missingKey, .unknownPredicate, .badVersion, .noAction, .twoActions, .notAWorkflow,
    .twoCredentials, .misplacedKey,
  ]
  /// The codes of mistakes that a schema may or may not report.
  static let either: Set<DiagnosticCode> = [
    .neverHolds, .testsNothing, .conflict, .twoBodies, .badJSONPath, .badXPath, .badName, .reservedName, .badSchema, .badHeader, .notAName,
    .badURL,
    .badMethod, .badBase64,
    .missingFile,
    .fileOutside, .literalExpression, .undefinedStep, .missingInput, .undefinedInput, .documentCycle, .badRows, .undefinedProfile,
    .profileCycle,
  ]

  /// The results of decoder and schema for documents.
  struct Verdicts {
    private(set) var valid = 0
    private(set) var invalid = 0
    private(set) var either = 0
    private(set) var disagreements: [String: String] = [:]
    private let schema: JSONSchema

    init() throws { schema = try WorkflowSchemaTests.schema.get() }

    mutating func judge(_ original: JSONValue) throws {
      let document = SchemaAgreementTests.withVariables(original)
      let text = document.jsonText()
      // Mistakes in other files are not counted for this file.
      let errors = Decode.document(text).diagnostics.all.filter { $0.severity == .error && $0.range?.file.name == "test.yaml" }
      // Only the decoder can determine that a variable is a text.
      let ofValues = [
        "expected a list, found text", "expected a list of values, found text",
        "expected a mapping of names to values, found the text `${vars.user}`",
        "expected members of the JSON body, found the text `${vars.user}`",
      ]
      // The action of a step may be in the step that it extends. For such a step, the schema neither requires an action nor allows only
      // one.
      let extends = text.contains("\"extends\"")
      let hasLists = text.contains("${vars.list}") || text.contains("${vars.names}")
      func isOfValues(_ message: String) -> Bool {
        ofValues.contains(message)
          || hasLists && ["found a list", "found a mapping", "can't be inserted into a text"].contains { message.hasSuffix($0) }
      }
      let codes = Set(
        errors.map { isOfValues($0.message) || extends && [.noAction, .twoActions].contains($0.code) ? .neverHolds : $0.code })
      let failures = try schema.validate(document, limit: 1)
      if !codes.isDisjoint(with: structural) {
        invalid += 1
        if failures.isEmpty, let first = errors.first(where: { structural.contains($0.code) && !isOfValues($0.message) }) {
          disagreements["only the decoder: [\(first.code)] \(first.message)"] = text
        }
      } else if !codes.isDisjoint(with: SchemaAgreementTests.either) || SchemaAgreementTests.hasHiddenTemplate(document) {
        either += 1
      } else {
        valid += 1
        if let first = failures.first { disagreements["only the schema: \(first.schemaLocation) \(first)"] = text }
      }
    }

    var words: String {
      disagreements.sorted { $0.key < $1.key }.prefix(80).map { "\($0.key)\n  \($0.value)" }.joined(separator: "\n")
    }
  }

  /// The values of variables determine where an expression is allowed, which is not part of the structure.
  private static func withVariables(_ document: JSONValue) -> JSONValue {
    guard case .object(var members) = document, case .object(var variables)? = members["vars"] else { return document }
    for variable in SchemaSeeds.variables.objectValue ?? [:] where variables.count > 1 || variable.key == "user" {
      variables[variable.key] = variable.value
    }
    members["vars"] = .object(variables)
    return .object(members)
  }

  /// A template that no step extends is not checked, and neither is a part of a template that a step replaces.
  private static func hasHiddenTemplate(_ document: JSONValue) -> Bool {
    if document["profiles"]?.objectValue?.values.contains(where: { $0["steps"] != nil }) ?? false { return true }
    let templates = document["defaults"]?["steps"]?.objectValue?.keys ?? []
    let steps = document["steps"]?.objectValue?.values ?? []
    if steps.contains(where: { $0["extends"] != nil && ($0.objectValue?.count ?? 0) > 1 }) { return true }
    let used = Set((document["steps"]?.objectValue?.values ?? []).compactMap { $0["extends"]?.stringValue })
    return templates.contains { !used.contains($0) }
  }

  /// A new key needs a seed document, from which the mutations are made.
  @Test func `each key of the workflow schema occurs in at least one sample document of the tests`() throws {
    var walk = SchemaWalk(WorkflowSchema.document)
    for document in try SchemaSeeds.all.get() { walk.visit(document) }
    #expect(walk.keys.subtracting(walk.places.keys).sorted() == [])
  }

  @Test func `the decoder and the workflow schema accept every sample document of the tests`() throws {
    for document in try SchemaSeeds.all.get() {
      let errors = Decode.document(document.jsonText()).diagnostics.all.filter { $0.severity == .error }
      #expect(errors.filter { $0.code != .neverHolds && $0.code != .testsNothing }.map { "\($0)" } == [], "\(document.jsonText())")
      #expect(try WorkflowSchemaTests.schema.get().validate(document).map(\.description) == [], "\(document.jsonText())")
    }
  }

  /// Sets each key of the schema, at one of its places, to each value that is valid for some other key; in `make test` to a sixth of these
  /// values. The keys are divided among four test cases, which run in parallel.
  @Test(.timeLimit(.minutes(15)), arguments: 0..<4) func `the decoder and the workflow schema accept the same kinds of values for each key`(
    share: Int
  )
    throws
  {
    var verdicts = try Verdicts()
    var count = 0
    var seen: Set<String> = []
    for document in try SchemaSeeds.all.get().dropFirst() {
      var walk = SchemaWalk(WorkflowSchema.document)
      walk.visit(document)
      for (key, places) in walk.places.sorted(by: { $0.key < $1.key }) where seen.insert(key).inserted {
        count += 1
        guard let place = places.first, count % 4 == share else { continue }
        for (number, value) in (Mutation.values + [nil]).enumerated() where DeepTests.areRun || (number + count / 4) % 6 == 0 {
          try verdicts.judge(document.replacing(place, with: value))
        }
      }
    }
    #expect(verdicts.disagreements.isEmpty, "\(verdicts.words)")
    #expect(verdicts.valid > DeepTests.rounds(300, otherwise: 50), "\(verdicts.valid) valid documents")
    #expect(verdicts.invalid > DeepTests.rounds(900, otherwise: 150), "\(verdicts.invalid) invalid documents")
  }

  @Test(.timeLimit(.minutes(15)), arguments: 0..<4)
  func `the decoder and the schema agree whether a randomly changed document is valid`(share: Int) throws {
    // The first document contains all keys, so that a mistake in one place would hide a mistake in another.
    let seeds = Array(try SchemaSeeds.all.get().dropFirst())
    var random = SeededRandom(seed: 7 + UInt64(share))
    var verdicts = try Verdicts()
    let rounds = DeepTests.rounds(2_500, otherwise: 250)
    for round in 0..<rounds {
      let mutation = Mutation.allCases[round % Mutation.allCases.count]
      var document = mutation(seeds[round % seeds.count], &random)
      if round.isMultiple(of: 3) { document = Mutation.allCases.randomElement(using: &random)?(document, &random) ?? document }
      try verdicts.judge(document)
    }
    #expect(verdicts.disagreements.isEmpty, "\(verdicts.words)")
    #expect(verdicts.valid > rounds / 13 && verdicts.invalid > rounds / 3, "\(verdicts.valid) \(verdicts.invalid) \(verdicts.either)")
  }

  /// A schema cannot reject a repeated key, but the parser of the document does.
  @Test func `a repeated key in a workflow in JSON is reported by the workflow decoder and by the JSON parser`() throws {
    for document in try SchemaSeeds.all.get() {
      guard case .object(let members) = document, let last = members.last else { continue }
      let again = ",\(JSONValue.string(last.key).jsonText()):\(last.value.jsonText())}"
      let text = String(document.jsonText().dropLast()) + again
      #expect(Decode.document(text).diagnostics.all.contains { $0.code == "duplicate-key" })
      #expect(try !JSONDocument(parsing: Array(text.utf8)).duplicateKeys.isEmpty)
    }
  }
}
