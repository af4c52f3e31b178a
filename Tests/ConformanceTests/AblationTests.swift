import Testing

@testable import GarlandWorkflow

/// Nothing of what is checked could be taken out unseen: with a predicate that always holds its twin passes or complains of something else, with one that
/// never does the case fails; and so for filters, functions, operators and the keys of `expect`.
@Suite(.timeLimit(.minutes(15))) struct AblationTests {
  @Test(arguments: PredicateKey.allCases.map(\.rawValue))
  func `the cases in Tests/Conformance detect a predicate whose implementation always passes or always fails`(_ name: String) async throws {
    let passing = Conformance.Case(name: "predicates/\(name)")
    let failing = Conformance.Case(name: "predicates/\(name).fails")
    let whole = try await Trial.run(failing)
    #expect(try await Trial.run(passing).allSatisfy(\.isPassed))
    #expect(whole.contains { !$0.isPassed })
    let always = try await Trial.run(failing, without: .predicate(name, holds: true))
    #expect(always.filter(\.isPassed).count > whole.filter(\.isPassed).count, "\(always)")
    let never = try await Trial.run(passing, without: .predicate(name, holds: false))
    #expect(never.contains { !$0.isPassed }, "\(never)")
  }

  @Test(arguments: ExpectKey.allCases.map(\.rawValue))
  func `for each key under 'expect', a conformance test fails if Garland ignores the key`(_ name: String) async throws {
    let failing = Conformance.Case(name: "targets/\(name).fails")
    #expect(try await Trial.run(Conformance.Case(name: "targets/\(name)")).allSatisfy(\.isPassed))
    let whole = try await Trial.run(failing)
    #expect(whole.contains { !$0.isPassed })
    let without = try await Trial.run(failing, without: .expectation(name))
    // A failure that nobody expects is one.
    #expect(name == "error" ? without != whole : without.filter(\.isPassed).count > whole.filter(\.isPassed).count, "\(without)")
  }

  @Test(arguments: Filter.allCases.map(\.rawValue))
  func `for each filter of the expression language, Tests/Conformance has a case that fails without the filter`(
    _ name: String
  )
    async throws
  {
    try await isMissed("filters/\(name)", .filter(name))
  }

  @Test(arguments: ExpressionFunction.allCases.map(\.rawValue))
  func `for each function of the expression language, Tests/Conformance has a case that fails without the function`(_ name: String)
    async throws
  {
    try await isMissed("functions/\(name)", .function(name))
  }

  @Test(arguments: BinaryOperator.allCases.map { ("\($0)", $0.rawValue) })
  func `each binary operator of the expression language is covered by a case in Tests/Conformance`(
    _ name: String, _ symbol: String
  ) async throws {
    try await isMissed("operators/\(Self.feature(name))", .binary(symbol))
  }

  @Test(arguments: UnaryOperator.allCases.map { ("\($0)", $0.rawValue) })
  func `a conformance test fails if a unary operator is removed from the expression language`(
    _ name: String, _ symbol: String
  ) async throws {
    try await isMissed("operators/\(Self.feature(name))", .unary(symbol))
  }

  /// `lessOrEqual` as files are named: `less_or_equal`.
  private static func feature(_ name: String) -> String { name.map { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" }.joined() }

  private func isMissed(_ name: String, _ ablation: Ablation) async throws {
    let passing = Conformance.Case(name: name)
    #expect(try await Trial.run(passing).allSatisfy(\.isPassed))
    let without = try? await Trial.run(passing, without: ablation)
    // Refused is missed as well.
    #expect(without?.contains { !$0.isPassed } ?? true, "\(without ?? [])")
  }
}
