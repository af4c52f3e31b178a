import GarlandDiagnostics
import Testing

@Suite struct SuggestionTests {
  static let keys = ["status", "type", "headers", "json", "body", "xpath", "schema", "time", "size", "base_url", "Accept"]

  @Test(
    arguments: [
      ("statsu", "status"), ("Status", "status"), ("header", "headers"), ("jsno", "json"), ("base-url", "base_url"),
      ("baseurl", "base_url"),
      ("bodyy", "body"), ("accept", "Accept"), ("typ", "type"), ("scheme", "schema"),
    ] as [(String, String)])
  func `for a misspelled key, the most similar valid key is suggested`(_ name: String, _ expected: String) {
    #expect(Suggestion.nearest(to: name, in: Self.keys) == expected)
  }

  @Test(arguments: ["", "x", "completely", "retry", "json_path_of_it"])
  func `for an unknown key that is not similar to any valid key, no correction is suggested`(_ name: String) {
    #expect(Suggestion.nearest(to: name, in: Self.keys) == nil)
  }

  @Test func `for a short misspelled key, a key that is two letters longer is not suggested`() {
    #expect(Suggestion.nearest(to: "exec", in: ["expect"]) == nil)
    #expect(Suggestion.nearest(to: "expec", in: ["expect"]) == "expect")
  }

  @Test func `if two valid keys are equally similar to a typo, one of them is suggested only if its letter case matches`() {
    #expect(Suggestion.nearest(to: "NAMEE", in: ["name", "NAME"]) == "NAME")
    #expect(Suggestion.nearest(to: "aab", in: ["aaa", "aac"]) == nil)
  }

  @Test func `if several keys are equally similar to a misspelled key, all are returned in the order of the list of valid keys`() {
    #expect(Suggestion.allNearest(to: "gtt", in: ["eq", "gt", "gte", "lte"]) == ["gt", "gte"])
    #expect(Suggestion.allNearest(to: "statsu", in: Self.keys) == ["status"])
    #expect(Suggestion.allNearest(to: "x", in: Self.keys).isEmpty)
  }
}
