import GarlandDiagnostics
import TestSupport
import Testing

@testable import GarlandResults

/// Tests of the expectations of `--expect`.
@Suite struct LoadExpectationTests {
  private static let steps = ["login", "check_out", "v1.login"]

  private static func load() -> RunLoad {
    var load = RunLoad(LoadSettings(rate: 20, users: 1), stepCount: 3)
    load.begun = 200
    load.ended = 200
    load.late = 3
    load.elapsed = .seconds(10)
    for index in 0..<2 {
      for number in 1...100 { load.steps[index].latency.record(.milliseconds(number * (index + 1))) }
      load.steps[index].counts = [.passed: 99, .failed: 1]
    }
    return load
  }

  @Test(arguments: [
    ("p95 < 300ms", true), ("p95<300ms", true), ("login.p50 <= 51ms", true), ("login.p50 < 50ms", false), ("check_out.p99.9 < 0.2s", false),
    ("max <= 200ms", true), ("min >= 1ms", true), ("mean < 76ms", true), ("errors < 1%", false), ("errors <= 1%", true),
    ("errors < 3", true),
    ("login.errors < 1", false), ("rate >= 20/s", true), ("login.rate > 10/s", false), ("late < 2%", true), ("late < 3", false),
    ("v1.login.p95 < 1h", false), ("errors < 1 %", false), ("errors <= 1 %", true), ("p95 < 300 ms", true), ("rate >= 20 /s", true),
    ("rate >= 1200/m", true), ("rate > 1200/m", false), ("login.rate < 36001/h", true), ("rate <= 72000 /h", true),
  ])
  func `an --expect condition is met if its metric is within the limit`(text: String, isMet: Bool) throws {
    #expect(try LoadExpectation(text, steps: Self.steps).isMet(by: Self.load()) == isMet)
  }

  @Test(arguments: [("books.yaml#login.p95 < 1s", 0), ("b/shop.yaml#login.p99.9 < 1s", 1), ("a/books.yaml#login.errors < 1", 0)])
  func `a condition of --expect may contain the file name of the step's document`(text: String, step: Int) throws {
    let files = ["a/books.yaml", "b/shop.yaml"]
    #expect(try LoadExpectation(text, steps: ["login", "login"], files: files).step == step)
  }

  @Test func `if --expect names a step that several documents have, the error shows how to name the document`() {
    do throws(LoadExpectation.Mistake) {
      _ = try LoadExpectation("login.p95 < 1s", steps: ["login", "login"], files: ["a/books.yaml", "b/shop.yaml"])
      Issue.record("the condition is ambiguous")
    } catch {
      #expect(error.diagnostic.helps.map(\.message) == ["name its document, too: `books.yaml#login.p95`"])
    }
  }

  @Test(arguments: ["errors < 5 %x", "errors < 5 1%", "errors < 1% %", "p95 < 300 ms s"])
  func `a limit of an --expect condition has only one unit`(text: String) {
    #expect(throws: LoadExpectation.Mistake.self) { try LoadExpectation(text, steps: Self.steps) }
  }

  private static let wrong = [
    "", "p95", "p95 <", "p95 < fast", "p95 < 300", "p95 < 300sec", "p101 < 1s", "p9x < 1s", "perrors < 1%", "error < 1%", "logn.p95 < 1s",
    "login. < 1s", "login.late < 1", "errors < 1ms", "rate > 100", "p95 =< 300ms", "p95 300ms", "p95 < 300ms and errors < 1%",
    "errors < 200%", "rate > 120/min",
  ]

  @Test(arguments: wrong) func `the error for an invalid --expect condition suggests only valid corrections`(text: String) {
    let proof = FixProof(of: "--expect") { bytes in
      do throws(LoadExpectation.Mistake) {
        _ = try LoadExpectation(String(decoding: bytes, as: UTF8.self), steps: Self.steps)
        return []
      } catch {
        return [error.diagnostic]
      }
    }
    #expect(proof.result(for: Array(text.utf8)).mistakes == [])
  }

  @Test func `each mistake in an --expect condition is reported at its position with a correction`() {
    let text = Self.wrong.map { text in
      do throws(LoadExpectation.Mistake) {
        _ = try LoadExpectation(text, steps: Self.steps)
        return "\(text): no mistake\n"
      } catch {
        return DiagnosticRenderer(width: 80).render([error.diagnostic]).rendered(.plain)
      }
    }.joined(separator: "\n")
    expectGolden(text, "load-expectation-mistakes.txt")
  }

  @Test func `failures of a load test's step are allowed if an --expect condition, such as login.errors <= 1%, permits them`() throws {
    var load = Self.load()
    #expect(load.outcome(of: 0) == .failed && load.outcome(of: 2) == .notRun)
    load.expectations = [try LoadExpectation("login.errors <= 1%", steps: Self.steps)]
    #expect(load.outcome(of: 0) == .failed && load.allowsFailures(of: 0) && !load.allowsFailures(of: 1))
    load.expectations = [try LoadExpectation("errors < 1%", steps: Self.steps)]
    #expect(!load.allowsFailures(of: 0) && !load.meetsExpectations)
  }

  @Test func `an --expect condition that only requires a minimum of errors does not permit failures of a load test`() throws {
    var load = Self.load()
    load.expectations = [try LoadExpectation("errors >= 0", steps: Self.steps), try LoadExpectation("errors > 0%", steps: Self.steps)]
    #expect(load.meetsExpectations && !load.allowsFailures(of: 0))
  }

  @Test func `--expect conditions about errors do not count permitted failures of a load test`() throws {
    var load = Self.load()
    load.steps[0].isFailureAllowed = true
    #expect(try LoadExpectation("errors <= 0.5%", steps: Self.steps).isMet(by: load))
    #expect(try LoadExpectation("login.errors < 1", steps: Self.steps).isMet(by: load))
    #expect(load.allowsFailures(of: 0) && !load.allowsFailures(of: 1))
  }

  @Test func `a low measured rate is shown with two significant digits beside its --expect condition`() throws {
    var load = Self.load()
    load.elapsed = .seconds(1_000_000)
    #expect(try LoadExpectation("rate >= 0.001/s", steps: Self.steps).actualText(in: load) { "\($0)" } == "0.0002/s")
  }

  @Test(arguments: ["late < 1", "late < 1%", "late >= 0"])
  func `without --rate, an --expect condition for the metric late is not met`(text: String) throws {
    var load = Self.load()
    load.settings.rate = nil
    #expect(try !LoadExpectation(text, steps: Self.steps).isMet(by: load))
  }

  @Test func `the merged metrics of two load tests contain the repetitions of both`() {
    var load = Self.load()
    load.merge(Self.load())
    #expect(load.begun == 400 && load.late == 6 && load.settings.users == 2)
    #expect(load.steps[0].latency.count == 200 && load.steps[0].counts == [.passed: 198, .failed: 2])
  }
}
