import GarlandJSON
import Testing

/// Tests that work which would take minutes or centuries is stopped. Without the stop, these tests would never end.
@Suite struct ComputationTests {
  /// A computation whose time is over at the first check of the clock.
  private var over: Computation { Computation(limit: .zero) }

  private func nested(_ depth: Int) -> JSONValue {
    (0..<depth).reduce(JSONValue.array([1])) { value, _ in .array([value, value]) }
  }

  @Test func `evaluating a JSONPath over many values stops at the time limit`() throws {
    let path = try JSONPath("$..*[?count($..*) > 1]")
    let value = nested(14)
    #expect(throws: JSONPathEvaluationError.outOfTime) { try over.run { try path.values(in: value, stepLimit: .max) } }
  }

  @Test func `evaluating a JSONPath that compares large values stops at the time limit`() throws {
    let path = try JSONPath("$..[?@ == $.b]")
    let large = JSONValue.array((0..<1000).map { JSONValue($0) })
    let value: JSONValue = ["a": .array(Array(repeating: large, count: 100)), "b": large]
    #expect(throws: JSONPathEvaluationError.outOfTime) { try over.run { try path.values(in: value) } }
  }

  @Test func `JSON Schema validation whose work doubles at each level of allOf stops at the time limit`() throws {
    var definitions: JSONObject = ["d40": ["type": "integer"]]
    for level in 0..<40 {
      let next: JSONValue = ["$ref": .string("#/$defs/d\(level + 1)")]
      definitions["d\(level)"] = ["allOf": [next, ["properties": [:], "allOf": [next]]]]
    }
    let schema = try JSONSchema(["$ref": "#/$defs/d0", "$defs": .object(definitions)])
    let computation = Computation(patience: .milliseconds(20))
    #expect {
      try computation.run { try schema.validate(1) }
    } throws: {
      if case JSONSchemaEvaluationError.outOfTime = $0 { true } else { false }
    }
  }

  @Test(arguments: ["(a|aa)+$", "(a*)*b", ".*.*.*.*x", #"(a+)\1*\1*\1*b"#, "(?:.*,){11}P"])
  func `if a regular expression backtracks in a long text, the match is stopped at the time limit`(pattern: String) throws {
    let limits = RegularExpression.Limits(steps: .max, memory: 100_000, duration: .seconds(1_000_000))
    let expression = try RegularExpression(pattern, limits: limits)
    let text = String(repeating: pattern.contains(",") ? "," : "a", count: 200_000) + "c"
    #expect(throws: RegularExpressionMatchingError.outOfTime(pattern: pattern)) { try over.run { try expression.matches(text) } }
  }

  @Test func `parsing a large JSON text stops at the time limit`() {
    let text = "[" + String(repeating: "0,", count: 1 << 20) + "0]"
    #expect { try over.run { try JSONValue(parsing: text) } } throws: { ($0 as? JSONParsingError)?.reason == .outOfTime }
  }

  @Test(arguments: [
    "[" + String(repeating: "0,", count: 1 << 20) + "0]", "{" + String(repeating: "\"a\":0,", count: 1 << 18) + "\"b\":0}",
    "{\"a\":[" + String(repeating: "{},", count: 1 << 20) + "0]}", "\"" + String(repeating: "\\n", count: 1 << 20) + "\"",
    "{\"a\":\"" + String(repeating: "é", count: 1 << 20) + "\"}", "[" + String(repeating: "7", count: 1 << 21) + "]",
  ]) func `extracting a value from a large JSON text stops at the time limit`(_ text: String) {
    for path in [[.name("z")], [.index(9)]] as [[JSONPathElement]] {
      let extractor = JSONExtractor(paths: [path])
      #expect { try over.run { try extractor.values(in: Array(text.utf8)) } } throws: { ($0 as? JSONParsingError)?.reason == .outOfTime }
    }
  }

  @Test func `a calculation with a number of a million digits stops at the time limit`() throws {
    let digits = String(repeating: "7", count: 1 << 20)
    let long = try #require(JSONNumber(digits))
    let other = try #require(JSONNumber(digits + ".5"))
    let far = try #require(JSONNumber("1e" + digits))
    let divisor = try #require(JSONNumber("1" + String(repeating: "3", count: 1 << 12)))
    for work: (JSONNumber) -> Bool in [{ $0 < other }, { $0 == other }, { $0 < far }, { $0.isMultiple(of: divisor) }, { $0.isIntegral }] {
      let computation = over
      _ = computation.run { work(long) }
      #expect(computation.hasEnded)
    }
  }

  @Test func `finding the differences between large JSON values stops at the time limit`() {
    let rows = { (first: Int) in JSONValue.array((first..<first + 10_000).map { ["id": JSONValue($0)] }) }
    let (left, right) = (rows(0), rows(1))
    let computation = over
    #expect(computation.run { JSONDifference.between(expected: left, actual: right) }.count < 10_000)
    #expect(computation.hasEnded)
  }

  @Test func `if the evaluation of a JSONPath ends within the time limit, it returns the selected values`() throws {
    let path = try JSONPath("$..[?@.a > 1].a")
    let computation = Computation(limit: .seconds(3600))
    #expect(try computation.run { try path.values(in: [["a": 1], ["a": 2]]) } == [2])
    #expect(!computation.hasEnded)
  }

  @Test func `another thread can stop the evaluation of a JSONPath before the time limit`() async throws {
    let path = try JSONPath("$..*[?count($..*) > 1]")
    let value = nested(20)
    let computation = Computation(limit: nil)
    let search = Task { try computation.run { try path.values(in: value, stepLimit: .max) } }
    computation.shorten(to: .zero)
    await #expect(throws: JSONPathEvaluationError.outOfTime) { try await search.value }
  }

  @Test func `after a signal, a computation may continue only for its grace period, which is zero by default`() {
    let interrupt = ComputationInterrupt()
    let (short, patient) = (
      Computation(patience: .seconds(3600), interrupt: interrupt),
      Computation(patience: .seconds(3600), interrupt: interrupt, leeway: .nanoseconds(1))
    )
    #expect(!short.looksOver() && !patient.looksOver())
    interrupt.raise(.stop, signal: 15)
    #expect(short.looksOver())
    _ = patient.looksOver()
    #expect(patient.looksOver())
  }

  @Test func `a computation in a cleanup continues when the run is stopped, and ends when the run is aborted`() {
    let interrupt = ComputationInterrupt()
    let cleanup = Computation(patience: .seconds(3600), interrupt: interrupt, leeway: nil)
    interrupt.raise(.stop, signal: 15)
    interrupt.raise(.stop, signal: 2)
    #expect(!cleanup.looksOver())
    interrupt.raise(.abort, signal: 2)
    #expect(cleanup.looksOver())
    // The first signal is kept as the reason for the end.
    #expect(interrupt.signal == 15)
  }

  @Test func `the static property 'current' of Computation has a value only while a computation runs`() {
    let computation = over
    computation.run { #expect(Computation.current === computation) }
    #expect(Computation.current == nil)
  }
}
