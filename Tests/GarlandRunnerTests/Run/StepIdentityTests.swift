import GarlandResults
import TestSupport
import Testing

@testable import GarlandRunner
@testable import GarlandWorkflow

/// Tests of the requests that are shown for steps that have sent nothing.
@Suite(.timeLimit(.minutes(15))) struct StepIdentityTests {
  @Test func `reports know the word of each kind of step that sends requests and has a word in place of the method`() {
    let words = KindDecoders.all.filter { $0.isRequest }.compactMap { $0.verb }
    #expect(!words.isEmpty)
    for word in words { #expect(StepIdentity.Word(rawValue: word) != nil, "\(word)") }
  }

  @Test func `the URL of a skipped step shows the values of variables that are known before the run`() async throws {
    let run = try await TestRun.carryOut(
      """
      garland: 1
      secrets: [KEY]
      vars: { base: 'http://127.0.0.1:1', version: v2, odd: 'a b', login: 'http://u:pass@127.0.0.1:1', secret: '${secrets.KEY}', n: 7 }
      steps:
        a: { get: '${vars.base}/${vars.version}/books/${vars.n}', when: false }
        b: { get: '${vars.base}/${a.json.id ?? 1}?q=${vars.odd}&v=${vars.version}', when: false }
        c: { get: '${vars.base}/${vars.secret}', when: false }
        d: { get: '${vars.login}/x', when: false }
        e: { get: 'http://127.0.0.1:1/${uuid()}/${env.PLACE}', when: false }
        f: { get: '${vars.base}/${item}', for_each: [1], when: false }
        g: { get: 'http://127.0.0.1:1/plain', when: false }
      """,
      configure: {
        $0.environment["PLACE"] = "here"
        $0.secrets["KEY"] = "s3cr3tkey"
      })
    #expect(run.results.allSatisfy { $0.outcome == .skipped })
    #expect(
      run.results.sorted { $0.step.index < $1.step.index }.map(\.step.action) == [
        "GET http://127.0.0.1:1/v2/books/7", "GET http://127.0.0.1:1/${a.json.id ?? 1}?q=${vars.odd}&v=v2",
        "GET http://127.0.0.1:1/${vars.secret}", "GET ${vars.login}/x", "GET http://127.0.0.1:1/${uuid()}/here",
        "GET http://127.0.0.1:1/${item}", "GET http://127.0.0.1:1/plain",
      ])
  }
}
