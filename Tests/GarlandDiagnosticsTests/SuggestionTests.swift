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
  func `a misspelled key suggests the nearest one`(_ name: String, _ expected: String) {
    #expect(Suggestion.nearest(to: name, in: Self.keys) == expected)
  }

  @Test(arguments: ["", "x", "completely", "retry", "json_path_of_it"])
  func `a key unlike all others suggests none`(_ name: String) {
    #expect(Suggestion.nearest(to: name, in: Self.keys) == nil)
  }

  @Test func `a short name suggests no key that is two letters longer`() {
    #expect(Suggestion.nearest(to: "exec", in: ["expect"]) == nil)
    #expect(Suggestion.nearest(to: "expec", in: ["expect"]) == "expect")
  }

  @Test func `the suggestion prefers a key of the same case, and then the first`() {
    #expect(Suggestion.nearest(to: "NAMEE", in: ["name", "NAME"]) == "NAME")
    #expect(Suggestion.nearest(to: "aab", in: ["aaa", "aac"]) == "aaa")
  }
}
