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
  func `for a misspelled key, the most similar known key is suggested`(_ name: String, _ expected: String) {
    #expect(Suggestion.nearest(to: name, in: Self.keys) == expected)
  }

  @Test(arguments: ["", "x", "completely", "retry", "json_path_of_it"])
  func `for a key that resembles no known key, nothing is suggested`(_ name: String) {
    #expect(Suggestion.nearest(to: name, in: Self.keys) == nil)
  }

  @Test func `for a short misspelled key, a key that is two letters longer is not suggested`() {
    #expect(Suggestion.nearest(to: "exec", in: ["expect"]) == nil)
    #expect(Suggestion.nearest(to: "expec", in: ["expect"]) == "expect")
  }

  @Test func `if several known keys are equally similar to a misspelled key, only a key in the same letter case is suggested`() {
    #expect(Suggestion.nearest(to: "NAMEE", in: ["name", "NAME"]) == "NAME")
    #expect(Suggestion.nearest(to: "aab", in: ["aaa", "aac"]) == nil)
  }

  @Test func `all keys that are equally similar to a misspelled key are returned in their original order`() {
    #expect(Suggestion.allNearest(to: "gtt", in: ["eq", "gt", "gte", "lte"]) == ["gt", "gte"])
    #expect(Suggestion.allNearest(to: "statsu", in: Self.keys) == ["status"])
    #expect(Suggestion.allNearest(to: "x", in: Self.keys).isEmpty)
  }
}
