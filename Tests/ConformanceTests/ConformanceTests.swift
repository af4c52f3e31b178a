import TestSupport
import Testing

/// Every case of the folder `Tests/Conformance` comes out as it is written there: exit status, outcomes, messages, requests, files and JUnit.
@Suite(.timeLimit(.minutes(15))) struct ConformanceTests {
  @Test(arguments: Conformance.cases) func `each document in Tests/Conformance gives the recorded result`(_ example: Conformance.Case)
    async throws
  {
    let verdict = try await Conformance.verdict.value
    #expect(verdict.cases.contains(example.name))
    let problems = verdict.problems[example.name] ?? []
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  /// A program with a constant output fails.
  @Test func `if /bin/true is run in place of Garland, each tested case of Tests/Conformance fails`() async throws {
    let url = try #require(await Conformance.environment.value["GARLAND_SANDBOX"])
    for looseness in [[], ["--loose"]] {
      let verdict = try await Conformance.verdict(of: "/bin/true", ["--sandbox", url, "predicates/gt"] + looseness)
      #expect(verdict.cases.count >= 4)
      #expect(Set(verdict.problems.keys) == Set(verdict.cases))
    }
  }

  @Test func `each case in Tests/Conformance has a counterpart with the opposite outcome`() throws {
    let names = Set(Conformance.cases.map(\.name))
    #expect(names.count > 40)
    for example in Conformance.cases {
      #expect(names.contains(example.isTwin ? String(example.name.dropLast(".fails".count)) : example.name + ".fails"), "\(example.name)")
      #expect(example.text.hasPrefix("# "), "\(example.name)")
    }
  }
}
